//! Empty parallel phases: what starting tasks and waiting for all of them costs before any work is done.

use std::fmt;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

use plusminus::{Problem, Work};
use plusminus_macros::bench;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Phases in one call.
const PHASES: usize = 256;

/// Empty tasks, one for each processor, started and waited for: fork and join.
pub struct ForkJoin;

impl Problem for ForkJoin {
    type Point = TeamSize;
    type Input = Team;
    type Instance = Phases;
    type Output = usize;

    fn sweep() -> impl IntoIterator<Item = TeamSize> {
        plusminus::processor_counts().into_iter().map(TeamSize)
    }

    fn input(size: &TeamSize) -> Team {
        Team::new(*size)
    }

    fn instances(_: &Team) -> Vec<Phases> {
        vec![Phases(PHASES)]
    }

    fn check(team: &Team, phases: &Phases, tasks: &usize) -> Result<(), String> {
        let expected = phases.0 * team.size();
        if *tasks == expected {
            Ok(())
        } else {
            Err(format!("{tasks} tasks ran, but {expected} must"))
        }
    }

    fn work(_: &Team, phases: &Phases) -> Work {
        Work::of("phases", phases.0 as f64)
    }

    fn processors(size: &TeamSize) -> Vec<usize> {
        vec![size.0]
    }
}

/// Empty phases of threads that live on, each ended by a barrier.
pub struct PhaseBarrier;

impl Problem for PhaseBarrier {
    type Point = TeamSize;
    type Input = Team;
    type Instance = Phases;
    type Output = Vec<usize>;

    fn sweep() -> impl IntoIterator<Item = TeamSize> {
        plusminus::processor_counts().into_iter().map(TeamSize)
    }

    fn input(size: &TeamSize) -> Team {
        Team::new(*size)
    }

    fn instances(_: &Team) -> Vec<Phases> {
        vec![Phases(PHASES)]
    }

    /// Each barrier elects one leader.
    fn check(team: &Team, phases: &Phases, leaders: &Vec<usize>) -> Result<(), String> {
        let elected: usize = leaders.iter().sum();
        if leaders.len() == team.size() && elected == phases.0 {
            Ok(())
        } else {
            let (threads, expected) = (leaders.len(), phases.0);
            Err(format!("{threads} threads passed {elected} barriers, but {expected} were there"))
        }
    }

    fn work(_: &Team, phases: &Phases) -> Work {
        Work::of("barriers", phases.0 as f64)
    }

    fn processors(size: &TeamSize) -> Vec<usize> {
        vec![size.0]
    }
}

/// How many processors take part, written `p=2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TeamSize(pub usize);

impl fmt::Display for TeamSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p={}", self.0)
    }
}

/// How many empty phases follow each other in a call, written `256phases`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phases(pub usize);

impl fmt::Display for Phases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}phases", self.0)
    }
}

/// Threads that live as long as the input does.
#[derive(Debug)]
pub struct Team {
    threads: ThreadPool,
    barrier: Barrier,
}

impl Team {
    fn new(size: TeamSize) -> Self {
        let threads = ThreadPoolBuilder::new()
            .num_threads(size.0)
            .build()
            .unwrap_or_else(|error| panic!("cannot start {} threads: {error}", size.0));
        Self { threads, barrier: Barrier::new(size.0) }
    }

    /// How many threads there are.
    pub fn size(&self) -> usize {
        self.threads.current_num_threads()
    }
}

/// Halves the tasks until one is left, and returns how many ran.
fn halve(tasks: usize) -> usize {
    match tasks {
        0 | 1 => std::hint::black_box(tasks),
        _ => {
            let (left, right) = rayon::join(|| halve(tasks / 2), || halve(tasks - tasks / 2));
            left + right
        }
    }
}

/// With rayon's `join`: a task is only given away when another thread asks for it.
#[bench(problem = ForkJoin, baseline)]
pub fn join(team: &Team, phases: &Phases) -> usize {
    let size = team.size();
    team.threads.install(|| (0..phases.0).map(|_| halve(size)).sum())
}

/// With rayon's `scope`: every task is put into a queue.
#[bench(problem = ForkJoin)]
pub fn scope(team: &Team, phases: &Phases) -> usize {
    let (size, ran) = (team.size(), AtomicUsize::new(0));
    team.threads.install(|| {
        for _ in 0..phases.0 {
            rayon::scope(|scope| {
                for _ in 0..size {
                    scope.spawn(|_| {
                        ran.fetch_add(1, Ordering::Relaxed);
                    });
                }
            });
        }
    });
    ran.into_inner()
}

/// With the standard library's barrier, which puts waiting threads to sleep.
#[bench(problem = PhaseBarrier, baseline)]
pub fn standard_barrier(team: &Team, phases: &Phases) -> Vec<usize> {
    team.threads.broadcast(|_| (0..phases.0).filter(|_| team.barrier.wait().is_leader()).count())
}
