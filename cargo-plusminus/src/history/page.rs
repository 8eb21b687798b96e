//! The page of a history.

use std::collections::BTreeSet;

use plusminus::text::{
    number::{counted, percent},
    visible,
};

use super::{
    Level,
    entry::Entry,
    series::{By, Series},
    text,
};
use crate::pages::{
    Extent, Page, Section, Table, limitations,
    plot::{Along, Axis, Colour, Layer, Marks, Plot, Span},
};

/// Makes the page of all series; `terminal` is the terminal's text.
pub(super) fn of(
    all: &[Series<'_>],
    entries: &[Entry],
    level: Level,
    terminal: &str,
    extent: Extent,
) -> Page {
    let mut sections = vec![changes(all)];
    let [mut left, _] = extent.limits(all.len());
    for machine in text::machines(all) {
        let own: Vec<&Series<'_>> = all.iter().filter(|one| one.machine == machine).collect();
        // Benchmarks that changed come first.
        let mut order: Vec<&&Series<'_>> = own.iter().collect();
        order.sort_by_key(|series| series.changes.iter().all(|change| !change.is_proven));
        let shown = order.iter().take(left);
        let plots: Vec<Plot> = shown.filter_map(|series| plot(series)).collect();
        left = left.saturating_sub(own.len());
        sections.push(Section {
            title: visible(machine),
            paragraphs: vec![format!("{}.", text::span(&own))],
            tables: vec![Table::of(
                format!("Benchmarks on {}", visible(machine)),
                text::TITLES,
                own.iter().map(|series| text::cells(series).to_vec()).collect(),
            )],
            plots,
            ..Section::default()
        });
    }
    let mut limits = limits(all, level);
    let hidden = extent.hidden(all.len(), "series");
    limits.list.extend(hidden.map(|said| said + " On each machine, changed series come first."));
    sections.push(Section {
        title: "The history of the terminal".to_owned(),
        terminal: Some(("The text".to_owned(), terminal.to_owned())),
        ..Section::default()
    });
    sections.extend([limits, measured(entries, level)]);
    Page {
        title: "History: times over commits".to_owned(),
        summary: answer(all, entries),
        sections,
    }
}

/// How many series became slower and faster, and the worst of them.
fn answer(all: &[Series<'_>], entries: &[Entry]) -> String {
    let steps = |wanted: bool| {
        let of = move |series: &&Series<'_>| {
            series.changes.iter().any(|one| one.is_proven && one.is_slower() == wanted)
        };
        all.iter().filter(of).count()
    };
    let proven = all.iter().flat_map(|series| {
        let slower = series.changes.iter().filter(|one| one.is_proven && one.is_slower());
        slower.map(move |change| (series, change))
    });
    let worst = proven.max_by(|a, b| a.1.log_change.total_cmp(&b.1.log_change));
    let worst = worst.map_or(String::new(), |(series, change)| {
        format!(" (worst `{}` {})", visible(&series.benchmark), text::amount(change))
    });
    format!(
        "{} of {} series became slower{worst}, {} faster; {} records",
        steps(true),
        all.len(),
        steps(false),
        entries.len()
    )
}

fn limits(all: &[Series<'_>], level: Level) -> Section {
    let mut list = vec![
        "Times of different days also differ by changes of the machine. A step of times exceeds the usual difference between \
         sessions of the same level, and needs three points on both sides. A comparison that measured both versions in \
         turns needs neither, and overrides it."
            .to_owned(),
        "Only times of machines with the same label are compared. If a machine changed for good and kept its label, that looks \
         like a change of the code, unless the probes changed with it."
            .to_owned(),
        format!(
            "The probability that any step by times is reported where there is none is at most {}, over {} series and all looks \
             while the history grows. Each comparison has an α of its own.",
            percent(level.alpha),
            all.len()
        ),
    ];
    let unused: usize = all.iter().map(|series| series.unused).sum();
    if unused > 0 {
        let verdicts = counted(unused, "verdict");
        list.push(format!("Not used, as other commits lie between: {verdicts} of comparisons."));
    }
    limitations(list)
}

fn changes(all: &[Series<'_>]) -> Section {
    let row = |series: &Series<'_>| -> Vec<Vec<String>> {
        let cells = series.changes.iter().map(|change| {
            let place = &series.places[change.place];
            let verdict = match (change.is_proven, change.is_slower()) {
                (true, true) => "slower",
                (true, false) => "faster",
                (false, _) => "inconclusive",
            };
            let interval = text::ends(change).map_or(String::new(), |(low, high)| {
                use plusminus::text::number::change;
                format!("[{}, {}]", change(low), change(high))
            });
            let by = match change.by {
                By::Pair => "a comparison",
                By::Times => "times",
            };
            vec![
                visible(&series.benchmark),
                text::name(place),
                text::day(place.when),
                text::amount(change),
                interval,
                by.to_owned(),
                verdict.to_owned(),
                change.notes.iter().map(|note| visible(note)).collect::<Vec<_>>().join("; "),
            ]
        });
        cells.collect()
    };
    let rows: Vec<Vec<String>> = all.iter().flat_map(row).collect();
    if rows.is_empty() {
        return Section {
            title: "Steps".to_owned(),
            paragraphs: vec!["Nothing is proven to have changed.".to_owned()],
            ..Section::default()
        };
    }
    let titles =
        ["benchmark", "commit", "day", "change ± σ", "interval", "known by", "verdict", "notes"];
    Section {
        title: "Steps".to_owned(),
        tables: vec![Table::of("Every change that was found".to_owned(), titles, rows)],
        ..Section::default()
    }
}

fn plot(series: &Series<'_>) -> Option<Plot> {
    if series.times.is_empty() {
        return None;
    }
    let labels: Vec<String> =
        series.places.iter().map(|place| text::name(place).chars().take(7).collect()).collect();
    let is_pair = |time: &&super::series::Measured<'_>| time.entry.base.is_some();
    let span = |time: &super::series::Measured<'_>| Span {
        at: time.place as f64,
        value: time.ns,
        sigma: time.u_ns.map(|u| (time.ns - u, time.ns + u)),
        interval: None,
    };
    let alone = series.times.iter().filter(|time| !is_pair(time)).map(span).collect();
    let paired = series.times.iter().filter(is_pair).map(span).collect();
    let ends = series.times.iter().map(|time| time.ns + time.u_ns.unwrap_or(0.0));
    let mut layers = Vec::new();
    for (change, rule) in series.changes.iter().filter(|change| change.is_proven).map(|change| {
        let middle = (change.after as f64 + change.place as f64) / 2.0;
        (change, Marks::Rule(Along::X, middle))
    }) {
        let colour = if change.is_slower() { Colour::Series(1) } else { Colour::Series(2) };
        let word = if change.is_slower() { "proven slower" } else { "proven faster" };
        let is_known = layers.iter().any(|layer: &Layer| layer.name == word);
        let layer = Layer::new(word, colour, rule);
        layers.push(if is_known { layer.unnamed() } else { layer });
    }
    for (index, line) in levels(series).into_iter().enumerate() {
        let layer = Layer::new("level", Colour::Muted, Marks::Line(line));
        layers.push(if index == 0 { layer } else { layer.unnamed() });
    }
    let of_times = Layer::new("time ± σ", Colour::Series(0), Marks::Spans(Along::Y, alone));
    let of_pairs =
        Layer::new("time ± σ in a comparison", Colour::Series(3), Marks::Spans(Along::Y, paired));
    for layer in [of_times, of_pairs] {
        if !matches!(&layer.marks, Marks::Spans(_, spans) if spans.is_empty()) {
            layers.push(layer);
        }
    }
    Some(Plot {
        title: visible(&series.benchmark),
        caption: "Time of a call at each commit, in the order of commits; a bar is ± σ. Lines are the levels between proven \
                  steps."
            .to_owned(),
        x: Axis::named("commit", &labels),
        y: Axis::times("time", ends),
        layers,
        height: 280,
    })
}

/// The levels as lines: one for each stretch without a step.
fn levels(series: &Series<'_>) -> Vec<Vec<[f64; 2]>> {
    let mut lines: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut last = f64::NAN;
    for (time, level) in series.times.iter().zip(&series.found.levels) {
        let ns = level.exp();
        let at = time.place as f64;
        if (level - last).abs() > 1e-12 || lines.is_empty() {
            lines.push(vec![[at - 0.4, ns]]);
        }
        if let Some(line) = lines.last_mut() {
            line.truncate(1);
            line.push([at + 0.4, ns]);
        }
        last = *level;
    }
    lines
}

/// How it was measured, from the entries.
fn measured(entries: &[Entry], level: Level) -> Section {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let machines: BTreeSet<&str> = entries.iter().map(|entry| entry.machine.as_str()).collect();
    for machine in machines {
        let own = || entries.iter().filter(|entry| entry.machine == machine);
        let several = |of: fn(&Entry) -> &String| {
            let values: BTreeSet<String> = own().map(|entry| visible(of(entry))).collect();
            match (values.first(), values.last()) {
                (Some(first), Some(last)) if first != last => {
                    format!("{first} … {last} ({} in all)", values.len())
                }
                (one, _) => one.cloned().unwrap_or_default(),
            }
        };
        let comparisons = own().filter(|entry| entry.base.is_some()).count();
        rows.push(vec![
            visible(machine),
            (own().count() - comparisons).to_string(),
            comparisons.to_string(),
            several(|entry| &entry.rustc),
            several(|entry| &entry.system),
        ]);
    }
    let titles = ["machine", "measurements", "comparisons", "compiler", "system"];
    Section {
        title: "How this was measured".to_owned(),
        paragraphs: vec![format!(
            "Steps by times: random-effects regression on a step, t with n − 2 degrees of freedom, searched by binary \
             segmentation over seeded intervals; α {} over all series, margin {}. docs/explanation/formulas.md has the method and its sources.",
            level.alpha,
            percent(level.margin)
        )],
        tables: vec![Table::of(
            "Machines, from the entries of the history".to_owned(),
            titles,
            rows,
        )],
        ..Section::default()
    }
}
