//! The words of a report on a measurement: numbers, their subjects, and verdicts.

use super::terms::{Section, plain, section, term};

pub(super) const NUMBERS: Section = section! {
    "Numbers";
    term "time", ["t"],
        "The time of one call: the median over the samples of a run, averaged over instances and runs. It is wall time, \
         without building the input and without dropping the output.";
    term "±", ["σ", "sigma", "uncertainty", "u"],
        "The standard uncertainty: the standard deviation of the estimate, not of single samples, in percent of the \
         estimate. More runs make it smaller. A 95 % interval reaches about 2 σ to each side, and more with few runs: 2.8 σ \
         with five, 4.3 σ with three.";
    term "interval", ["95 % interval", "confidence interval"],
        "The range that contains the true value in 95 % of measurements. Wide reports also draw it on a logarithmic \
         scale: `●` is the estimate, `┊` no difference, `·` the margin on both sides. In ASCII: `[--o--]`, `|` and `:`.";
    term "speedup", ["S"],
        "The time of the baseline divided by the time of the variant: 2 is twice as fast, 0.5 half as fast.";
    term "real S", ["real speedup"],
        "The speedup over the fastest sequential variant at the same point, whichever that is. A speedup over a slow \
         sequential program means little.";
    term "relative S", ["relative speedup", "scaling"],
        "The time of a variant on one CPU divided by its own time on several.";
    plain "!", ["mark"], "A warning below the table is about this benchmark.";
    plain "efficiency", ["E"], "The speedup divided by the number of processors; never cut off at 1.";
    plain "overhead", ["T_o"],
        "T_o = p·T − ω: the time of all processors together beyond that of the sequential program. Below 0 if the \
         speedup is more than p.";
    plain "PC_a", ["Performance Complexity"],
        "Performance Complexity: the mean absolute error of a fitted model on the logarithmic scale, as a factor less 1. \
         0 means that the model predicts the performance exactly.";
    plain "RSU", ["relative standard uncertainty"], "σ divided by the value: 0.01 is 1 %.";
    plain "spread", [],
        "The standard deviation of one instance in one run: how much single measurements scatter. More runs do not \
         reduce it.";
    plain "n/a", ["not available"],
        "Not known. A single run has no spread between runs, so its uncertainty is unknown. Measure more runs.";
    plain "throughput", ["rate", "items", "bytes", "chars", "cycles", "/s"],
        "Work per second: the work of a call, as its counter or problem states it, divided by its time. k, M, G and T \
         are thousands, millions and so on.";
    plain "call", ["/call"], "One call of the measured function. A sample may contain many.";
    term "type B", ["type B part"],
        "The part of an uncertainty that does not come from the spread of runs: clock steps, and changes of the machine \
         that a short invocation does not see (GUM 4.3).";
    plain "p", ["p-value"], "The probability of such a difference, or a larger one, by chance alone.";
    plain "robust z", [],
        "How far a value is from the median, in units of the scatter of the others, estimated so that outliers do not \
         widen it.";
};

pub(super) const MEASURED: Section = section! {
    "What is measured";
    plain "benchmark", [], "One function, or one variant of a problem, at one point.";
    plain "function", ["group"], "A benchmark that solves no problem, so that nothing here is compared with it.";
    term "problem", [], "Inputs, instances and a check of the answers. Its variants are compared with each other.";
    plain "variant", [], "One implementation that solves a problem.";
    term "base", ["baseline"],
        "The side that others are compared with: the variant marked `baseline`, the record kept by `--save-baseline`, or \
         the older version.";
    plain "reference", [], "The variant marked as the best sequential solution. See real S.";
    plain "point", ["size"], "One argument or one step of a sweep, such as the size of the input.";
    term "instance", [], "One concrete input at a point. Variants are compared on the same ones.";
    term "run", ["process"], "One fresh process that measures. Runs, not samples, determine the ±.";
    plain "sample", [], "One reading of the clock around one or many calls.";
    plain "cell", ["measurement"], "One instance in one run.";
    plain "now", ["new"], "The measurement of this invocation, or the newer version.";
    plain "processor", ["CPU"], "CPUs that a benchmark may use at once.";
    plain "thread", ["caller"], "Callers of a benchmark at the same time.";
    plain "seed", [], "The number that fixes every random order. `--seed N` repeats it.";
    plain "timed", [], "Measured, and not compared with anything.";
    term "record", ["raw data"],
        "The file with every sample, its order and its environment. Reports are made from it alone: `--load last` prints \
         the last one again, `-v` with all details.";
    term "quick mode", ["quick", "glance"],
        "`--quick`: up to 5 runs of a few milliseconds, in which all benchmarks share a process. Benchmarks that take \
         more than 60 ms to prepare get one run. The ± includes 2.9 % for changes of the machine, and 20 % for a single \
         run, so that only large changes are detected.";
    plain "note", ["warning"], "Something that limits a result. The first is the most urgent. `-v` prints all.";
};

pub(super) const VERDICTS: Section = section! {
    "Verdicts";
    plain "verdict", ["compared"],
        "The result of a comparison: faster, slower, within the margin, inconclusive or identical code.";
    term "faster", [], "Proven to take less time: the interval excludes no difference.";
    term "slower", ["regression"],
        "Proven to take more time: the interval excludes no difference. `may be < 2 %` is added while the interval \
         reaches into the margin.";
    term "within the margin", ["within ±2 %", "same", "within"], "Proven to differ by less than the margin, if at all.";
    term "inconclusive", ["undecided"],
        "Neither a difference nor its absence is proven. `-v` prints the smallest change that would have been detected. \
         `--until decided` measures on until everything is decided, up to `--max-time`.";
    term "margin", [], "The largest change that you are willing to ignore: `--margin PERCENT`, 2 % by default.";
    term "α", ["alpha"], "The accepted probability of any wrong claim in a table or comparison, shared by its rows.";
    term "block", [],
        "The unit of evidence in a comparison: a process of each version that is new to the benchmark, measured in \
         turns.";
    term "control", [], "Base compared with a copy of itself. A difference there means that the machine was too noisy.";
    term "check failed", ["failed check", "unreliable"],
        "A check contradicts the verdict, such as drift. `-v` prints which one. Measure again on a quieter machine.";
    term "identical code", ["unchanged", "layout"],
        "Both versions run the same machine code, so that a difference can come only from code placement.";
};
