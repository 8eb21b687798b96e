//! Every kind of note, in one table: a new one needs one entry here and the code that finds it.

use super::terms::{Term, term};

/// Where the glossary explains a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Among the notes on benchmarks.
    Benchmarks,
    /// Among the notes on the measurement.
    Measurement,
    /// Among the verdicts, where its word is one of several.
    Verdicts,
}

/// Makes the type of kinds, and the terms of the glossary, from one entry per kind.
macro_rules! kinds {
    ($($kind:ident, $place:ident, $label:literal, $also:tt, $meaning:literal;)*) => {
        /// What a note is about, the most urgent first.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Kind {
            $($kind,)*
            /// Nothing to do: printed with the details only.
            Information,
        }

        /// The kinds that the short report names, in their order.
        const KINDS: &[(Place, Term)] = &[$((Place::$place, term($label, &$also, $meaning)),)*];
    };
}

impl Kind {
    /// Returns its name, which `--explain` knows; that of information is empty.
    pub(super) fn label(self) -> &'static str {
        KINDS.get(self as usize).map_or("", |(_, term)| term.name)
    }

    /// Returns the labels of all kinds.
    #[cfg(test)]
    pub(super) fn labels() -> impl Iterator<Item = &'static str> {
        KINDS.iter().map(|(_, term)| term.name)
    }
}

/// Returns the terms of the kinds that the glossary explains in one place.
pub(super) fn terms(place: Place) -> impl Iterator<Item = &'static Term> {
    KINDS.iter().filter(move |(of, _)| *of == place).map(|(_, term)| term)
}

// Kind, place in the glossary, label, other words for it, meaning and cure. The most urgent first.
kinds! {
    Failed, Benchmarks, "failed", [],
        "no result: it panicked, ended its process, gave a wrong answer or no answer in time. \
         Everything else was measured; the exit code is 2.";
    NoTime, Benchmarks, "no time", ["too short", "optimised away"],
        "the clock cannot tell the call from nothing. Often the compiler has worked out the \
         answer: give the input through `std::hint::black_box` or an argument, and return the \
         result. Otherwise let one call do more.";
    NotMeasured, Benchmarks, "not measured", [],
        "time or an interrupt ended the measurement before this benchmark.";
    NotCompared, Benchmarks, "not compared", ["missing"],
        "the baseline or this measurement has no result of it; `-v` says which and why. The exit \
         code is 2.";
    Interrupted, Measurement, "interrupted", [],
        "a signal ended the measurement: the results are those of the finished runs.";
    Unfinished, Measurement, "unfinished", ["killed"],
        "the runner was killed: the results are those of the finished runs.";
    DebugBuild, Measurement, "debug build", ["opt-level"],
        "built with little or no optimisation: use `cargo bench`, and set `opt-level = 3` in \
         `[profile.bench]`.";
    InProcess, Measurement, "in process", ["in this process"],
        "measured in the runner's own process, for debuggers: one run, not comparable with \
         anything.";
    OtherMeasurement, Measurement, "other measurement", [],
        "another measurement ran at the same time: both disturb each other.";
    Busy, Measurement, "busy machine", ["load"],
        "other programs ran before measuring began: stop them.";
    StolenTime, Measurement, "stolen time", ["steal"],
        "the hypervisor gave processor time to other machines.";
    Swapping, Measurement, "swapping", [],
        "memory was swapped while measuring: measure smaller inputs or stop other programs.";
    Governor, Measurement, "governor", [],
        "the frequency governor lets the processor's frequency change: set `performance`.";
    SlowClock, Measurement, "slow clock", [],
        "the system's clock takes microseconds to read: let it use the processor's counter.";
    UnsteadyCounter, Measurement, "unsteady counter", [],
        "the processor's counter moved against the system's clock: `--clock os`.";
    FixedAddresses, Measurement, "fixed addresses", [],
        "address randomisation is off: every run has the same layout of memory, whose luck looks \
         like speed.";
    Unreliable, Verdicts, "unreliable", [], "";
    Crowded, Benchmarks, "crowded", [],
        "the kernel has threads of its own, which shared one processor: name the processors it is \
         for, `processors = [2]`, or give `--any-processor`.";
    Slowing, Benchmarks, "slowing down", [],
        "samples get slower within a process, by more than 1 % and alike in all of its processes: \
         does the kernel use up or fill something from call to call?";
    Unsettled, Benchmarks, "unsettled", ["steady state", "settle"],
        "samples get faster within a process, by more than 1 % and alike in all of its processes: \
         the kernel has not warmed up. Give it more `--warm-up`; the time is one of a young \
         process.";
    Disturbed, Benchmarks, "disturbed", ["clean", "undisturbed"],
        "fewer than 80 % of the samples are clean, that is, ran without being interrupted: wall \
         time less than 2 % above CPU time. With 7 clean ones or more, only these count. Stop \
         other programs.";
    Imprecise, Benchmarks, "not precise", ["imprecise", "precision"],
        "the time is not known to the precision asked for (1 % by default): runs differ too much \
         for the time or the 40 runs allowed. Believe the ±; `--max-time` and `--runs` buy more.";
    BeatenReference, Benchmarks, "beaten reference", [],
        "a variant is marked as the best sequential one, but another one on one processor is \
         faster at the same point (95 %): real S is against that one. Mark it, too, or improve the \
         reference.";
    PoorRepeatability, Benchmarks, "poor repeatability", ["repeatability"],
        "runs differ by more than 3 % (standard deviation over mean), which is a lot for the same \
         program.";
    PartsDiffer, Benchmarks, "parts differ", ["parts", "phases", "parts/whole"],
        "the times of the kernel's phases (`phases = [...]`, `plusminus::phase`) are proven to sum \
         up to more or to less than the time of the whole (95 %, and not the same within the \
         margin). Less: some of the kernel is in no phase. More: phases overlap, or are slower \
         while they are timed. Parts that agree with the whole can both be believed.";
    RunsDiffer, Benchmarks, "runs differ", [],
        "runs differ as a whole, beyond chance: something outside the kernel changes between \
         processes, such as where the system puts its memory.";
    OddCell, Benchmarks, "odd cell", ["out of line", "outlier"],
        "one instance in one run is proven to be out of line.";
    SuspectCell, Benchmarks, "suspect cell", ["suspect"],
        "one instance in one run looks out of line (robust z above 3.5), which is not proven.";
    UnevenInstances, Benchmarks, "uneven instances", ["consistently slow"],
        "an instance is slower or faster than the others in all runs.";
    UnevenSpeedup, Benchmarks, "uneven speedup", ["depends on the instance"],
        "the speedup depends on the instance: a mean over them says little about a single one.";
    Drift, Measurement, "drift", [],
        "runs resemble those before and after them, as the machine is faster at one time than at \
         another: σ allows for it.";
    OtherCircumstances, Measurement, "other circumstances", ["circumstances"],
        "the baseline was measured with another processor, compiler, option or system; `-v` says \
         which.";
    DifferentTimes, Measurement, "different times", ["stored baseline"],
        "baseline and now were measured at different times: what the machine did differently is \
         part of the difference and of no uncertainty. `cargo plusminus compare` measures both in \
         turns.";
}
