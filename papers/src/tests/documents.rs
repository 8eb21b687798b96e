//! The tables of items and of sentences in the suite's book are made from the data files.

use std::{fmt::Write as _, path::Path};

use serde::Deserialize;

use super::kept::unpacked;
use crate::{Paper, fact::Facts, of_paper, sentence};
use cargo_plusminus::pages::{Section, Table};

/// After this line, a page of the book is the table.
const SENTENCES: &str = "<!-- sentences -->\n";
/// From this line to the next heading, a page is the table of items.
const ITEMS: &str = "<!-- items -->\n";
const NEXT: &str = "\n## Sentences";

/// A line of a chapter that begins like this names a table of the paper's page, which follows it.
const TABLE: &str = "<!-- table: ";
const CHAPTERS: [(Paper, &str); 3] =
    [(Paper::Vov, "sssp"), (Paper::Imsuite, "imsuite"), (Paper::Pc, "apex-map")];

const PAGES: [(Paper, &str, &str); 5] = [
    (Paper::Vov, "value-of-variance", include_str!("../../items/vov.toml")),
    (Paper::Pc, "performance-complexity", include_str!("../../items/pc.toml")),
    (Paper::Imsuite, "imsuite", include_str!("../../items/imsuite.toml")),
    (Paper::Mpp, "parallel-performance", include_str!("../../items/mpp.toml")),
    (Paper::Dbpp, "parallel-programs", include_str!("../../items/dbpp.toml")),
];

/// The items of a paper.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Items {
    item: Vec<Item>,
}

/// An equation, a figure, an experiment or a procedure of a paper.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    item: String,
    verdict: Verdict,
    #[serde(default)]
    command: String,
    #[serde(default)]
    result: String,
    #[serde(default)]
    document: String,
    /// Why it is not all of the item.
    #[serde(default)]
    reason: String,
    /// A test that fails if the item is not as the result says.
    test: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Faithful,
    Modeled,
    Partial,
    Absent,
}

impl Verdict {
    const ALL: [Self; 4] = [Self::Faithful, Self::Modeled, Self::Partial, Self::Absent];

    fn word(self) -> &'static str {
        match self {
            Self::Faithful => "faithful",
            Self::Modeled => "modeled",
            Self::Partial => "partial",
            Self::Absent => "absent",
        }
    }
}

impl Item {
    /// The result, and the reason why there is no more.
    fn explained(&self) -> String {
        let mut all: Vec<&str> = vec![&self.result, &self.reason];
        all.retain(|part| !part.is_empty());
        let tested = self.test.as_ref().map(|test| format!("Test `{test}`"));
        all.into_iter().map(str::to_owned).chain(tested).collect::<Vec<_>>().join(". ")
    }
}

fn items(data: &str) -> Vec<Item> {
    toml::from_str::<Items>(data).unwrap().item
}

/// All items of a paper.
fn items_table(data: &str) -> String {
    let mut table =
        "\n| item | verdict | command | result | the document |\n|---|---|---|---|---|\n"
            .to_owned();
    for one in items(data) {
        let (verdict, result) = (one.verdict.word(), one.explained());
        let cells = [&*one.item, verdict, &one.command, &result, &one.document];
        writeln!(table, "| {} |", cells.join(" | ")).unwrap();
    }
    table
}

/// Items of all papers by verdict, and each one that is not faithful.
fn conformance() -> String {
    let mut text =
        "\n| document | faithful | modeled | partial | absent |\n|---|---|---|---|---|\n"
            .to_owned();
    for (paper, page, data) in PAGES {
        let all = items(data);
        let count = |verdict| all.iter().filter(|one| one.verdict == verdict).count().to_string();
        let counts = Verdict::ALL.map(count).join(" | ");
        writeln!(text, "| [{}]({page}.md) | {counts} |", paper.described().1).unwrap();
    }
    for (paper, _, data) in PAGES {
        write!(
            text,
            "\n## {}\n\n| item | verdict | what stands for it, and why |\n|---|---|---|\n",
            paper.described().1
        )
        .unwrap();
        for one in items(data).iter().filter(|one| one.verdict != Verdict::Faithful) {
            let (item, verdict) = (&one.item, one.verdict.word());
            writeln!(text, "| {item} | {verdict} | {} |", one.explained()).unwrap();
        }
    }
    text
}

/// The facts of the records that are kept for a paper, and the sections of its page.
fn kept(paper: Paper) -> (Facts, Vec<Section>) {
    let (_, paths) = unpacked(paper, paper.described().0);
    let records: Vec<_> = paths.iter().map(|path| plusminus::record::read(path).unwrap()).collect();
    let studied = cargo_plusminus::pages::study(&paths).unwrap();
    of_paper(paper, &studied.document, &records)
}

