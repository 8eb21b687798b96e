//! Slowdowns that a change accepts in `plusminus.toml`: the rows that they cover, and entries that are not needed.

use plusminus::{
    record::{AcceptedSlowdown, ComparedTarget},
    report::row_change,
    results::{CaseResult, RowResult},
    text::{sentence, visible},
};
use plusminus_analysis::verdict::Verdict;
use serde_json::{Value, json};

use super::Comparison;

/// The file in which slowdowns are accepted, at the top of the repository.
pub(crate) const FILE: &str = "plusminus.toml";

/// The effect of an entry in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// All slowdowns of its benchmarks are accepted.
    Accepts,
    /// A slowdown is proven larger.
    Exceeded,
    /// Its benchmarks are not slower.
    NotNeeded,
    /// No benchmark has its name.
    NoBenchmark,
    /// Base has it already.
    Merged,
    /// A benchmark is inconclusive or was not measured.
    Unknown,
}

impl State {
    fn id(self) -> &'static str {
        match self {
            Self::Accepts => "accepts",
            Self::Exceeded => "exceeded",
            Self::NotNeeded => "not_needed",
            Self::NoBenchmark => "no_benchmark",
            Self::Merged => "merged",
            Self::Unknown => "unknown",
        }
    }
}

/// A bound as people write it: `8 %`.
pub(super) fn bound(up_to: f64) -> String {
    format!("{} %", (1e4 * up_to).round() / 100.0)
}

/// Whether an entry is about a benchmark. How much of its package and target a report has in front depends on what is compared, and
/// an entry may have all of it or less.
fn names(entry: &AcceptedSlowdown, name: &str, targets: &[ComparedTarget]) -> bool {
    let is_it = |name: &str| match entry.benchmark.strip_suffix('*') {
        Some(begin) => name.starts_with(begin),
        None => name == entry.benchmark,
    };
    let (before, alone) = name.split_once(": ").unwrap_or(("", name));
    let of = targets.iter().filter(|one| one.prefix == before || targets.len() == 1);
    let mut longer = of.flat_map(|ComparedTarget { package, bench, .. }| {
        [format!("{bench}: {alone}"), format!("{package}/{bench}: {alone}")]
    });
    is_it(name) || is_it(alone) || longer.any(|name| is_it(&name))
}

fn slower(case: &CaseResult) -> impl Iterator<Item = &RowResult> {
    case.rows.iter().filter(|row| row.judgement.verdict == Verdict::Slower)
}

/// Whether an entry accepts all slowdowns of a benchmark: none is proven larger than it allows.
fn covers(entry: &AcceptedSlowdown, case: &CaseResult, targets: &[ComparedTarget]) -> bool {
    let is_within =
        |row: &RowResult| row.change_interval().is_some_and(|(low, _)| low <= entry.up_to);
    !entry.is_merged && names(entry, &case.name, targets) && slower(case).all(is_within)
}

impl Comparison {
    pub(crate) fn accepts(&self, case: &CaseResult) -> bool {
        slower(case).next().is_some()
            && self.accepted.iter().any(|entry| covers(entry, case, &self.targets))
    }

    /// How much slower a benchmark may be.
    pub(crate) fn bound(&self, case: &CaseResult) -> Option<f64> {
        let targets = &self.targets;
        let is_about = |one: &&AcceptedSlowdown| !one.is_merged && names(one, &case.name, targets);
        let entries = self.accepted.iter().filter(is_about);
        entries.map(|entry| entry.up_to).reduce(f64::max)
    }

    /// The number of slower benchmarks, and the number of them that are accepted.
    pub(super) fn slower_and_accepted(&self) -> (usize, usize) {
        let cases = self.outcome.cases.iter();
        let counts = |case: &&CaseResult| {
            !self.codes.is_identical(&case.name) && slower(case).next().is_some()
        };
        let slower: Vec<&CaseResult> = cases.filter(counts).collect();
        (slower.len(), slower.iter().filter(|case| self.accepts(case)).count())
    }

    fn cases_of<'a>(&'a self, entry: &'a AcceptedSlowdown) -> Vec<&'a CaseResult> {
        self.outcome.cases.iter().filter(|case| names(entry, &case.name, &self.targets)).collect()
    }

