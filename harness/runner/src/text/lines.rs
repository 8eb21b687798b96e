//! Benchmarks as lines that no terminal breaks: one for each, and one for what stands above a group of them.

use super::{
    Drawn, Paint, View,
    interval::Scale,
    number::{TimeUnit, significant, with_uncertainty},
    painted, width,
};
use plusminus_worker::listed::Listed;

/// One benchmark.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// The time of a call and its standard uncertainty, in nanoseconds.
    pub time: Option<(f64, Option<f64>)>,
    /// Work per second, with its unit: `33.6 M`, `edges`.
    pub rate: Option<(String, String)>,
    /// What else a call does or uses.
    pub more: String,
    /// What it is beside the base, with its standard uncertainty: the speedup S, or a change.
    pub compared: String,
    /// Its interval.
    pub interval: Option<Drawn>,
    /// What is proven, in one word.
    pub verdict: String,
    /// The colour of that word.
    pub paint: Paint,
    /// Why there are no numbers, in their place.
    pub instead: Option<String>,
}

/// Benchmarks that are compared with each other, or belong together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Group {
    /// What they have in common, the most important first.
    pub heading: Vec<String>,
    /// One for each.
    pub lines: Vec<Line>,
}

/// Which columns there are, from all of them to the fewest.
#[derive(Debug, Clone, Copy)]
struct Form {
    more: bool,
    rate: Rate,
    /// Cells of a drawn interval.
    cells: usize,
    /// Columns that names have at least, if they need them.
    names: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rate {
    WithUnit,
    Short,
    None,
}

const FORMS: [Form; 9] = [
    Form { more: true, rate: Rate::WithUnit, cells: 21, names: 40 },
    Form { more: true, rate: Rate::WithUnit, cells: 13, names: 30 },
    Form { more: true, rate: Rate::WithUnit, cells: 9, names: 20 },
    Form { more: false, rate: Rate::WithUnit, cells: 9, names: 20 },
    Form { more: false, rate: Rate::Short, cells: 9, names: 16 },
    Form { more: false, rate: Rate::Short, cells: 7, names: 11 },
    Form { more: false, rate: Rate::None, cells: 9, names: 11 },
    Form { more: false, rate: Rate::None, cells: 0, names: 11 },
    Form { more: false, rate: Rate::None, cells: 0, names: 0 },
];

/// Blanks in front of a benchmark.
const INDENTATION: usize = 2;

/// Groups as lines, none wider than the view: what has no room is left out, from the least important on, and long names
/// lose their middle. The same columns have the same place in all groups.
pub fn lines(groups: &[Group], view: &View) -> String {
    let longest = all(groups).map(|line| width(&view.text(&line.name))).max().unwrap_or(0);
    let columns = |form: &Form| Columns::of(groups, *form, view);
    let fits = |columns: &Columns| {
        columns.for_names(view).is_some_and(|room| room >= longest.min(columns.form.names))
    };
    let chosen = FORMS.iter().map(columns).find(fits);
    let chosen = chosen.unwrap_or_else(|| columns(&FORMS[FORMS.len() - 1]));
    // Words in place of numbers need room, too.
    let has_words = all(groups).any(|line| line.instead.is_some());
    let most = if has_words { (2 * view.width / 5).max(16) } else { usize::MAX };
    let names = chosen.for_names(view).unwrap_or(0).min(longest).min(most);
    let mut text = String::new();
    for group in groups {
        text.push_str(&heading(&group.heading, view));
        let scale = Scale::of(group.lines.iter().filter_map(|line| line.interval.as_ref()));
        for line in &group.lines {
            text.push_str(&chosen.line(line, names, scale, view));
            text.push('\n');
        }
    }
    text
}

fn all(groups: &[Group]) -> std::vec::IntoIter<&Line> {
    let mut all = Vec::new();
    groups.iter().for_each(|group| all.extend(&group.lines));
    all.into_iter()
}

/// The parts of a heading that have room, the first in any case.
fn heading(parts: &[String], view: &View) -> String {
    let Some((first, others)) = parts.split_first() else { return String::new() };
    let mut plain = view.cut(first, view.width);
    let mut text = painted(&plain, Paint::Heading, view.style);
    for part in others {
        let part = format!("  {}", view.text(part));
        if width(&plain) + width(&part) <= view.width {
            text.push_str(&part);
            plain.push_str(&part);
        }
    }
    text.push('\n');
    text
}

/// The cells of a line behind its name.
#[derive(Debug, Default)]
struct Cells {
    time: String,
    uncertainty: String,
    rate: String,
    more: String,
    compared: String,
    verdict: String,
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
    cells.rate = match (&line.rate, form.rate) {
        (Some((amount, unit)), Rate::WithUnit) => {
            let gap = if amount.contains(' ') { "" } else { " " };
            view.text(&format!("{amount}{gap}{unit}/s"))
        }
        (Some((amount, _)), Rate::Short) => view.text(&format!("{amount}/s")),
        _ => String::new(),
    };
    if form.more {
        cells.more = view.text(&line.more);
    }
    cells.compared = view.text(&line.compared);
    cells.verdict = view.text(&line.verdict);
    cells
}

/// The widths of the columns behind the name.
#[derive(Debug)]
struct Columns {
    form: Form,
    time: usize,
    uncertainty: usize,
    rate: usize,
    more: usize,
    compared: usize,
    interval: usize,
    verdict: usize,
}

impl Columns {
    fn of(groups: &[Group], form: Form, view: &View) -> Self {
        let all_cells: Vec<Cells> = all(groups).map(|line| cells(line, form, view)).listed();
        let widest = |cell: fn(&Cells) -> &String| {
            all_cells.iter().map(|cells| width(cell(cells))).max().unwrap_or(0)
        };
        let drawn = all(groups).any(|line| line.interval.is_some());
        Self {
            form,
            time: widest(|cells| &cells.time),
            uncertainty: widest(|cells| &cells.uncertainty),
            rate: widest(|cells| &cells.rate),
            more: widest(|cells| &cells.more),
            compared: widest(|cells| &cells.compared),
            interval: if drawn { form.cells } else { 0 },
            verdict: widest(|cells| &cells.verdict),
        }
    }