/// A chapter with the tables that it names.
fn with_tables(text: &str, sections: &[Section]) -> String {
    let (before, parts) = text.split_once(TABLE).expect("a chapter names a table");
    let mut written = before.to_owned();
    for part in parts.split(TABLE) {
        let (caption, rest) = part.split_once(" -->\n").unwrap();
        let mut tables = sections.iter().flat_map(|section| &section.tables);
        let table = tables.find(|table| table.caption == caption);
        let table = table.unwrap_or_else(|| panic!("no table is called {caption}"));
        let old: usize = rest
            .split_inclusive('\n')
            .take_while(|line| line.trim().is_empty() || line.starts_with('|'))
            .map(str::len)
            .sum();
        write!(written, "{TABLE}{caption} -->\n\n{}\n{}", markdown(table), &rest[old..]).unwrap();
    }
    written
}

fn markdown(table: &Table) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    format!("{}|{}\n{rows}", line(&table.titles), "---|".repeat(table.titles.len()))
}

/// The sentences with their outcomes on the kept records.
fn sentences_table(paper: Paper, facts: &Facts) -> String {
    let read = sentence::Paper::read(paper.sentences()).unwrap();
    let judged = read.judged(facts);
    let mut table = format!(
        "\n{}.\n\n| figure | the document | quantity (rows) | condition | kept records | outcome |\n|---|---|---|---|---|---|\n",
        crate::beside::answer(&judged)
    );
    for one in &judged {
        let own = one.sentence;
        let quantity = match own.untestable {
            Some(_) => "–".to_owned(),
            None => format!("{} ({})", own.quantity, own.selected()),
        };
        let here = one.here.as_deref().unwrap_or("–");
        let cells = [&own.figure, &own.says, &quantity, &own.condition(), here];
        let outcome = format!("{}: {}", one.outcome.words().to_lowercase(), one.why);
        writeln!(table, "| {} | {outcome} |", cells.join(" | ")).unwrap();
    }
    table
}

/// Compares a page of the suite's book with the wanted one, or writes it.
pub(super) fn compare(page: &str, wanted: impl FnOnce(&str) -> String) {
    let path = plusminus_tests::workspace().join(format!("suite/book/{page}.md"));
    let text = std::fs::read_to_string(&path).unwrap();
    let wanted = wanted(&text);
    if std::env::var_os("UPDATE_DOCUMENTS").is_some() {
        std::fs::write(&path, wanted).unwrap();
    } else {
        assert_eq!(text, wanted, "UPDATE_DOCUMENTS=1 cargo test -p plusminus-papers writes it");
    }
}

#[test]
fn the_book_has_the_items_and_sentences_of_the_data_files() {
    for (paper, name, data) in PAGES {
        let (facts, sections) = kept(paper);
        for (_, chapter) in CHAPTERS.iter().filter(|(of, _)| *of == paper) {
            compare(chapter, |text| with_tables(text, &sections));
        }
        compare(&format!("papers/{name}"), |text| {
            let (before, rest) = text.split_once(ITEMS).unwrap();
            let (_, after) = rest.split_once(NEXT).unwrap();
            let (heading, _) = after.split_once(SENTENCES).unwrap();
            let (items, sentences) = (items_table(data), sentences_table(paper, &facts));
            format!("{before}{ITEMS}{items}{NEXT}{heading}{SENTENCES}{sentences}")
        });
    }
    compare("papers/conformance", |text| {
        let (before, _) = text.split_once(ITEMS).unwrap();
        format!("{before}{ITEMS}{}", conformance())
    });
}

/// Whether a source below a folder has a function of this name.
fn has_test(folder: &Path, name: &str) -> bool {
    let definition = format!("fn {name}()");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| match path.is_dir() {
        true => has_test(&path, name),
        false => {
            path.extension().is_some_and(|ending| ending == "rs")
                && std::fs::read_to_string(&path).is_ok_and(|text| text.contains(&definition))
        }
    })
}

#[test]
fn items_have_reasons_and_tests() {
    let folders = ["analysis", "cargo-plusminus/src", "papers/src", "suite/tests", "tests/tests"];
    let folders = folders.map(|folder| plusminus_tests::workspace().join(folder));
    for (_, page, data) in PAGES {
        for one in items(data) {
            let name = format!("{page}: {}", one.item);
            let whole = one.verdict == Verdict::Faithful || one.verdict == Verdict::Modeled;
            assert_eq!(whole, one.reason.is_empty(), "{name}: a reason is for what is not whole");
            assert_eq!(one.verdict == Verdict::Absent, one.command.is_empty() && !whole, "{name}");
            assert!(one.verdict != Verdict::Modeled || !one.result.is_empty(), "{name}");
            if let Some(test) = &one.test {
                assert!(
                    folders.iter().any(|folder| has_test(folder, test)),
                    "{name}: no test {test}"
                );
            }
        }
    }
}