    fn state(&self, entry: &AcceptedSlowdown) -> State {
        if entry.is_merged {
            return State::Merged;
        }
        let cases = self.cases_of(entry);
        if cases.is_empty() {
            let known = self.codes.cases.iter().map(|case| &case.name);
            let known = known.chain(&self.names.identical_code);
            let known: Vec<_> = known.filter(|name| names(entry, name, &self.targets)).collect();
            let is_identical = |name: &&String| {
                self.codes.is_identical(name) || self.names.identical_code.contains(name)
            };
            return match () {
                () if known.is_empty() => State::NoBenchmark,
                () if known.iter().all(is_identical) => State::NotNeeded,
                () => State::Unknown,
            };
        }
        let is_open = |case: &&CaseResult| {
            let whole = case.rows.last().map(|row| row.judgement.verdict);
            !self.codes.is_identical(&case.name)
                && (case.failure.is_some() || matches!(whole, None | Some(Verdict::Inconclusive)))
        };
        let mut slow = cases.iter().filter(|case| slower(case).next().is_some()).peekable();
        match () {
            () if slow.peek().is_some() => {
                match slow.all(|case| covers(entry, case, &self.targets)) {
                    true => State::Accepts,
                    false => State::Exceeded,
                }
            }
            () if cases.iter().any(is_open) => State::Unknown,
            () => State::NotNeeded,
        }
    }
}

/// One line for each entry that accepts something, or should go.
pub(super) fn lines(comparison: &Comparison) -> Vec<String> {
    let line = |entry: &AcceptedSlowdown| {
        let name = visible(&entry.benchmark);
        Some(match comparison.state(entry) {
            State::Accepts => {
                let by = if entry.by.is_empty() { "not committed" } else { &entry.by };
                format!(
                    "accepted: {}, up to {}: {} ({})",
                    changes(comparison, entry),
                    bound(entry.up_to),
                    sentence(&entry.reason),
                    visible(by)
                )
            }
            State::NotNeeded => {
                format!(
                    "{FILE} accepts a slowdown of `{name}`, which is not slower. Remove the entry."
                )
            }
            State::NoBenchmark => format!(
                "{FILE} accepts a slowdown of `{name}`, and no benchmark of this comparison has that name."
            ),
            State::Merged => format!(
                "{FILE}: base accepts the slowdown of `{name}` already, so the entry has no effect. Remove it."
            ),
            State::Exceeded | State::Unknown => return None,
        })
    };
    comparison.accepted.iter().filter_map(line).collect()
}

fn changes(comparison: &Comparison, entry: &AcceptedSlowdown) -> String {
    let mut said = Vec::new();
    for case in comparison.cases_of(entry) {
        let size = |row: &&RowResult| row.change().unwrap_or(0.0);
        let worst = slower(case).max_by(|a, b| size(a).total_cmp(&size(b)));
        let Some((change, ends)) = worst.and_then(row_change) else { continue };
        said.push(format!("`{}` {change} {ends}", visible(&case.name)));
    }
    said.join(", ")
}

/// The entries for programs.
pub(super) fn json(comparison: &Comparison) -> Vec<Value> {
    let entry = |entry: &AcceptedSlowdown| {
        json!({
            "benchmark": entry.benchmark, "up_to": entry.up_to, "reason": entry.reason, "by": entry.by,
            "state": comparison.state(entry).id(),
        })
    };
    comparison.accepted.iter().map(entry).collect()
}

