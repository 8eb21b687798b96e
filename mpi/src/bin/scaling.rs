//! Forecasts for more ranks than there are here: `mpirun -n 2 scaling [SCALE [TIMES]]` prints the tables of
//! suite/book/scaling.md. It measures phases and fits the costs of a network to them. It replays the messages of a
//! search and prints them with the simulation. It extends kernel 3 to many ranks, by the costs found here or by those
//! of `PLUSMINUS_NETWORK=STEP,MESSAGE,WORD` in seconds. Each phase and replay is measured `TIMES` times, at least three.

use std::time::Instant;

use plusminus_mpi::graph::Part;
use plusminus_mpi::loggp::{
    Network, Phases, Plain, Timed, even_meeting, exchange_of_all, simulate, uncertainty,
};
use plusminus_mpi::stepping::Kernel3;
use plusminus_mpi::{Mail, Ranks, end_all_at_panic};
use plusminus_suite::generate::{Rmat, Seed, sources_among};

/// Words of a message in the phases that are measured, up to the longest ones of a search at scale 18.
const WORDS: [u32; 16] = [
    8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144,
];
/// Times that each phase and replay is measured.
const TIMES: u32 = 15;
/// Meetings of the mixture.
const MIXED: usize = 400;
/// Binary logarithm of the vertices that a rank has where many are foreseen.
const PER_RANK: u32 = 18;
/// The 97.5 % point of a normal distribution.
const Z: f64 = 1.96;

fn main() -> Result<(), String> {
    let mut ranks = Ranks::begin()?;
    end_all_at_panic();
    let argument = |at: usize, default: u32| {
        let number = std::env::args().nth(at).map_or(Ok(default), |number| number.parse());
        number.map_err(|_| "usage: scaling [SCALE [TIMES]]".to_owned())
    };
    let (scale, times) = (argument(1, 18)?, argument(2, TIMES)?.max(3));
    if !(6..=26).contains(&scale) {
        return Err(format!("scale {scale} is not between 6 and 26"));
    }
    let given = given_network()?;
    if ranks.ranks() < 2 {
        return Err("start it with at least two ranks: mpirun -n 2 scaling".to_owned());
    }
    let searches: Vec<Search> =
        [scale - 4, scale - 2, scale].into_iter().map(|scale| search(scale, &mut ranks)).collect();
    let mixture = mixture(ranks.ranks());
    let mut traces: Vec<&Trace> = searches.iter().map(|search| &search.sent).collect();
    traces.push(&mixture);
    let (plain, phases, mut replays) = measure(&traces, times, &mut ranks);
    let found = Network::of_phases(plain, &phases, ranks.ranks()).ok_or("two ranks at least")?;
    let mixed = replays.pop().ok_or("no mixture")?;
    let found = with_change(found, mixed, &mixture);
    if ranks.rank() == 0 {
        tell_network(&phases, &found, ranks.ranks());
        for (search, replay) in searches.iter().zip(replays) {
            tell_replay(search, replay, &found);
        }
        foresee(&searches, &found, given, ranks.ranks());
    }
    Ok(())
}

/// A network, and how sure its costs are.
type Found = (Network, Network);

/// The words from each rank, at each meeting, to each other one.
type Trace = Vec<Vec<Vec<usize>>>;

/// Meetings that are unlike each other, drawn by lot: half of them without a word, and messages of up to 2⁹ words, the short ones as
/// often as the long ones. They are no search's: what they take more than phases that are all alike is known before any search is sent again.
fn mixture(ranks: usize) -> Trace {
    let mut state = 101_u64;
    let mut draw = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut trace = vec![Vec::with_capacity(MIXED); ranks];
    for _ in 0..MIXED {
        let any = draw(2) == 1;
        for (rank, meetings) in trace.iter_mut().enumerate() {
            let mut words = |to: usize| {
                let length = (1 << draw(10)) as usize;
                if any && to != rank && draw(2) == 1 { length } else { 0 }
            };
            meetings.push((0..ranks).map(&mut words).collect());
        }
    }
    trace
}

/// Returns the time of such meetings on a network, without any computation.
fn simulated(trace: &Trace, network: &Network) -> f64 {
    let words = |meeting: usize, from: usize, to: usize| trace[from][meeting][to] as u64;
    simulate(network, trace.len(), trace[0].len(), &|_, _| 0.0, &words)
}

