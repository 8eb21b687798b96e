//! `cargo plusminus history`: many commits added, shown and checked, through its files alone.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use plusminus::record::{self, AnyRecord, ComparisonRecord, ProbeRecord, Record, Role};
use plusminus_tests::pages_support::{hostile, in_words, published};
use plusminus_tests::study_support::{Case, folder, plusminus, record_of};
use plusminus_tests::{Fixture, Outcome};

/// A hash that no repository has.
fn commit(index: usize) -> String {
    format!("{index:08x}{}", "ab".repeat(16))
}

/// Makes the record of a commit on a day: a benchmark that takes `us` microseconds, and one that never changes.
fn measured(index: usize, us: f64) -> Record {
    // The differences between sessions, which are not noise of a machine but of this table.
    let noise = [0.004, -0.007, 0.001, 0.009, -0.003, -0.006, 0.005, 0.002, -0.008, 0.003];
    let factor = 1.0 + noise[index % 10];
    let case = |function: &'static str, us: f64| Case {
        function,
        role: Role::Contender,
        point: "n10".to_owned(),
        size: Some(10.0),
        processors: 1,
        edges: None,
        times_ns: [0.99, 1.0, 1.01, 1.003, 0.997].map(|f| f * us * factor * 1e3).to_vec(),
    };
    let mut record = record_of(&[], vec![case("sort::stable", us), case("sort::other", 700.0)]);
    record.manifest.commit = Some(commit(index));
    record.manifest.dirty = Some(false);
    record.manifest.started = format!("2026-02-{:02}T10:00:00Z", index + 1);
    record.manifest.probes =
        vec![ProbeRecord { name: "add".to_owned(), ns: vec![100.0 + factor; 5] }];
    record
}

/// Makes a history of this number of commits. The number of the commit decides the times.
fn history(test: &str, commits: usize, us: impl Fn(usize) -> f64) -> PathBuf {
    let folder = folder(test);
    let names: Vec<String> = (0..commits).map(|index| format!("{index}.json")).collect();
    for (index, name) in names.iter().enumerate() {
        record::write(&measured(index, us(index)), &folder.join(name)).unwrap();
    }
    let records = names.iter().map(String::as_str);
    let arguments: Vec<&str> = ["history", "add"].into_iter().chain(records).collect();
    plusminus(&folder, &arguments).exits(0).says("added: plusminus-history/");
    folder
}

/// All files of a history.
fn files(folder: &Path) -> Vec<PathBuf> {
    let machines = fs::read_dir(folder.join("plusminus-history")).unwrap().flatten();
    let mut files: Vec<PathBuf> = machines
        .flat_map(|machine| fs::read_dir(machine.path()).unwrap().flatten())
        .map(|file| file.path())
        .collect();
    files.sort();
    files
}

