//! Pages as HTML. [`markup`] is the only place that knows how texts are escaped.

mod markup;
mod rows;

use std::fmt::Display;

use markup::Markup;
pub(super) use markup::escaped;
pub use rows::{Body, Group, Row, Rows, Tone};

use plusminus::report::explain;

use super::plot::{self, CSV_COLUMNS, Layer, Marks, POINTS_OF_FIGURE, Plot};
use crate::report::LISTED;

/// Sorts and filters rows, and moves between them by keys.
const SCRIPT: &str = include_str!("templates/script.js");

/// The SHA-256 of the script, which is the only one that the policy of the page allows.
const SCRIPT_HASH: &str = include_str!("templates/script.sha256");

/// Dots of raw values in all figures of a page together, approximately, to keep it small.
const POINTS_OF_PAGE: usize = 12_000;

/// Letters from which on a cell of a table is treated as a sentence.
const SENTENCE: usize = 70;

/// The most rows of a figure's data in the page.
const DATA_ROWS: usize = 60;

/// Sections from which on their list is folded.
const CONTENTS: usize = 12;

/// The words that every page explains, in their order.
const WORDS: &str = "±, time, interval, change, speedup, slower, faster, within, inconclusive, margin, run, block, spread, RSU, \
                     rate, real S, relative S, efficiency, overhead, PC_a";

/// A page before it is one.
#[derive(Debug, Default)]
pub struct Page {
    pub title: String,
    /// A sentence below the title, which cards for links show as well.
    pub summary: String,
    pub sections: Vec<Section>,
}

#[derive(Debug, Default)]
pub struct Section {
    /// Its heading; empty for what belongs to the title of the page.
    pub title: String,
    pub facts: Vec<[String; 2]>,
    pub paragraphs: Vec<String>,
    /// Sentences of a list.
    pub list: Vec<String>,
    /// Sentences that open below one that names them.
    pub folded: Option<(String, Vec<String>)>,
    pub rows: Vec<Rows>,
    pub tables: Vec<Table>,
    pub plots: Vec<Plot>,
    /// A text as a terminal shows it, and its description.
    pub terminal: Option<(String, String)>,
    /// Whether its list is a box that warns.
    pub is_warning: bool,
}

#[derive(Debug, Default)]
pub struct Table {
    pub caption: String,
    pub titles: Vec<String>,
    /// The first cell of each row is its name.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn of<const N: usize>(
        caption: String,
        titles: [&str; N],
        rows: Vec<Vec<String>>,
    ) -> Self {
        Self { caption, titles: titles.map(str::to_owned).to_vec(), rows }
    }
}

/// The page as one file that needs no other.
pub fn render(page: &Page) -> String {
    let mut out = Markup::default();
    let rows = || page.sections.iter().flat_map(|section| &section.rows);
    let plots = page.sections.iter().map(|section| section.plots.len()).sum::<usize>()
        + rows().flat_map(Rows::plots).count();
    let limit = (POINTS_OF_PAGE / plots.max(1)).clamp(100, POINTS_OF_FIGURE);
    let mut figures = Figures { count: 0, limit };
    let (version, Page { title, summary, sections }) = (env!("CARGO_PKG_VERSION"), page);
    let head = include_str!("templates/head.html");
    out.fill(head, &[&SCRIPT_HASH, &version, title, summary, summary, title]);
    out.raw(plot::COLORS).raw(include_str!("templates/style.css"));
    out.fill(include_str!("templates/title.html"), &[title, summary]);
    let of_title = sections.iter().take_while(|section| section.title.is_empty()).count();
    let (head, rest) = sections.split_at(of_title);
    head.iter().for_each(|section| contents_of(section, &mut out, &mut figures));
    if rows().next().is_none() || rest.len() > 4 {
        contents(rest, &mut out);
    }
    for (id, section) in (1..).zip(rest) {
        let values: [&dyn Display; 5] =
            [&id, &if section.is_warning { "warning" } else { "part" }, &id, &id, &section.title];
        out.fill(
            "<section id=\"section-{}\" class=\"{}\" aria-labelledby=\"section-{}-title\">\n<h2 id=\"section-{}-title\">{}</h2>\n",
            &values,
        );
        contents_of(section, &mut out, &mut figures);
        out.raw("</section>\n");
    }
    words(&mut out);
    out.fill(include_str!("templates/foot.html"), &[&version]);
    if rows().next().is_some() {
        out.raw("<script>").raw(SCRIPT).raw("</script>\n");
    }
    out.raw("</body>\n</html>\n").take()
}

