//! Documents that are made from the source, and the blocks that documents share.

use plusminus::report;
use plusminus_tests::{program, workspace};

fn read(name: &str) -> String {
    std::fs::read_to_string(workspace().join(name)).unwrap()
}

/// Returns whether pages are written instead of compared.
fn updates() -> bool {
    std::env::var_os("UPDATE_DOCUMENTS").is_some()
}

const HOW: &str = "is made by `UPDATE_DOCUMENTS=1 cargo test -p plusminus-tests --all-features --test all documents`";

/// Writes a generated page, or compares it with the kept one.
fn made(name: &str, text: &str) {
    let path = workspace().join(name);
    if updates() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    assert!(std::fs::read_to_string(&path).is_ok_and(|kept| kept == text), "{name} {HOW}");
}

/// Returns the output of the subcommand in a terminal of this width.
fn printed(arguments: &[&str], columns: u32) -> String {
    let output = std::process::Command::new(program())
        .arg("plusminus")
        .args(arguments)
        .current_dir(workspace())
        .env_remove("PLUSMINUS_VERBOSE")
        .env("COLUMNS", columns.to_string())
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    // A comparison that found a slowdown ends with 1.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {error}");
    let text = String::from_utf8(output.stdout).unwrap();
    // A measurement ends with a command of its own for the details, and `cargo bench -v` means something else.
    let lines = text.lines().map(str::trim_end).filter(|line| *line != "Details: add -v");
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_glossary_is_what_explain_prints() {
    made("docs/reference/glossary.md", &report::glossary());
}

/// Returns the commands in a help text: lines with two spaces, one word, and a sentence.
fn commands(help: &str) -> Vec<String> {
    let name = |line: &str| {
        let (name, rest) = line.strip_prefix("  ")?.split_once(' ')?;
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase()) && rest.starts_with(' ');
        (is_name && name != "cargo" && name != "help").then(|| name.to_owned())
    };
    help.lines().take_while(|line| *line != "Examples:").filter_map(name).collect()
}

#[test]
fn the_reference_is_what_help_prints() {
    let all = printed(&["--help"], 100);
    let names = commands(&all);
    assert!(names.len() >= 10, "{names:?}");
    let index = format!(
        "# Commands\n\nThe pages below are the output of `--help`.\n\n- [A bench binary](bench-binary.md): `cargo bench -- OPTION`\n{}\n```help\n{all}```\n",
        names.iter().map(|name| format!("- [{name}]({name}.md)\n")).collect::<String>(),
    );
    made("docs/reference/cli/index.md", &index);
    let help: String =
        plusminus::help().lines().map(|line| format!("{}\n", line.trim_end())).collect();
    let binary =
        format!("# A bench binary\n\n`cargo bench -- --help all`:\n\n```help\n{help}```\n");
    made("docs/reference/cli/bench-binary.md", &binary);
    for name in names {
        let help = printed(&[&name, "-h"], 120);
        let mut text = format!("# cargo plusminus {name}\n\n```help\n{help}```\n");
        for inner in commands(&help) {
            let help = printed(&[&name, &inner, "-h"], 120);
            text += &format!("\n## {name} {inner}\n\n```help\n{help}```\n");
        }
        made(&format!("docs/reference/cli/{name}.md"), &text);
    }
}

#[test]
fn the_page_on_attributes_is_that_of_the_macros() {
    let source = read("macros/src/lib.rs");
    let documented = |title: &str| {
        let before = source.split(title).next().unwrap();
        let block = before.rsplit("\n\n").next().unwrap();
        let lines = block.lines().filter_map(|line| line.strip_prefix("///"));
        let text: String =
            lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect();
        text.replace("[`macro@bench_group`]", "`bench_group`").replace("[`macro@bench`]", "`bench`")
    };
    let bench = documented("pub fn bench(");
    let group = documented("pub fn bench_group(");
    assert!(bench.contains("| `args = ") && group.contains("module"), "{bench}{group}");
    made(
        "docs/reference/attributes.md",
        &format!(
            "# Attributes\n\n## `#[bench]`\n\n{bench}\n## `#[bench_group]`\n\n{}\n",
            group.trim_end()
        ),
    );
}

/// Returns the Markdown files below a folder, by their path from the root.
fn pages(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(workspace().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{folder}/{}", entry.file_name().into_string().unwrap());
        if entry.path().is_dir() {
            found.extend(pages(&name));
        } else if name.ends_with(".md") {
            found.push(name);
        }
    }
    found
}

/// Begins the line above a block of text, with the command that prints the block.
const OUTPUT: &str = "<!-- output: cargo plusminus ";

