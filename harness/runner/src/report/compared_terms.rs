//! The words of a report on two versions, `cargo plusminus compare`, and what they mean.

use super::terms::{Section, term};

/// What a comparison of two versions notes, besides what is noted of benchmarks.
pub(super) const SECTION: Section = Section {
    title: "Comparisons of two versions",
    terms: &[
        term(
            "change",
            &[],
            "the time of the new version divided by that of base, less 1: `+3.0 ± 0.2 %` takes 3 % longer, with the \
             standard uncertainty of that. The interval that is drawn beside it decides the verdict: `same` where it \
             lies within the margin, else `slower` or `faster` where it excludes 0. All intervals of a comparison \
             contain their true changes with probability 1 − α (95 %), however many benchmarks there are and however \
             often the blocks were looked at.",
        ),
        term(
            "time is up",
            &["out of time"],
            "`--max-time` ended the measuring before all was decided: what is undecided may need more time only.",
        ),
        term(
            "other work",
            &["work"],
            "a call does not do the same work on both sides, such as more bytes: a longer time may come from it alone. \
             `-v` has the change of the time for each unit.",
        ),
        term(
            "interrupted samples",
            &[],
            "in some blocks only the pairs of samples count that were not interrupted: other programs ran.",
        ),
        term(
            "dependent blocks",
            &["averaged in twos"],
            "neighbouring blocks depended on each other and were averaged in twos, which the guarantee of α does not \
             cover.",
        ),
        term(
            "second opinion",
            &[],
            "another way to judge the same blocks, such as by CPU time, comes to another result; `-v` says which.",
        ),
        term(
            "other dependencies",
            &["dependencies"],
            "packages that the benchmarks use have other versions in base: verdicts are about them, too. `--lock head` \
             builds both sides with those of head.",
        ),
        term(
            "other lock file",
            &["Cargo.lock", "lock file"],
            "a side was not built with the Cargo.lock that is committed in it as it is.",
        ),
        term(
            "outside crates",
            &["outside"],
            "crates outside of the repository, which both sides use in their present state.",
        ),
        term(
            "in one layout",
            &[],
            "bench targets that could not be linked again for each round, by linkers other than lld: where code happens to lie \
             may be a part of what was found. `-v` says why.",
        ),
        term(
            "left out",
            &[],
            "bench targets that were not built or are not measured; `-v` says which and why.",
        ),
        term("removed", &[], "only base has a benchmark of this name: it is not compared."),
        term(
            "added",
            &[],
            "only the new version has a benchmark of this name: it is not compared.",
        ),
        term(
            "renamed",
            &[],
            "a benchmark at the same place of the source has another name in base: it is not compared.",
        ),
        term(
            "only set-up changed",
            &[],
            "code of a benchmark changed that makes what it is timed on, and none that may run while it is timed. Its inputs may \
             differ: it is measured, after all others.",
        ),
        term(
            "unknown code",
            &[],
            "it is not known whether the machine code of a benchmark changed, so that it was measured; `-v` says why.",
        ),
        term(
            "in full",
            &["report.txt"],
            "the file with every number and sentence of the newest comparison, as `-v` prints them.",
        ),
    ],
};
