//! Results as rows: a name, its numbers, its interval drawn on a scale that all rows share, and details to open.

use std::fmt::Display;

use super::{Figures, Markup, Table};
use crate::pages::{
    figures::{named_rows, shortened},
    plot::{Along, Axis, Colour, Layer, Marks, Plot, Span},
};

const ROWS: usize = 30;

/// The results that rows of a picture can have.
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

#[derive(Debug, Default)]
pub struct Group {
    /// Their common part; empty for rows that are always in sight.
    pub title: String,
    pub is_open: bool,
    pub rows: Vec<Row>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    #[default]
    Plain,
    Worse,
    Better,
    Doubtful,
}

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
    pub tables: Vec<Table>,
    pub commands: Vec<[String; 2]>,
    pub plots: Vec<Plot>,
}

impl Rows {
    fn all(&self) -> impl Iterator<Item = &Row> {
        self.groups.iter().flat_map(|group| &group.rows)
    }

    pub fn plots(&self) -> impl Iterator<Item = &Plot> {
        self.all().filter_map(|row| row.body.as_ref()).flat_map(|body| &body.plots)
    }

    /// The first rows as a figure; `None` where none is drawn.
    pub fn picture(&self, title: &str) -> Option<Plot> {
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
        let mut rows: Vec<(usize, String, Span)> = self.all().filter_map(named).collect();
        let left_out = rows.len().saturating_sub(ROWS);
        rows.truncate(ROWS);
        let mut caption =
            "Each row with its interval. One that goes on beyond the axis is cut.".to_owned();
        if left_out > 0 {
            caption.push_str(&format!(" {left_out} more rows are on the page."));
        }
        let behind = self.band.into_iter().flat_map(|[low, middle, high]| {
            let margin = Marks::Strip(Along::X, low, high);
            [
                Layer::new("margin", Colour::Series(2), margin),
                Layer::new("no change", Colour::Muted, Marks::Rule(Along::X, middle)),
            ]
        });
        (!rows.is_empty()).then(|| {
            named_rows(
                title.to_owned(),
                caption,
                self.axis.clone(),
                behind.collect(),
                &SERIES,
                rows,
            )
        })
    }

    /// Writes values as variables of the style: their places on the scale, in percent of its width.
    fn places(&self, values: &[(&'static str, f64)], out: &mut Markup) {
        for (name, value) in values {
            let [low, at, high] =
                [self.axis.low, *value, self.axis.high].map(|v| self.axis.place(v));
            let percent = 100.0 * (at - low) / (high - low);
            let percent = if percent.is_finite() { percent.clamp(0.0, 100.0) } else { 0.0 };
            out.fill(name, &[&((percent * 10.0).round() / 10.0)]);
        }
    }

    pub(super) fn write(&self, out: &mut Markup, figures: &mut Figures) {
        out.raw("<div class=\"rows\"");
        if let Some([low, middle, high]) = self.band {
            self.places(&[(" style=\"--o:{}", middle), (";--p:{}", low), (";--q:{}\"", high)], out);
        }
        let [name, number, interval, further, verdict] = self.titles;
        out.fill(
            ">\n<div class=\"heads\" aria-hidden=\"true\"><span>{}</span><span>{}</span><span>{}</span><span class=\"axis\">",
            &[&name, &number, &interval],
        );
        for (at, label) in &self.axis.ticks {
            self.places(&[("<span style=\"--m:{}\">", *at)], out);
            out.fill("{}</span>", &[label]);
        }
        out.fill("</span><span>{}</span><span>{}</span></div>\n", &[&further, &verdict]);
        self.groups.iter().for_each(|group| self.group(group, out, figures));
        out.raw("</div>\n");
    }

    fn group(&self, group: &Group, out: &mut Markup, figures: &mut Figures) {
        let is_folded = !group.title.is_empty();
        if is_folded {
            out.raw("<details class=\"group\"").raw(if group.is_open { " open" } else { "" });
            let values: [&dyn Display; 2] = [&group.title, &group.rows.len()];
            out.fill("><summary><b>{}</b> <span>{}</span></summary>\n", &values);
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
                None => _ = out.raw("</div></li>\n"),
                Some(body) => {
                    out.raw("</summary>\n<div class=\"body\">\n");
                    body.write(out, figures);
                    out.raw("</div></details></li>\n");
                }
            }
        }
        out.raw(if is_folded { "</ol>\n</details>\n" } else { "</ol>\n" });
    }

    /// The line of a row. One that does not open leaves its verdict to the title of its group, if that is the same.
    fn line(&self, row: &Row, group: &str, out: &mut Markup) {
        let [number, interval, further] = &row.cells;
        out.fill("<b>{}</b><span>{}</span><span>{}</span><i", &[&row.name, number, interval]);
        if let Some([low, middle, high]) = row.drawn {
            let is_cut = low < self.axis.low || high > self.axis.high;
            out.raw(if is_cut { " class=\"cut\"" } else { "" }).raw(" style=\"");
            self.places(&[("--a:{}", low), (";--m:{}", middle), (";--b:{}", high)], out);
            if let Some([low, high]) = row.band {
                self.places(&[(";--p:{}", low), (";--q:{}", high)], out);
            }
            out.raw("\"");
        }
        out.fill("></i><span>{}</span>", &[further]);
        if row.body.is_some() || row.verdict != group {
            out.fill("<span>{}</span>", &[&row.verdict]);
        }
    }
}

impl Body {
    fn write(&self, out: &mut Markup, figures: &mut Figures) {
        self.paragraphs.iter().for_each(|one| _ = out.fill("<p>{}</p>\n", &[one]));
        out.facts(&self.facts);
        self.tables.iter().for_each(|table| super::table(table, out));
        for [label, command] in &self.commands {
            out.fill("<p>{} <code>{}</code></p>\n", &[label, command]);
        }
        figures.write(&self.plots, out);
    }
}
