//! Every kind of note, in one table: a new one needs one entry here and the code that finds it.

use super::terms::{Term, plain, term};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Benchmarks,
    Measurement,
    /// Among the verdicts, as its word is one of several.
    Verdicts,
}

/// Makes the type of kinds, and the terms of the glossary, from one entry per kind.
macro_rules! kinds {
    ($($kind:ident, $place:ident, $term:ident, $label:literal, $also:tt, $cause:literal, $cure:literal;)*) => {
        /// The subject of a note, the most urgent first.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Kind {
            $($kind,)*
            /// Nothing to do: printed with the details only.
            Information,
        }

        /// The kinds that the short report names, in their order: place, term and cure.
        const KINDS: &[(Place, Term, &str)] =
            &[$((Place::$place, $term($label, &$also, $cause), $cure),)*];
    };
}

impl Kind {
    /// Returns its name, which `--explain` knows; that of information is empty.
    pub(super) fn label(self) -> &'static str {
        KINDS.get(self as usize).map_or("", |(_, term, _)| term.name)
    }

    pub(super) fn cause(self) -> &'static str {
        KINDS.get(self as usize).map_or("", |(_, term, _)| term.meaning)
    }

    /// Returns the cure; `{bench}` stands for the command that runs the benchmarks.
    pub(super) fn cure(self) -> &'static str {
        KINDS.get(self as usize).map_or("", |(_, _, cure)| cure)
    }

    #[cfg(test)]
    pub(super) fn labels() -> impl Iterator<Item = &'static str> {
        KINDS.iter().map(|(_, term, _)| term.name)
    }
}

pub(super) fn terms(place: Place) -> impl Iterator<Item = (&'static Term, &'static str)> {
    KINDS.iter().filter(move |(of, ..)| *of == place).map(|(_, term, cure)| (term, *cure))
}

