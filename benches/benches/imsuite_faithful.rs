//! The cost of the original's faulty algorithms. These kernels of IMSuite can give wrong answers, and run here
//! unchanged, next to the repaired ones of all other benchmarks. `--tallies` lists the answers that the check of the
//! problem rejects. `suite/book/imsuite.md` describes the faults.

use plusminus_suite::places::{Execution, NodeProgram, Style, Uncounted, execute};

/// An answer, and whether its algorithm has a known fault.
struct Answer<Output> {
    output: Output,
    faithful: bool,
}

/// Runs a program on the processors of the running benchmark.
fn run<P: NodeProgram>(program: &P, style: Style, faithful: bool) -> Answer<P::Output> {
    let how = Execution::new(style, plusminus::processors());
    let (output, Uncounted) = execute(program, &how);
    Answer { output, faithful }
}

/// Both algorithms of a kernel as variants of one problem.
macro_rules! faulty {
    (
        $kernel:ident, $problem:ident, $shapes:expr, |$a:ident, $b:ident| $repaired:expr, $faithful:expr,
        $($style:ident $as_repaired:ident $as_faithful:ident $tally:ident [$($option:tt)*]),*
    ) => {
        mod $kernel {
            use plusminus::{Problem, Tally, Work};
            #[allow(unused_imports)]
            use plusminus_suite::imsuite::{self, Mode, generate::Shape, problems};
            use plusminus_suite::places::Style;

            use super::{Answer, run};

            type Input = <problems::$problem as Problem>::Input;
            type Instance = <problems::$problem as Problem>::Instance;
            type Output = Answer<<problems::$problem as Problem>::Output>;

            struct $problem;

            impl Problem for $problem {
                type Point = problems::Point;
                type Input = Input;
                type Instance = Instance;
                type Output = Output;

                fn sweep() -> impl IntoIterator<Item = problems::Point> {
                    problems::points($shapes, "64,96")
                }

                fn input(point: &problems::Point) -> Input {
                    problems::$problem::input(point)
                }

                fn instances(input: &Input) -> Vec<Instance> {
                    problems::$problem::instances(input).into_iter().take(1).collect()
                }

                fn check(input: &Input, instance: &Instance, answer: &Output) -> Result<(), String> {
                    let found = problems::$problem::check(input, instance, &answer.output);
                    // A fault that is known is counted, and does not end the measurement.
                    if answer.faithful { Ok(()) } else { found }
                }

                fn work(input: &Input, instance: &Instance) -> Work {
                    problems::$problem::work(input, instance)
                }

                fn size(point: &problems::Point) -> Option<f64> {
                    Some(point.nodes as f64)
                }
            }

            $(
                #[plusminus::bench(problem = $problem, processors = plusminus::processor_counts() $($option)*)]
                fn $as_repaired($a: &Input, $b: &Instance) -> Output {
                    run(&$repaired, Style::$style, false)
                }

                #[plusminus::bench(problem = $problem, tally = $tally, processors = plusminus::processor_counts())]
                fn $as_faithful($a: &Input, $b: &Instance) -> Output {
                    run(&$faithful, Style::$style, true)
                }

                /// Returns whether the problem's check rejects the answer.
                fn $tally(input: &Input, instance: &Instance) -> Vec<Tally> {
                    let answer = $as_faithful(input, instance);
                    let refused = problems::$problem::check(input, instance, &answer.output).is_err();
                    vec![Tally::new("refused by the check", f64::from(u8::from(refused)))]
                }
            )*
        }
    };
    ($kernel:ident, $problem:ident, $shapes:expr, |$a:ident, $b:ident| $repaired:expr, $faithful:expr) => {
        faulty!($kernel, $problem, $shapes, |$a, $b| $repaired, $faithful,
            ForkJoin fork_join fork_join_faithful fork_join_refused [, baseline],
            Clocked clocked clocked_faithful clocked_refused []);
    };
}

/// Mn-In and Mx-In.
const SPARSE: [plusminus_suite::imsuite::generate::Shape; 2] = [
    plusminus_suite::imsuite::generate::Shape::SparseMinimum,
    plusminus_suite::imsuite::generate::Shape::SparseMaximum,
];

faulty!(
    by,
    By,
    super::SPARSE,
    |voters, seed| imsuite::by::Agreement::new(voters, seed, Mode::Repaired),
    imsuite::by::Agreement::new(voters, seed, Mode::Faithful)
);
faulty!(dr, Dr, super::SPARSE,
    |network, _whole| imsuite::dr::Routing::new(network, Mode::Repaired),
    imsuite::dr::Routing::new(network, Mode::Faithful),
    ForkJoin fork_join fork_join_faithful fork_join_refused [, baseline]);
faulty!(
    ds,
    Ds,
    super::SPARSE,
    |topology, seed| imsuite::ds::LocalGreedy::new(topology, seed, Mode::Repaired),
    imsuite::ds::LocalGreedy::new(topology, seed, Mode::Faithful)
);
faulty!(
    kc,
    Kc,
    super::SPARSE,
    |network, size| imsuite::kc::Committees::new(network, size),
    imsuite::kc_faithful::FloodedCommittees::new(network, size)
);
faulty!(
    hs,
    Hs,
    [Shape::Ring; 2],
    |ring, _whole| imsuite::hs::HirschbergSinclair::new(ring, Mode::Repaired),
    imsuite::hs::HirschbergSinclair::new(ring, Mode::Faithful)
);
faulty!(
    mis,
    Mis,
    super::SPARSE,
    |topology, seed| imsuite::mis::Luby::new(topology, seed, Mode::Repaired),
    imsuite::mis::Luby::new(topology, seed, Mode::Faithful)
);
faulty!(
    vc,
    Vc,
    [Shape::Star, Shape::RandomTree],
    |tree, _whole| imsuite::vc::ColeVishkin::new(tree, Mode::Repaired),
    imsuite::vc::ColeVishkin::new(tree, Mode::Faithful)
);

plusminus::main!();
