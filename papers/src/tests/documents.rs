//! The tables of sentences in the suite's book are made from the data files.

use crate::{Paper, sentence};

/// After this line, a page of the book is the table.
const MARK: &str = "<!-- sentences -->\n";

const PAGES: [(Paper, &str); 5] = [
    (Paper::Vov, "value-of-variance"),
    (Paper::Pc, "performance-complexity"),
    (Paper::Imsuite, "imsuite"),
    (Paper::Mpp, "parallel-performance"),
    (Paper::Dbpp, "parallel-programs"),
];

fn table(paper: Paper) -> String {
    let read = sentence::Paper::read(paper.sentences()).unwrap();
    let mut table =
        "\n| figure | the document | quantity | rows | condition |\n|---|---|---|---|---|\n"
            .to_owned();
    for one in &read.sentences {
        let cells = match &one.untestable {
            Some(why) => ["cannot be tested here".to_owned(), "–".to_owned(), why.clone()],
            None => [one.quantity.clone(), one.selected(), one.condition()],
        };
        table += &format!("| {} | {} | {} |\n", one.figure, one.says, cells.join(" | "));
    }
    table
}

#[test]
fn the_book_has_the_sentences_of_the_data_files() {
    let update = std::env::var_os("UPDATE_DOCUMENTS").is_some();
    for (paper, name) in PAGES {
        let path = plusminus_tests::workspace().join(format!("suite/book/papers/{name}.md"));
        let text = std::fs::read_to_string(&path).unwrap();
        let (before, _) = text.split_once(MARK).unwrap();
        let wanted = format!("{before}{MARK}{}", table(paper));
        if update {
            std::fs::write(&path, wanted).unwrap();
        } else {
            assert_eq!(text, wanted, "UPDATE_DOCUMENTS=1 cargo test -p plusminus-papers writes it");
        }
    }
}
