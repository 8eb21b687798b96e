//! Pages as HTML: the only place that knows of templates. All templates are compiled in, and a test renders each of them.

use serde::Serialize;
use tinytemplate::TinyTemplate;

use super::{
    definitions,
    plot::{self, CSV_COLUMNS, Drawn, Plot},
};
use crate::error::{Error, Result};

/// The templates by name.
const TEMPLATES: [(&str, &str); 4] = [
    ("page", include_str!("templates/page.html")),
    ("section", include_str!("templates/section.html")),
    ("table", include_str!("templates/table.html")),
    ("figure", include_str!("templates/figure.html")),
];

/// The style of all pages.
const STYLE: &str = include_str!("templates/style.css");

/// Dots of raw values in all figures of a page together, near enough: what keeps it small.
const POINTS_OF_PAGE: usize = 20_000;

/// Dots of raw values in one figure at most: more cannot be told apart.
const POINTS_OF_FIGURE: usize = 2_000;

/// Letters from which on a cell of a table counts as a sentence.
const SENTENCE: usize = 70;

/// Rows of data of a figure that stand beside it in the page.
const DATA_ROWS: usize = 60;

/// A page before it is one.
#[derive(Debug, Default)]
pub struct Page {
    pub title: String,
    /// A sentence below the title.
    pub summary: String,
    pub sections: Vec<Section>,
}

/// A part of a page, with a heading.
#[derive(Debug, Default)]
pub struct Section {
    pub title: String,
    pub paragraphs: Vec<String>,
    /// Sentences of a list.
    pub list: Vec<String>,
    pub tables: Vec<Table>,
    pub plots: Vec<Plot>,
    /// A text as a terminal shows it, and what it is.
    pub terminal: Option<(String, String)>,
    /// Whether it is a box that warns.
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

#[derive(Serialize)]
struct PageView<'a> {
    title: &'a str,
    summary: &'a str,
    style: &'static str,
    version: &'static str,
    contents: Vec<Link>,
    sections: Vec<SectionView<'a>>,
    definitions: Vec<DefinitionView>,
}

#[derive(Serialize)]
struct Link {
    id: String,
    title: String,
}

#[derive(Serialize)]
struct SectionView<'a> {
    id: String,
    title: &'a str,
    class: &'static str,
    paragraphs: &'a [String],
    list: &'a [String],
    tables: Vec<TableView<'a>>,
    figures: Vec<FigureView<'a>>,
    terminal: Option<TerminalView<'a>>,
}

#[derive(Serialize)]
struct TerminalView<'a> {
    title: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct TableView<'a> {
    caption: &'a str,
    /// Whether cells are sentences, which break into lines.
    has_sentences: bool,
    /// Whether the last column holds numbers, which stand below one another at the right.
    ends_in_numbers: bool,
    titles: Vec<TitleView<'a>>,
    rows: Vec<RowView<'a>>,
}

#[derive(Serialize)]
struct TitleView<'a> {
    text: &'a str,
    definition: Option<DefinitionView>,
}

#[derive(Serialize)]
struct RowView<'a> {
    name: &'a str,
    cells: Vec<CellView<'a>>,
}

/// A cell with the title of its column, which stands before it where a row is too narrow for columns.
#[derive(Serialize)]
struct CellView<'a> {
    title: &'a str,
    text: &'a str,
}

#[derive(Serialize, Clone)]
struct DefinitionView {
    id: &'static str,
    term: &'static str,
    text: &'static str,
}

#[derive(Serialize)]
struct FigureView<'a> {
    id: String,
    title: &'a str,
    caption: String,
    svg: String,
    points: usize,
    bars: usize,
    legend: Vec<LegendView<'a>>,
    columns: &'a [&'static str],
    data: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct LegendView<'a> {
    colour: &'static str,
    shape: &'static str,
    name: &'a str,
}

/// The page as one file that needs no other.
pub fn render(page: &Page) -> Result<String> {
    let view = page_view(page)?;
    let said = |error| Error::Message(format!("a page cannot be written: {error}"));
    templates().map_err(said)?.render("page", &view).map_err(said)
}

fn templates() -> std::result::Result<TinyTemplate<'static>, tinytemplate::error::Error> {
    let mut templates = TinyTemplate::new();
    for (name, text) in TEMPLATES {
        templates.add_template(name, text)?;
    }
    Ok(templates)
}

fn page_view(page: &Page) -> Result<PageView<'_>> {
    let count: usize = page.sections.iter().map(|section| section.plots.len()).sum();
    let limit = (POINTS_OF_PAGE / count.max(1)).clamp(60, POINTS_OF_FIGURE);
    let mut number = 0;
    let mut sections = Vec::new();
    for (index, section) in page.sections.iter().enumerate() {
        let mut figures = Vec::new();
        for plot in &section.plots {
            number += 1;
            figures.push(figure(plot, number, limit)?);
        }
        sections.push(SectionView {
            id: section_id(index),
            title: &section.title,
            class: if section.is_warning { "warning" } else { "plain" },
            paragraphs: &section.paragraphs,
            list: &section.list,
            tables: section.tables.iter().map(table).collect(),
            figures,
            terminal: section.terminal.as_ref().map(|(title, text)| TerminalView { title, text }),
        });
    }
    let contents = sections.iter().map(|s| Link { id: s.id.clone(), title: s.title.to_owned() });
    Ok(PageView {
        title: &page.title,
        summary: &page.summary,
        style: STYLE,
        version: env!("CARGO_PKG_VERSION"),
        contents: contents.collect(),
        sections,
        definitions: definitions::ALL.iter().map(definition).collect(),
    })
}

