//! Every option of a bench binary, in one table: its variable, its line of help, where it is allowed and how it is taken.

use super::{
    arguments::{Arguments, Ignored},
    values::Given,
};
use crate::text::{Pattern, Sort, nearest, quantity, visible};
use plusminus_worker::{asked, listed::Listed};

/// An option on the command line.
pub(super) struct Known {
    /// Its name, without the dashes.
    pub(super) name: &'static str,
    /// What its value is called in the help; nothing where it takes none.
    pub(super) value: &'static str,
    /// The variable that says the same, if there is one.
    pub(super) variable: &'static str,
    /// What it does, with the default in brackets.
    help: &'static str,
    /// Takes it.
    pub(super) set: Set,
    /// Whether it has no meaning where benchmarks are only tested.
    pub(super) measures: bool,
    /// Why `--in-process` contradicts it: it says how to measure in several processes, or what to do with a measurement that
    /// counts.
    pub(super) not_in_process: Option<&'static str>,
}

/// Takes an option.
type Set = fn(&mut Arguments, Given<'_>) -> Result<(), String>;

impl Known {
    const fn measures(self) -> Self {
        Self { measures: true, ..self }
    }

    const fn not_in_process(self, why: &'static str) -> Self {
        Self { not_in_process: Some(why), ..self }
    }
}

const fn known(
    name: &'static str,
    value: &'static str,
    variable: &'static str,
    help: &'static str,
    set: Set,
) -> Known {
    Known { name, value, variable, help, set, measures: false, not_in_process: None }
}

/// An option of libtest that means nothing here: a caller that gives it to every target is not wrong.
const fn libtest(name: &'static str, value: &'static str) -> Known {
    known(name, value, "", "", nothing)
}

/// Takes what is decided when all options are known, or means nothing.
fn nothing(_: &mut Arguments, _: Given<'_>) -> Result<(), String> {
    Ok(())
}

fn on(flag: &mut bool) -> Result<(), String> {
    *flag = true;
    Ok(())
}

fn put<T, V: Into<T>>(field: &mut T, value: Result<V, String>) -> Result<(), String> {
    *field = value?.into();
    Ok(())
}

const ONE_RUN: &str = "a process is one run, and no more can be added";
const NO_SPREAD: &str =
    "its numbers are not comparable: there is no spread between runs to judge them by";

/// Options that belong together in the help.
struct Section {
    title: &'static str,
    options: &'static [Known],
}

// One entry stays together, as it is read together.
#[rustfmt::skip]
const SECTIONS: [Section; 5] = [
    Section {
        title: "What to run",
        options: &[
            known("exact", "", "", "filters are whole names", |a, _| on(&mut a.filter.exact)),
            known("skip", "FILTER", "", "leave out what FILTER matches (may be repeated)",
                |a, v| { a.filter.skipped.push(Pattern::new(v.value)); Ok(()) }),
            known("ignored", "", "", "only ignored benchmarks", |a, _| put(&mut a.ignored, Ok(Ignored::Only))),
            known("include-ignored", "", "", "ignored benchmarks too",
                |a, _| put(&mut a.ignored, Ok(Ignored::Included))),
            known("list", "", "",
                "list the benchmarks; with --format terse names only, with json one object a line", nothing),
            known("test", "", "", "run everything once at its smallest point, without timing", nothing),
            known("bench", "", "", "measure; cargo bench says so", nothing),
        ],
    },
    Section {
        title: "How to measure",
        options: &[
            known("quick", "", "PLUSMINUS_QUICK",
                "a glance: up to 5 short runs of all in turn, and the wide ± that so little supports",
                |a, _| on(&mut a.quick)).measures().not_in_process(ONE_RUN),
            known("runs", "N", "PLUSMINUS_RUNS",
                "fresh processes to measure in [5, and more while not precise]",
                |a, v| put(&mut a.runs, v.count::<u32>())).measures().not_in_process(ONE_RUN),
            known("samples", "N", "PLUSMINUS_SAMPLES", "samples of each instance in each run [by time]",
                |a, v| put(&mut a.samples, v.count::<u32>())).measures(),
            known("iterations", "N", "PLUSMINUS_ITERATIONS", "calls in each sample [as many as last 0.5 ms]",
                |a, v| put(&mut a.iterations, v.count::<u64>())).measures(),
            known("sample-time", "SECONDS", "PLUSMINUS_SAMPLE_TIME",
                "time for the samples of an instance in a run [0.016]",
                |a, v| put(&mut a.sample_time, v.read(quantity::time))).measures(),
            known("min-time", "SECONDS", "PLUSMINUS_MIN_TIME", "time that these samples last at least [none]",
                |a, v| put(&mut a.min_time, v.read(quantity::time))).measures(),
            known("warm-up", "SECONDS", "PLUSMINUS_WARM_UP", "time to warm up before them [0.003]",
                |a, v| put(&mut a.warm_up, v.read(quantity::time_or_none))).measures(),
            known("precision", "PERCENT", "PLUSMINUS_PRECISION",
                "half width of the interval of a time, for which runs are added [1]",
                |a, v| put(&mut a.precision, v.read(quantity::percent))).measures().not_in_process(ONE_RUN),
            known("until", "WHAT", "PLUSMINUS_UNTIL",
                "add runs until times are precise, or until comparisons with baseline variants are decided \
                 [precise]",
                |a, v| put(&mut a.until_decided, v.one_of(&[("precise", false), ("decided", true)])))
                .measures().not_in_process(ONE_RUN),
            known("max-time", "SECONDS", "PLUSMINUS_MAX_TIME",
                "time for everything (also 2m, 1h), spent where the uncertainty is",
                |a, v| put(&mut a.max_time, v.read(quantity::time))).measures().not_in_process(ONE_RUN),
            known("instructions", "", "PLUSMINUS_INSTRUCTIONS",
                "count instructions, too, under valgrind: a second opinion without noise",
                |a, _| on(&mut a.instructions))
                .measures().not_in_process("valgrind needs processes of its own"),
            known("clock", "CLOCK", "PLUSMINUS_CLOCK",
                "os, or tsc: the processor's counter, where it is proven to be a clock [os]",
                |a, v| put(&mut a.counter, v.one_of(&[("os", false), ("tsc", true)]))),
            known("processors", "LIST", "PLUSMINUS_PROCESSORS",
                "measure what names processors on these, `1,2,4` or `1,max`, also on more than there are [its own]",
                |a, v| put(&mut a.processors, v.read(asked::read))),
            known("layouts", "", "PLUSMINUS_LAYOUTS",
                "each run in another layout of the program, for which `cargo plusminus layouts` builds it",
                |a, _| on(&mut a.layouts)).measures().not_in_process("this process has one"),
            known("any-processor", "", "PLUSMINUS_ANY_PROCESSOR",
                "let the system move workers for one processor between all of them",
                |a, _| on(&mut a.any_processor)).not_in_process("this process may use any already"),
            known("in-process", "", "PLUSMINUS_IN_PROCESS",
                "one run in this process, for debuggers and profilers; nothing is kept or compared",
                |a, _| on(&mut a.in_process)),
            known("launcher", "COMMAND", "PLUSMINUS_LAUNCHER",
                "start workers by it, as ranks of MPI: `mpirun -n {places}`; {places}: the processors of a case",
                |a, v| put(&mut a.launcher, v.command())).not_in_process("it starts processes"),
            known("memory-limit", "BYTES", "PLUSMINUS_MEMORY_LIMIT",
                "memory that a worker process may use (also 512M, 2G)",
                |a, v| put(&mut a.memory_limit, v.read(quantity::bytes)))
                .not_in_process("the limit would hold for the debugger's or profiler's part of the process, too"),
            known("profile-time", "SECONDS", "PLUSMINUS_PROFILE_TIME",
                "run each benchmark for so long without measuring it",
                |a, v| put(&mut a.profile_time, v.read(quantity::time))).measures(),
            known("timeout", "SECONDS", "PLUSMINUS_TIMEOUT", "longest time for one call [120]",
                |a, v| put(&mut a.timeout, v.read(quantity::time)))
                .not_in_process("a kernel may stand still in a debugger for as long as it takes"),
            known("seed", "N", "PLUSMINUS_SEED", "the seed of every random order [from the clock]",
                |a, v| put(&mut a.seed, v.read(quantity::seed))),
        ],
    },
    Section {
        title: "What to compare with",
        options: &[
            known("save-baseline", "NAME", "PLUSMINUS_SAVE_BASELINE",
                "keep the record and the program under this name",
                |a, v| put(&mut a.save_baseline, v.baseline())).measures().not_in_process(NO_SPREAD),
            known("baseline", "NAME", "PLUSMINUS_BASELINE",
                "measure in turns with the program kept under this name, or else compare with its record; what \
                 is slower exits with 1; `previous` is the run before",
                |a, v| put(&mut a.baseline, v.baseline())).measures().not_in_process(NO_SPREAD),
            known("load", "NAME", "PLUSMINUS_LOAD",
                "measure nothing: report the record kept under this name, or the `last` one",
                |a, v| put(&mut a.load, v.baseline())).measures().not_in_process(NO_SPREAD),
            known("margin", "PERCENT", "PLUSMINUS_MARGIN", "differences up to this count as none [2]",
                |a, v| put(&mut a.margin, v.read(quantity::percent))).measures(),
        ],
    },
    Section {
        title: "What to show",
        options: &[
            known("format", "FORMAT", "PLUSMINUS_FORMAT",
                "pretty, json (one object a line), or terse or bencher (a line `test … bench: …` each) [pretty]",
                |a, v| put(&mut a.format, v.format())).not_in_process(NO_SPREAD),
            known("report", "FORM", "PLUSMINUS_REPORT",
                "html: a page with figures as well, which `cargo plusminus report` makes [none]",
                |a, v| put(&mut a.page, v.one_of(&[("html", true), ("none", false)])))
                .measures().not_in_process(NO_SPREAD),
            known("color", "WHEN", "PLUSMINUS_COLOR", "auto, always or never [auto]",
                |a, v| put(&mut a.color, v.one_of(&[("auto", None), ("always", Some(true)), ("never", Some(false))]))),
            known("verbose", "", "PLUSMINUS_VERBOSE", "all numbers and notes in full, and what they mean (-v)",
                |a, _| on(&mut a.verbose)),
            known("sort", "ORDER", "PLUSMINUS_SORT",
                "the lines of a group in the order of source, name, time (fastest first) or speedup (largest \
                 first) [source]",
                |a, v| put(&mut a.sort, v.one_of(&[
                    ("source", Sort::Source), ("name", Sort::Name), ("time", Sort::Time), ("speedup", Sort::Speedup),
                ]))),
            known("explain", "WORD", "", "what a word of the report means (all: every word)",
                |a, v| put(&mut a.explain, Ok(v.value.to_owned()))),
            known("quiet", "", "PLUSMINUS_QUIET", "no progress (-q)", |a, _| on(&mut a.quiet)),
            known("nocapture", "", "PLUSMINUS_NOCAPTURE",
                "let kernels print (also --no-capture, --show-output)",
                |a, _| on(&mut a.show_output)),
            known("tallies", "", "PLUSMINUS_TALLIES",
                "what one solution counts, untimed, of variants that can tell",
                |a, _| on(&mut a.tallies)),
            known("help", "", "", "this text (-h)", nothing),
        ],
    },
    Section {
        title: "Accepted from callers of libtest, without effect",
        options: &[
            libtest("test-threads", "N"),
            libtest("logfile", "PATH"),
            libtest("shuffle", ""),
            libtest("shuffle-seed", "N"),
            libtest("fail-fast", ""),
            libtest("report-time", ""),
            libtest("ensure-time", ""),
            libtest("force-run-in-process", ""),
            libtest("exclude-should-panic", ""),
            libtest("Z", "FLAG"),
        ],
    },
];

/// All options.
pub(super) fn all() -> std::vec::IntoIter<&'static Known> {
    let mut all = Vec::new();
    for section in &SECTIONS {
        for known in section.options {
            all.push(known);
        }
    }
    all.into_iter()
}

