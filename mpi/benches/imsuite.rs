//! Figures 15, 17 and 18 of "IMSuite" with places that are ranks: shifts between nodes of different ranks go through
//! MPI at their real cost. `cargo run --release -p plusminus-papers -- imsuite --from` its record compares them with
//! the paper.
//!
//! 64 nodes at 1, 2, 4 … 64 places of two ranks (figure 15): at one place a rank has all nodes and the other none,
//! which is the paper's SP; at 64 each node has a place of its own (UP). Nodes with a place each on two ranks (17),
//! and 64 nodes for each rank (18). `PLUSMINUS_IMSUITE_RANKS=4` has four ranks instead of two,
//! `PLUSMINUS_IMSUITE_SHORT=1` only the ends of figure 15.

use plusminus_mpi::over_ranks;
use plusminus_suite::imsuite::generate::Shape;
use plusminus_suite::imsuite::problems::Point;
use plusminus_suite::places::{Execution, Placement, ShiftCost, Style, Uncounted};

/// The points of a shape of network.
fn points(shape: Shape) -> Vec<Point> {
    let ranks: usize = std::env::var("PLUSMINUS_IMSUITE_RANKS").map_or(2, |ranks| {
        let wrong = || panic!("PLUSMINUS_IMSUITE_RANKS takes a number of ranks, and not {ranks:?}");
        ranks.parse().ok().filter(|&ranks| ranks > 0).unwrap_or_else(wrong)
    });
    let point = |nodes, places, ranks| Point {
        shape,
        nodes,
        processors: Some(ranks),
        // The cost of a shift is measured.
        placement: Some(Placement { places: Some(places), cost: ShiftCost::NONE }),
    };
    let short = std::env::var_os("PLUSMINUS_IMSUITE_SHORT").is_some();
    let places: &[usize] = if short { &[1, 64] } else { &[1, 2, 4, 8, 16, 32, 64] };
    let mut all: Vec<Point> = places.iter().map(|&places| point(64, places, ranks)).collect();
    if !short {
        all.extend([8, 16, 32, 128].map(|nodes| point(nodes, nodes, ranks)));
        all.push(point(64, 64, 1));
        if ranks != 2 {
            all.push(point(64 * ranks, 64 * ranks, ranks));
        }
    }
    all
}

/// A kernel over ranks.
macro_rules! over {
    ($kernel:ident, $problem:ident, $shape:ident) => {
        mod $kernel {
            use plusminus::{Problem, Work};
            use plusminus_suite::imsuite::{problems, $kernel as kernel};

            struct $problem;

            struct Input(super::Point, <problems::$problem as Problem>::Input);

            impl Problem for $problem {
                type Point = super::Point;
                type Input = Input;
                type Instance = <problems::$problem as Problem>::Instance;
                type Output = <problems::$problem as Problem>::Output;

                fn sweep() -> impl IntoIterator<Item = super::Point> {
                    super::points(super::Shape::$shape)
                }

                fn input(point: &super::Point) -> Input {
                    Input(*point, problems::$problem::input(point))
                }

                fn instances(input: &Input) -> Vec<Self::Instance> {
                    problems::$problem::instances(&input.1).into_iter().take(1).collect()
                }

                fn check(
                    input: &Input,
                    instance: &Self::Instance,
                    found: &Self::Output,
                ) -> Result<(), String> {
                    problems::$problem::check(&input.1, instance, found)
                }

                fn work(input: &Input, instance: &Self::Instance) -> Work {
                    problems::$problem::work(&input.1, instance)
                }

                fn size(point: &super::Point) -> Option<f64> {
                    Some(point.nodes as f64)
                }

                fn processors(point: &super::Point) -> Vec<usize> {
                    point.processors.into_iter().collect()
                }
            }

            /// Ranks that live as long as the algorithm and meet after each phase, as the tasks of clocks do.
            #[plusminus::bench(problem = $problem, runs = 5, launcher = "mpirun -n {places}")]
            fn clocked(
                input: &Input,
                instance: &<$problem as Problem>::Instance,
            ) -> <$problem as Problem>::Output {
                let how = super::Execution::new(super::Style::Clocked, 1)
                    .on_places(input.0.placement.and_then(|it| it.places).unwrap_or(1));
                super::over_ranks(|ranks| {
                    kernel::over::<super::Uncounted, _>(&input.1, instance, &how, ranks).0
                })
            }
        }
    };
}

over!(bf, Bf, SparseMaximum);
over!(dst, Dst, SparseMaximum);
over!(by, By, SparseMaximum);
over!(dr, Dr, SparseMaximum);
over!(ds, Ds, SparseMaximum);
over!(kc, Kc, SparseMaximum);
over!(dp, Dp, SparseMaximum);
over!(hs, Hs, Ring);
over!(lcr, Lcr, Ring);
over!(mis, Mis, SparseMaximum);
over!(mst, Mst, SparseMaximum);
over!(vc, Vc, Star);

plusminus_mpi::main!();