fn contents(sections: &[Section], out: &mut Markup) {
    out.raw("<nav aria-label=\"Contents\">\n<details");
    out.raw(if sections.len() > CONTENTS { "" } else { " open" });
    out.raw(">\n<summary>Contents</summary>\n<ul>\n");
    for (id, section) in (1..).zip(sections) {
        out.fill("<li><a href=\"#section-{}\">{}</a></li>\n", &[&id, &section.title]);
    }
    out.raw("<li><a href=\"#definitions\">Words</a></li>\n</ul>\n</details>\n</nav>\n");
}

fn contents_of(section: &Section, out: &mut Markup, figures: &mut Figures) {
    out.facts(&section.facts);
    section.paragraphs.iter().for_each(|one| _ = out.fill("<p>{}</p>\n", &[one]));
    let is_boxed = section.is_warning && section.title.is_empty();
    out.list(if is_boxed { "<ul class=\"warning\">\n" } else { "<ul>\n" }, &section.list);
    if let Some((title, sentences)) = &section.folded {
        out.fill("<details class=\"warning\">\n<summary>{}</summary>\n", &[title]);
        out.list("<ul>\n", sentences).raw("</details>\n");
    }
    section.rows.iter().for_each(|rows| rows.write(out, figures));
    section.tables.iter().for_each(|one| table(one, out));
    figures.write(&section.plots, out);
    if let Some((title, text)) = &section.terminal {
        out.fill("<details>\n<summary>{}</summary>\n", &[title]).fill(SCROLLED, &[title]);
        out.fill("<pre>{}</pre></div>\n</details>\n", &[text]);
    }
}

/// Begins what may scroll by itself, with its description.
const SCROLLED: &str = "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">";

/// The words of a page, as the glossary of reports explains them.
fn words(out: &mut Markup) {
    out.raw("<section id=\"definitions\" aria-labelledby=\"definitions-title\">\n");
    out.raw("<h2 id=\"definitions-title\">Words</h2>\n<details>\n<summary>Words and their meanings</summary>\n<dl>\n");
    for word in WORDS.split(", ") {
        let told = explain(word).unwrap_or_default();
        let begin = if told.contains(" (also: ") { "): " } else { ": " };
        let meaning = told.split_once(begin).map_or("", |(_, meaning)| meaning.trim_end());
        out.fill("<dt>{}</dt>\n<dd>{}</dd>\n", &[&word, &meaning]);
    }
    out.raw("</dl>\n</details>\n</section>\n");
}

