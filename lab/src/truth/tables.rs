//! The findings as tables: every cell, also the bad ones.

use cargo_plusminus::{report::table::plain, selftest::VerdictCounts};
use plusminus::{
    system::{cpu_model, governor, system_version},
    text::number::{change, duration, percent},
};

use super::{
    Condition, Findings,
    criterion::{Said, Word},
};

/// Where it was measured.
pub(super) fn heading() -> String {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "plusminus {}, {} processors ({}), {} {}, governor {}\n",
        env!("CARGO_PKG_VERSION"),
        processors,
        cpu_model().unwrap_or_else(|| "unknown".to_owned()),
        std::env::consts::OS,
        system_version().unwrap_or_default(),
        governor().unwrap_or_else(|| "unknown".to_owned()),
    )
}

/// Everything about one condition.
pub(super) fn of_condition(condition: Condition, findings: &Findings) -> String {
    let name = match condition {
        Condition::Quiet => "QUIET: nothing started by this command",
        Condition::Noisy => {
            "NOISY: bursts of 5 ms to 3 s on every processor, half arithmetic, half streaming 48 MiB"
        }
    };
    let load = |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.1}"));
    let mut text = format!(
        "== {name}; load average {} before, {} after\n\n",
        load(findings.load.0),
        load(findings.load.1)
    );
    text.push_str(&identical(findings));
    text.push_str(&power(findings));
    text.push_str(&criterion(findings));
    text
}

fn with_name(name: &str, counts: &VerdictCounts) -> Vec<String> {
    let mut cells = vec![name.to_owned()];
    cells.extend(counts.cells());
    cells
}

/// False alarms and cost.
fn identical(findings: &Findings) -> String {
    let mut all = VerdictCounts::default();
    let mut lines = Vec::new();
    for (name, counts) in &findings.identical {
        lines.push(with_name(name, counts));
        all.merge(counts);
    }
    lines.push(with_name("all", &all));
    let table = plain(&[&["kernel"][..], &VerdictCounts::TITLES[..]].concat(), &lines);
    let verdicts = findings.suite_verdicts.max(1) as f64;
    let outside = 1.0 - findings.window_seconds / findings.suite_seconds.max(1e-9);
    format!(
        "Identical code (margin 2 %, α 0.05 over a suite, {} suites):\n{table}\n\n\
         false alarms: {} of {} verdicts ({} of them without a failed check); alarms of the control: {} of {}\n\
         with a failed check: {}\n\
         mean wall time per verdict: {}; of it outside of timed windows: {} (of all, {} for pilots)\n\n",
        findings.suites,
        all.alarms(),
        all.judged,
        all.unmarked_alarms,
        findings.control_alarms,
        findings.suites,
        doubts(&all),
        duration(findings.suite_seconds / verdicts),
        percent(outside),
        percent(findings.pilot_seconds / findings.suite_seconds.max(1e-9)),
    )
}

/// Which checks have marked verdicts.
fn doubts(counts: &VerdictCounts) -> String {
    let told: Vec<String> =
        counts.doubts.iter().map(|(kind, count)| format!("{count} by \"{kind}\"")).collect();
    if told.is_empty() { "none".to_owned() } else { told.join(", ") }
}

/// Returns the table of true slowdowns.
fn power(findings: &Findings) -> String {
    let mut text = String::new();
    for power in &findings.power {
        let line = |slowdown: &super::Slowdown| {
            let mut cells = with_name(&change(slowdown.percent as f64 / 100.0), &slowdown.verdicts);
            cells.push(slowdown.verdicts.beyond.to_string());
            cells.push(duration(slowdown.seconds / slowdown.verdicts.judged.max(1) as f64));
            cells
        };
        let lines: Vec<Vec<String>> = power.slowdowns.iter().map(line).collect();
        let mut all = VerdictCounts::default();
        power.slowdowns.iter().for_each(|slowdown| all.merge(&slowdown.verdicts));
        let titles =
            [&["true change"][..], &VerdictCounts::TITLES[..], &["beyond margin", "wall time"][..]];
        text.push_str(&format!(
            "True slowdowns of a dependent chain (margin {} %, up to {} blocks; errors in percentage points):\n{}\n\n\
             with a failed check: {}\n\n",
            power.margin_percent,
            power.maximum_blocks,
            plain(&titles.concat(), &lines),
            doubts(&all)
        ));
    }
    text
}

/// Returns the same table for criterion.
fn criterion(findings: &Findings) -> String {
    let found = &findings.criterion;
    if found.passes == 0 {
        return "criterion: not measured\n".to_owned();
    }
    let mut names: Vec<&str> = found.identical.iter().map(|said| said.kernel.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let titles = [
        "kernel",
        "comparisons",
        "regressed",
        "improved",
        "within noise",
        "no change",
        "median |change|",
        "truth in interval",
    ];
    let mut lines: Vec<Vec<String>> = names
        .iter()
        .map(|name| {
            let of = found.identical.iter().filter(|said| said.kernel == *name);
            said_cells(name, &of.collect::<Vec<_>>(), 0.0)
        })
        .collect();
    let all: Vec<&Said> = found.identical.iter().collect();
    let ten: Vec<&Said> = all.iter().copied().filter(|said| said.kernel != "chain").collect();
    lines.push(said_cells("all but the chain", &ten, 0.0));
    let alarms = |said: &[&Said]| {
        said.iter().filter(|s| matches!(s.word, Word::Regressed | Word::Improved)).count()
    };
    let mut text = format!(
        "criterion, identical code against the run before ({} passes):\n{}\n\n\
         false alarms: {} of {}; mean wall time per kernel and pass: {}\n\n",
        found.passes,
        plain(&titles, &lines),
        alarms(&ten),
        ten.len(),
        duration(found.seconds / (found.passes * found.kernels.max(1)) as f64),
    );
    let lines: Vec<Vec<String>> = found
        .power
        .iter()
        .map(|(slowdown, said)| {
            let truth = *slowdown as f64 / 100.0;
            said_cells(&change(truth), &said.iter().collect::<Vec<_>>(), truth)
        })
        .collect();
    let titles = [&["true change"][..], &titles[1..]].concat();
    text.push_str(&format!(
        "criterion, true slowdowns of the chain against a run just saved:\n{}\n",
        plain(&titles, &lines)
    ));
    text
}

fn said_cells(name: &str, said: &[&Said], truth: f64) -> Vec<String> {
    let count = |word| said.iter().filter(|s| s.word == word).count().to_string();
    let mut sizes: Vec<f64> =
        said.iter().filter_map(|s| s.change.map(|change| change[1].abs())).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let intervals = said.iter().filter(|s| s.change.is_some()).count();
    let covered = said
        .iter()
        .filter(|s| s.change.is_some_and(|[low, _, high]| low <= truth && truth <= high))
        .count();
    vec![
        name.to_owned(),
        said.len().to_string(),
        count(Word::Regressed),
        count(Word::Improved),
        count(Word::WithinNoise),
        count(Word::NoChange),
        sizes.get(sizes.len() / 2).map_or("–".to_owned(), |size| percent(*size)),
        format!("{covered}/{intervals}"),
    ]
}