/// The option of a name, under whatever spelling it is accepted.
pub(super) fn find(name: &str) -> Option<&'static Known> {
    let name = match name {
        "h" => "help",
        "q" => "quiet",
        "v" => "verbose",
        "no-capture" | "show-output" => "nocapture",
        "output-format" => "format",
        name => name,
    };
    all().find(|known| known.name == name)
}

/// Whether an option, as it is written, is followed by a value, which may look like an option or a filter.
pub fn takes_value(written: &str) -> bool {
    let name = written.strip_prefix("--").or_else(|| written.strip_prefix('-'));
    name.and_then(find).is_some_and(|known| !known.value.is_empty())
}

/// What to say of an option that there is not.
pub(super) fn unknown(name: &str) -> String {
    let shown = visible(name);
    let dashed = if name.chars().count() == 1 { format!("-{shown}") } else { format!("--{shown}") };
    match nearest(name, all().map(|known| known.name)) {
        Some(known) => format!("unknown option `{dashed}`; did you mean `--{known}`?"),
        None => format!("unknown option `{dashed}`; `--help` shows all"),
    }
}

/// The text of `--help` of a bench binary.
pub fn help() -> String {
    let mut text = String::from(
        "Measures the benchmarks of this program, and says how sure it is.\n\n\
         Usage: cargo bench [--bench TARGET] -- [FILTER]... [OPTION]...\n\n\
         FILTER: only benchmarks whose name contains the filter, or matches it as a regular expression\n",
    );
    for Section { title, options } in &SECTIONS {
        text.push_str(&format!("\n{title}:\n"));
        if options.iter().all(|known| known.help.is_empty()) {
            let names: Vec<String> = options.iter().map(spelled).listed();
            text.push_str(&format!("  {}\n", names.join(", ")));
            continue;
        }
        for known in *options {
            let variable = match known.variable {
                "" => String::new(),
                variable => format!("  {variable}"),
            };
            text.push_str(&format!("  {:<24}{}\n", spelled(known), known.help));
            if !variable.is_empty() {
                text.push_str(&format!("  {:<22}{variable}\n", ""));
            }
        }
    }
    text.push_str(
        "\nHow long to measure:\n  --quick            while you write: a glance that sees large changes only\n  \
         (nothing)          to know a time to 1 %, as far as runs agree\n  --until decided    to know which variant is \
         faster: as many runs as that takes\n  --max-time 5m      to spend what you have where the uncertainty is\n\
         \nA flag counts more than its variable, a variable more than the attribute, and the attribute more than the \
         default.\nA project sets variables once, under [env] in its .cargo/config.toml. PLUSMINUS_OUTPUT names the \
         folder of records\ninstead of target/plusminus, COLUMNS the width of a report.\n\n\
         Exit codes: 0 fine, 1 regression, 2 a failed benchmark, a wrong option or environment, 3 unreliable \
         measurement.\n",
    );
    text
}

/// `--runs N`
fn spelled(known: &Known) -> String {
    let dashes = if known.name.len() == 1 { "-" } else { "--" };
    format!("{dashes}{} {}", known.name, known.value).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_shows_every_option_and_every_variable() {
        let help = help();
        for known in all() {
            assert!(help.contains(&spelled(known)), "{}", known.name);
            assert!(help.contains(known.variable), "{}", known.variable);
        }
    }

    #[test]
    fn variables_are_named_after_their_options() {
        for known in all().filter(|known| !known.variable.is_empty()) {
            let expected = format!("PLUSMINUS_{}", known.name.to_uppercase().replace('-', "_"));
            assert_eq!(known.variable, expected);
        }
    }

    #[test]
    fn near_misses_are_recognised() {
        assert!(unknown("run").contains("`--runs`"));
        assert!(unknown("save-basline").contains("`--save-baseline`"));
        assert!(unknown("wibble").contains("--help"));
        assert!(unknown("y").contains("`-y`"));
    }
}