    /// The columns that are left for names.
    fn for_names(&self, view: &View) -> Option<usize> {
        let mark = width(&view.text("±")) + 2;
        let uncertainty = if self.uncertainty > 0 { mark + self.uncertainty } else { 0 };
        let others = [self.time, self.rate, self.more, self.compared, self.interval, self.verdict];
        let gaps: usize = others.iter().filter(|&&width| width > 0).map(|width| width + 2).sum();
        view.width.checked_sub(INDENTATION + uncertainty + gaps)
    }

    fn line(&self, line: &Line, names: usize, scale: Scale, view: &View) -> String {
        let name = view.cut(&line.name, names);
        let mut plain = format!("{}{}", " ".repeat(INDENTATION), padded(&name, names, true));
        if let Some(instead) = &line.instead {
            let plain = view.cut(&(plain + "  "), view.width);
            let room = view.width.saturating_sub(width(&plain));
            let said = painted(&view.cut(instead, room), line.paint, view.style);
            return format!("{plain}{said}").trim_end().to_owned();
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
        for (cell, room) in
            [(&cells.rate, self.rate), (&cells.more, self.more), (&cells.compared, self.compared)]
        {
            if room > 0 {
                plain.push_str(&format!("  {}", padded(cell, room, false)));
            }
        }
        if self.interval > 0 {
            let drawn = line.interval.as_ref();
            let drawn =
                drawn.map_or(String::new(), |drawn| scale.draw(drawn, self.interval, view.unicode));
            plain.push_str(&format!("  {}", padded(&drawn, self.interval, true)));
        }
        if self.verdict > 0 {
            plain.push_str("  ");
        }
        let plain = view.cut(&plain, view.width);
        let room = view.width.saturating_sub(width(&plain));
        let verdict = painted(&view.cut(&cells.verdict, room), line.paint, view.style);
        format!("{plain}{verdict}").trim_end().to_owned()
    }
}

fn padded(text: &str, columns: usize, left: bool) -> String {
    let blanks = " ".repeat(columns.saturating_sub(width(text)));
    if left { format!("{text}{blanks}") } else { format!("{blanks}{text}") }
}