fn table(table: &Table, out: &mut Markup) {
    let is_sentence = |cell: &String| cell.chars().count() > SENTENCE;
    let has_sentences = table.rows.iter().any(|cells| cells.iter().skip(1).any(is_sentence));
    // An empty cell stands for a number that is not known.
    let is_number = |cell: &String| cell.starts_with(|first| "0123456789+-−–×".contains(first));
    let has_numbers = |column: usize| {
        let mut cells =
            table.rows.iter().map(|cells| &cells[column]).filter(|cell| !cell.is_empty());
        cells.next().is_some_and(is_number) && cells.all(is_number)
    };
    let last = table.titles.len().saturating_sub(1);
    let is_code = table.titles == LISTED;
    let class = match (has_sentences, has_numbers(last), (1..last).any(has_numbers)) {
        _ if is_code => "code",
        (true, ..) => "sentences",
        (false, true, _) => "numbers",
        (false, false, true) => "mixed",
        (false, false, false) => "texts",
    };
    out.fill(SCROLLED, &[&table.caption]);
    let head = "\n<table class=\"{}\">\n<caption>{}</caption>\n<thead>\n<tr>";
    out.fill(head, &[&class, &table.caption]);
    table.titles.iter().for_each(|title| _ = out.fill("<th scope=\"col\">{}</th>", &[title]));
    out.raw("</tr>\n</thead>\n<tbody>\n");
    for cells in &table.rows {
        for (column, (title, cell)) in table.titles.iter().zip(cells).enumerate() {
            match (column, has_sentences) {
                (0, _) if is_code => out.fill("<tr data-mark=\"{}\"><td>{}</td>", &[cell, cell]),
                _ if is_code => out.fill("<td><pre>{}</pre></td>", &[cell]),
                (0, _) => out.fill("<tr><th scope=\"row\">{}</th>", &[cell]),
                (_, true) => out.fill("<td data-title=\"{}\">{}</td>", &[title, cell]),
                (_, false) => out.fill("<td>{}</td>", &[cell]),
            };
        }
        out.raw("</tr>\n");
    }
    out.raw("</tbody>\n</table>\n</div>\n");
}

/// The figures of a page as they are numbered.
struct Figures {
    count: u32,
    /// Dots of raw values in each of them.
    limit: usize,
}

impl Figures {
    fn write(&mut self, plots: &[Plot], out: &mut Markup) {
        if plots.is_empty() {
            return;
        }
        out.raw("<div class=\"figures\">\n");
        for plot in plots {
            self.count += 1;
            figure(plot, self.count, self.limit, out);
        }
        out.raw("</div>\n");
    }
}

fn figure(plot: &Plot, id: u32, limit: usize, out: &mut Markup) {
    let svg = plot::draw(plot, limit);
    let Plot { title, caption, height, .. } = plot;
    let (all, dots, bars) =
        (plot.points(), svg.matches("<circle").count(), svg.matches("<rect").count());
    let values: [&dyn Display; 8] = [&id, &dots, &bars, &id, title, &plot::WIDTH, height, &id];
    out.fill(include_str!("templates/figure.html"), &values).drawing(&svg);
    out.fill("</svg>\n<figcaption>\n<p>{}", &[caption]);
    if dots < all {
        out.fill(
            " {} of {} dots are drawn: of each stretch of them the first, the lowest and the highest. All are in the CSV file that \
             --figures writes.",
            &[&dots, &all],
        );
    }
    out.raw("</p>\n<ul class=\"legend\">\n");
    for Layer { marks, colour, name, .. } in plot.legend() {
        let shape = match marks {
            Marks::Points(_) => "dot",
            Marks::Rings(_) => "ring",
            Marks::Line(_) | Marks::Rule(..) => "line",
            Marks::Band(_) | Marks::Strip(..) => "band",
            Marks::Cells(_) => "box",
            Marks::Spans(..) | Marks::Texts(_) => "span",
        };
        let key = "<li><span class=\"key {} {}\"></span>{}</li>\n";
        out.fill(key, &[&shape, &colour.class().0, name]);
    }
    out.raw("</ul>\n");
    let rows = plot::csv_rows(plot);
    if rows.len() <= DATA_ROWS {
        out.raw("<details>\n<summary>The data of this figure</summary>\n");
        let known = |at: &usize| rows.iter().any(|row| !row[*at].is_empty());
        let columns: Vec<usize> = (0..CSV_COLUMNS.len()).filter(known).collect();
        let titles = columns.iter().map(|at| CSV_COLUMNS[*at].to_owned()).collect();
        // The CSV file has every digit.
        let six_digits = |number: f64| format!("{number:.5e}").parse().unwrap_or(number);
        let cell = |cell: &String| cell.parse().map_or(cell.clone(), |n| six_digits(n).to_string());
        let of = |row: &Vec<String>| columns.iter().map(|at| cell(&row[*at])).collect();
        let caption = format!("The data of figure {title}");
        table(&Table { caption, titles, rows: rows.iter().map(of).collect() }, out);
        out.raw("</details>\n");
    }
    out.raw("</figcaption>\n</figure>\n");
}
