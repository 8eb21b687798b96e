//! Pages as HTML. [`markup`] is the only place that knows how texts are escaped.

mod markup;
mod rows;

use markup::Markup;
pub use rows::{Body, Group, Row, Rows, Tone};

use super::{
    definitions,
    plot::{self, CSV_COLUMNS, Drawn, Plot},
};
use crate::error::{Error, Result};

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
    pub rows: Option<Rows>,
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
pub fn render(page: &Page) -> Result<String> {
    let mut out = Markup::default();
    let plots = page.sections.iter().map(|section| {
        section.plots.len() + section.rows.as_ref().map_or(0, |rows| rows.plots().count())
    });
    let limit = (POINTS_OF_PAGE / plots.sum::<usize>().max(1)).clamp(100, POINTS_OF_FIGURE);
    let mut figures = Figures { count: 0, limit };
    out.raw(HEAD).raw("<meta property=\"og:title\" content=\"").text(&page.title);
    for name in ["name=\"description\"", "property=\"og:description\""] {
        out.raw("\">\n<meta ").raw(name).raw(" content=\"").text(&page.summary);
    }
    out.raw("\">\n<title>").text(&page.title).raw("</title>\n<style>\n").raw(STYLE);
    out.raw("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header>\n");
    out.element("<h1>", &page.title, "</h1>\n").element(
        "<p class=\"answer\">",
        &page.summary,
        "</p>\n",
    );
    out.raw("</header>\n<main id=\"content\">\n");
    let of_title = page.sections.iter().take_while(|section| section.title.is_empty()).count();
    for section in &page.sections[..of_title] {
        contents_of(section, &mut out, &mut figures)?;
    }
    let rest = &page.sections[of_title..];
    if !rest.iter().any(|section| section.rows.is_some()) || rest.len() > 4 {
        contents(rest, &mut out);
    }
    for (index, section) in rest.iter().enumerate() {
        let id = index as u32 + 1;
        out.raw("<section id=\"section-").number(id);
        out.raw(if section.is_warning { "\" class=\"warning\"" } else { "\"" });
        out.raw(" aria-labelledby=\"section-").number(id).raw("-title\">\n<h2 id=\"section-");
        out.number(id).element("-title\">", &section.title, "</h2>\n");
        contents_of(section, &mut out, &mut figures)?;
        out.raw("</section>\n");
    }
    words(&mut out);
    out.raw("</main>\n<footer>\n<p>Made by plusminus ").raw(env!("CARGO_PKG_VERSION"));
    out.raw(" from a record of raw samples. This page needs nothing outside of itself.</p>\n</footer>\n");
    if page.sections.iter().any(|section| section.rows.is_some()) {
        out.raw("<script>").raw(SCRIPT).raw("</script>\n");
    }
    out.raw("</body>\n</html>\n");
    Ok(out.into_text())
}

/// The list of sections.
fn contents(sections: &[Section], out: &mut Markup) {
    let is_long = sections.len() > CONTENTS;
    out.raw("<nav aria-label=\"Contents\">\n");
    out.raw(if is_long { "<details><summary>Contents</summary>\n<ul>\n" } else { "<ul>\n" });
    for (index, section) in sections.iter().enumerate() {
        out.raw("<li><a href=\"#section-").number(index as u32 + 1);
        out.element("\">", &section.title, "</a></li>\n");
    }
    out.raw("<li><a href=\"#definitions\">Words</a></li>\n</ul>\n");
    out.raw(if is_long { "</details>\n</nav>\n" } else { "</nav>\n" });
}

/// All of a section but its heading.
fn contents_of(section: &Section, out: &mut Markup, figures: &mut Figures) -> Result<()> {
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
    if let Some(rows) = &section.rows {
        rows.write(out, figures)?;
    }
    for one in &section.tables {
        table(one, out);
    }
    figures.write(&section.plots, out)?;
    if let Some((title, text)) = &section.terminal {
        out.element("<details>\n<summary>", title, "</summary>\n");
        scrolled(title, out).raw("<pre>").text(text).raw("</pre></div>\n</details>\n");
    }
    Ok(())
}

