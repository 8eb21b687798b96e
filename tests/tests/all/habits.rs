//! The habits of language that a pattern can find, over documents and sources. `texts` and `sources` list the files.

mod sources;

use std::{
    fs,
    path::{Path, PathBuf},
};

use plusminus_tests::workspace;
use sources::{Kind, of_rust};

/// Phrases to avoid, in lower case, and the replacement. A phrase matches whole words.
const HABITS: [(&str, &str); 85] = [
    ("beside", "next to, while, with"),
    ("says so", "prints, reports"),
    ("say so", "print, report"),
    ("says how", "prints, reports"),
    ("says by", "prints, reports"),
    ("says that", "reports that"),
    ("says which", "prints, lists"),
    ("says what", "describes"),
    ("says why", "(the reason)"),
    ("says where", "(the place)"),
    ("says otherwise", "overrides, sets"),
    ("tells whether", "returns, shows"),
    ("tells which", "returns, shows"),
    ("tells how", "returns, shows"),
    ("tells apart", "separates"),
    ("told apart", "differ"),
    ("unless told", "by default"),
    ("answers with", "returns"),
    ("answers how", "returns"),
    ("one's own", "your own"),
    ("says nothing", "does not cover"),
    ("sitting", "session"),
    ("sittings", "sessions"),
    ("per cent", "percent, or % after a number"),
    ("luck", "placement, chance"),
    ("lucky", "small"),
    ("restless", "noisy"),
    ("honest", "(nothing)"),
    ("seam", "interface"),
    ("the walk of", "life of"),
    ("glance", "quick mode"),
    ("glances", "quick mode"),
    ("so many", "(the number)"),
    ("as many as there are", "(the number)"),
    ("whoever", "(name the reader)"),
    ("somebody", "(name the reader)"),
    ("those that", "(name them)"),
    ("is no failure", "is not an error"),
    ("is no fault", "is not an error"),
    ("is no error", "is not an error"),
    ("counts as none", "is ignored"),
    ("count as none", "are ignored"),
    ("counts before", "overrides"),
    ("counts more than", "overrides"),
    ("the same of", "(name it)"),
    ("is said", "prints, reports"),
    ("this is said", "the report prints"),
    ("is told", "prints, reports"),
    ("is refused", "rejects"),
    ("are refused", "rejects"),
    ("left alone", "ignored"),
    ("is named", "is listed"),
    ("are named", "are listed"),
    ("left out", "skipped"),
    ("a line a", "one line per"),
    ("one line a", "one line per"),
    ("a line each", "one line per"),
    ("takes the place of", "replaces"),
    ("in the place of", "instead of"),
    ("in place of", "instead of"),
    ("which was the rule before", "(changelog)"),
    ("an earlier version", "(changelog)"),
    ("used to be", "(changelog)"),
    ("undecided", "inconclusive"),
    ("unsettled", "no steady state"),
    ("as well as", "and"),
    ("colour", "color"),
    ("colours", "colors"),
    ("behaviour", "behavior"),
    ("neighbour", "neighbor"),
    ("neighbours", "neighbors"),
    ("neighbouring", "neighboring"),
    ("centre", "center"),
    ("grey", "gray"),
    ("licence", "license"),
    ("optimise", "optimize"),
    ("optimised", "optimized"),
    ("optimisation", "optimization"),
    ("recognise", "recognize"),
    ("recognised", "recognized"),
    ("analyse", "analyze"),
    ("minimise", "minimize"),
    ("minimises", "minimizes"),
    ("randomised", "randomized"),
    ("labelled", "labeled"),
];

/// Ends of a sentence that only sound like an afterthought.
const ENDS: [&str; 4] = [", too.", ", too:", ", too;", ", too)"];

/// A text to check: its place, its prose, and the largest number of words in a sentence.
struct Text {
    place: String,
    prose: String,
    words: usize,
}

/// Collects the files below a folder whose names have this ending.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|has| has == ending) {
            found.push(path);
        }
    }
}

