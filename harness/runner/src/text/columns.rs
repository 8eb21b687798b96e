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
    /// Cells of a drawn interval.
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

/// Blanks in front of a benchmark.
const INDENTATION: usize = 2;

/// The cells of a line behind its name.
#[derive(Debug, Default)]
struct Cells {
    time: String,
    uncertainty: String,
    mark: String,
    rate: String,
    base: String,
    new: String,
    more: String,
    compared: String,
    ends: String,
}

fn cells(line: &Line, form: Form, view: &View) -> Cells {
    let mut cells = Cells::default();
    if line.instead.is_some() {
        return cells;
    }
    if let Some((ns, u_ns)) = line.time {
        let unit = TimeUnit::of(ns);
        let both = with_uncertainty(ns / unit.ns, u_ns.map(|u| u / unit.ns));
        // Very large and very small numbers share an exponent: `(1.2 ± 0.1)e9`.
        let (value, power) = match both.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((inner, power)) => {
                (inner.split_once(" ± ").map_or(inner, |(value, _)| value), power)
            }
            None => (both.split_once(" ± ").map_or(both.as_str(), |(value, _)| value), ""),
        };
        cells.time = view.text(&format!("{value}{power} {}", unit.name));
        cells.uncertainty = u_ns
            .filter(|u| u.is_finite() && ns != 0.0)
            .map_or("n/a".to_owned(), |u| format!("{} %", significant(100.0 * u / ns.abs(), 2)));
    }
    if line.is_marked {
        cells.mark = "!".to_owned();
    }
    if let (Some((amount, unit)), true) = (&line.rate, form.rate) {
        let gap = if amount.contains(' ') { "" } else { " " };
        cells.rate = view.text(&format!("{amount}{gap}{unit}/s"));
    }
    if let (Some(sides), true) = (&line.sides, form.sides) {
        [cells.base, cells.new] = sides.each_ref().map(|side| view.text(side));
    }
    if form.more {
        cells.more = view.text(&line.more);
    }
    cells.compared = view.text(&line.compared);
    if form.ends {
        cells.ends = view.text(&line.ends);
    }
    cells
}

/// The widths of the columns behind the name.
#[derive(Debug)]
pub(super) struct Columns {
    form: Form,
    time: usize,
    uncertainty: usize,
    mark: usize,
    rate: usize,
    base: usize,
    new: usize,
    more: usize,
    compared: usize,
    ends: usize,
    interval: usize,
    verdict: usize,
}

/// The heads that do not depend on the report.
const RATE: &str = "throughput";
const SIDES: [&str; 2] = ["base", "new"];

impl Columns {
    pub(super) fn of(groups: &[Group], form: Form, heads: &Heads, view: &View) -> Self {
        let all_cells: Vec<Cells> = all(groups).map(|line| cells(line, form, view)).collect();
        let widest = |cell: fn(&Cells) -> &String| {
            all_cells.iter().map(|cells| width(cell(cells))).max().unwrap_or(0)
        };
        let with_head = |cell: fn(&Cells) -> &String, head: &str| match widest(cell) {
            0 => 0,
            columns => columns.max(width(&view.text(head))),
        };
        let drawn = all(groups).any(|line| line.interval.is_some());
        let verdicts = all(groups).filter(|line| line.instead.is_none());
        Self {
            form,
            time: widest(|cells| &cells.time),
            uncertainty: widest(|cells| &cells.uncertainty),
            mark: widest(|cells| &cells.mark),
            rate: with_head(|cells| &cells.rate, RATE),
            base: with_head(|cells| &cells.base, SIDES[0]),
            new: with_head(|cells| &cells.new, SIDES[1]),
            more: widest(|cells| &cells.more),
            compared: with_head(|cells| &cells.compared, &heads.compared),
            ends: with_head(|cells| &cells.ends, &heads.ends),
            interval: if drawn { form.cells } else { 0 },
            verdict: verdicts
                .map(|line| width(&view.text(&line.verdict)))
                .max()
                .unwrap_or(0)
                .min(VERDICT),
        }
    }

