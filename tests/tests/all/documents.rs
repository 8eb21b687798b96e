//! Documents that are made from the source, and the blocks that documents share.

use plusminus::report;
use plusminus_tests::{program, workspace};

fn read(name: &str) -> String {
    std::fs::read_to_string(workspace().join(name)).unwrap()
}

#[test]
fn the_glossary_is_what_explain_prints() {
    let path = workspace().join("docs/glossary.md");
    if std::env::var_os("UPDATE_DOCUMENTS").is_some() {
        std::fs::write(&path, report::glossary()).unwrap();
    }
    let kept = read("docs/glossary.md");
    assert!(
        kept == report::glossary(),
        "docs/glossary.md is made by `UPDATE_DOCUMENTS=1 cargo test -p plusminus-tests --test all documents`"
    );
}

/// The options of all commands, as their parsers tell them.
fn reference() -> String {
    let mut text = String::from(
        "# Options\n\nMade from the parsers.\n\n## A bench binary\n\n`cargo bench -- --help all`:\n\n",
    );
    text.push_str(&format!("```text\n{}```\n", plusminus::help()));
    let told = |arguments: &[&str]| {
        let output = std::process::Command::new(program())
            .arg("plusminus")
            .args(arguments)
            .env("COLUMNS", "100")
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let all = told(&["--help"]);
    text.push_str(&format!("\n## cargo plusminus\n\n```text\n{}\n```\n", all.trim_end()));
    let commands = all.split_once("Usage:").unwrap().1.split_once("Options:").unwrap().0;
    let commands = commands.lines().filter(|line| line.starts_with("  "));
    for name in commands.filter_map(|line| line.split_whitespace().next()) {
        if name != "help" {
            let help = told(&[name, "--help"]);
            text.push_str(&format!(
                "\n## cargo plusminus {name}\n\n```text\n{}\n```\n",
                help.trim_end()
            ));
        }
    }
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn the_reference_is_what_help_prints() {
    let path = workspace().join("docs/reference.md");
    let made = reference();
    if std::env::var_os("UPDATE_DOCUMENTS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    assert!(
        read("docs/reference.md") == made,
        "docs/reference.md is made by `UPDATE_DOCUMENTS=1 cargo test -p plusminus-tests --test all documents`"
    );
}

#[test]
fn the_page_on_comparisons_shows_what_is_printed() {
    let output = std::process::Command::new(program())
        .args([
            "plusminus",
            "compare",
            "--fail-on",
            "never",
            "--from",
            "tests/records/comparison-1.json",
        ])
        .current_dir(workspace())
        .env_remove("PLUSMINUS_VERBOSE")
        .env("COLUMNS", "110")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let path = workspace().join("docs/compare.md");
    let page = read("docs/compare.md");
    let (before, rest) = page.split_once("```text\n").unwrap();
    let (block, after) = rest.split_once("```\n").unwrap();
    if std::env::var_os("UPDATE_DOCUMENTS").is_some() {
        std::fs::write(&path, format!("{before}```text\n{printed}```\n{after}")).unwrap();
    } else {
        assert_eq!(
            block, printed,
            "made by `UPDATE_DOCUMENTS=1 cargo test -p plusminus-tests --test all documents`"
        );
    }
}

/// The text of a page without its blocks of code.
fn prose(page: &str) -> String {
    page.split("```").step_by(2).collect()
}

/// Where the links of a page lead.
fn links(page: &str) -> Vec<String> {
    let after = |text: &str| text.split(')').next().unwrap_or("").to_owned();
    prose(page).split("](").skip(1).map(after).collect()
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(page: &str) -> Vec<String> {
    let prose = prose(page);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| -> String {
        let kept = line.trim_start_matches('#').trim().to_lowercase();
        kept.chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn the_book_has_every_page_once() {
    let summary = links(&read("docs/SUMMARY.md"));
    let mut pages: Vec<String> = std::fs::read_dir(workspace().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md") && name != "SUMMARY.md")
        .collect();
    pages.sort();
    let mut listed = summary.clone();
    listed.sort();
    assert_eq!(listed, pages);
    assert!(read("book.toml").contains("src = \"docs\""));
}

#[test]
fn links_lead_somewhere() {
    let mut checked = 0;
    let pages = links(&read("docs/SUMMARY.md")).into_iter().map(|name| format!("docs/{name}"));
    let others =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/SUMMARY.md", "examples/README.md"]
            .map(str::to_owned);
    for page in pages.chain(others) {
        let folder = workspace().join(&page).parent().unwrap().to_owned();
        for link in links(&read(&page)) {
            if link.starts_with("http") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let path = if file.is_empty() { workspace().join(&page) } else { folder.join(file) };
            assert!(path.exists(), "{page} links to {link}");
            if !anchor.is_empty() {
                let target = std::fs::read_to_string(&path).unwrap();
                assert!(anchors(&target).contains(&anchor.to_owned()), "{page} links to {link}");
            }
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn every_term_of_the_statistics_that_reports_print_is_in_the_glossary() {
    for word in
        ["RSU", "real S", "type B", "clean", "suspect cell", "margin", "α", "control", "block"]
    {
        assert!(report::explain(word).is_ok(), "{word}");
    }
    assert!(report::explain("no such word").is_err());
}

#[test]
fn first_steps_of_the_readme_are_those_of_the_tutorial() {
    let (readme, tutorial) = (read("README.md"), read("docs/tutorial.md"));
    let mut blocks = 0;
    for language in ["```toml\n", "```rust\n"] {
        for block in readme.split(language).skip(1) {
            let content = block.split("```").next().unwrap();
            assert!(tutorial.contains(content), "docs/tutorial.md has no\n{content}");
            blocks += 1;
        }
    }
    assert!(blocks >= 3, "{blocks}");
}

#[test]
fn every_page_with_rust_in_it_is_compiled() {
    let compiled = read("tests/src/lib.rs");
    for page in links(&read("docs/SUMMARY.md")) {
        let has_rust = read(&format!("docs/{page}")).contains("\n```rust\n");
        assert!(
            !has_rust || compiled.contains(&format!("docs/{page}\")")),
            "{page} in tests/src/lib.rs"
        );
    }
}

#[test]
fn nothing_names_a_host_of_a_registry() {
    let files = std::process::Command::new("git")
        .current_dir(workspace())
        .args(["ls-files", "-z"])
        .output()
        .unwrap();
    let hosts = [["crates", "io"].join("."), ["static.crates", "io"].join(".")];
    for name in String::from_utf8(files.stdout).unwrap().split('\0').filter(|name| !name.is_empty())
    {
        // Cargo writes where packages come from into lock files, in words of its own.
        if name.ends_with("Cargo.lock") {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(workspace().join(name)) else { continue };
        for host in &hosts {
            assert!(!text.contains(host.as_str()), "{name} names {host}");
        }
    }
}