/// A history of records of two bench targets whose benchmarks have the same names: one becomes slower, and one does not.
fn two_targets(test: &str) -> PathBuf {
    let folder = folder(test);
    let mut arguments = vec!["history".to_owned(), "add".to_owned()];
    for index in 0..14 {
        for (bench, us) in [("small", if index < 7 { 300.0 } else { 390.0 }), ("large", 600.0)] {
            let mut record = measured(index, us);
            // The first records are of a version that did not keep the package.
            record.manifest.package = (index > 2).then(|| "kernels".to_owned());
            record.manifest.bench = bench.to_owned();
            let name = format!("{bench}-{index}.json");
            record::write(&record, &folder.join(&name)).unwrap();
            arguments.push(name);
        }
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    plusminus(&folder, &arguments).exits(0);
    folder
}

#[test]
fn benchmarks_of_one_name_in_two_targets_are_two_series() {
    let folder = two_targets("history_targets");
    plusminus(&folder, &["history", "check"])
        .exits(1)
        .says("small: sort::stable::n10@1: slower from 0000000")
        .says("4 benchmarks: 1 proven to have become slower");
    let shown = plusminus(&folder, &["history", "show", "large: sort::stable"]);
    shown.exits(0).says("sort::stable::n10@1");
    assert!(!shown.stdout.contains("slower"), "{}", shown.stdout);
}

#[test]
fn the_default_folder_takes_record_after_record() {
    let folder = folder("history_twice");
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(&folder).args(["-c", "user.name=a", "-c", "user.email=a@b.invalid"]);
        Outcome::of(&command.args(arguments).output().unwrap()).exits(0);
    };
    git(&["init", "--quiet"]);
    fs::write(folder.join(".gitignore"), "target\n").unwrap();
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "first"]);
    let bench = Fixture::new("contract", "history_twice_bench").bench_binary("small");
    let measure = |output: &str| {
        let mut command = Command::new(&bench);
        command.current_dir(&folder).env("PLUSMINUS_OUTPUT", folder.join(output));
        command.args(["--bench", "--quick", "--quiet", "--exact", "bare"]);
        let outcome = Outcome::of(&command.output().unwrap());
        outcome.exits(0);
        let records = fs::read_dir(folder.join(output)).unwrap().flatten();
        let mut folders: Vec<PathBuf> = records.map(|entry| entry.path()).collect();
        while let Some(path) = folders.pop() {
            if path.extension().is_some_and(|ending| ending == "json") {
                return path;
            }
            folders.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|e| e.path()));
        }
        panic!("no record: {}", outcome.both())
    };
    for output in ["target/one", "target/two"] {
        let record = measure(output);
        let add = plusminus(&folder, &["history", "add", record.to_str().unwrap()]);
        add.exits(0).says("added: plusminus-history/");
    }
    fs::write(folder.join("more.rs"), "").unwrap();
    let record = measure("target/three");
    let add = plusminus(&folder, &["history", "add", record.to_str().unwrap()]);
    add.exits(2).complains("changes that are in no commit");
}

#[test]
fn a_step_that_lasts_is_proven_and_fails_the_check() {
    let folder = history("history_step", 20, |index| if index < 12 { 300.0 } else { 360.0 });
    let check = |more: &[&str]| plusminus(&folder, &[&["history", "check"], more].concat());
    check(&[])
        .exits(1)
        .says("sort::stable::n10@1: slower from 0000000cab (2026-02-13) on: +20.")
        .says("by times of several sessions")
        .says("2 benchmarks: 1 proven to have become slower");
    // It is at the eighth commit from the end.
    check(&["--last", "7"]).exits(0).says("1 older steps do not count");
    check(&["--since", "0000000b"]).exits(1);
    check(&["--since", "0000000c"]).exits(0);
    check(&["--since", "nonsense"]).exits(2).complains("no commit `nonsense`");
    check(&["--margin", "40"]).exits(0).says("none is proven");
    check(&["--machine", "another"]).exits(2).complains("nothing of a machine `another`");
    let shown = plusminus(&folder, &["history", "show", "--html", "h.html", "--figures", "f"]);
    shown.exits(0).says("20 commits, 2026-02-01 to 2026-02-20").says("page: h.html");
    let page = fs::read_to_string(folder.join("h.html")).unwrap();
    assert_eq!(page.matches("data-points=\"20\"").count(), 2, "a point for each commit");
    assert!(page.contains("proven slower") && page.contains("Limitations"));
    insta::assert_snapshot!("the_page_of_a_history", in_words(&page));
    let again = plusminus(&folder, &["history", "show", "--html", "i.html"]);
    again.exits(0);
    assert!(page == fs::read_to_string(folder.join("i.html")).unwrap(), "the same bytes");
    assert_eq!(fs::read_dir(folder.join("f")).unwrap().count(), 4, "SVG and CSV of two");
    plusminus(&folder, &["history", "show", "other"]).exits(0).says("sort::other");
    plusminus(&folder, &["history", "show", "none such"]).exits(2).complains("none such");
}