// Kind, place in the glossary, whether the glossary lists it, label, further words, cause, cure. The most urgent first.
kinds! {
    Failed, Benchmarks, plain, "failed", [],
        "The benchmark panicked, ended its process, gave a wrong answer or gave none in time. All others were measured.",
        "";
    Unlike, Benchmarks, plain, "answers differ", ["unlike"],
        "Variants of a problem without `check` return different answers, so one of them may be wrong.",
        "Implement `check` in `impl Problem`.";
    TooFast, Benchmarks, term, "too fast to measure", ["too short", "optimised away", "no time"],
        "The call takes no longer than an empty loop. The compiler has probably computed the result at build time.",
        "Take the input as an argument or through `std::hint::black_box`, and return the result. Otherwise do more per call.";
    NotMeasured, Benchmarks, plain, "not measured", [],
        "The time limit or an interrupt ended the measurement first.",
        "Allow more time: `{bench} --max-time 2m`";
    NotCompared, Benchmarks, plain, "not compared", ["missing"],
        "Only one side has a result.",
        "";
    Interrupted, Measurement, plain, "interrupted", [],
        "A signal ended the measurement. The results are those of the finished runs.",
        "";
    Unfinished, Measurement, plain, "unfinished", ["killed"],
        "The measurement was killed. The results are those of the finished runs.",
        "";
    DebugBuild, Measurement, plain, "debug build", ["opt-level"],
        "The program was built with little or no optimization.",
        "Use `cargo bench`, and set `opt-level = 3` in `[profile.bench]`.";
    InProcess, Measurement, plain, "in process", ["in this process"],
        "There was one run, in the process that a debugger starts. It is not comparable with anything.",
        "";
    ConcurrentMeasurement, Measurement, plain, "concurrent measurement", ["other measurement"],
        "Two measurements ran at the same time and slowed each other down.",
        "Measure one after the other.";
    Busy, Measurement, plain, "busy machine", ["load"],
        "Other programs used more than 20 % of the CPU time during the measurement.",
        "Stop them and measure again: `{bench}`";
    StolenTime, Measurement, plain, "stolen time", ["steal"],
        "The hypervisor gave CPU time to other machines.",
        "Use a dedicated machine.";
    Swapping, Measurement, plain, "swapping", [],
        "Memory was swapped during the measurement.",
        "Stop other programs, or measure smaller inputs.";
    Governor, Measurement, plain, "governor", [],
        "The frequency governor lets the CPU frequency change.",
        "Fix it: `cpupower frequency-set -g performance`";
    SlowClock, Measurement, plain, "slow clock", [],
        "Reading the system clock takes microseconds.",
        "Let it use the CPU's counter.";
    UnsteadyCounter, Measurement, plain, "unsteady counter", [],
        "The CPU's counter drifted against the system clock.",
        "Use the system clock: `{bench} --clock os`";
    FixedAddresses, Measurement, plain, "fixed addresses", [],
        "Address randomization is off, so every run has the same memory layout, and its placement looks like speed.",
        "Set /proc/sys/kernel/randomize_va_space to 2.";
    CheckFailed, Verdicts, plain, "check failed", [], "", "";
    NotChecked, Benchmarks, plain, "answers not compared", ["unchecked", "check"],
        "A problem with several variants has no `check`, and its answers have no `PartialEq`. A variant that answers wrongly is \
         taken for a fast one.",
        "Implement `check` in `impl Problem`.";
    SharedCpu, Benchmarks, term, "threads shared one CPU", ["crowded"],
        "The benchmark starts threads, which had to share the one CPU of its process.",
        "Set `processors = [2]` in its attribute, or let it use any: `{bench} --any-processor`";
    Slowing, Benchmarks, plain, "slowing down", [],
        "Samples get slower within a process, by more than 1 % and alike in all processes.",
        "Check whether the benchmark uses up or fills something from call to call.";
    NoSteadyState, Benchmarks, term, "no steady state", ["unsettled", "steady state", "settle"],
        "Samples get faster within a process, by more than 1 % and alike in all processes.",
        "Warm up longer: `{bench} --warm-up 100ms`";
    InterruptedSamples, Benchmarks, term, "interrupted samples", ["disturbed", "clean", "undisturbed"],
        "More than 20 % of the samples were interrupted: their wall time is at least 2 % above their CPU time. With 7 clean \
         samples or more, only the clean ones are used.",
        "Stop other programs and measure again: `{bench}`";
    SharedCore, Benchmarks, plain, "shared core", ["neighbor", "hyperthreading", "SMT"],
        "During more than 10 % of the runs, something else worked on the same core, which can double a time. Such runs are \
         repeated, for at most half of the time.",
        "Stop other programs, or measure again: `{bench}`";
    BelowPrecision, Benchmarks, term, "below target precision", ["imprecise", "precision", "not precise"],
        "The 95 % interval that the runs give is wider than the precision asked for (1 % by default). The ± is still valid.",
        "Allow more time or runs: `{bench} --max-time 2m --runs 80`";
    ReferenceBeaten, Benchmarks, term, "reference is not the fastest", ["beaten reference"],
        "A variant marked as the best sequential one is slower than a different variant on one CPU (95 %). Real S uses the \
         faster one.",
        "Mark that one as a reference too, or improve the reference.";
    PoorRepeatability, Benchmarks, plain, "poor repeatability", ["repeatability"],
        "Runs of the same program differ by more than 3 % (standard deviation over mean).",
        "Stop other programs and measure again: `{bench}`";
    PhasesDiffer, Benchmarks, term, "phases do not add up", ["parts differ", "parts", "phases", "parts/whole"],
        "The phases (`phases = [...]`, `plusminus::phase`) sum up to provably more or less than the whole (95 %, margin \
         allowed for). Less: some of the benchmark is in no phase. More: phases overlap, or timing slows them down.",
        "";
    RunsDiffer, Benchmarks, plain, "runs differ", [],
        "Whole runs differ beyond chance: something outside the benchmark changes between processes, such as memory placement.",
        "";
    Outlier, Benchmarks, term, "outlier", ["odd cell", "out of line"],
        "One instance in one run is proven to differ from the rest.",
        "";
    PossibleOutlier, Benchmarks, plain, "possible outlier", ["suspect cell", "suspect"],
        "One instance in one run looks different (robust z above 3.5), without proof.",
        "";
    InputsDiffer, Benchmarks, term, "inputs differ", ["uneven instances", "consistently slow"],
        "One instance is slower or faster than the others in all runs.",
        "";
    UnevenSpeedup, Benchmarks, plain, "uneven speedup", ["depends on the instance"],
        "The speedup depends on the instance, so that the mean says little about a single one.",
        "";
    Drift, Measurement, plain, "drift", [],
        "Neighboring runs resemble each other, as the machine's speed changes slowly. The ± allows for it.",
        "";
    DifferentEnvironment, Measurement, plain, "different environment", ["other circumstances", "circumstances"],
        "The baseline was measured with a different CPU, compiler, option or system.",
        "";
    OldBaseline, Measurement, term, "baseline is old", ["different times", "stored baseline"],
        "The baseline was measured earlier. Changes of the machine since then are part of the difference.",
        "Measure both in turns: `cargo plusminus compare`";
}
