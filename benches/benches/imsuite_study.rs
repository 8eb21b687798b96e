//! The experiments of §6.2 of the IMSuite paper as one command: how the kernels take to processors, sizes, both at
//! once, places and the shape of the network. `suite/book/imsuite.md` lists which points answer which paragraph.
//!
//! Times do not depend on places, which are counted and not paid for: `--tallies` has that dimension.

use plusminus::Tally;
use plusminus_suite::imsuite::{
    self, Kernel, characterise,
    generate::{OriginalOptions, Shape},
    local_tallies, problems,
};
use plusminus_suite::places::{Counted, Execution, Places, Style, Workload};

/// Nodes and processors of the points with the denser input (Mx-In): sizes on all processors, 64 nodes on each number
/// (figures 11 and 12), and 64 nodes for each processor (figures 16 and 18). On two processors these are 8@2, 16@2, 32@2,
/// 64@1, 64@2 and 128@2.
fn dense(processors: &[usize]) -> String {
    let most = most(processors);
    let sizes = [8, 16, 32].map(|nodes| format!("{nodes}@{most}")).into_iter();
    let strong = processors.iter().map(|p| format!("64@{p}"));
    let weak = processors.iter().filter(|&&p| p > 1).map(|p| format!("{}@{p}", 64 * p));
    let more = (most != 2).then(|| format!("128@{most}"));
    sizes.chain(strong).chain(weak).chain(more).collect::<Vec<_>>().join(",")
}

/// Nodes and processors of the point with the sparser input (Mn-In).
fn sparse(processors: &[usize]) -> String {
    format!("64@{}", most(processors))
}

/// The largest number of processors.
fn most(processors: &[usize]) -> usize {
    processors.iter().copied().max().unwrap_or(1)
}

/// The points of a kernel with these two shapes, Mn-In and Mx-In; both at all sizes that the variable asks for.
fn points([mn_in, mx_in]: [Shape; 2]) -> Vec<problems::Point> {
    if std::env::var_os(problems::NODES_VARIABLE).is_some() {
        return problems::points([mn_in, mx_in], "");
    }
    let counts = plusminus::processor_counts();
    let mut points = problems::points([mx_in; 2], &dense(&counts));
    // Rings have one shape only.
    let others = problems::points([mn_in; 2], &sparse(&counts));
    points.extend(others.into_iter().filter(|_| mn_in != mx_in));
    points
}

/// Returns the counts that do not depend on places, and the communication (the paper's #Comm) on 1, 2, 4 … places up
/// to one per node.
fn tallies(nodes: usize, count: impl Fn(usize) -> Counted) -> Vec<Tally> {
    let powers = std::iter::successors(Some(1), |places| Some(2 * places));
    let mut all: Vec<usize> = powers.take_while(|&places| places < nodes).collect();
    all.push(nodes);
    let mut tallies = local_tallies(&count(nodes));
    for places in all {
        let rounds = count(Places::new(nodes, places).count());
        let each = rounds.rounds().iter().map(|round| round.comm() as f64).collect();
        let word = if places == 1 { "place" } else { "places" };
        tallies.push(Tally::per_round(format!("comm at {places} {word}"), each));
    }
    tallies
}

/// Returns the counts of the original's procedure on the paper's input, with 64 nodes and a place for each. They are
/// figure 8's own numbers, next to those of the repaired kernels that are timed. The properties of the network that the
/// formulas of figure 7 contain come with them.
fn originals(kernel: Kernel, name: &str, point: &problems::Point, style: Style) -> Vec<Tally> {
    const NODES: usize = 64;
    let iterative = ["fork_join", "clocked"].contains(&name);
    if point.nodes != NODES || !iterative {
        return Vec::new();
    }
    let options = OriginalOptions {
        committee_size: Some(3),
        ..OriginalOptions::new(kernel, NODES, point.shape)
    };
    let how = Execution::new(style, 1).on_places(NODES);
    let input = options.generate();
    let mut tallies = Vec::new();
    if let Some(network) = &input.topology {
        tallies.push(Tally::new("diameter", f64::from(network.radius_and_diameter().1)));
        tallies.push(Tally::new("largest degree", network.max_degree() as f64));
        tallies.push(Tally::new("edges", network.edges() as f64));
    }
    let total = characterise::iterative(input, &how).total();
    tallies.push(Tally::new("original's comm at 64 places", total.comm() as f64));
    tallies.push(Tally::new("original's mutex", total.mutex as f64));
    tallies
}

