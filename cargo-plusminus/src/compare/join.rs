//! `compare --join`: the records of the same two versions from several machines, with one verdict for each benchmark.

use std::{collections::BTreeMap, path::PathBuf};

use plusminus::{
    exit,
    output::{print, write_file},
    record::{self, ComparisonRecord},
    report::change_with_interval,
    results::CaseResult,
    text::visible,
};
use plusminus_analysis::{
    machines::{Joined, decide, join},
    verdict::Verdict,
};
use serde_json::json;

use super::{
    MARGIN,
    arguments::{FailOn, Format, Output},
};
use crate::{
    error::{Error, Result, at, error},
    report::{self, Comparison, FILE},
};

/// More machines than this are a mistake.
const MOST: usize = 64;

/// An interval that goes beyond this factor is not worth its digits.
const WIDE: f64 = 10.0;

/// The words of verdicts, in the order of the headline.
const WORDS: [&str; 7] = [
    "failed",
    "slower",
    "slower, accepted",
    "faster",
    "within the margin",
    "inconclusive",
    "identical code",
];

struct Machine {
    /// Its processor.
    kind: String,
    cores: usize,
    /// The error probability that it stopped measuring at.
    alpha: f64,
    comparison: Comparison,
    /// Its control differs, so that it counts for nothing.
    is_noisy: bool,
}

/// A benchmark over all machines.
struct Row {
    name: String,
    margin: f64,
    /// The change and the verdict of each machine; none where it was not measured.
    each: Vec<Option<(f64, Verdict)>>,
    over: Option<Joined>,
    verdict: Verdict,
    /// Every machine has the same machine code for both versions.
    is_identical: bool,
    is_accepted: bool,
    has_failed: bool,
}

/// Joins records, reports them, and answers the exit code. Half of `alpha` is for the verdicts of single machines, the other half
/// for the intervals over machines.
pub(super) fn run(paths: &[PathBuf], alpha: f64, output: &Output) -> Result<i32> {
    let read = |path: &PathBuf| Ok(record::read_comparison(path)?);
    let records: Vec<ComparisonRecord> = paths.iter().map(read).collect::<Result<_>>()?;
    check(&records)?;
    let joined = Fleet::of(records, alpha);
    let code = joined.exit_code(output.fail_on);
    let text = joined.text(code);
    let json = joined.json(code);
    if let Some(file) = &output.json {
        write_file(file, json.as_bytes()).map_err(at("write", file))?;
    }
    let markdown = || report::markdown::of_text(&joined.headline(), &text);
    if let Some(file) = &output.comment {
        write_file(file, markdown().as_bytes()).map_err(at("write", file))?;
    }
    let shown = match output.format {
        Format::Table => text.clone(),
        Format::Json => json,
        Format::Markdown => markdown(),
    };
    print(&shown).map_err(Error::Message)?;
    Ok(code)
}

/// Whether all records are of the same two commits.
fn check(records: &[ComparisonRecord]) -> Result<()> {
    if records.len() > MOST {
        return error(format!("--join takes at most {MOST} records"));
    }
    let sides = |record: &ComparisonRecord| {
        [&record.base, &record.new].map(|side| side.manifest.commit.clone())
    };
    for (at, record) in records.iter().enumerate() {
        if records[..at].contains(record) {
            return error(
                "one record is given twice, and would count as two machines. Give the record of each machine once",
            );
        }
        if sides(record).contains(&None) {
            return error(
                "a record without commits cannot be joined: it is not known what it measured",
            );
        }
        if record.base.manifest.dirty == Some(true) || record.new.manifest.dirty == Some(true) {
            return error(
                "a version has uncommitted changes, so it is not known that all machines measured the same. Commit, and \
                 measure BASE..HEAD on each machine",
            );
        }
        if sides(record) != sides(&records[0]) {
            return error(
                "the records are of different versions. Measure the same BASE..HEAD on each machine",
            );
        }
    }
    Ok(())
}

