//! What to expect of more ranks than are here: `mpirun -n 2 scaling [SCALE]` prints the tables of docs/scaling.md. It measures
//! phases and fits the costs of a network to them, replays what a search has sent and sets the simulation beside it,
//! and extends kernel 3 to many ranks, by the costs found here or by those of `PLUSMINUS_NETWORK=STEP,MESSAGE,WORD` in seconds.

use std::time::Instant;

use plusminus_mpi::graph::Part;
use plusminus_mpi::loggp::{self, Measured, Network, even_meeting, simulate, uncertainty};
use plusminus_mpi::stepping::Kernel3;
use plusminus_mpi::{Mail, Ranks, end_all_at_panic};
use plusminus_suite::generate::{Rmat, Seed, sources_among};

/// Words from each rank to each other in the phases that are measured.
const WORDS: [u32; 9] = [0, 8, 64, 512, 1024, 2048, 4096, 8192, 32_768];
/// Times that each is measured, of which the median counts; and replays.
const TIMES: usize = 15;
/// Binary logarithm of the vertices that a rank has where many are foreseen.
const PER_RANK: u32 = 18;
/// The 97.5 % point of a normal distribution.
const Z: f64 = 1.96;

fn main() -> Result<(), String> {
    let mut ranks = Ranks::begin()?;
    end_all_at_panic();
    let scale = std::env::args().nth(1).map_or(Ok(18), |scale| scale.parse());
    let scale: u32 = scale.map_err(|_| "usage: scaling [SCALE]".to_owned())?;
    if !(6..=26).contains(&scale) {
        return Err(format!("scale {scale} is not between 6 and 26"));
    }
    let given = given_network()?;
    if ranks.ranks() < 2 {
        return Err("start it with at least two ranks: mpirun -n 2 scaling".to_owned());
    }
    let searches: Vec<Search> =
        [scale - 4, scale - 2, scale].into_iter().map(|scale| search(scale, &mut ranks)).collect();
    let (phases, replays) = measure(&searches, &mut ranks);
    let fitted = loggp::fit(&phases, ranks.ranks()).ok_or("the phases tell no costs")?;
    if ranks.rank() == 0 {
        tell_network(&phases, &fitted, ranks.ranks());
        for (search, replay) in searches.iter().zip(replays) {
            tell_replay(search, replay, &fitted);
        }
        foresee(&searches, &fitted, given, ranks.ranks());
    }
    Ok(())
}

/// A network, how sure its costs are, and the share of a phase that it leaves unexplained.
type Fitted = (Network, Network, f64);

/// The median, and the standard uncertainty that the scatter gives it.
fn median(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let middle = times[times.len() / 2];
    let mut far: Vec<f64> = times.iter().map(|time| (time - middle).abs()).collect();
    far.sort_by(f64::total_cmp);
    (middle, 1.4826 * 1.2533 * far[far.len() / 2] / (times.len() as f64).sqrt())
}

/// Seconds of one call on the slowest rank.
fn timed(ranks: &mut Ranks, call: impl FnOnce(&mut Ranks)) -> f64 {
    ranks.barrier();
    let start = Instant::now();
    call(ranks);
    let ns = start.elapsed().as_nanos() as u64;
    ranks.each(ns).into_iter().max().unwrap_or(ns) as f64 * 1e-9
}

/// Sends so many words to each other rank.
fn exchange(mail: &mut Mail, words: &dyn Fn(usize) -> usize, ranks: &mut Ranks) {
    for to in (0..ranks.ranks()).filter(|&to| to != ranks.rank()) {
        mail.push_zeros(to, words(to));
    }
    mail.meet(ranks, [0; 4]);
}

/// Phases of several sizes, and what searches have sent, by turns: all meet the same moods of the machine.
fn measure(searches: &[Search], ranks: &mut Ranks) -> (Vec<Measured>, Vec<(f64, f64)>) {
    let mut times = vec![Vec::new(); WORDS.len()];
    let mut replays = vec![Vec::new(); searches.len()];
    let mut mail = Mail::new(ranks);
    for _ in 0..TIMES {
        for (&words, times) in WORDS.iter().zip(&mut times) {
            let calls = (1 << 21) / (words as usize + 2048);
            let seconds = timed(ranks, |ranks| {
                (0..calls).for_each(|_| exchange(&mut mail, &|_| words as usize, ranks));
            });
            times.push(seconds / calls as f64);
        }
        for (search, times) in searches.iter().zip(&mut replays) {
            let sent = &search.sent[ranks.rank()];
            times.push(timed(ranks, |ranks| {
                sent.iter().for_each(|sent| exchange(&mut mail, &|to| sent[to], ranks));
            }));
        }
    }
    let each = WORDS.into_iter().zip(times);
    let phases = each.map(|(words, times)| Measured { words, seconds: median(times).0 }).collect();
    (phases, replays.into_iter().map(median).collect())
}

