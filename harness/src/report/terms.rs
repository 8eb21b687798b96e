//! The words of a report and what they mean, for `--explain` and for docs/glossary.md: one text for both.

use super::compared_terms;
use crate::text::nearest;

/// A word of a report.
pub(super) struct Term {
    name: &'static str,
    /// Other words for it.
    also: &'static [&'static str],
    /// What it means, and what to do about it.
    meaning: &'static str,
}

pub(super) const fn term(
    name: &'static str,
    also: &'static [&'static str],
    meaning: &'static str,
) -> Term {
    Term { name, also, meaning }
}

/// Words of a section of the glossary.
pub(super) struct Section {
    pub(super) title: &'static str,
    pub(super) terms: &'static [Term],
}

/// The meaning of a word.
///
/// # Errors
/// Names the words that are nearest, if it is unknown.
pub fn explain(word: &str) -> Result<String, String> {
    if word == "all" {
        let mut all = Vec::new();
        for section in &SECTIONS {
            for term in section.terms {
                all.push(written(term));
            }
        }
        return Ok(all.join("\n"));
    }
    let wanted = normal(word);
    let mut known = Vec::new();
    for section in &SECTIONS {
        for term in section.terms {
            for name in names(term) {
                if normal(name) == wanted {
                    return Ok(written(term));
                }
                known.push(name);
            }
        }
    }
    Err(match nearest(&wanted, known) {
        Some(name) => {
            format!("no report has the word `{word}`; did you mean `--explain \"{name}\"`?")
        }
        None => format!("no report has the word `{word}`; `--explain all` shows them all"),
    })
}

/// The glossary as Markdown.
pub fn glossary() -> String {
    let mut text = String::from(
        "# Glossary\n\nThe words of a report. `cargo bench -- --explain WORD` prints the same text, from the same source \
         (harness/src/report/terms.rs).\n",
    );
    for Section { title, terms } in &SECTIONS {
        text.push_str(&format!("\n## {title}\n"));
        for term in *terms {
            let also = match term.also {
                [] => String::new(),
                also => format!(" ({})", also.join(", ")),
            };
            text.push_str(&format!("\n**{}**{also}: {}\n", term.name, term.meaning));
        }
    }
    text
}

fn names(term: &Term) -> impl Iterator<Item = &'static str> {
    std::iter::once(term.name).chain(term.also.iter().copied())
}

fn written(term: &Term) -> String {
    let also = match term.also {
        [] => String::new(),
        also => format!(" (also: {})", also.join(", ")),
    };
    format!("{}{also}: {}\n", term.name, term.meaning)
}

/// A word without the differences that do not matter: capitals, and plurals.
fn normal(word: &str) -> String {
    let word = if word == "S" { "speedup".to_owned() } else { word.trim().to_lowercase() };
    let plural = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
    word[..word.len() - usize::from(plural)].to_owned()
}

const SECTIONS: [Section; 6] = [
    Section {
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
    },
    Section {
        title: "What is measured",
        terms: &[
            term("benchmark", &[], "one function, or one variant of a problem, at one point."),
            term(
                "function",
                &["group"],
                "a benchmark that solves no problem and is compared with nothing here.",
            ),
            term(
                "problem",
                &[],
                "what variants solve: inputs, instances and a check of the answers.",
            ),
            term("variant", &[], "one implementation that solves a problem."),
            term(
                "base",
                &["baseline"],
                "what others are compared with: the variant that is marked `baseline`, or the record that was kept with \
                 `--save-baseline`.",
            ),
            term(
                "reference",
                &[],
                "the variant marked as the best sequential solution: see real S.",
            ),
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
                "note",
                &[],
                "what was noticed; the first is what to do something about first. `-v` has the details.",
            ),
        ],
    },
    Section {
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
    },
    Section {
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
                "samples get slower within a process: does the kernel use up or fill something from call to call?",
            ),
            term(
                "unsettled",
                &["steady state", "settle"],
                "in most processes the time neither stays level nor becomes so after a warm-up. The time is still a mean \
                 over fresh processes and its ± says how far they differ; more `--sample-time` or `--warm-up` may show \
                 why.",
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
    },
    Section {
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
            term(
                "busy machine",
                &["load"],
                "other programs ran before measuring began: stop them.",
            ),
            term(
                "stolen time",
                &["steal"],
                "the hypervisor gave processor time to other machines.",
            ),
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
    },
    compared_terms::SECTION,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::notes::Kind;

    #[test]
    fn every_note_and_verdict_is_explained() {
        let notes = Kind::NAMED.map(Kind::label);
        let verdicts = ["faster", "slower", "same", "undecided", "base"];
        for word in notes.iter().chain(&verdicts) {
            assert!(explain(word).is_ok(), "{word}");
        }
        for word in ["RSU", "real S", "type B", "clean", "suspect cell", "σ", "S", "Runs", "±"] {
            assert!(explain(word).is_ok(), "{word}");
        }
    }

    #[test]
    fn each_word_has_one_meaning() {
        let mut all: Vec<String> = SECTIONS
            .iter()
            .flat_map(|s| s.terms)
            .flat_map(names)
            .filter(|name| *name != "S")
            .map(normal)
            .collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn unknown_words_name_the_nearest() {
        assert!(explain("undecidet").unwrap_err().contains("undecided"));
        assert!(explain("xyzzyxyzzy").unwrap_err().contains("--explain all"));
        assert!(explain("all").unwrap().contains("type B"));
    }
}