    /// Returns whether the view has room for these columns next to names of this width.
    pub(super) fn fits(&self, longest: usize, view: &View) -> bool {
        (self.interval == 0 || view.width >= DRAWN_FROM)
            && self.for_names(view).is_some_and(|room| room >= longest.min(self.form.names))
    }

    /// The columns of `± 0.6 %`, with the blank before them.
    fn uncertainty(&self, view: &View) -> usize {
        match self.uncertainty {
            0 => 0,
            columns => width(&view.text("±")) + 2 + columns,
        }
    }

    /// The columns that are left for names.
    pub(super) fn for_names(&self, view: &View) -> Option<usize> {
        let others = [
            self.time,
            self.mark,
            self.rate,
            self.base,
            self.new,
            self.more,
            self.compared,
            self.ends,
            self.interval,
            self.verdict,
        ];
        let gaps: usize = others.iter().filter(|&&width| width > 0).map(|width| width + 2).sum();
        view.width.checked_sub(INDENTATION + self.uncertainty(view) + gaps)
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
        if let Some(blanks) = self.before_drawing(names, view).checked_sub(used)
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
        let drawn =
            group.lines.iter().filter_map(|line| line.interval.as_ref()).collect::<Vec<_>>();
        if self.interval == 0 || drawn.is_empty() {
            return String::new();
        }
        let scale = Scale::of(drawn.into_iter());
        view.text(&scale.head(self.interval, heads.is_change))
    }

    /// The columns before the drawings.
    fn before_drawing(&self, names: usize, view: &View) -> usize {
        let before = [
            self.time,
            self.mark,
            self.rate,
            self.base,
            self.new,
            self.more,
            self.compared,
            self.ends,
        ];
        let gaps: usize = before.iter().filter(|&&width| width > 0).map(|width| width + 2).sum();
        INDENTATION + names + self.uncertainty(view) + gaps + 2
    }

    /// The heads of the columns; nothing if there is none that needs one.
    pub(super) fn heads(&self, names: usize, heads: &Heads, scale: &str, view: &View) -> String {
        let mut text = " ".repeat(INDENTATION + names);
        let time = match self.time {
            0 => 0,
            time => time + self.uncertainty(view),
        };
        let both = [self.rate, self.base, self.new, self.compared, self.ends];
        if both.iter().all(|&width| width == 0) {
            return String::new();
        }
        let mut put = |head: &str, columns: usize| {
            if columns > 0 {
                text.push_str("  ");
                text.push_str(&padded(&view.text(head), columns, false));
            }
        };
        put("", time);
        put("", self.mark);
        put(RATE, self.rate);
        put(SIDES[0], self.base);
        put(SIDES[1], self.new);
        put("", self.more);
        put(&heads.compared, self.compared);
        put(&heads.ends, self.ends);
        put(scale, self.interval);
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
        let cells = cells(line, self.form, view);
        if self.time > 0 {
            plain.push_str(&format!("  {}", padded(&cells.time, self.time, false)));
        }
        if self.uncertainty > 0 {
            let mark = view.text(if cells.uncertainty.is_empty() { " " } else { "±" });
            let number = padded(&cells.uncertainty, self.uncertainty, false);
            plain.push_str(&format!(" {} {number}", padded(&mark, width(&view.text("±")), true)));
        }
        let drawn = line.interval.as_ref().filter(|_| self.interval > 0);
        let drawn = drawn
            .map_or(String::new(), |drawn| scale.draw(drawn, margin, self.interval, view.unicode));
        for (cell, columns) in [
            (&cells.mark, self.mark),
            (&cells.rate, self.rate),
            (&cells.base, self.base),
            (&cells.new, self.new),
            (&cells.more, self.more),
            (&cells.compared, self.compared),
            (&cells.ends, self.ends),
            (&drawn, self.interval),
        ] {
            if columns > 0 {
                plain.push_str(&format!("  {}", padded(cell, columns, false)));
            }
        }
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

fn padded(text: &str, columns: usize, left: bool) -> String {
    let blanks = " ".repeat(columns.saturating_sub(width(text)));
    if left { format!("{text}{blanks}") } else { format!("{blanks}{text}") }
}
