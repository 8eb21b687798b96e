//! Which columns the rows of a report have, how wide they are, and what stands in them.

use super::{
    Group, Heads, Line, Paint, View,
    interval::Scale,
    lines::all,
    number::{TimeUnit, significant, with_uncertainty},
    painted, width,
};

/// Which columns there are, from all of them to the fewest. Names and verdicts are always there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    more: bool,
    rate: bool,
    sides: bool,
    cells: usize,
    ends: bool,
    /// Columns that names have at least, if they need them.
    names: usize,
}

impl Form {
    const fn new(cells: usize, [more, sides, rate, ends]: [bool; 4], names: usize) -> Self {
        Self { more, rate, sides, cells, ends, names }
    }
}

pub(super) const FORMS: [Form; 9] = [
    Form::new(21, [true, true, true, true], 60),
    Form::new(21, [false, true, true, true], 60),
    Form::new(11, [false, true, true, true], 60),
    Form::new(0, [true, true, true, true], 60),
    Form::new(0, [false, true, true, true], 60),
    Form::new(0, [false, false, true, true], 40),
    Form::new(0, [false, false, false, true], 16),
    Form::new(0, [false, false, false, false], 16),
    Form::new(0, [false, false, false, false], 0),
];

/// Columns from which on intervals are drawn.
const DRAWN_FROM: usize = 100;

/// Columns that are kept for verdicts at most: `slower, may be < 2 %` has room, and what is longer may stand below.
const VERDICT: usize = 20;

const INDENTATION: usize = 2;

fn time(line: &Line, view: &View) -> [String; 2] {
    let Some((ns, u_ns)) = line.time.filter(|_| line.instead.is_none()) else {
        return Default::default();
    };
    let unit = TimeUnit::of(ns);
    let both = with_uncertainty(ns / unit.ns, u_ns.map(|u| u / unit.ns));
    // Very large and very small numbers share an exponent: `(1.2 ± 0.1)e9`.
    let (inner, power) =
        both.strip_prefix('(').and_then(|rest| rest.split_once(')')).unwrap_or((both.as_str(), ""));
    let value = inner.split_once(" ± ").map_or(inner, |(value, _)| value);
    let uncertainty = u_ns
        .filter(|u| u.is_finite() && ns != 0.0)
        .map_or("n/a".to_owned(), |u| format!("{} %", significant(100.0 * u / ns.abs(), 2)));
    [view.text(&format!("{value}{power} {}", unit.name)), uncertainty]
}

/// The cells of a line between its time and its drawing: mark, throughput, both sides, further work, comparison and interval.
fn cells(line: &Line, form: Form, view: &View) -> [String; 7] {
    if line.instead.is_some() {
        return Default::default();
    }
    let text = |text: &str, is_shown: bool| match is_shown {
        true => view.text(text),
        false => String::new(),
    };
    let rate = line.rate.as_ref().map_or(String::new(), |(amount, unit)| {
        let gap = if amount.contains(' ') { "" } else { " " };
        format!("{amount}{gap}{unit}/s")
    });
    let [base, new] =
        line.sides.as_ref().map_or([""; 2], |sides| sides.each_ref().map(|s| s.as_str()));
    [
        text("!", line.is_marked),
        text(&rate, form.rate),
        text(base, form.sides),
        text(new, form.sides),
        text(&line.more, form.more),
        view.text(&line.compared),
        text(&line.ends, form.ends),
    ]
}

fn heads_of(heads: &Heads) -> [&str; 7] {
    ["", "throughput", "base", "new", "", &heads.compared, &heads.ends]
}

#[derive(Debug)]
pub(super) struct Columns {
    form: Form,
    /// Of a time and its uncertainty.
    time: [usize; 2],
    cells: [usize; 7],
    interval: usize,
    verdict: usize,
}