/// The entry that accepts a slowdown, for the file.
pub(super) fn entry(case: &CaseResult, high: f64) -> String {
    let name = toml_edit::Value::from(case.name.as_str());
    let up_to = bound((100.0 * high).ceil() / 100.0);
    format!(
        "[[accept]]\nbenchmark = {}\nup_to = \"{up_to}\"\nreason = \"why\"",
        visible(&name.to_string())
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report;

    /// A comparison with one benchmark that is slower by 10 %, and these entries.
    fn comparison(accepted: Vec<AcceptedSlowdown>) -> Comparison {
        let mut record = report::kept_record();
        record.cases.truncate(1);
        record.identical_code = vec!["same".to_owned()];
        "speed: parse".clone_into(&mut record.cases[0].name);
        for block in &mut record.cases[0].blocks {
            let (base, new) = (&block.base, &mut block.new);
            new.calls = base.calls;
            new.windows = base.windows;
            new.wall_ns = base.wall_ns.iter().map(|ns| ns + ns / 10).collect();
            new.cpu_ns = new.wall_ns.clone();
        }
        record.accepted = accepted;
        report::of_record(&record)
    }

    fn entry(benchmark: &str, up_to: f64) -> AcceptedSlowdown {
        let text = |text: &str| text.to_owned();
        AcceptedSlowdown {
            benchmark: text(benchmark),
            up_to,
            reason: text("checks <b>all</b>\n::error::x"),
            by: text("Ada (012345)"),
            is_merged: false,
        }
    }

    fn states(comparison: &Comparison) -> Vec<State> {
        comparison.accepted.iter().map(|entry| comparison.state(entry)).collect()
    }

    #[test]
    fn an_entry_is_found_whatever_else_is_compared() {
        let target = |prefix: &str, package: &str, bench: &str| {
            let [prefix, package, bench] = [prefix, package, bench].map(str::to_owned);
            ComparedTarget { prefix, package, bench }
        };
        let is_about = |benchmark: &str, name: &str, targets: &[ComparedTarget]| {
            names(&entry(benchmark, 0.1), name, targets)
        };
        let one = [target("", "a", "main")];
        let two = [target("main", "a", "main"), target("other", "a", "other")];
        let all = [target("a/main", "a", "main"), target("b/main", "b", "main")];
        for benchmark in ["parse", "main: parse", "a/main: parse"] {
            assert!(is_about(benchmark, "parse", &one), "{benchmark}");
            assert!(is_about(benchmark, "main: parse", &two), "{benchmark}");
            assert!(is_about(benchmark, "a/main: parse", &all), "{benchmark}");
        }
        assert!(!is_about("b/main: parse", "parse", &one));
        assert!(!is_about("b/main: parse", "a/main: parse", &all));
        assert!(!is_about("main: parse", "other: parse", &two));
    }

    #[test]
    fn an_entry_accepts_what_is_not_proven_larger() {
        let told = comparison(vec![entry("parse", 0.2), entry("speed: pa*", 0.01)]);
        assert_eq!(states(&told), [State::Accepts, State::Exceeded]);
        assert!(told.accepts(&told.outcome.cases[0]));
        let line = &lines(&told)[0];
        assert!(line.starts_with("accepted: `speed: parse` +9.99995 % ["), "{line}");
        assert!(
            line.ends_with("up to 20 %: checks <b>all</b>\\n::error::x (Ada (012345))"),
            "{line}"
        );
        let told = comparison(vec![entry("parse", 0.01)]);
        assert!(!told.accepts(&told.outcome.cases[0]) && lines(&told).is_empty());
        assert_eq!(told.bound(&told.outcome.cases[0]), Some(0.01));
    }

    #[test]
    fn entries_that_have_no_effect_are_listed() {
        let merged = AcceptedSlowdown { is_merged: true, ..entry("parse", 0.2) };
        let told = comparison(vec![merged, entry("same", 0.1), entry("gone", 0.1)]);
        assert_eq!(states(&told), [State::Merged, State::NotNeeded, State::NoBenchmark]);
        assert!(!told.accepts(&told.outcome.cases[0]), "base has the entry already");
        assert_eq!(lines(&told).len(), 3);
    }

    #[test]
    fn an_entry_for_the_file_can_be_read_again() {
        let mut told = comparison(Vec::new());
        "a \"b\" \\".clone_into(&mut told.outcome.cases[0].name);
        let text = super::entry(&told.outcome.cases[0], 0.0701);
        let read: toml::Table = text.parse().unwrap();
        let first = &read["accept"][0];
        assert_eq!(first["benchmark"].as_str(), Some("a \"b\" \\"));
        assert_eq!(first["up_to"].as_str(), Some("8 %"));
    }
}