/// Adds what a change costs, by the mixture.
fn with_change(found: Found, mixed: Timed, mixture: &Trace) -> Found {
    let predict = |network: &Network| simulated(mixture, network);
    let foreseen =
        Timed { seconds: predict(&found.0), u: uncertainty(&found.0, &found.1, &predict) };
    Network::with_change(found, mixed, foreseen, MIXED)
}

/// The median, and the standard uncertainty that the scatter gives it.
fn median(mut times: Vec<f64>) -> Timed {
    times.sort_by(f64::total_cmp);
    let middle = times[times.len() / 2];
    let mut far: Vec<f64> = times.iter().map(|time| (time - middle).abs()).collect();
    far.sort_by(f64::total_cmp);
    let u = 1.4826 * 1.2533 * far[far.len() / 2] / (times.len() as f64).sqrt();
    Timed { seconds: middle, u }
}

/// Seconds of one call on the slowest rank.
fn timed(ranks: &mut Ranks, call: impl FnOnce(&mut Ranks)) -> f64 {
    ranks.barrier();
    let start = Instant::now();
    call(ranks);
    let ns = start.elapsed().as_nanos() as u64;
    ranks.each(ns).into_iter().max().unwrap_or(ns) as f64 * 1e-9
}

/// Sends this number of words to each other rank.
fn exchange(mail: &mut Mail, words: &dyn Fn(usize) -> usize, ranks: &mut Ranks) {
    for to in (0..ranks.ranks()).filter(|&to| to != ranks.rank()) {
        mail.push_zeros(to, words(to));
    }
    mail.meet(ranks, [0; 4]);
}

/// Who sends in a phase.
#[derive(Clone, Copy, PartialEq)]
enum Senders {
    /// Every rank to every other one.
    All,
    /// One rank, by turns, to every other one.
    One,
    /// One rank, by turns, to the next one.
    Single,
}

/// Returns the time of a phase with messages of this number of words.
fn phase(words: u32, senders: Senders, mail: &mut Mail, ranks: &mut Ranks) -> f64 {
    let calls = (1 << 21) / (words as usize + 2048);
    let (rank, number) = (ranks.rank(), ranks.ranks());
    let seconds = timed(ranks, |ranks| {
        for call in 0..calls {
            let sends = senders == Senders::All || call % number == rank;
            let to_all = senders != Senders::Single;
            let hears = |to: usize| sends && (to_all || to == (rank + 1) % number);
            exchange(mail, &|to| if hears(to) { words as usize } else { 0 }, ranks);
        }
    });
    seconds / calls as f64
}

/// Phases of several lengths, and what searches have sent, by turns: all meet the same moods of the machine.
fn measure(traces: &[&Trace], times: u32, ranks: &mut Ranks) -> (Plain, Vec<Phases>, Vec<Timed>) {
    let (mut empty, mut single) = (Vec::new(), Vec::new());
    let mut lengths = vec![(Vec::new(), Vec::new()); WORDS.len()];
    let mut replays = vec![Vec::new(); traces.len()];
    let mut mail = Mail::new(ranks);
    for _ in 0..times {
        empty.push(phase(0, Senders::All, &mut mail, ranks));
        single.push(phase(WORDS[0], Senders::Single, &mut mail, ranks));
        for (&words, (both, alone)) in WORDS.iter().zip(&mut lengths) {
            both.push(phase(words, Senders::All, &mut mail, ranks));
            alone.push(phase(words, Senders::One, &mut mail, ranks));
        }
        for (trace, times) in traces.iter().zip(&mut replays) {
            let sent = &trace[ranks.rank()];
            times.push(timed(ranks, |ranks| {
                sent.iter().for_each(|sent| exchange(&mut mail, &|to| sent[to], ranks));
            }));
        }
    }
    let each = WORDS.into_iter().zip(lengths);
    let phases = each.map(|(words, (both, alone))| Phases {
        words,
        both: median(both),
        alone: median(alone),
    });
    let plain = Plain { empty: median(empty), single: median(single) };
    (plain, phases.collect(), replays.into_iter().map(median).collect())
}