/// A benchmark as a machine has measured it.
fn case_of<'a>(machine: &'a Machine, name: &str) -> Option<&'a CaseResult> {
    machine.comparison.outcome.cases.iter().find(|case| case.name == name)
}

struct Fleet {
    machines: Vec<Machine>,
    rows: Vec<Row>,
    alpha: f64,
}

impl Fleet {
    fn of(records: Vec<ComparisonRecord>, alpha: f64) -> Self {
        let share = alpha / 2.0 / records.len() as f64;
        let machine = |mut record: ComparisonRecord| {
            let alpha = record.settings.alpha;
            record.settings.alpha = alpha.min(share);
            let manifest = &record.new.manifest;
            let kind = manifest.label.clone().or_else(|| manifest.cpu.clone());
            let kind = kind.unwrap_or_else(|| "unknown processor".to_owned());
            let cores = manifest.cores;
            let comparison = report::of_record(&record);
            let code = comparison.outcome.exit_code(|_| true, |_, _| false);
            Machine { kind, cores, alpha, comparison, is_noisy: code == exit::UNRELIABLE }
        };
        let machines: Vec<Machine> = records.into_iter().map(machine).collect();
        let mut names: Vec<&String> = Vec::new();
        for machine in &machines {
            let cases = machine.comparison.outcome.cases.iter().map(|case| &case.name);
            for name in cases.chain(&machine.comparison.names.identical_code) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let of_rows = alpha / 2.0 / names.len().max(1) as f64;
        let rows = names.iter().map(|name| Row::of(name, &machines, of_rows)).collect();
        Self { rows, machines, alpha }
    }

    fn exit_code(&self, fail_on: FailOn) -> i32 {
        let is_open = |row: &Row| row.verdict == Verdict::Inconclusive;
        let none = !self.rows.is_empty() && self.rows.iter().all(is_open);
        let fails = |row: &Row| match (fail_on, row.verdict) {
            (FailOn::Never, _) => false,
            (FailOn::SlowerThanMargin, Verdict::Slower) => {
                row.over.is_some_and(|over| over.low > row.margin.ln_1p()) && !row.is_accepted
            }
            (_, Verdict::Slower) => !row.is_accepted,
            (FailOn::Inconclusive, Verdict::Inconclusive) => true,
            (FailOn::NothingDecided, Verdict::Inconclusive) => none,
            _ => false,
        };
        match () {
            () if self.rows.iter().any(|row| row.has_failed) => exit::FAILED,
            () if self.machines.iter().all(|machine| machine.is_noisy) => exit::UNRELIABLE,
            () if self.rows.iter().any(fails) => exit::REGRESSION,
            () => exit::FINE,
        }
    }

    /// `1 slower, 2 within the margin on 3 machines`.
    fn headline(&self) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for row in &self.rows {
            *counts.entry(row.word()).or_default() += 1;
        }
        let some = WORDS.iter().filter_map(|word| Some(format!("{} {word}", counts.get(word)?)));
        let some: Vec<String> = some.collect();
        format!("{} on {} machines", some.join(", "), self.machines.len())
    }

