//! The cost of one empty phase: forked and joined (FA), and between two barriers (FAC). Rayon's bare join and scope
//! and the standard library's barrier are measured for comparison.
//!
//! `cargo run --release -p plusminus-suite --example imsuite_phases -- [threads] [nodes]`
//!
//! Each figure is the median of 15 stretches of 10 000 phases, with the smallest and the largest.

use std::sync::Barrier;
use std::time::Instant;

use plusminus_suite::places::{
    Driver, Ended, Engine, Execution, NodeProgram, SpinBarrier, Style, Tally, Task, Uncounted,
    execute,
};

const STRETCHES: usize = 15;
const PHASES: u32 = 10_000;

/// A program whose phases do nothing.
struct Nothing {
    nodes: usize,
    phases: u32,
}

impl NodeProgram for Nothing {
    type State = ();
    type Link = ();
    type Message = ();
    type Phase = ();
    type Output = ();

    fn nodes(&self) -> usize {
        self.nodes
    }
    fn neighbours(&self, _: u32) -> &[u32] {
        &[]
    }
    fn state(&self, _: u32) {}
    fn step<C: Tally>(&self, (): (), task: &mut Task<'_, Self, C>) {
        std::hint::black_box(task.id);
    }
    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        for _ in 0..self.phases {
            net.phase(());
        }
    }
    fn output(&self, _: Ended<'_, Self>) {}
}

/// Prints how long one of the phases of a stretch takes.
fn report(what: &str, mut stretch: impl FnMut(u32)) {
    stretch(PHASES / 10);
    let mut costs: Vec<f64> = (0..STRETCHES)
        .map(|_| {
            let start = Instant::now();
            stretch(PHASES);
            start.elapsed().as_secs_f64() * 1e6 / f64::from(PHASES)
        })
        .collect();
    costs.sort_by(f64::total_cmp);
    let (least, most) = (costs[0], costs[STRETCHES - 1]);
    println!("{what:34} {:8.3} µs   [{least:.3}, {most:.3}]", costs[STRETCHES / 2]);
}

/// Lets threads meet this number of times.
fn meet(threads: usize, times: u32, wait: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| (0..times).for_each(|_| wait()));
        }
        (0..times).for_each(|_| wait());
    });
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse().expect("a number"));
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.next().unwrap_or(available);
    let nodes = arguments.next().unwrap_or(64);
    println!("{threads} threads, {nodes} nodes; one empty phase costs");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    for (name, style) in
        [("serial", Style::Serial), ("FA", Style::ForkJoin), ("FAC", Style::Clocked)]
    {
        let how = Execution::new(style, threads);
        report(&format!("phase, {name}"), |phases| {
            let ((), Uncounted) = pool.install(|| execute(&Nothing { nodes, phases }, &how));
        });
    }
    report("rayon::join of two closures", |times| {
        pool.install(|| {
            for _ in 0..times {
                rayon::join(|| std::hint::black_box(1), || std::hint::black_box(2));
            }
        });
    });
    report("rayon::scope of a task per thread", |times| {
        pool.install(|| {
            for _ in 0..times {
                rayon::scope(|scope| {
                    for _ in 0..threads {
                        scope.spawn(|_| std::hint::black_box(()));
                    }
                });
            }
        });
    });
    let spin = SpinBarrier::new(threads);
    report("our barrier", |times| meet(threads, times, || spin.wait()));
    let standard = Barrier::new(threads);
    report("std::sync::Barrier", |times| {
        meet(threads, times, || {
            standard.wait();
        });
    });
}