#[test]
fn what_does_not_change_and_what_changes_back_in_a_sitting_is_no_step() {
    let folder = history("history_none", 20, |index| if index == 19 { 600.0 } else { 300.0 });
    plusminus(&folder, &["history", "check"]).exits(0).says("2 benchmarks: none is proven");
    // The same record again is no second file.
    let before = files(&folder);
    plusminus(&folder, &["history", "add", "3.json"]).exits(0).says("there already");
    assert_eq!(files(&folder), before);
}

#[test]
fn a_machine_that_changed_is_not_the_code() {
    // The probes are as much slower as the benchmark.
    let folder = folder("history_machine");
    for index in 0..20 {
        let slow = if index < 12 { 1.0 } else { 1.2 };
        let mut record = measured(index, 300.0 * slow);
        record.manifest.probes[0].ns.iter_mut().for_each(|ns| *ns *= slow);
        record::write(&record, &folder.join("r.json")).unwrap();
        plusminus(&folder, &["history", "add", "r.json"]).exits(0);
    }
    plusminus(&folder, &["history", "check"]).exits(0);
    plusminus(&folder, &["history", "show"]).exits(0).says("it may be the machine");
    // Another label is another series.
    for index in 20..24 {
        record::write(&measured(index, 900.0), &folder.join("r.json")).unwrap();
        plusminus(&folder, &["history", "add", "r.json", "--machine", "new"]).exits(0);
    }
    plusminus(&folder, &["history", "check"]).exits(0).says("4 benchmarks: none is proven");
}

/// The published comparison, of these two commits; its `sort::quick::n1000` takes longer where `slower`.
fn comparison(base: usize, new: usize, slower: bool) -> ComparisonRecord {
    let AnyRecord::Comparison(mut record) = published("comparison-1.json") else { unreachable!() };
    for (side, index) in [(&mut record.base, base), (&mut record.new, new)] {
        side.manifest.commit = Some(commit(index));
        side.manifest.dirty = Some(false);
        side.manifest.started = format!("2026-02-{:02}T1{}:00:00Z", new + 1, index % 2);
    }
    for block in record.cases.iter_mut().flat_map(|case| &mut case.blocks) {
        let factor = if slower { 2 } else { 1 };
        block.new.wall_ns = block.base.wall_ns.iter().map(|ns| ns * factor).collect();
        block.new.cpu_ns = block.new.wall_ns.clone();
        block.base.cpu_ns = block.base.wall_ns.clone();
        block.new.calls = block.base.calls;
    }
    *record
}

#[test]
fn a_comparison_of_neighbours_counts_more_than_times() {
    let folder = folder("history_pairs");
    let add = |record: &ComparisonRecord| {
        record::write_comparison(record, &folder.join("c.json")).unwrap();
        plusminus(&folder, &["history", "add", "c.json"])
    };
    add(&comparison(0, 1, false)).exits(0).says("added");
    plusminus(&folder, &["history", "check"]).exits(0);
    add(&comparison(1, 2, true)).exits(0);
    plusminus(&folder, &["history", "check"])
        .exits(1)
        .says("slower from 00000002ab (2026-02-03) on: +100")
        .says("by a comparison");
    // A comparison over several commits has no time of each.
    add(&comparison(0, 2, true)).exits(0);
    plusminus(&folder, &["history", "show"]).exits(0).says("other commits lie between");
    plusminus(&folder, &["history", "add", "c.json", "--commit", "x"])
        .exits(2)
        .complains("two commits of its own");
}

