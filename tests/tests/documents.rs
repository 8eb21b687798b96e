//! Documents that are made from the source, and the blocks that documents share.

use plusminus::report;
use plusminus_tests::workspace;

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
        "docs/glossary.md is made by `UPDATE_DOCUMENTS=1 cargo test -p plusminus-tests --test documents`"
    );
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
