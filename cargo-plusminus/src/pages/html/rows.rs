//! Results as rows: a name, its numbers, its interval drawn on a scale that all rows share, and details to open.

use super::{Figures, Markup, Table};
use crate::pages::{
    figures::{named_rows, shortened},
    plot::{Along, Axis, Colour, Layer, Marks, Plot, Span},
};

/// Rows in a picture of them; more of them make another one.
const ROWS: usize = 30;

/// What the rows of a picture have come to.
const SERIES: [(&str, Colour); 3] = [
    ("slower", Colour::Series(1)),
    ("faster", Colour::Series(0)),
    ("value and interval", Colour::Muted),
];

/// Letters of a row's name and results in a picture.
const LETTERS: usize = 46;

/// Rows on a common scale.
#[derive(Debug)]
pub struct Rows {
    /// The titles of the columns: name, number, interval, further number, verdict.
    pub titles: [&'static str; 5],
    pub axis: Axis,
    /// The value that rows are compared with, and the margin around it.
    pub band: Option<[f64; 3]>,
    pub groups: Vec<Group>,
}

/// Rows of one kind.
#[derive(Debug, Default)]
pub struct Group {
    /// Their common part; empty for rows that are always in sight.
    pub title: String,
    pub is_open: bool,
    pub rows: Vec<Row>,
}

/// The result of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    #[default]
    Plain,
    Worse,
    Better,
    Doubtful,
}

/// A result.
#[derive(Debug, Default)]
pub struct Row {
    pub name: String,
    /// The number, its interval, and a further number.
    pub cells: [String; 3],
    pub verdict: String,
    pub tone: Tone,
    /// The low end, the middle and the high end of its interval.
    pub drawn: Option<[f64; 3]>,
    /// The margin around the value that it is compared with, where it is not that of all rows.
    pub band: Option<[f64; 2]>,
    pub body: Option<Body>,
}

/// The contents of an opened row.
#[derive(Debug, Default)]
pub struct Body {
    pub paragraphs: Vec<String>,
    pub facts: Vec<[String; 2]>,
    pub table: Option<Table>,
    pub commands: Vec<[String; 2]>,
    pub plots: Vec<Plot>,
}

impl Rows {
    fn all(&self) -> impl Iterator<Item = &Row> {
        self.groups.iter().flat_map(|group| &group.rows)
    }

    /// The plots of all rows.
    pub fn plots(&self) -> impl Iterator<Item = &Plot> {
        self.all().filter_map(|row| row.body.as_ref()).flat_map(|body| &body.plots)
    }

    /// The rows as figures, thirty in each.
    pub fn pictures(&self, title: &str) -> Vec<Plot> {
        let named = |row: &Row| {
            let [low, value, high] = row.drawn?;
            let found = format!(": {} {}", row.cells[0], row.verdict);
            let room = LETTERS.saturating_sub(found.chars().count()).max(LETTERS / 3);
            let name = shortened(&row.name, room) + &found;
            let series = match row.tone {
                Tone::Worse => 0,
                Tone::Better => 1,
                Tone::Plain | Tone::Doubtful => 2,
            };
            Some((series, name, Span { at: 0.0, value, sigma: None, interval: Some((low, high)) }))
        };
        let rows: Vec<(usize, String, Span)> = self.all().filter_map(named).collect();
        let count = rows.len().div_ceil(ROWS);
        let picture = |(index, rows): (usize, &[(usize, String, Span)])| {
            let part =
                if count > 1 { format!(" ({} of {count})", index + 1) } else { String::new() };
            let behind = self.band.into_iter().flat_map(|[low, middle, high]| {
                let margin = Marks::Strip(Along::X, low, high);
                [
                    Layer::new("margin", Colour::Series(2), margin),
                    Layer::new("no change", Colour::Muted, Marks::Rule(Along::X, middle)),
                ]
            });
            named_rows(
                format!("{title}{part}"),
                "Each row with its interval. One that goes on beyond the axis is cut.".to_owned(),
                self.axis.clone(),
                behind.collect(),
                &SERIES,
                rows.to_vec(),
            )
        };
        rows.chunks(ROWS).enumerate().map(picture).collect()
    }

