//! The words of a report on two versions, `cargo plusminus compare`, and what they mean.

use super::terms::{Section, plain, section, term};

pub(super) const SECTION: Section = section! {
    "Comparisons of two versions";
    term "change", [],
        "The time of the new version divided by that of base, less 1: `+3.0 %` takes 3 % longer. The interval after it \
         decides the verdict: `within ±2 %` if it lies within the margin, else `slower` or `faster` if it excludes 0. \
         The change is `unknown` if its interval includes 0 and is wider than 100 %. \
         All intervals of a comparison contain their true changes with probability 1 − α (95 %), however many benchmarks \
         there are and however often the data was looked at.";
    plain "time limit reached", ["out of time", "time is up"],
        "`--max-time` ended the measurement before everything was decided. Inconclusive benchmarks may need more time.";
    plain "machine too noisy", ["control differs"],
        "Base and an identical copy of base came out as different, so no verdict can be trusted. Measure again on a \
         quieter machine.";
    term "work per call changed", ["other work", "work"],
        "A call does more or less work than before, such as more bytes. The change of time may come from that alone. \
         `-v` prints the change per unit of work.";
    plain "other costs", ["allocations", "measures"],
        "Costs besides time that both versions have: allocations with `CountingAllocator`, the sizes of code and data, \
         peak memory, and your own metrics. A count on which all processes agree is compared by equality. A noisy one \
         has to change by more than the margin. `--gate` chooses which of them can fail a build.";
    term "correlated measurements", ["dependent blocks", "averaged in twos"],
        "Neighboring blocks depended on each other and were averaged in pairs. The error rate α does not cover that.";
    term "methods disagree", ["second opinion"],
        "A second method, such as CPU time or the mean, gives a different change on the same data. `-v` names it.";
    plain "dependencies differ", ["other dependencies", "dependencies"],
        "The two versions use different versions of packages, so verdicts include those. `--lock head` builds both with \
         the new version's.";
    plain "lock file", ["other lock file", "Cargo.lock", "different lock file"],
        "A version was not built with exactly its committed Cargo.lock.";
    plain "same compiler", ["rust-toolchain", "toolchain"],
        "The versions ask for different compilers, and one compiler built both.";
    plain "profiles differ", ["profile", "lto"],
        "The two versions are compiled with other settings, such as `lto`, so verdicts include those.";
    plain "path dependencies outside the repository", ["outside crates", "outside"],
        "Both versions use these crates in their present state.";
    term "single layout", ["in one layout"],
        "A bench target could not be relinked for each round, which needs lld. Code placement may be part of the result.";
    plain "skipped", ["left out"], "A bench target was not built, or a benchmark measures nothing. `-v` prints why.";
    plain "removed", [], "Only base has this benchmark. It is not compared.";
    plain "added", [], "Only the new version has this benchmark. It is not compared.";
    plain "renamed", [], "A benchmark at the same place in the source has a different name in base. It is not compared.";
    term "only set-up changed", [],
        "The timed functions are the same. Code changed that prepares their input, or chooses which of them is timed. \
         So the benchmark is measured, after all others.";
    term "code not comparable", ["unknown code"],
        "The machine code of the two versions could not be compared, so the benchmark was measured. `-v` prints why.";
    plain "details", ["in full", "report.txt"],
        "The file with every number and sentence of the newest comparison, as `-v` prints them.";
};