#[test]
fn commits_are_in_the_order_of_git_whenever_they_were_measured() {
    let folder = folder("history_git");
    let git = |arguments: &[&str], second: usize| -> String {
        let time = format!("2026-01-01T00:00:{second:02}Z");
        let output = Command::new("git")
            .current_dir(&folder)
            .args(["-c", "user.name=a", "-c", "user.email=a@example.invalid"])
            .args(arguments)
            .env("GIT_COMMITTER_DATE", &time)
            .env("GIT_AUTHOR_DATE", &time)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    git(&["init", "--quiet"], 0);
    let commits: Vec<String> = (0..3)
        .map(|index| {
            // Two of them in the same second.
            git(&["commit", "--quiet", "--allow-empty", "-m", "c"], index / 2);
            git(&["rev-parse", "HEAD"], 0)
        })
        .collect();
    for (day, index) in [(0, 2), (1, 0), (2, 1)] {
        let mut record = measured(day, 300.0);
        record.manifest.commit = Some(commits[index].clone());
        record::write(&record, &folder.join("r.json")).unwrap();
        plusminus(&folder, &["history", "add", "r.json"]).exits(0);
    }
    plusminus(&folder, &["history", "show", "stable", "--figures", "f"]).exits(0);
    plusminus(&folder, &["history", "show", "--html", "h.html"]).exits(0);
    let page = fs::read_to_string(folder.join("h.html")).unwrap();
    let places: Vec<usize> =
        commits.iter().map(|hash| page.find(&format!(">{}</text>", &hash[..7])).unwrap()).collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn mistakes_are_named_and_nothing_is_half_added() {
    let folder = folder("history_mistakes");
    plusminus(&folder, &["history", "show"]).exits(2).complains("there is no history in");
    record::write(&measured(0, 300.0), &folder.join("good.json")).unwrap();
    let mut dirty = measured(1, 300.0);
    dirty.manifest.dirty = Some(true);
    record::write(&dirty, &folder.join("dirty.json")).unwrap();
    let mut unknown = measured(2, 300.0);
    unknown.manifest.commit = None;
    record::write(&unknown, &folder.join("unknown.json")).unwrap();
    let add = |names: &[&str]| plusminus(&folder, &[&["history", "add"], names].concat());
    add(&["good.json", "dirty.json"]).exits(2).complains("dirty.json").complains("--allow-dirty");
    assert!(!folder.join("plusminus-history").exists(), "all or none");
    add(&["unknown.json"]).exits(2).complains("give it with --commit");
    add(&["unknown.json", "--commit", "v1.0"]).exits(0).says("of v1.0");
    add(&["dirty.json", "--allow-dirty"]).exits(0);
    // Foreign files in the folder, and damaged ones.
    let file = files(&folder).remove(0);
    fs::write(file.with_file_name(".half.json"), "{").unwrap();
    fs::write(folder.join("plusminus-history/README.md"), "ours").unwrap();
    plusminus(&folder, &["history", "show"]).exits(0).says("2 commits");
    let whole = fs::read_to_string(&file).unwrap();
    for (damaged, said) in [
        (whole[..whole.len() / 2].to_owned(), "is no entry of a history"),
        (whole.replace("\"schema\": 1", "\"schema\": 9"), "has schema 9"),
        (whole.replace("plusminus-history", "else"), "does not say that it is one"),
        (whole.replacen("\"ns\": ", "\"ns\": -", 1), "one of its times is impossible"),
    ] {
        fs::write(&file, damaged).unwrap();
        let shown = plusminus(&folder, &["history", "check"]);
        shown.exits(2).complains(said).complains(file.file_name().unwrap().to_str().unwrap());
    }
}

#[test]
fn hostile_names_stay_words() {
    let folder = folder("history_hostile");
    let mut record = hostile();
    record.manifest.commit = Some("../../<script>alert(1)</script>\u{1b}[2J".to_owned());
    record.manifest.dirty = Some(false);
    record.manifest.started = "../../../x".to_owned();
    record::write(&record, &folder.join("r.json")).unwrap();
    let label = "../../<b>\u{202e}";
    plusminus(&folder, &["history", "add", "r.json", "--machine", label]).exits(0);
    assert_eq!(files(&folder).len(), 1, "within the folder");
    let shown = plusminus(&folder, &["history", "show", "--html", "h.html"]);
    shown.exits(0);
    assert!(!shown.both().contains('\u{1b}') && !shown.both().contains('\u{202e}'));
    let page = fs::read_to_string(folder.join("h.html")).unwrap();
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("<b>"));
}