/// Returns the texts to check.
fn texts() -> Vec<Text> {
    let root = workspace();
    let mut pages = Vec::new();
    files(&root.join("docs"), "md", &mut pages);
    files(&root.join("suite/book"), "md", &mut pages);
    files(&root.join("examples"), "md", &mut pages);
    // The programs print these, or their sources contain them.
    let is_made = |path: &PathBuf| {
        path.starts_with(root.join("docs/reference/cli"))
            || path.ends_with("docs/reference/glossary.md")
            || path.ends_with("docs/reference/attributes.md")
            // The tables of this page list modules in words of their own.
            || path.ends_with("docs/contributing/architecture.md")
    };
    pages.retain(|path| !is_made(path));
    for name in ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"] {
        pages.push(root.join(name));
    }
    for name in [
        "analysis",
        "cargo-plusminus",
        "cargo-plusminus/kernels",
        "compat/criterion",
        "compat/divan",
        "compat/shared",
        "harness",
        "macros",
        "suite",
        "suite/generate",
        "tests/imports",
    ] {
        pages.push(root.join(name).join("README.md"));
    }
    pages.sort();
    let text = |path: PathBuf| {
        let prose = of_markdown(&fs::read_to_string(&path).unwrap());
        let words = if path.starts_with(root.join("suite/book")) { 35 } else { 25 };
        Text { place: path.strip_prefix(root).unwrap().display().to_string(), prose, words }
    };
    pages.into_iter().map(text).collect()
}

/// Returns the comments of all Rust sources, and the strings of those that are no tests.
fn sources() -> Vec<Text> {
    let root = workspace();
    let mut found = Vec::new();
    files(root, "rs", &mut found);
    found.sort();
    let mut texts = Vec::new();
    for path in found {
        let place = path.strip_prefix(root).unwrap();
        // The lists of this test contain what they forbid. Fixtures are programs of users.
        if place.starts_with("tests/tests/all/habits.rs") || place.starts_with("tests/fixtures") {
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let tests = source.find("#[cfg(test)]\nmod tests {").unwrap_or(source.len());
        let first_test = source[..tests].lines().count();
        let is_test =
            place.iter().any(|part| ["tests", "tests.rs"].iter().any(|test| part == *test));
        for prose in of_rust(&source) {
            let is_message = prose.kind == Kind::Message;
            if is_message && (is_test || prose.line > first_test) {
                continue;
            }
            texts.push(Text {
                place: format!("{}:{}", place.display(), prose.line),
                prose: of_markdown(&prose.text),
                words: if is_message { usize::MAX } else { 35 },
            });
        }
    }
    texts
}

/// Returns the prose of a page, without blocks, comments, code spans and targets of links. Lines stay lines.
fn of_markdown(page: &str) -> String {
    let mut prose = String::new();
    let mut fence = None;
    for line in page.lines() {
        let start = line.trim_start();
        let ticks = start.chars().take_while(|c| *c == '`').count();
        match fence {
            Some(open) if ticks >= open => fence = None,
            None if ticks >= 3 => fence = Some(ticks),
            None if !start.starts_with("<!--") && !start.starts_with("$$") => prose += line,
            _ => {}
        }
        prose.push('\n');
    }
    // A span of code stands for one word, also where it is broken into two lines.
    let mut text = String::new();
    for (index, part) in prose.split('`').enumerate() {
        if index % 2 == 0 {
            text += part;
        } else {
            text += "Code";
            text.extend(part.chars().filter(|c| *c == '\n'));
        }
    }
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push(']');
        plain += part.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain
}

/// Returns the units that hold sentences: paragraphs, items of lists, cells of tables, headings.
fn units(prose: &str) -> Vec<String> {
    let mut units = vec![String::new()];
    for line in prose.lines() {
        let line = line.trim().trim_start_matches("> ");
        let is_item = ["- ", "* "].iter().any(|mark| line.starts_with(mark))
            || line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        if line.starts_with('|') {
            units.extend(line.split('|').map(str::to_owned));
            units.push(String::new());
        } else if line.is_empty() || line.starts_with('#') {
            units.push(line.trim_start_matches('#').to_owned());
            units.push(String::new());
        } else if is_item {
            units.push(line.to_owned());
        } else {
            let last = units.last_mut().unwrap();
            last.push(' ');
            *last += line;
        }
    }
    units.retain(|unit| !unit.trim().is_empty());
    units
}

/// Splits a unit into sentences.
fn sentences(unit: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    let words: Vec<&str> = unit.split_whitespace().collect();
    for (index, word) in words.iter().enumerate() {
        let last = sentences.last_mut().unwrap();
        last.push_str(word);
        last.push(' ');
        let bare = word.trim_end_matches(['*', ')', '"', ']', '_']);
        let abbreviation =
            ["e.g.", "i.e.", "al.", "Fig.", "Figs.", "vs.", "no.", "Eq."].contains(&bare);
        let capital = |word: &&str| {
            word.trim_start_matches(['*', '(', '"', '[', '_'])
                .starts_with(|c: char| c.is_uppercase())
        };
        let next = words.get(index + 1).is_none_or(capital);
        if bare.ends_with(['.', '?', '!']) && !abbreviation && next {
            sentences.push(String::new());
        }
    }
    sentences.retain(|sentence| !sentence.trim().is_empty());
    sentences
}

/// Counts the words of a sentence that hold a letter. A list of code has none.
fn length(sentence: &str) -> usize {
    let words = sentence.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic));
    let (code, words): (Vec<&str>, Vec<&str>) = words.partition(|word| word.contains("Code"));
    if code.len() > words.len() { 0 } else { code.len() + words.len() }
}

