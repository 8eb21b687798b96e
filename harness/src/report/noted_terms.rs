//! The words of the notes of a report, and what to do about each.

use super::terms::{Section, term};

/// Notes on a benchmark.
pub(super) const NOTES_ON_BENCHMARKS: Section = Section {
    title: "Notes on benchmarks",
    terms: &[
        term(
            "failed",
            &[],
            "no result: it panicked, ended its process, gave a wrong answer or no answer in time. Everything else was \
             measured; the exit code is 2.",
        ),
        term(
            "no time",
            &["too short", "optimised away"],
            "the clock cannot tell the call from nothing. Often the compiler has worked out the answer: give the input \
             through `std::hint::black_box` or an argument, and return the result. Otherwise let one call do more.",
        ),
        term(
            "not measured",
            &[],
            "time or an interrupt ended the measurement before this benchmark.",
        ),
        term(
            "not compared",
            &["missing"],
            "the baseline or this measurement has no result of it; `-v` says which and why. The exit code is 2.",
        ),
        term(
            "crowded",
            &[],
            "the kernel has threads of its own, which shared one processor: name the processors it is for, \
             `processors = [2]`, or give `--any-processor`.",
        ),
        term(
            "slowing down",
            &[],
            "samples get slower within a process, by more than 1 % and alike in all of its processes: does the kernel use \
             up or fill something from call to call?",
        ),
        term(
            "unsettled",
            &["steady state", "settle"],
            "samples get faster within a process, by more than 1 % and alike in all of its processes: the kernel has not \
             warmed up. Give it more `--warm-up`; the time is one of a young process.",
        ),
        term(
            "disturbed",
            &["clean", "undisturbed"],
            "fewer than 80 % of the samples are clean, that is, ran without being interrupted: wall time less than 2 % \
             above CPU time. With 7 clean ones or more, only these count. Stop other programs.",
        ),
        term(
            "not precise",
            &["imprecise", "precision"],
            "the time is not known to the precision asked for (1 % by default): runs differ too much for the time or \
             the 40 runs allowed. Believe the ±; `--max-time` and `--runs` buy more.",
        ),
        term(
            "glance",
            &["quick"],
            "what `--quick` takes: up to 5 runs of a few milliseconds, in each of which all benchmarks share one process. \
             What takes more than 60 ms to prepare has one run. σ of a time allows for what so little does not show, 2.9 % \
             for other times of the machine and 20 % for a single run: a glance shows large changes only.",
        ),
        term(
            "beaten reference",
            &[],
            "a variant is marked as the best sequential one, but another one on one processor is faster at the same \
             point (95 %): real S is against that one. Mark it, too, or improve the reference.",
        ),
        term(
            "poor repeatability",
            &["repeatability"],
            "runs differ by more than 3 % (standard deviation over mean), which is a lot for the same program.",
        ),
        term(
            "parts differ",
            &["parts", "phases", "parts/whole"],
            "the times of the kernel's phases (`phases = [...]`, `plusminus::phase`) are proven to sum up to more or to less \
             than the time of the whole (95 %, and not the same within the margin). Less: some of the kernel is in no phase. More: phases \
             overlap, or are slower while they are timed. Parts that agree with the whole can both be believed.",
        ),
        term(
            "runs differ",
            &[],
            "runs differ as a whole, beyond chance: something outside the kernel changes between processes, such as \
             where the system puts its memory.",
        ),
        term(
            "odd cell",
            &["out of line", "outlier"],
            "one instance in one run is proven to be out of line.",
        ),
        term(
            "suspect cell",
            &["suspect"],
            "one instance in one run looks out of line (robust z above 3.5), which is not proven.",
        ),
        term(
            "uneven instances",
            &["consistently slow"],
            "an instance is slower or faster than the others in all runs.",
        ),
        term(
            "uneven speedup",
            &["depends on the instance"],
            "the speedup depends on the instance: a mean over them says little about a single one.",
        ),
    ],
};

/// Notes on all of a measurement.
pub(super) const NOTES_ON_MEASUREMENT: Section = Section {
    title: "Notes on the measurement",
    terms: &[
        term(
            "interrupted",
            &[],
            "a signal ended the measurement: the results are those of the finished runs.",
        ),
        term(
            "unfinished",
            &["killed"],
            "the runner was killed: the results are those of the finished runs.",
        ),
        term(
            "debug build",
            &["opt-level"],
            "built with little or no optimisation: use `cargo bench`, and set `opt-level = 3` in `[profile.bench]`.",
        ),
        term(
            "in process",
            &["in this process"],
            "measured in the runner's own process, for debuggers: one run, not comparable with anything.",
        ),
        term(
            "other measurement",
            &[],
            "another measurement ran at the same time: both disturb each other.",
        ),
        term("busy machine", &["load"], "other programs ran before measuring began: stop them."),
        term("stolen time", &["steal"], "the hypervisor gave processor time to other machines."),
        term(
            "swapping",
            &[],
            "memory was swapped while measuring: measure smaller inputs or stop other programs.",
        ),
        term(
            "governor",
            &[],
            "the frequency governor lets the processor's frequency change: set `performance`.",
        ),
        term(
            "slow clock",
            &[],
            "the system's clock takes microseconds to read: let it use the processor's counter.",
        ),
        term(
            "unsteady counter",
            &[],
            "the processor's counter moved against the system's clock: `--clock os`.",
        ),
        term(
            "fixed addresses",
            &[],
            "address randomisation is off: every run has the same layout of memory, whose luck looks like speed.",
        ),
        term(
            "drift",
            &[],
            "runs resemble those before and after them, as the machine is faster at one time than at another: σ allows \
             for it.",
        ),
        term(
            "other circumstances",
            &["circumstances"],
            "the baseline was measured with another processor, compiler, option or system; `-v` says which.",
        ),
        term(
            "different times",
            &["stored baseline"],
            "baseline and now were measured at different times: what the machine did differently is part of the \
             difference and of no uncertainty. `cargo plusminus compare` measures both in turns.",
        ),
    ],
};