/// Begins what may scroll by itself.
fn scrolled<'a>(label: &str, out: &'a mut Markup) -> &'a mut Markup {
    out.raw("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"")
        .text(label)
        .raw("\">")
}

/// Writes the meaning of the words of a page.
fn words(out: &mut Markup) {
    out.raw("<section id=\"definitions\" aria-labelledby=\"definitions-title\">\n");
    out.raw("<h2 id=\"definitions-title\">Words</h2>\n<details>\n<summary>Words and their meanings</summary>\n<dl>\n");
    for (index, (term, text)) in definitions::all().iter().enumerate() {
        out.raw("<dt id=\"definition-").number(index as u32).element("\">", term, "</dt>\n");
        out.element("<dd>", text, "</dd>\n");
    }
    out.raw("</dl>\n</details>\n</section>\n");
}

fn table(table: &Table, out: &mut Markup) {
    debug_assert!(table.rows.iter().all(|cells| cells.len() == table.titles.len()));
    let is_sentence = |cell: &String| cell.chars().count() > SENTENCE;
    let has_sentences = table.rows.iter().any(|cells| cells.iter().skip(1).any(is_sentence));
    let is_number = |cells: &Vec<String>| {
        let begin = cells.last().and_then(|cell| cell.chars().next());
        begin.is_some_and(|first| first.is_ascii_digit() || "+-−–×".contains(first))
    };
    let ends_in_numbers = !table.rows.is_empty() && table.rows.iter().all(is_number);
    scrolled(&table.caption, out).raw("\n<table");
    out.raw(match (has_sentences, ends_in_numbers) {
        (true, _) => " class=\"sentences\"",
        (false, true) => " class=\"numbers\"",
        (false, false) => "",
    });
    out.element(">\n<caption>", &table.caption, "</caption>\n<thead>\n<tr>");
    for title in &table.titles {
        match definitions::of(title) {
            Some(place) => {
                out.raw("<th scope=\"col\"><a href=\"#definition-").number(place as u32);
                out.element("\">", title, "</a></th>");
            }
            None => _ = out.element("<th scope=\"col\">", title, "</th>"),
        }
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
    fn write(&mut self, plots: &[Plot], out: &mut Markup) -> Result<()> {
        if plots.is_empty() {
            return Ok(());
        }
        out.raw("<div class=\"figures\">\n");
        for plot in plots {
            self.count += 1;
            figure(plot, self.count, self.limit, out)?;
        }
        out.raw("</div>\n");
        Ok(())
    }
}

fn figure(plot: &Plot, number: u32, limit: usize, out: &mut Markup) -> Result<()> {
    let drawn = plot::draw(plot, limit).map_err(Error::Message)?;
    out.raw("<figure id=\"figure-").number(number);
    out.raw("\" data-points=\"").number(drawn.points as u32);
    out.raw("\" data-bars=\"").number(drawn.bars as u32);
    out.raw("\">\n<h3 id=\"figure-").number(number).element("-title\">", &plot.title, "</h3>\n");
    out.drawing(&plot::for_page(&drawn, &format!("figure-{number}")));
    out.element("<figcaption>\n<p>", &plot.caption, "").text(&left_out(plot, &drawn)).raw("</p>\n");
    out.raw("<ul class=\"legend\">\n");
    for layer in plot.layers.iter().filter(|layer| layer.in_legend) {
        out.raw("<li><span class=\"key ")
            .raw(shape(&layer.marks))
            .raw(" ")
            .raw(layer.colour.name());
        out.element("\"></span>", &layer.name, "</li>\n");
    }
    out.raw("</ul>\n");
    let data = plot::csv_rows(plot);
    if data.len() <= DATA_ROWS {
        let caption = format!("The data of figure {}", plot.title);
        out.raw("<details>\n<summary>The data of this figure</summary>\n");
        scrolled(&caption, out).raw("\n<table>\n<thead>\n<tr>");
        for column in CSV_COLUMNS {
            out.element("<th scope=\"col\">", column, "</th>");
        }
        out.raw("</tr>\n</thead>\n<tbody>\n");
        for row in data {
            out.raw("<tr>");
            row.iter().for_each(|cell| _ = out.raw("<td>").text(cell).raw("</td>"));
            out.raw("</tr>\n");
        }
        out.raw("</tbody>\n</table>\n</div>\n</details>\n");
    }
    out.raw("</figcaption>\n</figure>\n");
    Ok(())
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
fn shape(marks: &plot::Marks) -> &'static str {
    use plot::Marks;
    match marks {
        Marks::Points(_) => "dot",
        Marks::Rings(_) => "ring",
        Marks::Line(_) | Marks::Rule(..) => "line",
        Marks::Band(_) | Marks::Strip(..) => "band",
        Marks::Bars(_) | Marks::Cells(_) => "box",
        Marks::Spans(..) | Marks::Texts(_) => "span",
    }
}

/// The drawing as a file of its own, with a white ground, its title and its legend.
pub(super) fn single(plot: &Plot) -> Result<String> {
    plot::draw_alone(plot, POINTS_OF_FIGURE).map_err(Error::Message)
}

#[cfg(test)]
mod tests {
    use super::{
        super::plot::{Axis, Colour, Layer, Marks},
        *,
    };

    /// A page in which everything occurs that a page can show.
    fn full() -> Page {
        let hostile = || "<script>alert(1)</script> & \"x\" 'y' {title} \\".to_owned();
        let plot = || Plot {
            title: hostile(),
            caption: hostile(),
            x: Axis::from_zero(hostile(), [1.0]),
            y: Axis::rows(1),
            layers: vec![
                Layer::new(hostile(), Colour::Series(0), Marks::Points(vec![[0.5, 0.0]])),
                Layer::new("t", Colour::Ink, Marks::Texts(vec![(0.1, 0.2, hostile())])),
            ],
            height: 200,
        };
        let table = || Table {
            caption: hostile(),
            titles: vec![hostile(), "time ± σ".to_owned()],
            rows: vec![vec![hostile(), hostile()]],
        };
        let row = Row {
            name: hostile(),
            cells: [hostile(), hostile(), hostile()],
            verdict: hostile(),
            drawn: Some([0.9, 1.0, 1.1]),
            body: Some(Body {
                paragraphs: vec![hostile()],
                facts: vec![[hostile(), hostile()]],
                table: Some(table()),
                commands: vec![[hostile(), hostile()]],
                plots: vec![plot()],
            }),
            ..Row::default()
        };
        let rows = Rows {
            titles: ["name", "change", "interval", "times", "verdict"],
            axis: Axis::ratios("r", [0.9, 1.1]),
            band: Some([0.98, 1.0, 1.02]),
            groups: vec![Group { title: hostile(), is_open: true, rows: vec![row] }],
        };
        let section = Section {
            title: hostile(),
            facts: vec![[hostile(), hostile()]],
            paragraphs: vec![hostile()],
            list: vec![hostile()],
            folded: Some((hostile(), vec![hostile()])),
            rows: Some(rows),
            tables: vec![table()],
            plots: vec![plot()],
            terminal: Some((hostile(), hostile())),
            is_warning: true,
        };
        let empty = Section { title: "empty".to_owned(), ..Section::default() };
        Page { title: hostile(), summary: hostile(), sections: vec![section, empty] }
    }

    #[test]
    fn nothing_from_outside_is_markup() {
        let text = render(&full()).unwrap();
        assert_eq!(text, render(&full()).unwrap(), "the same page twice");
        assert_eq!(text.matches("<script").count(), 1, "our own script alone");
        assert!(text.matches("&lt;script&gt;").count() >= 30, "{text}");
    }

    #[test]
    fn the_script_is_small() {
        assert!(SCRIPT.len() <= 10_000, "{} bytes", SCRIPT.len());
        assert!(!SCRIPT.contains("innerHTML") && !SCRIPT.contains("eval"));
    }
}
