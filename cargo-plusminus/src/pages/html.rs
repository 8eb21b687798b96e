//! Pages as HTML. [`markup`] is the only place that knows how texts are escaped.

mod markup;
mod rows;

use markup::Markup;
pub use rows::{Body, Group, Row, Rows, Tone};

use plusminus::report::explain;

use super::plot::{self, CSV_COLUMNS, Drawn, Marks, Plot};

/// The style of all pages.
const STYLE: &str = include_str!("templates/style.css");

/// Sorts and filters rows, and moves between them by keys.
const SCRIPT: &str = include_str!("templates/script.js");

/// The head of a page down to its title. The policy allows our script alone, by its SHA-256.
const HEAD: &str = concat!(
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    "<meta name=\"color-scheme\" content=\"light dark\">\n",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; ",
    "script-src '",
    include_str!("templates/script.sha256"),
    "'\">\n<meta name=\"generator\" content=\"plusminus ",
    env!("CARGO_PKG_VERSION"),
    "\">\n<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E",
    "%3Crect width='16' height='16' rx='3' fill='%230b62b8'/%3E%3Cpath d='M8 2.5v7M4.5 6h7M4.5 12.5h7' stroke='white' ",
    "stroke-width='2'/%3E%3C/svg%3E\">\n<meta property=\"og:type\" content=\"article\">\n",
);

/// Dots of raw values in all figures of a page together, approximately, to keep it small.
const POINTS_OF_PAGE: usize = 12_000;

/// Dots of raw values in one figure at most: more would overlap.
const POINTS_OF_FIGURE: usize = 2_000;

/// Letters from which on a cell of a table is treated as a sentence.
const SENTENCE: usize = 70;

/// The most rows of a figure's data in the page.
const DATA_ROWS: usize = 60;

/// Sections from which on their list is folded.
const CONTENTS: usize = 12;

/// The words that every page explains, in their order.
const WORDS: [&str; 20] = [
    "±",
    "time",
    "interval",
    "change",
    "speedup",
    "slower",
    "faster",
    "within",
    "inconclusive",
    "margin",
    "run",
    "block",
    "spread",
    "RSU",
    "rate",
    "real S",
    "relative S",
    "efficiency",
    "overhead",
    "PC_a",
];

/// A page before it is one.
#[derive(Debug, Default)]
pub struct Page {
    pub title: String,
    /// A sentence below the title, which cards for links show as well.
    pub summary: String,
    pub sections: Vec<Section>,
}

/// A part of a page.
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

/// A table. Columns with a known title are explained at the end of the page.
#[derive(Debug, Default)]
pub struct Table {
    pub caption: String,
    pub titles: Vec<String>,
    /// The first cell of each row is its name.
    pub rows: Vec<Vec<String>>,
}

/// The page as one file that needs no other.
pub fn render(page: &Page) -> String {
    let mut out = Markup::default();
    let rows = || page.sections.iter().flat_map(|section| &section.rows);
    let plots = page.sections.iter().map(|section| section.plots.len()).sum::<usize>()
        + rows().flat_map(Rows::plots).count();
    let limit = (POINTS_OF_PAGE / plots.max(1)).clamp(100, POINTS_OF_FIGURE);
    let mut figures = Figures { count: 0, limit };
    out.raw(HEAD).raw("<meta property=\"og:title\" content=\"").text(&page.title);
    for name in ["name=\"description\"", "property=\"og:description\""] {
        out.raw("\">\n<meta ").raw(name).raw(" content=\"").text(&page.summary);
    }
    out.raw("\">\n<title>").text(&page.title).raw("</title>\n<style>\n");
    out.raw(plot::COLORS).raw(STYLE).raw("</style>\n</head>\n<body>\n");
    out.raw("<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header>\n");
    out.element("<h1>", &page.title, "</h1>\n");
    out.element("<p class=\"answer\">", &page.summary, "</p>\n");
    out.raw("</header>\n<main id=\"content\">\n");
    let of_title = page.sections.iter().take_while(|section| section.title.is_empty()).count();
    let (head, rest) = page.sections.split_at(of_title);
    head.iter().for_each(|section| contents_of(section, &mut out, &mut figures));
    if rows().next().is_none() || rest.len() > 4 {
        contents(rest, &mut out);
    }
    for (id, section) in (1_u32..).zip(rest) {
        out.raw("<section id=\"section-").number(id);
        out.raw(if section.is_warning { "\" class=\"warning\"" } else { "\"" });
        out.raw(" aria-labelledby=\"section-").number(id).raw("-title\">\n<h2 id=\"section-");
        out.number(id).element("-title\">", &section.title, "</h2>\n");
        contents_of(section, &mut out, &mut figures);
        out.raw("</section>\n");
    }
    words(&mut out);
    out.raw("</main>\n<footer>\n<p>Made by plusminus ").raw(env!("CARGO_PKG_VERSION"));
    out.raw(" from a record of raw samples. This page needs nothing outside of itself.</p>\n</footer>\n");
    if rows().next().is_some() {
        out.raw("<script>").raw(SCRIPT).raw("</script>\n");
    }
    out.raw("</body>\n</html>\n").take()
}