    fn text(&self, code: i32) -> String {
        let first = &self.machines[0].comparison;
        let mut text = format!("Joining {} → {}\n", first.base.text(), first.new.text());
        for (number, machine) in self.machines.iter().enumerate() {
            let noisy = if machine.is_noisy { ", skipped: too noisy" } else { "" };
            let (kind, cores) = (visible(&machine.kind), machine.cores);
            text += &format!("  {}  {kind}, {cores} processors{noisy}\n", number + 1);
        }
        let numbers: Vec<String> = (1..=self.machines.len()).map(|n| n.to_string()).collect();
        let over = format!("{:.0} % interval", 100.0 * (1.0 - self.alpha));
        let mut titles = vec!["benchmark"];
        titles.extend(numbers.iter().map(String::as_str));
        titles.extend(["over machines", &over, "verdict"]);
        let lines: Vec<Vec<String>> = self.rows.iter().map(Row::cells).collect();
        text += &format!("\n{}\n", report::table::plain(&titles, &lines));
        for row in &self.rows {
            if let Some(said) = row.sentence(&self.machines) {
                text += &format!("{said}\n");
            }
        }
        let share = self.alpha / 2.0 / self.machines.len() as f64;
        let early = |(at, machine): (usize, &Machine)| {
            (machine.alpha > share * 1.001).then(|| (at + 1).to_string())
        };
        let early: Vec<String> = self.machines.iter().enumerate().filter_map(early).collect();
        if !early.is_empty() {
            text += &format!(
                "warning: records {} stopped too early to count in full, so verdicts may be inconclusive. Measure with \
                 `--alpha {share}`\n",
                early.join(", "),
                share = (share * 1e4).floor() / 1e4
            );
        }
        text + &format!("{}\nexit code {code}\n", self.headline())
    }

    fn json(&self, code: i32) -> String {
        let machine = |machine: &Machine| json!({ "processor": machine.kind, "cores": machine.cores, "too_noisy": machine.is_noisy });
        let row = |row: &Row| {
            let each = row.each.iter().map(|one| {
                one.map(|(change, verdict)| json!({ "change": change.exp_m1(), "verdict": verdict.id() }))
            });
            json!({
                "name": row.name, "verdict": row.id(), "accepted": row.is_accepted,
                "failed": row.has_failed, "margin": row.margin, "machines": each.collect::<Vec<_>>(),
                "change": row.over.map(|over| over.mean.exp_m1()),
                "change_low": row.over.map(|over| over.low.exp_m1()),
                "change_high": row.over.map(|over| over.high.exp_m1()),
                "sentence": row.sentence(&self.machines),
            })
        };
        report::json::pretty(&json!({
            "schema": 1, "plusminus": env!("CARGO_PKG_VERSION"), "exit_code": code,
            "headline": self.headline(), "alpha": self.alpha,
            "machines": self.machines.iter().map(machine).collect::<Vec<_>>(),
            "benchmarks": self.rows.iter().map(row).collect::<Vec<_>>(),
        }))
    }
}

impl Row {
    fn of(name: &str, machines: &[Machine], alpha: f64) -> Self {
        let is_identical = |machine: &Machine| {
            machine.comparison.names.identical_code.iter().any(|one| one == name)
        };
        let each = machines.iter().map(|machine| {
            if is_identical(machine) {
                return Some((0.0, Verdict::WithinMargin));
            }
            let row = case_of(machine, name)?.rows.last()?;
            let change = row.change()?.ln_1p();
            (!machine.is_noisy).then_some((change, row.judgement.verdict))
        });
        let each: Vec<Option<(f64, Verdict)>> = each.collect();
        let cases = || machines.iter().filter_map(|machine| case_of(machine, name));
        let margins = cases().filter_map(|case| Some(case.rows.last()?.margin));
        let margin = margins.reduce(f64::max).unwrap_or(MARGIN);
        let (changes, verdicts): (Vec<f64>, Vec<Verdict>) = each.iter().flatten().copied().unzip();
        let over = join(&changes, alpha.min(0.083));
        let slower = machines
            .iter()
            .zip(&each)
            .filter(|(_, one)| one.is_some_and(|(_, verdict)| verdict == Verdict::Slower));
        let mut accepted = slower.map(|(machine, _)| {
            case_of(machine, name).is_some_and(|case| machine.comparison.accepts(case))
        });
        let first = accepted.next();
        let bounds = machines.iter().filter_map(|one| one.comparison.bound(case_of(one, name)?));
        let bound = bounds.reduce(f64::min);
        Self {
            name: name.to_owned(),
            margin,
            verdict: decide(&verdicts, over, margin),
            over,
            is_identical: machines.iter().all(is_identical),
            is_accepted: match first {
                Some(first) => first && accepted.all(|one| one),
                // Proven by the interval over machines alone.
                None => over.is_some_and(|over| bound.is_some_and(|to| over.low.exp_m1() <= to)),
            },
            has_failed: cases().any(CaseResult::has_failed),
            each,
        }
    }