fn tell_network(phases: &[Measured], (network, u, rms): &Fitted, ranks: usize) {
    println!(
        "phases on {ranks} ranks, words from each rank to each other, µs measured and by the model (± is one standard uncertainty):"
    );
    for phase in phases {
        let words = f64::from(phase.words) * (ranks - 1) as f64;
        let model = even_meeting(network, ranks, words);
        println!("  {:>6}  {:>8.3}  {:>8.3}", phase.words, phase.seconds * 1e6, model * 1e6);
    }
    println!(
        "L + 2o = {:.3} ± {:.3} µs   g = {:.3} ± {:.3} µs, {:.3} ± {:.3} µs more for more than 4 KiB   4G = {:.3} ± {:.3} ns a word   residuals {:.1} %",
        network.step * 1e6,
        u.step * 1e6,
        network.message * 1e6,
        u.message * 1e6,
        network.long * 1e6,
        u.long * 1e6,
        network.word * 1e9,
        u.word * 1e9,
        rms * 100.0
    );
}

/// What searches from four roots have shown.
struct Search {
    scale: u32,
    /// Seconds, in the median, and how sure that is.
    seconds: (f64, f64),
    /// Of one of them: the words from each rank to each other, by meeting.
    sent: Vec<Vec<Vec<usize>>>,
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
        seconds: median(times),
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

    /// What its meetings take by a network, where nobody computes.
    fn simulated(&self, network: &Network) -> f64 {
        let words = |meeting: usize, from: usize, to: usize| self.sent[from][meeting][to] as u64;
        simulate(network, self.sent.len(), self.meetings(), &|_, _| 0.0, &words)
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

/// Sets what sending again took beside its simulation.
fn tell_replay(search: &Search, (measured, own): (f64, f64), (network, u, rms): &Fitted) {
    let simulated = search.simulated(network);
    let of_costs = uncertainty(network, u, &|network| search.simulated(network));
    let of_model = of_costs.hypot(rms * simulated);
    let half = Z * of_model.hypot(own);
    let agrees = if (measured - simulated).abs() <= half { "agrees" } else { "differs" };
    println!(
        "scale {} on {} ranks: {} meetings, {} with words, {} words: replayed {:.3} ± {:.3} ms, simulated {:.3} ± {:.3} ms: \
         {agrees} within ± {:.3} ms (95 %)",
        search.scale,
        search.sent.len(),
        search.meetings(),
        search.exchanges(),
        search.words(),
        measured * 1e3,
        own * 1e3,
        simulated * 1e3,
        of_model * 1e3,
        half * 1e3
    );
    let (seconds, u) = search.seconds;
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
            Ok(Some(Network { step, message, long: 0.0, word }))
        }
        _ => Err(wrong()),
    }
}

/// Weak scaling of kernel 3 to many ranks, with as many vertices for each.
fn foresee(searches: &[Search], (here, u, rms): &Fitted, given: Option<Network>, ranks: usize) {
    let last = &searches[searches.len() - 1];
    let network = given.unwrap_or(*here);
    let arc = (last.seconds.0 - last.simulated(here)) * ranks as f64 / last.arcs as f64;
    let u_arc = last.seconds.1 * ranks as f64 / last.arcs as f64;
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
        let seconds = |network: &Network, arc: f64, meetings: f64, words: f64| {
            let exchanges = meetings * busy;
            arc * arcs
                + meetings * even_meeting(network, more, 0.0)
                + exchanges * (more - 1) as f64 * network.message
                + words * network.word
        };
        let bound = |end: usize, sign: f64| {
            let predict = |network: &Network| seconds(network, arc, meetings[end], words[end]);
            let sent = predict(&network) - arc * arcs;
            // The costs of another network than this are taken as given.
            let costs = if given.is_some() {
                0.0
            } else {
                uncertainty(here, u, &predict).hypot(rms * sent)
            };
            predict(&network) + sign * Z * costs.hypot(u_arc * arcs)
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
        let gather = meetings[1] * even_meeting(&network, more, 0.0);
        let starts = meetings[1] * busy * (more - 1) as f64 * network.message;
        println!(
            "       of the upper bound: compute {:.3} s, all-gathers {gather:.3} s, messages {starts:.3} s, words {:.3} s",
            arc * arcs,
            words[1] * network.word
        );
    }
}
