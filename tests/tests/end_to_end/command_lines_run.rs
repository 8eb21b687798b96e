//! Runs the command lines of pages for users, as they stand there, each page in a folder of its own. A line is run unless
//! `NOT_RUN` has it, so that a new line of a document is either one that works or one that is listed there with a reason.

use std::{collections::BTreeSet, fs};

use crate::scratch::Scratch;
use plusminus_tests::{
    command_support::{lines, pages},
    workspace,
};

/// Texts of documents that differ here: paths, sizes, and times.
const INSTEAD: [(&str, &str); 5] = [
    ("target/plusminus/sorting/sort/records/….json", "record.json"),
    ("study ….json", "study record.json"),
    // Two bench programs there, and two whole programs elsewhere, are the same ones here.
    ("./old numbers.txt", "./old --list"),
    ("./new numbers.txt", "./new --list"),
    ("./sort numbers.txt", "./sort --list"),
];

/// Lines that are not run: the page (or all), what the line has, and why.
const NOT_RUN: [(&str, &str, &str); 31] = [
    ("README.md", "", "`lab/walk` runs all lines of the README in a crate of a new user"),
    ("docs/tutorial/first-benchmark.md", "", "`lab/walk` runs all lines of the tutorials"),
    ("docs/tutorial/ci-gate.md", "", "`lab/walk` runs all lines of the tutorials"),
    ("docs/how-to/compare-two-versions.md", "cargo plusminus compare main", BUILDS),
    ("docs/how-to/compare-two-versions.md", "cargo plusminus compare v1.0..v1.1", BUILDS),
    (
        "docs/how-to/changed-benchmarks.md",
        "cargo plusminus changed",
        "builds two versions: `changed.rs` does so",
    ),
    (
        "docs/how-to/several-machines.md",
        "",
        "needs records of several machines: the tests of `analysis/machines` have them",
    ),
    ("docs/evidence/costs.md", "--gate", "builds two versions: `compare_costs.rs` does so"),
    ("docs/how-to/allocations-and-counters.md", "--gate", "the same: a record of it is kept"),
    ("docs/how-to/compare-variants.md", "cargo plusminus layouts", BUILDS),
    ("docs/how-to/troubleshooting.md", "cargo plusminus compare main --share", BUILDS),
    ("docs/evidence/why.md", "cargo plusminus compare main --why", BUILDS),
    ("docs/how-to/bisect.md", "git bisect", "builds at every step: `compare_bisect.rs` does so"),
    (CRITERION, "cargo bench", "the options of criterion: `drop_in_criterion.rs`"),
    (CRITERION, "cargo test --benches", "the same"),
    (CRITERION, "cargo plusminus compare main", BUILDS),
    ("docs/how-to/history.md", "cargo plusminus compare HEAD~1", BUILDS),
    ("docs/how-to/studies.md", "--derive", "needs a record with work: `study_advice.rs` has one"),
    ("docs/how-to/studies.md", "--predict", "needs records of small and of large sizes"),
    ("docs/how-to/reports-and-figures.md", "cargo plusminus compare main", BUILDS),
    ("docs/how-to/profile-and-debug.md", "target/release/deps/sort-1234", "needs gdb and perf"),
    ("examples/gate/README.md", "cargo plusminus compare --merge-base", BUILDS),
    ("suite/book/mpi.md", "mpi/run bench", "needs MPI: `mpi/run` of the gate has it"),
    (
        "suite/book/mpi.md",
        "cargo plusminus compare main",
        "needs MPI: `mpi/compared` of the gate has it",
    ),
    ("suite/book/scaling.md", "", "needs MPI: `mpi/run` of the gate has it"),
    ("", "cargo bench -p plusminus-", MINUTES),
    ("", "cargo test -p plusminus-suite", "the tests of the suite"),
    ("", "cargo run --release -p plusminus-suite --example", "builds the suite anew, optimised"),
    (
        "",
        "cargo run --release -p plusminus-papers",
        "measures for minutes: `papers/tests` has records",
    ),
    ("", "cargo install --locked --path suite/generate", "builds the suite anew, optimised"),
    (
        "",
        "plusminus-generate ",
        "is installed by the line before: `suite/generate/tests/generate.rs` runs it",
    ),
];

const CRITERION: &str = "docs/how-to/from-criterion-or-divan.md";
const BUILDS: &str = "builds two versions: `lab/walk` and `compare_versions.rs` do so";
const MINUTES: &str = "measures for minutes";

/// Why a line is not run: which of the table.
fn not_run(page: &str, line: &str) -> Option<usize> {
    NOT_RUN.iter().position(|(of, part, _)| (of.is_empty() || *of == page) && line.contains(part))
}

/// Whether a line may end with this code: verdicts, and a machine that is too busy to tell, are no faults.
fn is_fine(line: &str, code: Option<i32>) -> bool {
    let judges = ["compare ", "plusminus bench ", "history check", "--baseline "];
    let is_verdict = judges.iter().any(|word| line.contains(word));
    code == Some(0) || (is_verdict && matches!(code, Some(1 | 3)))
}

#[test]
fn every_command_line_works_as_it_stands() {
    let scratch = Scratch::new();
    let (mut run, mut left, mut replaced) = (0, BTreeSet::new(), BTreeSet::new());
    for path in pages() {
        let page = path.strip_prefix(workspace()).unwrap().to_str().unwrap().to_owned();
        let mut folder = None;
        for written in lines(&fs::read_to_string(&path).unwrap()) {
            if let Some(which) = not_run(&page, &written) {
                left.insert(which);
                continue;
            }
            let mut line = written.clone();
            for (which, (said, meant)) in INSTEAD.iter().enumerate() {
                if line.contains(said) {
                    line = line.replace(said, meant);
                    replaced.insert(which);
                }
            }
            let folder = folder.get_or_insert_with(|| scratch.of_page(&page));
            let outcome = scratch.run(folder, &line);
            assert!(is_fine(&line, outcome.code), "{page}: {written}: {}", outcome.both());
            // Progress is for terminals.
            assert!(
                !outcome.stderr.contains(['\r', '\u{1b}']),
                "{page}: {written}: {}",
                outcome.both()
            );
            run += 1;
        }
    }
    let unused = |all: usize, used: &BTreeSet<usize>| -> Vec<usize> {
        (0..all).filter(|which| !used.contains(which)).collect()
    };
    assert_eq!(unused(NOT_RUN.len(), &left), [0; 0], "of NOT_RUN, no line has these");
    assert_eq!(unused(INSTEAD.len(), &replaced), [0; 0], "of INSTEAD, no line has these");
    assert!(run >= 30, "{run}");
}