/// The list of sections.
fn contents(sections: &[Section], out: &mut Markup) {
    let is_long = sections.len() > CONTENTS;
    out.raw("<nav aria-label=\"Contents\">\n");
    out.raw(if is_long { "<details><summary>Contents</summary>\n<ul>\n" } else { "<ul>\n" });
    for (id, section) in (1_u32..).zip(sections) {
        out.raw("<li><a href=\"#section-").number(id).element("\">", &section.title, "</a></li>\n");
    }
    out.raw("<li><a href=\"#definitions\">Words</a></li>\n</ul>\n");
    out.raw(if is_long { "</details>\n</nav>\n" } else { "</nav>\n" });
}

/// All of a section but its heading.
fn contents_of(section: &Section, out: &mut Markup, figures: &mut Figures) {
    out.facts(&section.facts);
    for paragraph in &section.paragraphs {
        out.element("<p>", paragraph, "</p>\n");
    }
    let boxed = section.is_warning && section.title.is_empty() && !section.list.is_empty();
    out.raw(if boxed { "<div class=\"warning\">\n" } else { "" }).list(&section.list);
    out.raw(if boxed { "</div>\n" } else { "" });
    if let Some((title, sentences)) = &section.folded {
        out.element("<details class=\"warning\">\n<summary>", title, "</summary>\n");
        out.list(sentences).raw("</details>\n");
    }
    section.rows.iter().for_each(|rows| rows.write(out, figures));
    section.tables.iter().for_each(|one| table(one, out));
    figures.write(&section.plots, out);
    if let Some((title, text)) = &section.terminal {
        out.element("<details>\n<summary>", title, "</summary>\n");
        scrolled(title, out).raw("<pre>").text(text).raw("</pre></div>\n</details>\n");
    }
}

/// Begins what may scroll by itself.
fn scrolled<'a>(label: &str, out: &'a mut Markup) -> &'a mut Markup {
    out.raw("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"")
        .text(label)
        .raw("\">")
}

/// The words of a page, as the glossary of reports explains them.
fn words(out: &mut Markup) {
    out.raw("<section id=\"definitions\" aria-labelledby=\"definitions-title\">\n");
    out.raw("<h2 id=\"definitions-title\">Words</h2>\n<details>\n<summary>Words and their meanings</summary>\n<dl>\n");
    for (id, word) in (0_u32..).zip(WORDS) {
        let told = explain(word).unwrap_or_default();
        let begin = if told.contains(" (also: ") { "): " } else { ": " };
        let meaning = told.split_once(begin).map_or("", |(_, meaning)| meaning.trim_end());
        out.raw("<dt id=\"definition-").number(id).element("\">", word, "</dt>\n");
        out.element("<dd>", meaning, "</dd>\n");
    }
    out.raw("</dl>\n</details>\n</section>\n");
}

/// The place of the word that the title of a column uses among those that a page explains.
fn word_of(title: &str) -> Option<usize> {
    let has = |word: &&str| {
        let mut parts = title.split(' ').map(|part| part.trim_end_matches('s'));
        title == *word || parts.any(|part| part == *word)
    };
    WORDS.iter().rposition(has)
}