fn section_id(index: usize) -> String {
    format!("section-{}", index + 1)
}

fn definition(known: &definitions::Definition) -> DefinitionView {
    DefinitionView { id: known.id, term: known.term, text: known.text }
}

fn table(table: &Table) -> TableView<'_> {
    let title = |text: &'_ String| definitions::of(text).map(definition);
    let titles =
        table.titles.iter().map(|text| TitleView { text, definition: title(text) }).collect();
    debug_assert!(table.rows.iter().all(|cells| cells.len() == table.titles.len()));
    let rows = table.rows.iter().filter_map(|cells| {
        let (name, cells) = cells.split_first()?;
        let titled = table.titles.iter().skip(1).zip(cells);
        Some(RowView {
            name,
            cells: titled.map(|(title, text)| CellView { title, text }).collect(),
        })
    });
    let is_sentence = |cell: &String| cell.chars().count() > SENTENCE;
    let has_sentences = table.rows.iter().any(|cells| cells.iter().skip(1).any(is_sentence));
    let is_number = |cells: &Vec<String>| {
        let begin = cells.last().and_then(|cell| cell.chars().next());
        begin.is_some_and(|first| first.is_ascii_digit() || "+-−–×".contains(first))
    };
    let ends_in_numbers = !table.rows.is_empty() && table.rows.iter().all(is_number);
    TableView {
        caption: &table.caption,
        has_sentences,
        ends_in_numbers,
        titles,
        rows: rows.collect(),
    }
}

fn figure(plot: &Plot, number: usize, limit: usize) -> Result<FigureView<'_>> {
    let id = format!("figure-{number}");
    let drawn = plot::draw(plot, limit).map_err(Error::Message)?;
    let mut caption = plot.caption.clone();
    if let Some(left_out) = left_out(plot, &drawn) {
        caption.push_str(&left_out);
    }
    let mut data = plot::csv_rows(plot);
    if data.len() > DATA_ROWS {
        data.clear();
    }
    let named = plot.layers.iter().filter(|layer| layer.in_legend);
    let legend = named.map(|layer| LegendView {
        colour: layer.colour.name(),
        shape: shape(&layer.marks),
        name: &layer.name,
    });
    Ok(FigureView {
        svg: plot::for_page(&drawn, &id),
        title: &plot.title,
        caption,
        points: drawn.points,
        bars: drawn.bars,
        legend: legend.collect(),
        columns: &CSV_COLUMNS,
        data,
        id,
    })
}

/// What is said where a figure has fewer dots than there are.
pub(super) fn left_out(plot: &Plot, drawn: &Drawn) -> Option<String> {
    let all = plot.points();
    (drawn.points < all).then(|| {
        format!(
            " {} of {all} dots are drawn: of each stretch of them the first, the lowest and the highest. All are in the \
             CSV file that --figures writes.",
            drawn.points
        )
    })
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

    /// A page in which everything occurs that a template can show.
    fn full() -> Page {
        let hostile = "<script>alert(1)</script> & \"x\" 'y' {title} \\";
        let plot = Plot {
            title: hostile.to_owned(),
            caption: hostile.to_owned(),
            x: Axis::from_zero(hostile, [1.0]),
            y: Axis::rows(1),
            layers: vec![
                Layer::new(hostile, Colour::Series(0), Marks::Points(vec![[0.5, 0.0]])),
                Layer::new("t", Colour::Ink, Marks::Texts(vec![(0.1, 0.2, hostile.to_owned())])),
            ],
            height: 200,
        };
        let section = Section {
            title: hostile.to_owned(),
            paragraphs: vec![hostile.to_owned()],
            list: vec![hostile.to_owned()],
            tables: vec![Table {
                caption: hostile.to_owned(),
                titles: vec![hostile.to_owned(), "time ± σ".to_owned()],
                rows: vec![vec![hostile.to_owned(), hostile.to_owned()]],
            }],
            plots: vec![plot],
            terminal: Some((hostile.to_owned(), hostile.to_owned())),
            is_warning: true,
        };
        let empty = Section { title: "empty".to_owned(), ..Section::default() };
        Page {
            title: hostile.to_owned(),
            summary: hostile.to_owned(),
            sections: vec![section, empty],
        }
    }

    #[test]
    fn every_template_renders_and_nothing_from_outside_is_markup() {
        let text = render(&full()).unwrap();
        assert_eq!(text, render(&full()).unwrap(), "the same page twice");
        assert!(!text.contains("<script"), "{text}");
        // Title twice, summary, contents, section, paragraph, list, caption, two labels of it, head, name, cell, figure,
        // axis, text, legend, data, terminal twice.
        assert!(text.matches("&lt;script&gt;").count() >= 15, "{text}");
    }

    #[test]
    fn only_the_style_and_drawings_are_not_escaped() {
        for (name, text) in TEMPLATES {
            let raw: Vec<&str> = text
                .match_indices("| unescaped")
                .map(|(at, _)| text[..at].rsplit('{').next().unwrap().trim())
                .collect();
            assert!(raw.iter().all(|value| ["style", "svg"].contains(value)), "{name}: {raw:?}");
            assert!(!text.trim_end().ends_with('\\'), "{name}");
        }
    }
}