impl Columns {
    pub(super) fn of(groups: &[Group], form: Form, heads: &Heads, view: &View) -> Self {
        let (mut time_widths, mut cell_widths) = ([0; 2], [0; 7]);
        for line in all(groups) {
            widen(&mut time_widths, &time(line, view));
            widen(&mut cell_widths, &cells(line, form, view));
        }
        for (columns, head) in cell_widths.iter_mut().zip(heads_of(heads)) {
            if *columns > 0 {
                *columns = width(&view.text(head)).max(*columns);
            }
        }
        let drawn = all(groups).any(|line| line.interval.is_some());
        let verdicts = all(groups).filter(|line| line.instead.is_none());
        let verdict = verdicts.map(|line| width(&view.text(&line.verdict))).max().unwrap_or(0);
        Self {
            form,
            time: time_widths,
            cells: cell_widths,
            interval: if drawn { form.cells } else { 0 },
            verdict: verdict.min(VERDICT),
        }
    }

    /// Returns whether the view has room for these columns next to names of this width.
    pub(super) fn fits(&self, longest: usize, view: &View) -> bool {
        (self.interval == 0 || view.width >= DRAWN_FROM)
            && self.for_names(view).is_some_and(|room| room >= longest.min(self.form.names))
    }

    /// The width of `31.2 ms ± 0.6 %`.
    fn of_time(&self, view: &View) -> usize {
        let [value, uncertainty] = self.time;
        let behind = if uncertainty > 0 { width(&view.text("±")) + 2 + uncertainty } else { 0 };
        value + behind
    }

    /// The room of all columns between the names and the drawings.
    fn before_drawings(&self, view: &View) -> usize {
        taken(&[self.of_time(view)]) + taken(&self.cells)
    }

    pub(super) fn for_names(&self, view: &View) -> Option<usize> {
        let others = self.before_drawings(view) + taken(&[self.interval, self.verdict]);
        view.width.checked_sub(INDENTATION + others)
    }

    /// The first part of a heading, those of the others that have room, and the scale of the drawings below it.
    pub(super) fn heading(
        &self,
        group: &Group,
        names: usize,
        heads: &Heads,
        view: &View,
    ) -> String {
        let Some((first, others)) = group.heading.split_first() else { return String::new() };
        let mut lines = view.wrapped(first, INDENTATION);
        let mut used = lines.last().map_or(0, |line| width(line));
        lines.iter_mut().for_each(|line| *line = painted(line, Paint::Heading, view.style));
        let mut text = lines.join("\n");
        for part in others {
            let part = view.text(&format!(" · {part}"));
            if used + width(&part) > view.width {
                break;
            }
            used += width(&part);
            text.push_str(&part);
        }
        let scale = self.scale(group, heads, view);
        let before = INDENTATION + names + self.before_drawings(view) + 2;
        if let Some(blanks) = before.checked_sub(used)
            && !scale.is_empty()
            && blanks > 1
        {
            text.push_str(&" ".repeat(blanks));
            text.push_str(&painted(&scale, Paint::Dimmed, view.style));
        }
        text.push('\n');
        text
    }

    /// The scale of the drawings of a group; empty if there are none.
    pub(super) fn scale(&self, group: &Group, heads: &Heads, view: &View) -> String {
        let mut drawn = group.lines.iter().filter_map(|line| line.interval.as_ref()).peekable();
        if self.interval == 0 || drawn.peek().is_none() {
            return String::new();
        }
        let scale = Scale::of(drawn);
        view.text(&scale.head(self.interval, heads.is_change))
    }

    /// The heads of the columns; nothing if there is none that needs one.
    pub(super) fn heads(&self, names: usize, heads: &Heads, scale: &str, view: &View) -> String {
        let mut shown = heads_of(heads).into_iter().zip(self.cells);
        if shown.all(|(head, columns)| head.is_empty() || columns == 0) {
            return String::new();
        }
        let mut text = " ".repeat(INDENTATION + names);
        put(&mut text, &[String::new()], &[self.of_time(view)]);
        put(&mut text, &heads_of(heads).map(|head| view.text(head)), &self.cells);
        put(&mut text, &[view.text(scale)], &[self.interval]);
        let text = text.trim_end();
        match width(text) <= view.width {
            true => format!("{}\n", painted(text, Paint::Dimmed, view.style)),
            false => String::new(),
        }
    }

