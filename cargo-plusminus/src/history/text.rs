//! A history as text for people: a table for each machine, and the changes as sentences.

use std::collections::BTreeSet;

use plusminus::text::{
    Cell, Style,
    number::{change, counted, percent, time_with_uncertainty, with_uncertainty},
    sentence, table, visible,
};

use super::series::{By, Change, Place, Series};

pub(super) const TITLES: [&str; 7] = [
    "benchmark",
    "commits",
    "compared",
    "newest time ± σ",
    "sessions differ by",
    "proven",
    "newest step",
];

pub(super) fn render(all: &[Series<'_>]) -> String {
    let mut text = String::new();
    for machine in machines(all) {
        let own: Vec<&Series<'_>> = all.iter().filter(|one| one.machine == machine).collect();
        text += &format!("{}   {}\n", visible(machine), span(&own));
        let title = TITLES.map(Cell::from).to_vec();
        let rows = own.iter().map(|series| cells(series).iter().map(Cell::from).collect());
        let rows: Vec<Vec<Cell>> = std::iter::once(title).chain(rows).collect();
        text += &table(&rows, &[0, 6], Style::Plain);
        let said = own.iter().flat_map(|series| {
            series.changes.iter().map(|change| format!("  {}\n", sentence_of(series, change)))
        });
        text.extend(said);
        let unused: usize = own.iter().map(|series| series.unused).sum();
        if unused > 0 {
            text += &format!(
                "  not used, as other commits lie between: {} of comparisons\n",
                counted(unused, "verdict")
            );
        }
        text.push('\n');
    }
    format!("{}\n", text.trim_end())
}

pub(super) fn machines<'a>(all: &[Series<'a>]) -> Vec<&'a str> {
    let mut machines: Vec<&str> = all.iter().map(|series| series.machine).collect();
    machines.dedup();
    machines
}

/// From when to when.
pub(super) fn span(own: &[&Series<'_>]) -> String {
    let places = || own.iter().flat_map(|series| &series.places);
    let days = places().map(|place| day(place.when));
    let (first, last) = (days.clone().min().unwrap_or_default(), days.max().unwrap_or_default());
    let commits: BTreeSet<&str> = places().map(|place| place.commit.name.as_str()).collect();
    format!("{}, {first} to {last}", counted(commits.len(), "commit"))
}

pub(super) fn cells(series: &Series<'_>) -> [String; 7] {
    let newest = series.times.last();
    let proven = series.changes.iter().filter(|change| change.is_proven);
    let last = proven.clone().next_back();
    [
        visible(&series.benchmark),
        series.places.len().to_string(),
        series.links.len().to_string(),
        newest.map_or("not measured".to_owned(), |time| time_with_uncertainty(time.ns, time.u_ns)),
        series.found.between.map_or(String::new(), percent),
        proven.count().to_string(),
        last.map_or(String::new(), |found| {
            format!(
                "{} at {}",
                change(found.log_change.exp_m1()),
                name(&series.places[found.place])
            )
        }),
    ]
}

/// `sort::stable: slower by 12.3 ± 0.4 % from 1a2b3c (2026-01-31) on, …`.
pub(super) fn sentence_of(series: &Series<'_>, found: &Change) -> String {
    let place = &series.places[found.place];
    let word = match (found.is_proven, found.is_slower()) {
        (true, true) => "slower",
        (true, false) => "faster",
        (false, true) => "not proven, longer",
        (false, false) => "not proven, shorter",
    };
    let by = match found.by {
        By::Pair => "by a comparison",
        By::Times => "by times of several sessions",
    };
    let mut text = format!(
        "{}: {word} from {} ({}) on: {}",
        visible(&series.benchmark),
        name(place),
        day(place.when),
        amount(found)
    );
    if let Some((low, high)) = ends(found) {
        text += &format!(" [{}, {}]", change(low), change(high));
    }
    text += &format!(", {by}");
    if found.place > found.after + 1 {
        text += &format!("; it may be any commit after {}", name(&series.places[found.after]));
    }
    for note in &found.notes {
        text += &format!("; {}", sentence(note));
    }
    text
}

/// The relative change with its σ, in percent.
pub(super) fn amount(found: &Change) -> String {
    let relative = found.log_change.exp_m1();
    let u = found.u * found.log_change.exp();
    let sign = if relative < 0.0 { "−" } else { "+" };
    format!("{sign}{} %", with_uncertainty(relative.abs() * 100.0, Some(u * 100.0)))
}

/// The ends of the interval as relative changes.
pub(super) fn ends(found: &Change) -> Option<(f64, f64)> {
    found.interval.map(|interval| (interval.low.exp_m1(), interval.high.exp_m1()))
}

/// A commit as people write it.
pub(super) fn name(place: &Place<'_>) -> String {
    let name = &place.commit.name;
    let is_hash = name.len() >= 20 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let short: String = name.chars().take(if is_hash { 10 } else { 40 }).collect();
    let changed = if place.commit.dirty { " with changes" } else { "" };
    format!("{}{changed}", visible(&short))
}

pub(super) fn day(when: &str) -> String {
    visible(when.split('T').next().unwrap_or(when))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_commit_is_one_commit() {
        let commit = |name: &str| {
            let name = name.to_owned();
            super::super::entry::Commit { name, committed: None, ancestors: None, dirty: false }
        };
        let (first, second) = (commit("a"), commit("b"));
        let place = |commit| Place { commit, when: "2026-01-31T10:00:00Z" };
        let spanned = |places| {
            let found = plusminus_analysis::history::Steps {
                steps: Vec::new(),
                between: None,
                levels: Vec::new(),
            };
            let (machine, benchmark) = ("m", "b".to_owned());
            let (times, links, changes) = (Vec::new(), Vec::new(), Vec::new());
            span(&[&Series { machine, benchmark, places, times, links, unused: 0, found, changes }])
        };
        let days = "2026-01-31 to 2026-01-31";
        assert_eq!(spanned(vec![place(&first), place(&first)]), format!("1 commit, {days}"));
        assert_eq!(spanned(vec![place(&first), place(&second)]), format!("2 commits, {days}"));
    }
}