/// A variant of the suite, entered into the problem of the same name here.
macro_rules! variant {
    ($problem:ident, $kernel:path, $counted:path, $name:ident, $style:ident, $tally:ident $(, $role:ident)?) => {
        #[plusminus::bench(problem = $problem, tally = $tally, runs = 5, processors = plusminus::processor_counts() $(, $role)?)]
        fn $name(input: &Placed, instance: &Instance) -> Output {
            $kernel(&input.input, instance)
        }

        fn $tally(input: &Placed, instance: &Instance) -> Vec<plusminus::Tally> {
            let style = plusminus_suite::places::Style::$style;
            let mut tallies = super::tallies(input.point.nodes, |places| {
                $counted(&input.input, instance, style, places)
            });
            let kernel = plusminus_suite::imsuite::Kernel::$problem;
            tallies.extend(super::originals(kernel, stringify!($name), &input.point, style));
            tallies
        }
    };
}

/// A problem of the suite with the points of this study and one instance.
macro_rules! study {
    ($kernel:ident, $problem:ident, $sparse:ident, $dense:ident $(, $more:tt)*) => {
        mod $kernel {
            use plusminus::{Problem, Work};
            use plusminus_suite::imsuite::{generate::Shape, problems};

            type Input = <problems::$problem as Problem>::Input;
            type Instance = <problems::$problem as Problem>::Instance;
            type Output = <problems::$problem as Problem>::Output;

            /// An input and the point that it belongs to.
            struct Placed {
                point: problems::Point,
                input: Input,
            }

            struct $problem;

            impl Problem for $problem {
                type Point = problems::Point;
                type Input = Placed;
                type Instance = Instance;
                type Output = Output;

                fn sweep() -> impl IntoIterator<Item = problems::Point> {
                    super::points([Shape::$sparse, Shape::$dense])
                }

                fn input(point: &problems::Point) -> Placed {
                    Placed { point: *point, input: problems::$problem::input(point) }
                }

                fn instances(input: &Placed) -> Vec<Instance> {
                    problems::$problem::instances(&input.input).into_iter().take(1).collect()
                }

                fn check(input: &Placed, instance: &Instance, output: &Output) -> Result<(), String> {
                    problems::$problem::check(&input.input, instance, output)
                }

                fn work(input: &Placed, instance: &Instance) -> Work {
                    problems::$problem::work(&input.input, instance)
                }

                fn size(point: &problems::Point) -> Option<f64> {
                    Some(point.nodes as f64)
                }

                fn processors(point: &problems::Point) -> Vec<usize> {
                    problems::$problem::processors(point)
                }
            }

            study!(@ $kernel, $problem, serial);
            study!(@ $kernel, $problem, fork_join);
            $(study!(@ $kernel, $problem, $more);)*
        }
    };
    (@ $kernel:ident, $problem:ident, serial) => {
        variant!($problem, plusminus_suite::imsuite::$kernel::serial,
            plusminus_suite::imsuite::$kernel::counted, serial, Serial, tally_serial, reference);
    };
    (@ $kernel:ident, $problem:ident, fork_join) => {
        variant!($problem, plusminus_suite::imsuite::$kernel::fork_join,
            plusminus_suite::imsuite::$kernel::counted, fork_join, ForkJoin, tally_fork_join, baseline);
    };
    (@ $kernel:ident, $problem:ident, clocked) => {
        variant!($problem, plusminus_suite::imsuite::$kernel::clocked,
            plusminus_suite::imsuite::$kernel::counted, clocked, Clocked, tally_clocked);
    };
    (@ $kernel:ident, $problem:ident, recursive) => {
        variant!($problem, plusminus_suite::imsuite::recursive::$kernel::fork_join,
            plusminus_suite::imsuite::recursive::$kernel::counted,
            recursive_fork_join, ForkJoin, tally_recursive_fork_join);
    };
    (@ $kernel:ident, $problem:ident, recursive_clocked) => {
        variant!($problem, plusminus_suite::imsuite::recursive::$kernel::clocked,
            plusminus_suite::imsuite::recursive::$kernel::counted,
            recursive_clocked, Clocked, tally_recursive_clocked);
    };
}

study!(bf, Bf, SparseMinimum, SparseMaximum, clocked, recursive, recursive_clocked);
study!(dst, Dst, SparseMinimum, SparseMaximum, clocked, recursive, recursive_clocked);
study!(by, By, SparseMinimum, SparseMaximum, clocked, recursive);
study!(dr, Dr, SparseMinimum, SparseMaximum, recursive);
study!(ds, Ds, SparseMinimum, SparseMaximum, clocked);
study!(kc, Kc, SparseMinimum, SparseMaximum, clocked);
study!(dp, Dp, SparseMinimum, SparseMaximum, clocked);
study!(hs, Hs, Ring, Ring, clocked);
study!(lcr, Lcr, Ring, Ring, clocked);
study!(mis, Mis, SparseMinimum, SparseMaximum, clocked);
study!(mst, Mst, SparseMinimum, SparseMaximum, clocked, recursive, recursive_clocked);
study!(vc, Vc, Chain, Star, clocked);