    pub(super) fn line(
        &self,
        line: &Line,
        names: usize,
        scale: Scale,
        margin: Option<f64>,
        view: &View,
    ) -> String {
        let blanks = " ".repeat(INDENTATION);
        let name = view.text(&line.name);
        let mut text = String::new();
        let mut plain = format!("{blanks}{}", padded(&name, names, true));
        if width(&name) > names {
            // Names with blanks are broken there, and no other ones.
            text = view.paragraph(&format!("{blanks}{name}"), INDENTATION);
            plain = " ".repeat(INDENTATION + names);
        }
        if let Some(instead) = &line.instead {
            return text + &ended(&plain, &view.text(instead), line.paint, view);
        }
        let [value, uncertainty] = time(line, view);
        let mut time = padded(&value, self.time[0], false);
        if self.time[1] > 0 {
            let mark = view.text(if uncertainty.is_empty() { " " } else { "±" });
            let number = padded(&uncertainty, self.time[1], false);
            time.push_str(&format!(" {} {number}", padded(&mark, width(&view.text("±")), true)));
        }
        put(&mut plain, &[time], &[self.of_time(view)]);
        put(&mut plain, &cells(line, self.form, view), &self.cells);
        let drawn = line.interval.as_ref().filter(|_| self.interval > 0);
        let drawn = drawn
            .map_or(String::new(), |drawn| scale.draw(drawn, margin, self.interval, view.unicode));
        put(&mut plain, &[drawn], &[self.interval]);
        if width(plain.trim_end()) > view.width {
            // A terminal that is narrower than any form: the same in words.
            let words =
                plain.split_whitespace().collect::<Vec<_>>().join(" ").replace(" %", "\u{a0}%");
            text.push_str(&view.paragraph(&format!("{blanks}{blanks}{words}"), 2 * INDENTATION));
            plain.clear();
        }
        text + &ended(&plain, &view.text(&line.verdict), line.paint, view)
    }
}

/// The cells of a row with the words at its end; below them, if the view has no room for both. Nothing of nothing.
fn ended(plain: &str, words: &str, paint: Paint, view: &View) -> String {
    if !plain.trim().is_empty() && width(plain) + 2 + width(words) <= view.width {
        let words = painted(words, paint, view.style);
        return format!("{}\n", format!("{plain}  {words}").trim_end());
    }
    let mut text = String::new();
    if !plain.trim().is_empty() {
        text = format!("{}\n", plain.trim_end());
    }
    let blanks = " ".repeat(2 * INDENTATION);
    if !words.is_empty() {
        for part in view.wrapped(&format!("{blanks}{words}"), 2 * INDENTATION) {
            let word = part.trim_start();
            let before = &part[..part.len() - word.len()];
            text.push_str(&format!("{before}{}\n", painted(word, paint, view.style)));
        }
    }
    text
}

fn widen<const N: usize>(columns: &mut [usize; N], cells: &[String; N]) {
    for (columns, cell) in columns.iter_mut().zip(cells) {
        *columns = width(cell).max(*columns);
    }
}

/// Returns the room that columns take with the gaps before them.
fn taken(columns: &[usize]) -> usize {
    columns.iter().filter(|&&columns| columns > 0).map(|columns| columns + 2).sum()
}

/// Adds cells to a row, each to the right of its column.
fn put(row: &mut String, cells: &[String], columns: &[usize]) {
    for (cell, &columns) in cells.iter().zip(columns).filter(|(_, columns)| **columns > 0) {
        row.push_str(&format!("  {}", padded(cell, columns, false)));
    }
}

fn padded(text: &str, columns: usize, left: bool) -> String {
    let blanks = " ".repeat(columns.saturating_sub(width(text)));
    if left { format!("{text}{blanks}") } else { format!("{blanks}{text}") }
}