fn table(table: &Table, out: &mut Markup) {
    debug_assert!(table.rows.iter().all(|cells| cells.len() == table.titles.len()));
    let is_sentence = |cell: &String| cell.chars().count() > SENTENCE;
    let has_sentences = table.rows.iter().any(|cells| cells.iter().skip(1).any(is_sentence));
    let is_number = |cell: &String| {
        let begin = cell.chars().next();
        begin.is_some_and(|first| first.is_ascii_digit() || "+-−–×".contains(first))
    };
    let has_numbers = |column: usize| {
        !table.rows.is_empty() && table.rows.iter().all(|cells| is_number(&cells[column]))
    };
    let last = table.titles.len().saturating_sub(1);
    scrolled(&table.caption, out).raw("\n<table");
    out.raw(match (has_sentences, has_numbers(last), (1..last).any(has_numbers)) {
        (true, ..) => " class=\"sentences\"",
        (false, true, _) => " class=\"numbers\"",
        (false, false, true) => "",
        (false, false, false) => " class=\"texts\"",
    });
    out.element(">\n<caption>", &table.caption, "</caption>\n<thead>\n<tr>");
    for title in &table.titles {
        out.raw("<th scope=\"col\">");
        match word_of(title) {
            Some(word) => {
                out.raw("<a href=\"#definition-").number(word as u32).element("\">", title, "</a>")
            }
            None => out.words(title),
        };
        out.raw("</th>");
    }
    out.raw("</tr>\n</thead>\n<tbody>\n");
    for cells in &table.rows {
        let Some((name, cells)) = cells.split_first() else { continue };
        out.element("<tr><th scope=\"row\">", name, "</th>");
        for (title, cell) in table.titles.iter().skip(1).zip(cells) {
            out.raw("<td");
            if has_sentences {
                out.raw(" data-title=\"").text(title).raw("\"");
            }
            out.element(">", cell, "</td>");
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

fn figure(plot: &Plot, number: u32, limit: usize, out: &mut Markup) {
    let drawn = plot::draw(plot, limit);
    out.raw("<figure id=\"figure-").number(number);
    out.raw("\" data-points=\"").number(drawn.points as u32);
    out.raw("\" data-bars=\"").number(drawn.bars as u32);
    out.raw("\">\n<h3 id=\"figure-").number(number).element("-title\">", &plot.title, "</h3>\n");
    out.raw("<svg viewBox=\"0 0 ").number(plot::WIDTH).raw(" ").number(plot.height);
    out.raw("\" role=\"img\" aria-labelledby=\"figure-").number(number).raw("-title\">");
    out.drawing(&drawn.svg).raw("</svg>\n");
    out.element("<figcaption>\n<p>", &plot.caption, "").text(&left_out(plot, &drawn)).raw("</p>\n");
    out.raw("<ul class=\"legend\">\n");
    for layer in plot.layers.iter().filter(|layer| layer.in_legend) {
        let (shape, color) = (shape(&layer.marks), layer.colour.class().0);
        out.raw("<li><span class=\"key ").raw(shape).raw(" ").raw(color);
        out.element("\"></span>", &layer.name, "</li>\n");
    }
    out.raw("</ul>\n");
    let rows = plot::csv_rows(plot);
    if rows.len() <= DATA_ROWS {
        out.raw("<details>\n<summary>The data of this figure</summary>\n");
        let caption = format!("The data of figure {}", plot.title);
        let known = |at: &usize| rows.iter().any(|row| !row[*at].is_empty());
        let columns: Vec<usize> = (0..CSV_COLUMNS.len()).filter(known).collect();
        let titles = columns.iter().map(|at| CSV_COLUMNS[*at].to_owned()).collect();
        let of = |row: &Vec<String>| columns.iter().map(|at| row[*at].clone()).collect();
        table(&Table { caption, titles, rows: rows.iter().map(of).collect() }, out);
        out.raw("</details>\n");
    }
    out.raw("</figcaption>\n</figure>\n");
}

/// Returns the message when a figure has fewer dots than there are; empty if it has all.
fn left_out(plot: &Plot, drawn: &Drawn) -> String {
    let all = plot.points();
    if drawn.points >= all {
        return String::new();
    }
    format!(
        " {} of {all} dots are drawn: of each stretch of them the first, the lowest and the highest. All are in the CSV file \
         that --figures writes.",
        drawn.points
    )
}

/// How a layer looks in the legend.
fn shape(marks: &Marks) -> &'static str {
    match marks {
        Marks::Points(_) => "dot",
        Marks::Rings(_) => "ring",
        Marks::Line(_) | Marks::Rule(..) => "line",
        Marks::Band(_) | Marks::Strip(..) => "band",
        Marks::Cells(_) => "box",
        Marks::Spans(..) | Marks::Texts(_) => "span",
    }
}

/// A text without markup, for drawings.
pub(super) fn escaped(text: &str) -> String {
    Markup::default().text(text).take()
}

/// The drawing as a file of its own.
pub(super) fn single(plot: &Plot) -> String {
    plot::draw_alone(plot, POINTS_OF_FIGURE)
}

#[cfg(test)]
mod tests {
    use super::{SCRIPT, WORDS, explain, word_of};

    #[test]
    fn the_script_is_small_and_words_have_meanings() {
        assert!(SCRIPT.len() <= 10_000, "{} bytes", SCRIPT.len());
        assert!(!SCRIPT.contains("innerHTML") && !SCRIPT.contains("eval"));
        WORDS.iter().for_each(|word| assert!(explain(word).is_ok(), "{word}"));
        let titles = ["S ± σ", "time ± σ", "95 % interval", "real S", "runs", "name"];
        let words = titles.map(|title| word_of(title).map(|at| WORDS[at]));
        assert_eq!(
            words,
            ["±", "time", "interval", "real S", "run", ""]
                .map(|w| Some(w).filter(|w| !w.is_empty()))
        );
    }
}
