//! The words of a report on what was measured: numbers, what they are of, and verdicts.

use super::terms::{Section, term};

/// Numbers, and how sure they are.
pub(super) const NUMBERS: Section = Section {
    title: "Numbers",
    terms: &[
        term(
            "time",
            &["t"],
            "the time of one call: the median over the samples of a run, averaged over instances and runs. It is wall \
             time, without the input's construction and without dropping the output.",
        ),
        term(
            "±",
            &["σ", "sigma", "uncertainty", "u"],
            "the standard uncertainty: the standard deviation of the estimate, not of single samples. It shrinks with \
             more runs; the true value is within about 2 σ with 95 % confidence (more with few runs). Behind a time \
             it is in per cent of the time.",
        ),
        term(
            "interval",
            &["95 % interval", "confidence interval"],
            "the range that contains the true value in 95 % of measurements. The small drawing shows that of S, \
             or of a change, on a logarithmic scale, the same for all lines of a group: `●` is the estimate, `┊` stands at 1, that is, at \
             no difference. In ASCII: `[--o--]` and `:`.",
        ),
        term(
            "speedup",
            &["S"],
            "the time of the baseline divided by the time of the variant: 2 means twice as fast, 0.5 half as fast.",
        ),
        term(
            "real S",
            &["real speedup"],
            "the speedup over the fastest sequential variant at the same point, whichever it is. A speedup over a slow \
             sequential program says little.",
        ),
        term(
            "relative S",
            &["relative speedup", "scaling"],
            "the time of a variant on one processor divided by its own time on several.",
        ),
        term(
            "RSU",
            &["relative standard uncertainty"],
            "σ divided by the value: 0.01 means that the value is known to 1 %.",
        ),
        term(
            "spread",
            &[],
            "the standard deviation of one instance in one run. It says how much single measurements scatter, and does \
             not shrink with more runs; it is no uncertainty.",
        ),
        term(
            "n/a",
            &["not available"],
            "not known. One run has no spread between runs, so nothing can be said about the uncertainty of its time: \
             measure more runs.",
        ),
        term(
            "rate",
            &["throughput", "items", "bytes", "chars", "cycles", "/s"],
            "work per second: the work of a call, as its counter or problem states it, divided by its time; with more \
             counters than one, the first. k, M, G and T are thousands, millions and so on.",
        ),
        term("call", &["/call"], "one call of the measured function; a sample may have many."),
        term(
            "type B",
            &["type B part"],
            "a part of the uncertainty that does not come from the spread of runs but is known otherwise: the steps of \
             the clock, and what the machine does at times that a short invocation does not see (GUM 4.3).",
        ),
        term(
            "p",
            &["p-value"],
            "the probability to see at least such a difference by chance alone.",
        ),
        term(
            "robust z",
            &[],
            "how far a value is from the median, in units of the scatter of the others, estimated so that outliers do \
             not widen it.",
        ),
    ],
};

/// What is measured, and by what.
pub(super) const MEASURED: Section = Section {
    title: "What is measured",
    terms: &[
        term("benchmark", &[], "one function, or one variant of a problem, at one point."),
        term(
            "function",
            &["group"],
            "a benchmark that solves no problem and is compared with nothing here.",
        ),
        term("problem", &[], "what variants solve: inputs, instances and a check of the answers."),
        term("variant", &[], "one implementation that solves a problem."),
        term(
            "base",
            &["baseline"],
            "what others are compared with: the variant that is marked `baseline`, or the record that was kept with \
             `--save-baseline`.",
        ),
        term("reference", &[], "the variant marked as the best sequential solution: see real S."),
        term(
            "point",
            &["size"],
            "one argument or one point of a sweep, such as the size of the input.",
        ),
        term(
            "instance",
            &[],
            "one thing to solve at a point: variants are compared on the same ones.",
        ),
        term(
            "run",
            &[],
            "one fresh process that measures. Runs, not samples, are what σ is made from.",
        ),
        term("sample", &[], "one reading of the clock around one or many calls."),
        term("cell", &["measurement"], "one instance in one run."),
        term(
            "now",
            &[],
            "what was measured by this invocation, beside a baseline that was kept before.",
        ),
        term("processor", &[], "processors that a kernel may use at once."),
        term("thread", &["caller"], "callers of a kernel at the same time."),
        term("seed", &[], "the number that fixes every random order: `--seed N` repeats it."),
        term(
            "record",
            &["raw data"],
            "the file with every sample, its order and circumstances. The report is made from it alone: `--load last` \
             reports the last one again, `-v` with all details.",
        ),
        term(
            "glance",
            &["quick"],
            "what `--quick` takes: up to 5 runs of a few milliseconds, in each of which all benchmarks share one process. \
             What takes more than 60 ms to prepare has one run. σ of a time allows for what so little does not show, 2.9 % \
             for other times of the machine and 20 % for a single run: a glance shows large changes only.",
        ),
        term(
            "note",
            &[],
            "what was noticed; the first is what to do something about first. `-v` has the details.",
        ),
    ],
};

/// What is said of differences.
pub(super) const VERDICTS: Section = Section {
    title: "Verdicts",
    terms: &[
        term(
            "verdict",
            &["compared"],
            "what a comparison proves: faster, slower, same or undecided.",
        ),
        term("faster", &[], "proven to take less time: the interval excludes no difference."),
        term(
            "slower",
            &["regression"],
            "proven to take more time: the interval excludes no difference.",
        ),
        term(
            "same",
            &["within the margin"],
            "proven to differ by less than the margin, if at all.",
        ),
        term(
            "undecided",
            &["would have seen"],
            "neither a difference nor its absence is proven. `-v` says which change would have been seen; `--until \
             decided` goes on until it is decided, `--max-time` limits that.",
        ),
        term(
            "margin",
            &[],
            "differences up to this count as none: `--margin PERCENT`, 2 % by default.",
        ),
        term(
            "α",
            &["alpha"],
            "the accepted probability of any wrong claim in a table or comparison, shared by its lines.",
        ),
        term(
            "block",
            &[],
            "in a comparison of versions, one fresh process of each side, measured in turns: the unit of evidence.",
        ),
        term(
            "control",
            &["control differs"],
            "base compared with a copy of itself: a difference there means that the machine was too noisy.",
        ),
        term(
            "unreliable",
            &[],
            "a check speaks against the verdict, such as drift or a control that differs: measure again on a quieter \
             machine. `-v` says which check.",
        ),
        term(
            "unchanged",
            &["layout"],
            "both versions run the same machine code, so that a difference can only come from where it lies in memory.",
        ),
    ],
};
