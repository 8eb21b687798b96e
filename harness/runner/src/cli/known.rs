//! Every option of a bench binary, in one table: its variable, its help, where it is allowed and how it is read.

use super::{
    arguments::{Arguments, Ignored},
    values::Given,
};
use crate::text::{Pattern, Sort, View, nearest, quantity, visible};
use plusminus_worker::processor_request;

pub(super) struct Known {
    pub(super) name: &'static str,
    /// The name of its value in the help; empty if it takes none.
    pub(super) value: &'static str,
    pub(super) variable: &'static str,
    /// The help, with the default in brackets.
    help: &'static str,
    pub(super) set: Set,
    /// Whether it has no meaning where benchmarks are only tested.
    pub(super) measures: bool,
    /// Why `--in-process` contradicts it: it is about several processes, or about using the result.
    pub(super) not_in_process: Option<&'static str>,
    /// Whether users need it: the short help shows it.
    is_common: bool,
}

type Set = fn(&mut Arguments, Given<'_>) -> Result<(), String>;

impl Known {
    const fn measures(self) -> Self {
        Self { measures: true, ..self }
    }

    const fn common(self) -> Self {
        Self { is_common: true, ..self }
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
    Known {
        name,
        value,
        variable,
        help,
        set,
        measures: false,
        not_in_process: None,
        is_common: false,
    }
}

/// An option of libtest that means nothing here: a caller that gives it to every target is not wrong.
const fn libtest(name: &'static str, value: &'static str) -> Known {
    known(name, value, "", "", nothing)
}

/// Takes an option without an effect of its own, or whose effect is decided later.
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
        title: "Selection",
        options: &[
            known("exact", "", "", "Take filters as whole names", |a, _| on(&mut a.filter.exact)),
            known("skip", "FILTER", "", "Skip benchmarks that match FILTER (may be repeated)",
                |a, v| { a.filter.skipped.push(Pattern::new(v.value)); Ok(()) }),
            known("ignored", "", "", "Run ignored benchmarks only", |a, _| put(&mut a.ignored, Ok(Ignored::Only))),
            known("include-ignored", "", "", "Also run ignored benchmarks",
                |a, _| put(&mut a.ignored, Ok(Ignored::Included))),
            known("list", "", "",
                "List the benchmarks. With `--format terse`: `NAME: benchmark`; with `--format json`: one object per line", nothing),
            known("test", "", "", "Run every benchmark once, of a problem the first point, without timing it", nothing),
            known("bench", "", "", "Measure (passed by cargo bench)", nothing),
        ],
    },
    Section {
        title: "Measurement",
        options: &[
            known("quick", "", "PLUSMINUS_QUICK",
                "Get rough results fast (up to 5 short runs). Detects large changes only",
                |a, _| on(&mut a.quick)).common().measures().not_in_process(ONE_RUN),
            known("runs", "N", "PLUSMINUS_RUNS",
                "Measure in N fresh processes [default: 5, and more until the target precision is reached]",
                |a, v| put(&mut a.runs, v.count::<u32>())).measures().not_in_process(ONE_RUN),
            known("samples", "N", "PLUSMINUS_SAMPLES", "Take N samples of each instance in each run [default: by time]",
                |a, v| put(&mut a.samples, v.count::<u32>())).measures(),
            known("iterations", "N", "PLUSMINUS_ITERATIONS", "Make N calls in each sample [default: 0.5 ms of calls]",
                |a, v| put(&mut a.iterations, v.count::<u64>())).measures(),
            known("sample-time", "DURATION", "PLUSMINUS_SAMPLE_TIME",
                "Sample each instance for this long in each run [default: 0.016]",
                |a, v| put(&mut a.sample_time, v.read(quantity::time))).measures(),
            known("min-time", "DURATION", "PLUSMINUS_MIN_TIME", "Sample each instance for at least this long",
                |a, v| put(&mut a.min_time, v.read(quantity::time))).measures(),
            known("warm-up", "DURATION", "PLUSMINUS_WARM_UP", "Warm up for this long before sampling [default: 0.003]",
                |a, v| put(&mut a.warm_up, v.read(quantity::time_or_none))).measures(),
            known("precision", "PERCENT", "PLUSMINUS_PRECISION",
                "Add runs until each time is known to within PERCENT [default: 1]",
                |a, v| put(&mut a.precision, v.read(quantity::percent))).measures().not_in_process(ONE_RUN),
            known("until", "WHAT", "PLUSMINUS_UNTIL",
                "Add runs until times are `precise`, or until comparisons with baseline variants are `decided` \
                 [default: precise]",
                |a, v| put(&mut a.until_decided, v.one_of(&[("precise", false), ("decided", true)])))
                .common().measures().not_in_process(ONE_RUN),
            known("max-time", "DURATION", "PLUSMINUS_MAX_TIME",
                "Stop measuring after this long",
                |a, v| put(&mut a.max_time, v.read(quantity::time))).common().measures().not_in_process(ONE_RUN),
            known("instructions", "", "PLUSMINUS_INSTRUCTIONS",
                "Also count instructions, under valgrind",
                |a, _| on(&mut a.instructions))
                .measures().not_in_process("valgrind needs processes of its own"),
            known("clock", "CLOCK", "PLUSMINUS_CLOCK",
                "Read time from the system (`os`), or from the CPU's counter (`tsc`) if it is proven steady [default: os]",
                |a, v| put(&mut a.counter, v.one_of(&[("os", false), ("tsc", true)])))
                .not_in_process("its numbers are not comparable, by any clock"),
            known("processors", "LIST", "PLUSMINUS_PROCESSORS",
                "Run benchmarks that set `processors` on these counts instead, e.g. `1,2,4` or `1,max`",
                |a, v| put(&mut a.processors, v.read(processor_request::read))),
            known("layouts", "", "PLUSMINUS_LAYOUTS",
                "Relink the program for each run, as `cargo plusminus layouts` does",
                |a, _| on(&mut a.layouts)).measures().not_in_process("this process has one"),
            known("any-processor", "", "PLUSMINUS_ANY_PROCESSOR",
                "Do not pin workers that use one CPU",
                |a, _| on(&mut a.any_processor)).not_in_process("this process may use any already"),
            known("in-process", "", "PLUSMINUS_IN_PROCESS",
                "Run once in this process, for debuggers and profilers. Saves and compares nothing",
                |a, _| on(&mut a.in_process)),
            known("launcher", "COMMAND", "PLUSMINUS_LAUNCHER",
                "Start workers with COMMAND, e.g. as MPI ranks: `mpirun -n {places}`; {places} is the number of processors",
                |a, v| put(&mut a.launcher, v.command())).not_in_process("it starts processes"),
            known("memory-limit", "BYTES", "PLUSMINUS_MEMORY_LIMIT",
                "Limit the memory of a worker process, e.g. 512M, 2G",
                |a, v| put(&mut a.memory_limit, v.read(quantity::bytes)))
                .not_in_process("the limit would hold for the debugger's or profiler's part of the process as well"),
            known("profile-time", "DURATION", "PLUSMINUS_PROFILE_TIME",
                "Run each benchmark for this long without measuring it, for profilers",
                |a, v| put(&mut a.profile_time, v.read(quantity::time))).measures(),
            known("timeout", "DURATION", "PLUSMINUS_TIMEOUT", "Stop a benchmark when one call takes longer than this [default: 120]",
                |a, v| put(&mut a.timeout, v.read(quantity::time)))
                .not_in_process("a kernel may stand still in a debugger for as long as it takes"),
            known("seed", "N", "PLUSMINUS_SEED", "Set the seed of every random order [default: from the clock]",
                |a, v| put(&mut a.seed, v.read(quantity::seed))),
        ],
    },
    Section {
        title: "Comparisons",
        options: &[
            known("save-baseline", "NAME", "PLUSMINUS_SAVE_BASELINE",
                "Save this run and its program as baseline NAME",
                |a, v| put(&mut a.save_baseline, v.baseline())).common().measures().not_in_process(NO_SPREAD),
            known("baseline", "NAME", "PLUSMINUS_BASELINE",
                "Compare with baseline NAME, or with `previous`, the last run that was compared so. Measures both programs in turns if the \
                 older one was saved. Exits with 1 if something is slower",
                |a, v| { a.baseline_may_lack = false; put(&mut a.baseline, v.baseline()) }).common().measures().not_in_process(NO_SPREAD),
            known("baseline-lenient", "NAME", "", "The same, if there is such a baseline",
                |a, v| { a.baseline_may_lack = true; put(&mut a.baseline, v.baseline()) }).measures().not_in_process(NO_SPREAD),
            known("load", "NAME", "PLUSMINUS_LOAD",
                "Print the report of a saved run again: NAME or `last`. Measures nothing",
                |a, v| put(&mut a.load, v.baseline())).common().measures().not_in_process(NO_SPREAD),
            known("margin", "PERCENT", "PLUSMINUS_MARGIN", "Ignore changes up to PERCENT [default: 2]",
                |a, v| put(&mut a.margin, v.read(quantity::percent))).measures(),
        ],
    },
    Section {
        title: "Output",
        options: &[
            known("format", "FORMAT", "PLUSMINUS_FORMAT",
                "Print `pretty`, `json` (one object per line), `terse` or `bencher` (`test … bench: …`) [default: pretty]",
                |a, v| put(&mut a.format, v.format())).common().not_in_process(NO_SPREAD),
            known("report", "FORM", "PLUSMINUS_REPORT",
                "Also write an `html` page with figures, as `cargo plusminus report` does [default: none]",
                |a, v| put(&mut a.page, v.one_of(&[("html", true), ("none", false)])))
                .measures().not_in_process(NO_SPREAD),
            known("color", "WHEN", "PLUSMINUS_COLOR", "Color the report: auto, always or never [default: auto]",
                |a, v| put(&mut a.color, v.one_of(&[("auto", None), ("always", Some(true)), ("never", Some(false))]))),
            known("verbose", "", "PLUSMINUS_VERBOSE", "Print all numbers and notes, and what they mean (-v)",
                |a, _| on(&mut a.verbose)).common(),
            known("sort", "ORDER", "PLUSMINUS_SORT",
                "Sort rows by `source`, `name`, `time` (fastest first) or `speedup` (largest first) [default: source]",
                |a, v| put(&mut a.sort, v.one_of(&[
                    ("source", Sort::Source), ("name", Sort::Name), ("time", Sort::Time), ("speedup", Sort::Speedup),
                ]))),
            known("explain", "TERM", "", "Explain a term of the report, or `all`",
                |a, v| put(&mut a.explain, Ok(v.value.to_owned()))).common(),
            known("quiet", "", "PLUSMINUS_QUIET", "Print no progress (-q)", |a, _| on(&mut a.quiet)),
            known("nocapture", "", "PLUSMINUS_NOCAPTURE",
                "Let benchmarks print (also --no-capture, --show-output)",
                |a, _| on(&mut a.show_output)),
            known("tallies", "", "PLUSMINUS_TALLIES",
                "Also print operation counts for variants that define `tally` (not timed)",
                |a, _| on(&mut a.tallies)),
            known("help", "", "", "Print the common options (-h); `--help all` prints all", nothing).common(),
        ],
    },
    Section {
        title: "Accepted for libtest, without effect",
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

pub(super) fn all() -> impl Iterator<Item = &'static Known> {
    SECTIONS.iter().flat_map(|section| section.options)
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

pub(super) fn unknown(name: &str) -> String {
    let shown = visible(name);
    let dashed = if name.chars().count() == 1 { format!("-{shown}") } else { format!("--{shown}") };
    match nearest(name, all().map(|known| known.name)) {
        Some(known) => format!("unknown option `{dashed}`; did you mean `--{known}`?"),
        None => format!("unknown option `{dashed}`; `--help` shows all"),
    }
}

const USAGE: &str = "Measures the benchmarks of this program, each with its uncertainty.\n\n\
    Usage: cargo bench [--bench TARGET] -- [FILTER]... [OPTION]...\n\n\
    FILTER selects benchmarks whose name contains it or matches it as a regular expression.\n";

const HOW_LONG: &str = "\nHow long to measure:\n  \
    --quick            while you write: detects large changes only\n  \
    (nothing)          to know a time to 1 %, as far as runs agree\n  \
    --until decided    to know which variant is faster: as many runs as that takes\n  \
    --max-time 5m      to spend a given time\n";

const EXIT_CODES: &str = "\nExit codes: 0 no regression, 1 slower, 2 failed, 3 machine too noisy\n";

/// Returns the text of `--help`: the options that users need.
pub(super) fn short_help() -> String {
    let mut text = format!("{USAGE}\nOptions:\n");
    for known in all().filter(|known| known.is_common) {
        text.push_str(&entry(known));
    }
    format!("{text}{HOW_LONG}\nDURATION: seconds, or with a unit: 90, 2m, 1h\n{EXIT_CODES}")
}

/// Returns the text of `--help all`.
pub fn help() -> String {
    let mut text = USAGE.to_owned();
    for Section { title, options } in &SECTIONS {
        text.push_str(&format!("\n{title}:\n"));
        if options.iter().all(|known| known.help.is_empty()) {
            let names: Vec<String> = options.iter().map(spelled).collect();
            text.push_str(&page().paragraph(&format!("  {}", names.join(", ")), 2));
            continue;
        }
        options.iter().for_each(|known| text.push_str(&entry(known)));
    }
    let without: Vec<String> = all()
        .filter(|known| known.variable.is_empty() && !known.help.is_empty())
        .map(|known| format!("--{}", known.name))
        .collect();
    text.push_str(HOW_LONG);
    text.push_str("\nDURATION: seconds, or with a unit: 90, 2m, 1h\n\n");
    text.push_str(&page().paragraph(
        &format!(
            "Variables: each option has one, such as PLUSMINUS_MAX_TIME for --max-time, except {}. A flag overrides its \
             variable, a variable the attribute, and the attribute the default. A project sets variables once, under \
             [env] in its .cargo/config.toml. PLUSMINUS_OUTPUT sets the folder of records instead of target/plusminus, \
             COLUMNS the width of a report.",
            without.join(", ")
        ),
        0,
    ));
    text + EXIT_CODES
}

fn page() -> View {
    View { width: 100, ..View::default() }
}

fn entry(known: &Known) -> String {
    let name = spelled(known);
    let view = View { width: 100 - HELP, ..page() };
    let blanks = " ".repeat(HELP);
    let help = view.wrapped(known.help, 0).join(&format!("\n{blanks}"));
    match name.chars().count() + 2 < HELP {
        true => format!("  {name:<0$}{help}\n", HELP - 2),
        false => format!("  {name}\n{blanks}{help}\n"),
    }
}

/// The column at which help begins.
const HELP: usize = 26;

/// `--runs N`
fn spelled(known: &Known) -> String {
    let dashes = if known.name.len() == 1 { "-" } else { "--" };
    format!("{dashes}{} {}", known.name, known.value).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_shows_every_option_and_the_short_one_the_common_ones() {
        let (whole, short) = (help(), short_help());
        let mut common = 0;
        for known in all() {
            let name = format!("  {}", spelled(known));
            let listed = format!("{} ", spelled(known));
            assert!(whole.contains(&name) || whole.contains(listed.trim_end()), "{}", known.name);
            let is_short = short.lines().any(|line| line.starts_with(&name));
            assert!(is_short == known.is_common || name == "  --test", "{}", known.name);
            common += usize::from(known.is_common);
        }
        assert!(common <= 10, "{common}");
        assert!(whole.lines().chain(short.lines()).all(|line| line.chars().count() <= 100));
    }

    #[test]
    fn help_begins_with_a_verb_and_variables_are_named_after_their_options() {
        for known in all() {
            let begins = known.help.is_empty() || known.help.starts_with(char::is_uppercase);
            assert!(begins, "{}", known.help);
            let expected = format!("PLUSMINUS_{}", known.name.to_uppercase().replace('-', "_"));
            assert!(known.variable.is_empty() || known.variable == expected, "{expected}");
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