/// Additions per task of the recursive kernels, unless the variable wants another workload: about a microsecond, so that
/// the half a million tasks of BY end within a second. The paper's ten million are for those who can wait.
const ADDITIONS: u64 = 1_000;

/// A point with a workload for every task.
struct Burdened {
    point: problems::Point,
    workload: Workload,
}

impl std::fmt::Display for Burdened {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}-{}", self.point, self.workload)
    }
}

/// An input with how many nodes it has and what every task has to do besides.
struct Burden<Input> {
    nodes: usize,
    workload: Workload,
    input: Input,
}

/// The points of the recursive kernels: the workload that the variable wants, or additions.
fn burdened() -> impl Iterator<Item = Burdened> {
    let workload = match std::env::var_os(imsuite::WORKLOAD_VARIABLE) {
        Some(_) => imsuite::workload(),
        None => Workload::Arithmetic(ADDITIONS),
    };
    let counts = plusminus::processor_counts();
    let sizes: Vec<String> = counts.iter().map(|p| format!("64@{p}")).collect();
    let points = problems::points([Shape::SparseMaximum; 2], &sizes.join(",")).into_iter();
    points.map(move |point| Burdened { point, workload })
}

/// A problem of the suite, solved by recursive kernels only, whose tasks have a workload: Figure 13. The serial recursion
/// does the work of the same tasks, so it is the reference; an iterative kernel has other tasks.
macro_rules! recursive {
    ($module:ident, $kernel:ident, $problem:ident $(, $clocked:ident)?) => {
        mod $module {
            use plusminus::{Problem, Work};
            use plusminus_suite::imsuite::{problems, recursive::$kernel};

            use super::{Burden, Burdened};

            type Input = Burden<<problems::$problem as Problem>::Input>;
            type Instance = <problems::$problem as Problem>::Instance;
            type Output = <problems::$problem as Problem>::Output;

            struct $problem;

            impl Problem for $problem {
                type Point = Burdened;
                type Input = Input;
                type Instance = Instance;
                type Output = Output;

                fn sweep() -> impl IntoIterator<Item = Burdened> {
                    super::burdened()
                }

                fn input(&Burdened { point, workload }: &Burdened) -> Input {
                    let input = problems::$problem::input(&point);
                    Burden { nodes: point.nodes, workload, input }
                }

                fn instances(burden: &Input) -> Vec<Instance> {
                    problems::$problem::instances(&burden.input).into_iter().take(1).collect()
                }

                fn check(burden: &Input, instance: &Instance, output: &Output) -> Result<(), String> {
                    problems::$problem::check(&burden.input, instance, output)
                }

                fn work(burden: &Input, instance: &Instance) -> Work {
                    problems::$problem::work(&burden.input, instance)
                }

                fn size(burdened: &Burdened) -> Option<f64> {
                    Some(burdened.point.nodes as f64)
                }

                fn processors(burdened: &Burdened) -> Vec<usize> {
                    problems::$problem::processors(&burdened.point)
                }
            }

            recursive!(@ $kernel, $problem, serial, Serial, tally_serial, reference);
            recursive!(@ $kernel, $problem, fork_join, ForkJoin, tally_fork_join, baseline);
            $(recursive!(@ $kernel, $problem, $clocked, Clocked, tally_clocked);)?
        }
    };
    (@ $kernel:ident, $problem:ident, $name:ident, $style:ident, $tally:ident $(, $role:ident)?) => {
        #[plusminus::bench(problem = $problem, tally = $tally, runs = 5, processors = plusminus::processor_counts() $(, $role)?)]
        fn $name(burden: &Input, instance: &Instance) -> Output {
            let style = plusminus_suite::places::Style::$style;
            $kernel::with_workload(&burden.input, instance, style, burden.workload)
        }

        fn $tally(burden: &Input, instance: &Instance) -> Vec<plusminus::Tally> {
            let style = plusminus_suite::places::Style::$style;
            super::tallies(burden.nodes, |places| {
                let (input, workload) = (&burden.input, burden.workload);
                $kernel::counted_with_workload(input, instance, style, places, workload)
            })
        }
    };
}

recursive!(recursive_bf, bf, Bf, clocked);
recursive!(recursive_dst, dst, Dst, clocked);
recursive!(recursive_by, by, By);
recursive!(recursive_dr, dr, Dr);
recursive!(recursive_mst, mst, Mst, clocked);

plusminus::main!();
