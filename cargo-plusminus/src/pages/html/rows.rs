//! Results as rows: a name, its numbers, its interval drawn on a scale that all rows share, and details to open.

use super::{Figures, Markup, Table};
use crate::{
    error::Result,
    pages::plot::{Axis, Plot},
};

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

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Worse => " class=\"worse\"",
            Self::Better => " class=\"better\"",
            Self::Doubtful => " class=\"doubt\"",
        }
    }
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
    /// The plots of all rows.
    pub fn plots(&self) -> impl Iterator<Item = &Plot> {
        let rows = self.groups.iter().flat_map(|group| &group.rows);
        rows.filter_map(|row| row.body.as_ref()).flat_map(|body| &body.plots)
    }

    /// The place of a value on the scale, in percent of its width.
    fn place(&self, value: f64) -> f64 {
        let [low, at, high] = [self.axis.low, value, self.axis.high].map(|v| self.axis.place(v));
        let percent = 100.0 * (at - low) / (high - low);
        if percent.is_finite() { (percent.clamp(0.0, 100.0) * 10.0).round() / 10.0 } else { 0.0 }
    }

    fn is_outside(&self, value: f64) -> bool {
        value < self.axis.low || value > self.axis.high
    }

    pub(super) fn write(&self, out: &mut Markup, figures: &mut Figures) -> Result<()> {
        out.raw("<div class=\"rows\"");
        if let Some([low, middle, high]) = self.band {
            out.raw(" style=\"--o:").number(self.place(middle));
            out.raw(";--p:")
                .number(self.place(low))
                .raw(";--q:")
                .number(self.place(high))
                .raw("\"");
        }
        out.raw(">\n<div class=\"heads\" aria-hidden=\"true\">");
        let [name, number, interval, further, verdict] = self.titles;
        for title in [name, number, interval] {
            out.element("<span>", title, "</span>");
        }
        out.raw("<span class=\"axis\">");
        for (at, label) in &self.axis.ticks {
            out.raw("<span style=\"--m:").number(self.place(*at)).raw("\">");
            out.text(label).raw("</span>");
        }
        out.raw("</span>").element("<span>", further, "</span>");
        out.element("<span>", verdict, "</span>").raw("</div>\n");
        for group in &self.groups {
            self.group(group, out, figures)?;
        }
        out.raw("</div>\n");
        Ok(())
    }

    fn group(&self, group: &Group, out: &mut Markup, figures: &mut Figures) -> Result<()> {
        let is_folded = !group.title.is_empty();
        if is_folded {
            out.raw(if group.is_open {
                "<details class=\"group\" open>"
            } else {
                "<details class=\"group\">"
            });
            out.element("<summary><b>", &group.title, "</b> <span>")
                .number(group.rows.len() as u32);
            out.raw("</span></summary>\n");
        }
        out.raw("<ol>\n");
        for row in &group.rows {
            out.raw("<li").raw(row.tone.class()).raw(">");
            match &row.body {
                None => {
                    out.raw("<div>");
                    self.line(row, &group.title, out);
                    out.raw("</div>");
                }
                Some(body) => {
                    out.raw("<details><summary>");
                    self.line(row, &group.title, out);
                    out.raw("</summary>\n<div class=\"body\">\n");
                    body.write(out, figures)?;
                    out.raw("</div></details>");
                }
            }
            out.raw("</li>\n");
        }
        out.raw(if is_folded { "</ol>\n</details>\n" } else { "</ol>\n" });
        Ok(())
    }

    /// The line of a row. One that does not open leaves its verdict to the title of its group, if that is the same.
    fn line(&self, row: &Row, group: &str, out: &mut Markup) {
        let [number, interval, further] = &row.cells;
        out.element("<b>", &row.name, "</b><span>")
            .text(number)
            .raw("</span><span>")
            .text(interval);
        out.raw("</span><i");
        if let Some([low, middle, high]) = row.drawn {
            if self.is_outside(low) || self.is_outside(high) {
                out.raw(" class=\"cut\"");
            }
            out.raw(" style=\"--a:")
                .number(self.place(low))
                .raw(";--m:")
                .number(self.place(middle));
            out.raw(";--b:").number(self.place(high));
            if let Some([low, high]) = row.band {
                out.raw(";--p:").number(self.place(low)).raw(";--q:").number(self.place(high));
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
    fn write(&self, out: &mut Markup, figures: &mut Figures) -> Result<()> {
        for paragraph in &self.paragraphs {
            out.element("<p>", paragraph, "</p>\n");
        }
        out.facts(&self.facts);
        if let Some(table) = &self.table {
            super::table(table, out);
        }
        for [label, command] in &self.commands {
            out.element("<p>", label, " ").element("<code>", command, "</code></p>\n");
        }
        figures.write(&self.plots, out)
    }
}