fn tell_network(phases: &[Phases], (network, u): &Found, ranks: usize) {
    println!(
        "on {ranks} ranks (± is one standard uncertainty): L + 2o = {:.3} ± {:.3} µs; a meeting unlike the one before {:.3} ± {:.3} µs more; with a rank that there is nothing for {:.3} ± {:.3} µs; by the words of a message:",
        network.step * 1e6,
        u.step * 1e6,
        network.change * 1e6,
        u.change * 1e6,
        network.idle * 1e6,
        u.idle * 1e6
    );
    println!("  {:>7}  {:>22}  {:>22}", "words", "both ways, µs", "one way, µs");
    for ((phase, gap), u) in phases.iter().zip(&network.gaps).zip(&u.gaps) {
        println!(
            "  {:>7}  {:>12.3} ± {:>7.3}  {:>12.3} ± {:>7.3}",
            phase.words,
            gap.both * 1e6,
            u.both * 1e6,
            gap.alone * 1e6,
            u.alone * 1e6
        );
    }
}

/// The findings of searches from four roots.
struct Search {
    scale: u32,
    /// Of one of them, in the median.
    time: Timed,
    /// Of one of them: the words from each rank to each other, by meeting.
    sent: Trace,
    /// Arcs of the whole graph, edges as TEPS counts them, and bytes of a part for each vertex.
    arcs: u64,
    edges: u64,
    bytes_per_vertex: f64,
}

fn search(scale: u32, ranks: &mut Ranks) -> Search {
    let part = Part::<f32>::generate(&Rmat::graph500(scale, Seed(2)), 1, ranks);
    let roots = sources_among(part.vertices(), 8, Seed(2), |vertex| {
        let degree = part.position(vertex).map_or(0, |position| part.arcs(position).len());
        ranks.sum(degree as u64) > 0
    });
    let mut kernel = Kernel3::new(&part, ranks);
    kernel.search(roots[0], ranks);
    let mut times = Vec::new();
    for &root in &roots {
        times.push(timed(ranks, |ranks| drop(kernel.search(root, ranks))));
    }
    ranks.begin_trace();
    kernel.search(roots[0], ranks);
    let mine = ranks.end_trace();
    let words: Vec<u32> = mine.iter().flatten().map(|&words| words as u32).collect();
    let sent = ranks.gather(&words);
    let each = |words: Vec<u32>| -> Vec<Vec<usize>> {
        let rows = words.chunks_exact(ranks.ranks());
        rows.map(|row| row.iter().map(|&words| words as usize).collect()).collect()
    };
    let sent = sent.into_iter().map(each).collect();
    let generated: u64 = (0..part.own().len()).map(|position| part.generated(position)).sum();
    Search {
        scale,
        time: median(times),
        sent,
        arcs: part.all_arcs(),
        edges: ranks.sum(generated) / 2,
        bytes_per_vertex: part.memory_bytes() as f64 / part.own().len().max(1) as f64,
    }
}

impl Search {
    fn meetings(&self) -> usize {
        self.sent[0].len()
    }

    /// Returns the time of its meetings on a network, without any computation.
    fn simulated(&self, network: &Network) -> f64 {
        simulated(&self.sent, network)
    }

    /// Words of all ranks to others.
    fn words(&self) -> usize {
        self.sent.iter().flatten().flatten().sum()
    }

    /// Meetings at which any word is sent.
    fn exchanges(&self) -> usize {
        let any = |meeting: usize| {
            self.sent.iter().any(|rank| rank[meeting].iter().any(|&words| words > 0))
        };
        (0..self.meetings()).filter(|&meeting| any(meeting)).count()
    }
}

/// Prints the time of the replay and its simulation.
fn tell_replay(search: &Search, replay: Timed, (network, u): &Found) {
    let simulated = search.simulated(network);
    let of_model = uncertainty(network, u, &|network| search.simulated(network));
    let half = Z * of_model.hypot(replay.u);
    let agrees = if (replay.seconds - simulated).abs() <= half { "agrees" } else { "differs" };
    println!(
        "scale {} on {} ranks: {} meetings, {} with words, {} words: replayed {:.3} ± {:.3} ms, simulated {:.3} ± {:.3} ms: \
         {agrees} within ± {:.3} ms (95 %)",
        search.scale,
        search.sent.len(),
        search.meetings(),
        search.exchanges(),
        search.words(),
        replay.seconds * 1e3,
        replay.u * 1e3,
        simulated * 1e3,
        of_model * 1e3,
        half * 1e3
    );
    let Timed { seconds, u } = search.time;
    println!("  the search itself took {:.3} ± {:.3} ms", seconds * 1e3, u * 1e3);
}

