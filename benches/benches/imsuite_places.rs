//! Figures 11, 14, 15 and 17 to 19 of the IMSuite paper on one machine: how the iterative kernels take to places, where a
//! shift from one place to another takes time. `suite/book/imsuite.md` describes the cost, and which points are which
//! figure.

use std::time::Duration;

use plusminus_suite::imsuite::{generate::Shape, placement, problems};
use plusminus_suite::places::{Placement, ShiftCost, Style};

/// Returns the cost of a shift unless the variables set it: about that between two processes of one machine.
fn usual_cost() -> ShiftCost {
    ShiftCost { latency: Duration::from_micros(2), gap: Duration::from_nanos(200) }
}

/// The points on all processors: 64 nodes at 1, 2, 4 … 64 places (figure 15); 8 to 256 nodes at 8 places (14); 8 to 128
/// nodes with a place each (17); and the sparser input at one place and at 64 (19). Further points have 64 nodes for each
/// processor, with a place each (11, 18). The variables for nodes and places replace them by all pairs of theirs.
fn points(shape: Shape) -> Vec<problems::Point> {
    let counts = plusminus::processor_counts();
    let most = counts.iter().copied().max().unwrap_or(1);
    let of = |shape: Shape, nodes: &str, places: &str| -> Vec<problems::Point> {
        let placements = placement::sweep(places, usual_cost()).into_iter();
        placements.flat_map(|it| problems::points_at([shape; 2], nodes, Some(it))).collect()
    };
    let at = |nodes: &str, places: &str| of(shape, nodes, places);
    let mut all = at(&format!("64@{most}"), "1,2,4,8,16,32,64");
    let named = std::env::var_os(problems::NODES_VARIABLE).is_some();
    if !named && !placement::names_places() {
        for nodes in [16, 32, 128, 256] {
            all.extend(at(&format!("{nodes}@{most}"), "8"));
        }
        // Rings and trees have one shape.
        if shape == Shape::SparseMaximum {
            all.extend(of(Shape::SparseMinimum, &format!("64@{most}"), "1,64"));
        }
        let sizes = [8, 16, 32, 128].map(|nodes| (nodes, most));
        let weak = counts.iter().map(|&p| (64 * p, p));
        for (nodes, processors) in sizes.into_iter().chain(weak) {
            all.extend(at(&format!("{nodes}@{processors}"), &nodes.to_string()));
        }
    }
    let mut different: Vec<problems::Point> = Vec::new();
    for point in all {
        if !different.contains(&point) {
            different.push(point);
        }
    }
    different
}

/// An input and where its nodes are.
struct Placed<Input> {
    nodes: usize,
    placement: Placement,
    input: Input,
}

/// A problem of the suite whose nodes are at places.
macro_rules! at_places {
    ($kernel:ident, $problem:ident, $shape:ident, $($name:ident $style:ident $tally:ident [$($option:tt)*]),*) => {
        mod $kernel {
            use plusminus::{Problem, Work};
            use plusminus_suite::imsuite::{self, generate::Shape, problems};

            type Input = super::Placed<<problems::$problem as Problem>::Input>;
            type Instance = <problems::$problem as Problem>::Instance;
            type Output = <problems::$problem as Problem>::Output;

            struct $problem;

            impl Problem for $problem {
                type Point = problems::Point;
                type Input = Input;
                type Instance = Instance;
                type Output = Output;

                fn sweep() -> impl IntoIterator<Item = problems::Point> {
                    super::points(Shape::$shape)
                }

                fn input(point: &problems::Point) -> Input {
                    super::placed(point, problems::$problem::input(point))
                }

                fn instances(placed: &Input) -> Vec<Instance> {
                    problems::$problem::instances(&placed.input).into_iter().take(1).collect()
                }

                fn check(placed: &Input, instance: &Instance, output: &Output) -> Result<(), String> {
                    problems::$problem::check(&placed.input, instance, output)
                }

                fn work(placed: &Input, instance: &Instance) -> Work {
                    problems::$problem::work(&placed.input, instance)
                }

                fn size(point: &problems::Point) -> Option<f64> {
                    Some(point.nodes as f64)
                }

                fn processors(point: &problems::Point) -> Vec<usize> {
                    problems::$problem::processors(point)
                }
            }

            $(
                #[plusminus::bench(problem = $problem, tally = $tally, runs = 5 $($option)*)]
                fn $name(placed: &Input, instance: &Instance) -> Output {
                    let style = super::Style::$style;
                    imsuite::$kernel::at_places(&placed.input, instance, style, &placed.placement)
                }

                fn $tally(placed: &Input, instance: &Instance) -> Vec<plusminus::Tally> {
                    let places = placed.placement.places.unwrap_or(placed.nodes);
                    let style = super::Style::$style;
                    let counted = imsuite::$kernel::counted(&placed.input, instance, style, places);
                    imsuite::tallies(&counted, places)
                }
            )*
        }
    };
    ($kernel:ident, $problem:ident, $shape:ident) => {
        at_places!($kernel, $problem, $shape,
            serial Serial tally_serial [, reference],
            fork_join ForkJoin tally_fork_join [, baseline],
            clocked Clocked tally_clocked []);
    };
}

/// Places an input as its point asks.
fn placed<Input>(point: &problems::Point, input: Input) -> Placed<Input> {
    let cost = Placement { places: None, cost: usual_cost() };
    Placed { nodes: point.nodes, placement: point.placement.unwrap_or(cost), input }
}

at_places!(bf, Bf, SparseMaximum);
at_places!(dst, Dst, SparseMaximum);
at_places!(by, By, SparseMaximum);
at_places!(
    dr, Dr, SparseMaximum,
    serial Serial tally_serial [, reference],
    fork_join ForkJoin tally_fork_join [, baseline]
);
at_places!(ds, Ds, SparseMaximum);
at_places!(kc, Kc, SparseMaximum);
at_places!(dp, Dp, SparseMaximum);
at_places!(hs, Hs, Ring);
at_places!(lcr, Lcr, Ring);
at_places!(mis, Mis, SparseMaximum);
at_places!(mst, Mst, SparseMaximum);
at_places!(vc, Vc, Star);

plusminus::main!();
