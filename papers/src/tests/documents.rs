//! The tables of sentences in the suite's book are made from the data files.

use crate::{Paper, fact::Facts, kept, of_paper, sentence};

/// After this line, a page of the book is the table.
const MARK: &str = "<!-- sentences -->\n";

const PAGES: [(Paper, &str); 5] = [
    (Paper::Vov, "value-of-variance"),
    (Paper::Pc, "performance-complexity"),
    (Paper::Imsuite, "imsuite"),
    (Paper::Mpp, "parallel-performance"),
    (Paper::Dbpp, "parallel-programs"),
];

/// The facts of the records that are kept for a paper; those of no record if there are none.
fn kept_facts(paper: Paper) -> Facts {
    let name = paper.described().0;
    let folder = plusminus_tests::workspace().join("papers/records");
    if !folder.join(name).exists() {
        return Facts::default();
    }
    let unpacked = plusminus_tests::study_support::folder(&format!("papers_kept_{name}"));
    let paths = kept::records(&[folder], name, &unpacked).unwrap();
    let records: Vec<_> = paths.iter().map(|path| plusminus::record::read(path).unwrap()).collect();
    let studied = cargo_plusminus::pages::study(&paths).unwrap();
    of_paper(paper, &studied.document, &records).0
}

/// The sentences with their outcomes on the kept records.
fn table(paper: Paper) -> String {
    let read = sentence::Paper::read(paper.sentences()).unwrap();
    let judged = read.judged(&kept_facts(paper));
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
        table += &format!("| {} | {outcome} |\n", cells.join(" | "));
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