/// The network of `PLUSMINUS_NETWORK`, if it is set.
fn given_network() -> Result<Option<Network>, String> {
    let Ok(text) = std::env::var("PLUSMINUS_NETWORK") else { return Ok(None) };
    let wrong = || {
        format!(
            "PLUSMINUS_NETWORK takes the seconds of a step, a message and a word, such as 2e-6,1e-6,1e-9, and not {text:?}"
        )
    };
    let costs: Result<Vec<f64>, _> = text.split(',').map(|cost| cost.trim().parse()).collect();
    match costs.map_err(|_| wrong())?[..] {
        [step, message, word]
            if [step, message, word].iter().all(|cost| (0.0..1.0).contains(cost)) =>
        {
            Ok(Some(Network::of_costs(step, message, word)))
        }
        _ => Err(wrong()),
    }
}

/// Weak scaling of kernel 3 to many ranks, with as many vertices for each.
fn foresee(searches: &[Search], (here, u): &Found, given: Option<Network>, ranks: usize) {
    let last = &searches[searches.len() - 1];
    let network = given.as_ref().unwrap_or(here);
    let arc = (last.time.seconds - last.simulated(here)) * ranks as f64 / last.arcs as f64;
    let u_arc = last.time.u * ranks as f64 / last.arcs as f64;
    // Meetings grow with the scale: Δ narrows as the largest degree grows.
    let growth = (last.meetings() as f64 / searches[0].meetings() as f64).ln()
        / f64::from(last.scale - searches[0].scale);
    let sent = last.words() as f64 / last.arcs as f64 * ranks as f64 / (ranks - 1) as f64;
    println!(
        "{:.3} ± {:.3} ns an arc and rank, {:.3} words an arc, meetings × {:.3} a scale",
        arc * 1e9,
        u_arc * 1e9,
        sent,
        growth.exp()
    );
    println!(
        "{:>6} {:>6} {:>14} {:>22} {:>10} {:>24} {:>24}",
        "ranks", "scale", "meetings", "MB sent by a rank", "GiB each", "seconds", "GTEPS"
    );
    for more in [16_usize, 256, 4096] {
        let scale = PER_RANK + more.ilog2();
        let factor = f64::from(scale - last.scale);
        // Between no growth any more and growth as so far.
        let meetings = [last.meetings() as f64, last.meetings() as f64 * (growth * factor).exp()];
        let arcs = last.arcs as f64 * f64::from(PER_RANK - last.scale).exp2();
        // Between the filter of two ranks, and none: each arc to another rank is a message of three words.
        let share = (more - 1) as f64 / more as f64;
        let words = [sent * arcs * share, 3.0 * arcs * share];
        let busy = last.exchanges() as f64 / last.meetings() as f64;
        let exchanges = |meetings: f64, words: f64, network: &Network| {
            meetings * busy * exchange_of_all(network, more, words / (meetings * busy))
        };
        let bound = |end: usize, sign: f64| {
            let predict = |network: &Network| {
                meetings[end] * even_meeting(network, more, 0.0)
                    + exchanges(meetings[end], words[end], network)
            };
            // The costs of another network than this are taken as given.
            let costs = if given.is_some() { 0.0 } else { uncertainty(here, u, &predict) };
            arc * arcs + predict(network) + sign * Z * costs.hypot(u_arc * arcs)
        };
        let (low, high) = (bound(0, -1.0), bound(1, 1.0));
        let edges = last.edges as f64 * f64::from(scale - last.scale).exp2();
        // Vertices of all ranks have a slot on each up to 2^24 of them.
        let slots = 4.0 * (f64::from(scale.min(24))).exp2();
        let memory =
            f64::from(PER_RANK).exp2() * (last.bytes_per_vertex + 8.0) + slots + 4.0 * 3.0 * arcs;
        println!(
            "{more:>6} {scale:>6} {:>14} {:>22} {:>10.2} {:>24} {:>24}",
            format!("{:.0} to {:.0}", meetings[0], meetings[1]),
            format!("{:.0} to {:.0}", words[0] * 4e-6, words[1] * 4e-6),
            memory / f64::from(1 << 30),
            format!("{low:.3} to {high:.3}"),
            format!("{:.2} to {:.2}", edges / high * 1e-9, edges / low * 1e-9)
        );
        println!(
            "       of the upper bound: compute {:.3} s, all-gathers {:.3} s, exchanges {:.3} s, of which messages without a word {:.3} s",
            arc * arcs,
            meetings[1] * even_meeting(network, more, 0.0),
            exchanges(meetings[1], words[1], network),
            exchanges(meetings[1], 0.0, network)
        );
    }
}