/// Returns whether a text in lower case has a phrase as whole words.
fn has(text: &str, phrase: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(at, _)| {
        !inside(text[..at].chars().next_back()) && !inside(text[at + phrase.len()..].chars().next())
    })
}

/// Lists the faults of a text.
fn faults(text: &Text) -> Vec<String> {
    let mut faults = Vec::new();
    for unit in units(&text.prose) {
        let lower = unit.to_lowercase();
        for (habit, instead) in HABITS {
            if has(&lower, habit) {
                faults.push(format!("\"{habit}\" → {instead}: {}", unit.trim()));
            }
        }
        if ENDS.iter().any(|end| lower.contains(end)) || lower.trim_end().ends_with(", too") {
            faults.push(format!("\", too\" → also, and: {}", unit.trim()));
        }
        for sentence in sentences(&unit) {
            let words = length(&sentence);
            if words > text.words {
                faults.push(format!("{words} words, of {}: {sentence}", text.words));
            }
            let what = sentence.trim_start_matches(['-', '*', ' ', '_']);
            if what.starts_with("What ") && !what.trim_end().ends_with(['?', ':']) {
                faults.push(format!("\"What …\" as a noun: {sentence}"));
            }
        }
    }
    faults
}

/// Fails with all faults of some texts.
fn check(texts: &[Text]) {
    let mut found = Vec::new();
    for text in texts {
        found.extend(faults(text).into_iter().map(|fault| format!("{}: {fault}", text.place)));
    }
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
fn documents_keep_to_our_english() {
    let texts = texts();
    assert!(texts.len() > 40, "{}", texts.len());
    check(&texts);
    for text in &texts {
        let lines = text.prose.lines().filter(|line| !line.trim_start().starts_with('|'));
        let longest = lines.map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(longest <= 160, "{}: a line of {longest} characters", text.place);
    }
}

#[test]
fn sources_keep_to_our_english() {
    let texts = sources();
    assert!(texts.len() > 8_000, "{}", texts.len());
    check(&texts);
}

#[test]
fn habits_are_found_in_prose_alone() {
    let of = |page: &str| {
        let text = Text { place: String::new(), prose: of_markdown(page), words: 25 };
        faults(&text).len()
    };
    assert_eq!(of("It stands beside the time. It is red, too."), 2);
    assert_eq!(of("It `stands beside` it.\n\n```text\nbeside\n```\n\n[a](beside.md)"), 0);
    assert_eq!(of("What is kept are target folders.\n\n## What does it print?"), 1);
    assert_eq!(of(&"word ".repeat(26)), 1);
    assert_eq!(of(&format!("{}end.\n{}", "word ".repeat(20), "Word ".repeat(20))), 0);
    assert_eq!(of(&format!("| {} | {} |", "word ".repeat(20), "word ".repeat(20))), 0);
    assert_eq!(of("The insider sittingly sits."), 0);
}

#[test]
fn prose_of_sources_is_found() {
    let source = r##"//! One.
//! Two.
/// Three.
fn f<'a>(c: char) -> &'a str {
    let quote = '"'; // four
    // five
    // six
    print(r#"a "raw" text of words"#, '\'', "a {c:>3} \"text\" of \
        words");
    "too short"
}
"##;
    let found: Vec<_> = of_rust(source).into_iter().map(|p| (p.kind, p.line, p.text)).collect();
    let expected = [
        (Kind::Doc, 1, "One.\nTwo."),
        (Kind::Doc, 3, "Three."),
        (Kind::Comment, 5, "four"),
        (Kind::Comment, 6, "five\nsix"),
        (Kind::Message, 8, "a \"raw\" text of words"),
        (Kind::Message, 8, "a  \"text\" of words"),
    ];
    assert_eq!(found, expected.map(|(kind, line, text)| (kind, line, text.to_owned())));
}