    /// Writes values as variables of the style: their places on the scale, in percent of its width.
    fn places(&self, values: &[(&'static str, f64)], out: &mut Markup) {
        for (name, value) in values {
            let [low, at, high] =
                [self.axis.low, *value, self.axis.high].map(|v| self.axis.place(v));
            let percent = 100.0 * (at - low) / (high - low);
            let percent = if percent.is_finite() { percent.clamp(0.0, 100.0) } else { 0.0 };
            out.raw(name).number((percent * 10.0).round() / 10.0);
        }
    }

    pub(super) fn write(&self, out: &mut Markup, figures: &mut Figures) {
        out.raw("<div class=\"rows\"");
        if let Some([low, middle, high]) = self.band {
            out.raw(" style=\"");
            self.places(&[("--o:", middle), (";--p:", low), (";--q:", high)], out);
            out.raw("\"");
        }
        out.raw(">\n<div class=\"heads\" aria-hidden=\"true\">");
        let [name, number, interval, further, verdict] = self.titles;
        for title in [name, number, interval] {
            out.element("<span>", title, "</span>");
        }
        out.raw("<span class=\"axis\">");
        for (at, label) in &self.axis.ticks {
            self.places(&[("<span style=\"--m:", *at)], out);
            out.element("\">", label, "</span>");
        }
        out.raw("</span>").element("<span>", further, "</span>");
        out.element("<span>", verdict, "</span>").raw("</div>\n");
        self.groups.iter().for_each(|group| self.group(group, out, figures));
        out.raw("</div>\n");
    }

    fn group(&self, group: &Group, out: &mut Markup, figures: &mut Figures) {
        let is_folded = !group.title.is_empty();
        if is_folded {
            out.raw("<details class=\"group\"").raw(if group.is_open { " open>" } else { ">" });
            out.element("<summary><b>", &group.title, "</b> <span>");
            out.number(group.rows.len() as u32).raw("</span></summary>\n");
        }
        out.raw("<ol>\n");
        for row in &group.rows {
            out.raw(match row.tone {
                Tone::Plain => "<li>",
                Tone::Worse => "<li class=\"worse\">",
                Tone::Better => "<li class=\"better\">",
                Tone::Doubtful => "<li class=\"doubt\">",
            });
            out.raw(if row.body.is_some() { "<details><summary>" } else { "<div>" });
            self.line(row, &group.title, out);
            match &row.body {
                None => _ = out.raw("</div>"),
                Some(body) => {
                    out.raw("</summary>\n<div class=\"body\">\n");
                    body.write(out, figures);
                    out.raw("</div></details>");
                }
            }
            out.raw("</li>\n");
        }
        out.raw(if is_folded { "</ol>\n</details>\n" } else { "</ol>\n" });
    }

    /// The line of a row. One that does not open leaves its verdict to the title of its group, if that is the same.
    fn line(&self, row: &Row, group: &str, out: &mut Markup) {
        let [number, interval, further] = &row.cells;
        out.element("<b>", &row.name, "</b><span>").text(number);
        out.raw("</span><span>").text(interval).raw("</span><i");
        if let Some([low, middle, high]) = row.drawn {
            let is_cut = low < self.axis.low || high > self.axis.high;
            out.raw(if is_cut { " class=\"cut\"" } else { "" }).raw(" style=\"");
            self.places(&[("--a:", low), (";--m:", middle), (";--b:", high)], out);
            if let Some([low, high]) = row.band {
                self.places(&[(";--p:", low), (";--q:", high)], out);
            }
            out.raw("\"");
        }
        out.raw("></i><span>").text(further).raw("</span>");
        if row.body.is_some() || row.verdict != group {
            out.raw("<span>").text(&row.verdict).raw("</span>");
        }
    }
}

impl Body {
    fn write(&self, out: &mut Markup, figures: &mut Figures) {
        for paragraph in &self.paragraphs {
            out.element("<p>", paragraph, "</p>\n");
        }
        out.facts(&self.facts);
        self.table.iter().for_each(|table| super::table(table, out));
        for [label, command] in &self.commands {
            out.element("<p>", label, " ").element("<code>", command, "</code></p>\n");
        }
        figures.write(&self.plots, out);
    }
}
