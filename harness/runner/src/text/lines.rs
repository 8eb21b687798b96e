//! Benchmarks as rows of aligned columns: heads above them, a name in front, and no cell shortened.

use super::{
    Drawn, Paint, View,
    columns::{Columns, FORMS},
    interval::Scale,
    width,
};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    pub name: String,
    /// The time of a call and its standard uncertainty, in nanoseconds.
    pub time: Option<(f64, Option<f64>)>,
    pub is_marked: bool,
    /// Work per second, with its unit: `33.6 M`, `edges`.
    pub rate: Option<(String, String)>,
    pub sides: Option<[String; 2]>,
    /// Further work or resources of a call.
    pub more: String,
    /// The speedup S, or a change.
    pub compared: String,
    pub ends: String,
    pub interval: Option<Drawn>,
    pub verdict: String,
    pub paint: Paint,
    /// Why there are no numbers, in their place.
    pub instead: Option<String>,
}

/// Benchmarks that are compared with each other, or belong together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Group {
    /// Their common properties, the most important first; empty for no heading.
    pub heading: Vec<String>,
    pub lines: Vec<Line>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heads {
    pub compared: String,
    pub ends: String,
    /// The margin, if it is the same for all: drawn with the intervals.
    pub margin: Option<f64>,
    /// Whether the ratios that are drawn are changes: their scale is in percent then.
    pub is_change: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lines {
    /// Its heading, ended; empty if it has none.
    pub heading: String,
    /// One text for each benchmark, ended; of several lines if a name needs one of its own.
    pub rows: Vec<String>,
}

/// Makes the heads of the columns, and groups of rows below them. The same columns have the same place in all groups.
/// A narrow view drops the least important columns. A name that is too long for its column has a line of its own.
pub fn lines(groups: &[Group], heads: &Heads, view: &View) -> (String, Vec<Lines>) {
    let longest = all(groups).map(|line| width(&view.text(&line.name))).max().unwrap_or(0);
    let columns = |form| Columns::of(groups, form, heads, view);
    let chosen = FORMS.into_iter().map(columns).find(|columns| columns.fits(longest, view));
    let chosen = chosen.unwrap_or_else(|| columns(FORMS[FORMS.len() - 1]));
    let names = chosen.for_names(view).unwrap_or(0).min(longest);
    let made = groups.iter().map(|group| {
        let scale = Scale::of(group.lines.iter().filter_map(|line| line.interval.as_ref()));
        Lines {
            heading: chosen.heading(group, names, heads, view),
            rows: group
                .lines
                .iter()
                .map(|line| chosen.line(line, names, scale, heads.margin, view))
                .collect(),
        }
    });
    let made = made.collect();
    // The scale of a group without a heading stands among the heads.
    let scale = match groups {
        [only] if only.heading.is_empty() => chosen.scale(only, heads, view),
        _ => String::new(),
    };
    (chosen.heads(names, heads, &scale, view), made)
}

pub(super) fn all(groups: &[Group]) -> impl Iterator<Item = &Line> {
    groups.iter().flat_map(|group| &group.lines)
}