#[test]
fn blocks_of_output_are_what_is_printed() {
    let mut blocks = 0;
    for name in pages("docs").into_iter().chain(["README.md".to_owned()]) {
        let page = read(&name);
        let mut parts = page.split(OUTPUT);
        let mut text = parts.next().unwrap().to_owned();
        for part in parts {
            let (command, rest) = part.split_once(" -->\n\n```text\n").unwrap();
            let after =
                rest.strip_prefix("```\n").or_else(|| Some(rest.split_once("\n```\n")?.1)).unwrap();
            let arguments: Vec<&str> = command.split_whitespace().collect();
            text += &format!(
                "{OUTPUT}{command} -->\n\n```text\n{}```\n{after}",
                printed(&arguments, 80)
            );
            blocks += 1;
        }
        made(&name, &text);
    }
    assert!(blocks >= 6, "{blocks}");
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

/// The books: the folder of pages, and the file that describes it.
const BOOKS: [(&str, &str, &str); 2] =
    [("docs", "book.toml", "src = \"docs\""), ("suite/book", "suite/book.toml", "src = \"book\"")];

#[test]
fn the_books_have_every_page_once() {
    for (folder, description, source) in BOOKS {
        let summary = format!("{folder}/SUMMARY.md");
        let mut listed: Vec<String> =
            links(&read(&summary)).iter().map(|name| format!("{folder}/{name}")).collect();
        let mut kept = pages(folder);
        kept.retain(|name| *name != summary);
        kept.sort();
        listed.sort();
        assert_eq!(listed, kept);
        assert!(read(description).contains(source));
    }
}

#[test]
fn links_lead_somewhere() {
    let mut checked = 0;
    let books = BOOKS.iter().flat_map(|(folder, ..)| pages(folder));
    let others =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md"].map(str::to_owned);
    for page in books.chain(others) {
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
    let readme = read("README.md");
    let tutorial = read("docs/tutorial/first-benchmark.md");
    let mut blocks = 0;
    for language in ["```toml\n", "```rust\n"] {
        for block in readme.split(language).skip(1) {
            let content = block.split("```").next().unwrap();
            assert!(tutorial.contains(content), "the tutorial has no\n{content}");
            blocks += 1;
        }
    }
    assert_eq!(blocks, 2, "Cargo.toml and a bench");
}

/// Returns the figures in the tables of a page: `N of M`, and seconds.
fn figures(page: &str) -> Vec<String> {
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let mut found = Vec::new();
    for cell in page.lines().filter(|line| line.starts_with('|')).flat_map(|line| line.split('|')) {
        let cell = cell.replace(['*', '(', ')', ','], " ");
        let words: Vec<&str> = cell.split_whitespace().collect();
        for three in words.windows(3) {
            if is_number(three[0]) && three[1] == "of" && is_number(three[2]) {
                found.push(three.join(" "));
            }
        }
        if let [number, "s"] = words[..]
            && is_number(number)
        {
            found.push(format!("{number} s"));
        }
    }
    found
}

#[test]
fn figures_of_the_readme_are_on_the_pages_of_evidence() {
    let evidence = read("docs/evidence/index.md");
    let figures = figures(&read("README.md"));
    assert!(figures.len() >= 8, "{figures:?}");
    for figure in figures {
        assert!(evidence.contains(&figure), "docs/evidence/index.md has no {figure}");
    }
}

/// Returns the rows of a table of the session with all harnesses: comparisons, slower, faster.
fn session_rows(session: &str, title: &str) -> Vec<[u32; 3]> {
    let table = session.split(&format!("## {title}\n")).nth(1).unwrap();
    let table = table.split("\n## ").next().unwrap();
    let cells = |line: &str| line.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
    let rows =
        table.lines().map(cells).filter_map(|cells: Vec<u32>| cells[..].first_chunk().copied());
    rows.collect()
}

#[test]
fn the_readme_has_the_counts_of_the_session_with_all_harnesses() {
    let (readme, session) = (read("README.md"), read("docs/evidence/session.md"));
    let copies = session_rows(&session, "The same program");
    let slower = session_rows(&session, "A chain with 3 % more steps");
    assert_eq!((copies.len(), slower.len()), (5, 4));
    for [all, slower, faster] in copies {
        let alarms = format!("{} of {all}", slower + faster);
        assert!(readme.contains(&alarms), "the README has no {alarms}");
    }
    for [all, found, _] in slower {
        assert!(
            readme.contains(&format!("{found} of {all}")),
            "the README has no {found} of {all}"
        );
    }
}

#[test]
fn every_page_with_rust_in_it_is_compiled() {
    let compiled = read("tests/src/lib.rs");
    for page in BOOKS.iter().flat_map(|(folder, ..)| pages(folder)) {
        let has_rust = read(&page).contains("\n```rust\n");
        assert!(
            !has_rust || compiled.contains(&format!("/{page}\")")),
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

#[test]
fn the_action_leaves_the_summary_of_the_job_to_compare() {
    assert!(!read(".github/actions/compare/action.yml").contains("GITHUB_STEP_SUMMARY"));
    assert!(read("cargo-plusminus/src/report/github.rs").contains("GITHUB_STEP_SUMMARY"));
}

#[test]
fn documents_keep_to_their_lengths() {
    let lines = |name: &str| read(name).lines().count();
    assert!(lines("README.md") <= 150);
    // The pages of commands are what `--help` prints.
    let others = ["docs/contributing", "docs/evidence", "docs/SUMMARY.md", "docs/reference/cli"];
    let is_for_users = |name: &&String| !others.iter().any(|other| name.starts_with(other));
    let book: usize = pages("docs").iter().filter(is_for_users).map(|name| lines(name)).sum();
    assert!(book <= 2_200, "the book for users has {book} lines");
    for page in pages("docs/how-to") {
        assert!(lines(&page) <= 80, "{page} has {} lines", lines(&page));
    }
    let glossary = read("docs/reference/glossary.md");
    let entries = glossary.lines().filter(|line| line.starts_with("**")).count();
    assert!((30..=40).contains(&entries), "the glossary has {entries} entries");
}
