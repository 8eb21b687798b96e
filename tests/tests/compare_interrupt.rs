//! An interrupt in the middle leaves nothing behind: no worktree, no process.

mod compare_support;

use std::{process::Command, thread, time::Duration};

use compare_support::{Repository, processes_below, target};

/// Interrupts a comparison once `reached` holds, and answers its exit code.
fn interrupted(repository: &Repository, reached: impl Fn() -> bool) -> Option<i32> {
    let arguments =
        ["compare", "HEAD~1..HEAD", "--quiet", "--max-blocks", "100000", "--margin", "0.000001"];
    let mut comparison = repository.plusminus(&arguments).spawn().unwrap();
    while !reached() {
        assert!(comparison.try_wait().unwrap().is_none(), "it ended by itself");
        thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &comparison.id().to_string()]).status().unwrap();
    comparison.wait().unwrap().code()
}

#[test]
fn nothing_is_left_after_an_interrupt() {
    let repository = Repository::new("interrupted");
    repository.benches(&[("one", 100_000)]);
    repository.commit("first");
    // The code has to differ, or nothing would be measured.
    repository.benches(&[("one", 100_001)]);
    repository.commit("second");
    let trees = target().join("plusminus/compare/trees");
    let ours = |folder: &str| {
        std::fs::read_dir(trees.as_path()).is_ok_and(|mut all| {
            all.any(|tree| {
                let manifest = tree.unwrap().path().join("Cargo.toml");
                std::fs::read_to_string(manifest).is_ok_and(|text| text.contains(folder))
            })
        })
    };
    // While the first side is checked out or built.
    assert_eq!(interrupted(&repository, || ours("\"interrupted\"")), Some(130));
    repository.is_tidy();
    assert!(!ours("\"interrupted\""));
    // While it measures: workers run from copies that only a running comparison has.
    let measuring = || {
        let folder = target().join("plusminus/compare");
        ours("\"interrupted\"") && processes_below(&folder) > 0
    };
    assert_eq!(interrupted(&repository, measuring), Some(130));
    repository.is_tidy();
    assert!(!ours("\"interrupted\""));
    // The workers of this comparison are gone: they ran from its copies, which are gone as well.
    let mut left = 0;
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let running = std::fs::read_link(process.path().join("exe")).unwrap_or_default();
        let running = running.to_string_lossy().into_owned();
        let here = running.contains("fixtures/compare/plusminus/compare");
        left += usize::from(here && running.ends_with("(deleted)"));
    }
    assert_eq!(left, 0);
}