    fn id(&self) -> &'static str {
        if self.is_identical { "identical_code" } else { self.verdict.id() }
    }

    fn word(&self) -> &'static str {
        match self.verdict {
            _ if self.has_failed => "failed",
            _ if self.is_identical => "identical code",
            Verdict::Slower if self.is_accepted => "slower, accepted",
            Verdict::Slower => "slower",
            Verdict::Faster => "faster",
            Verdict::WithinMargin => "within the margin",
            Verdict::Inconclusive => "inconclusive",
        }
    }

    fn cells(&self) -> Vec<String> {
        let percent = |change: f64| format!("{:+.1} %", 100.0 * change.exp_m1());
        let mut cells = vec![visible(&self.name)];
        cells.extend(
            self.each.iter().map(|one| one.map_or("–".to_owned(), |(change, _)| percent(change))),
        );
        let over = self.over.map(|over| {
            let ends = (over.low.exp_m1(), over.high.exp_m1());
            let (change, shown) = change_with_interval(over.mean.exp_m1(), ends, self.margin);
            let is_known = over.high.max(-over.low) < WIDE.ln();
            (change, if is_known { shown } else { "too wide".to_owned() })
        });
        let (change, ends) = over.unwrap_or_else(|| ("–".to_owned(), "–".to_owned()));
        cells.extend([change, ends, self.word().to_owned()]);
        cells
    }

    /// On which kinds of processor it came to what, if they disagree.
    fn sentence(&self, machines: &[Machine]) -> Option<String> {
        let mut kinds: BTreeMap<&str, Vec<(f64, Verdict)>> = BTreeMap::new();
        for (machine, one) in machines.iter().zip(&self.each) {
            kinds.entry(&machine.kind).or_default().extend(*one);
        }
        kinds.retain(|_, found| !found.is_empty());
        let of_kind = |found: &[(f64, Verdict)]| {
            let verdicts: Vec<Verdict> = found.iter().map(|(_, verdict)| *verdict).collect();
            decide(&verdicts, None, self.margin)
        };
        let all = kinds.len();
        let mut parts = Vec::new();
        let margin = format!("within ±{} %", 100.0 * self.margin);
        for (verdict, word) in [
            (Verdict::Slower, "slower"),
            (Verdict::Faster, "faster"),
            (Verdict::WithinMargin, margin.as_str()),
            (Verdict::Inconclusive, "inconclusive"),
        ] {
            let these: Vec<_> = kinds.iter().filter(|(_, all)| of_kind(all) == verdict).collect();
            if these.is_empty() {
                continue;
            }
            let changes =
                these.iter().flat_map(|(_, found)| found.iter().map(|(change, _)| *change));
            let size = match verdict {
                Verdict::Slower | Verdict::Faster => {
                    let mean = changes.clone().sum::<f64>() / changes.count() as f64;
                    format!(" by {:.1} %", 100.0 * mean.exp_m1().abs())
                }
                _ => String::new(),
            };
            let names: Vec<String> = these.iter().map(|(kind, _)| visible(kind)).collect();
            parts.push(format!("{word}{size} on {} of {all} ({})", these.len(), names.join("; ")));
        }
        let accepted =
            if self.is_accepted { format!(", accepted in {FILE}") } else { String::new() };
        let name = visible(&self.name);
        (parts.len() > 1)
            .then(|| format!("`{name}`, by kind of processor: {}{accepted}", parts.join(", ")))
    }
}

#[cfg(test)]
mod tests;
