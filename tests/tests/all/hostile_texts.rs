//! Texts from users, kernels and git in every field of a record, through every output. The result is a table of
//! snapshots, field by output, so that nothing else in a report can change it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use plusminus::{
    record::{self, Record},
    report::{Style, View, bencher_lines, json_results, render},
    results::{BaselineComparison, compare_records},
};
use plusminus_tests::{Outcome, program, workspace};
use serde_json::{Value, json};

/// Texts that do harm if they are shown as they are. They clear a terminal, make links, turn the direction of
/// writing, begin a line that a build service takes for a command, and end cells, code and comments.
const KINDS: [(&str, &str); 8] = [
    ("ansi", "\u{1b}[2J\u{1b}[31m\u{9b}1m"),
    ("osc-8", "\u{1b}]8;;http://x.y\u{7}link\u{1b}]8;;\u{1b}\\"),
    ("bidirectional", "a\u{202e}b\u{2066}c\u{200f}d"),
    ("newline", "a\nb\r\nc\u{2028}d\u{85}e\tf"),
    ("command", "a\n::error::b\r::set-output name=x::y\n##[error]c"),
    ("markdown", "a|b`c*d_e[f](http://x.y)@all #1 GH-1 ~~g~~"),
    ("html", "a<b onclick=x()>c</td></table><!--d&amp;"),
    ("json", "a\"b\\c\u{0}d\u{feff}e"),
];

/// A folder of a test's own.
fn folder(test: &str) -> PathBuf {
    let folder = workspace().join("target/fixtures/outputs").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A text of this field, with marks by which it is found again: only letters, which nobody escapes.
fn marked(field: &str, harm: &str) -> String {
    format!("begin{field}{harm}end{field}")
}

fn stored(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("records").join(name);
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Puts a text into every field of a benchmark that has one.
fn poison_case(case: &mut Value, harm: &str) {
    let text = |field: &str| json!(marked(field, harm));
    let number = case["name"].as_str().unwrap().to_owned();
    case["name"] = json!(format!("{number}::{}", marked("benchmark", harm)));
    case["function"] = json!(format!("{number}::{}", marked("function", harm)));
    if !case["problem"].is_null() {
        case["problem"] = text("problem");
        case["point"] = text("point");
    }
    for (index, instance) in case["instances"].as_array_mut().unwrap().iter_mut().enumerate() {
        instance["name"] = json!(format!("{}{index}", marked("instance", harm)));
        instance["work"] = json!([[marked("unit", harm), 1000.0]]);
    }
    for failure in case["failures"].as_array_mut().unwrap() {
        let failure = cause_of(failure);
        failure["cause"] = json!({ "panicked": { "message": marked("panic", harm) } });
        failure["output"] = text("printed");
    }
}

/// Returns the cause of a failure, which a comparison keeps together with the side.
fn cause_of(failure: &mut Value) -> &mut Value {
    if failure["failure"].is_object() { &mut failure["failure"] } else { failure }
}

fn poison_manifest(manifest: &mut Value, harm: &str) {
    manifest["bench"] = json!(marked("program", harm));
    for field in ["commit", "rustc", "flags", "system", "cpu", "governor", "target"] {
        manifest[field] = json!(marked(field, harm));
    }
    manifest["other_run"] = json!(marked("otherrun", harm));
    manifest["clock_source"] = json!(marked("clocksource", harm));
    manifest["arguments"] = json!([marked("argument", harm)]);
}

/// A record of a measurement, all of it hostile.
fn measurement(harm: &str) -> Value {
    let mut record = stored("schema-1.json");
    poison_manifest(&mut record["manifest"], harm);
    for case in record["cases"].as_array_mut().unwrap() {
        poison_case(case, harm);
    }
    record
}

/// A record of a comparison, all of it hostile. The first benchmark fails.
fn comparison(harm: &str) -> Value {
    let mut record = stored("comparison-1.json");
    for side in ["base", "new"] {
        record[side]["name"] = json!(marked("ref", harm));
        poison_manifest(&mut record[side]["manifest"], harm);
    }
    let mut failing = record["cases"][0].clone();
    failing["name"] = json!("failing");
    failing["blocks"] = json!([]);
    let failure = json!({ "run": 0, "instance": null, "cause": { "panicked": { "message": "" } }, "output": "" });
    failing["failures"] = json!([{ "side": "new", "failure": failure }]);
    record["cases"].as_array_mut().unwrap().push(failing);
    for cases in ["cases", "control"] {
        for case in record[cases].as_array_mut().unwrap() {
            poison_case(case, harm);
        }
    }
    for list in ["added", "removed", "identical_code"] {
        record[list] = json!([marked(list, harm)]);
    }
    record["renamed"] = json!([[marked("renamedfrom", harm), marked("renamedto", harm)]]);
    let names = [record["cases"][0]["name"].clone(), json!(marked("accepted", harm))];
    record["accepted"] = names.map(|name| {
        json!({ "benchmark": name, "up_to": 9.0, "reason": marked("reason", harm), "by": marked("author", harm) })
    })
    .into_iter()
    .collect();
    poison_build(&mut record, harm);
    record
}

/// Puts a text into every field about the builds that has one.
fn poison_build(record: &mut Value, harm: &str) {
    let text = |field: &str| json!(marked(field, harm));
    let lock = |own| json!({ "origin": text("lockfile"), "adjusted": true, "own": own });
    let skipped = json!([{ "target": text("skipped"), "why": text("because") }]);
    record["built"] = json!({
        "locks": { "base": lock(true), "new": lock(false) },
        "dependencies": [{ "name": text("dependency"), "base": [text("version")], "new": [] }],
        "outside": [{
            "folder": text("folder"), "crates": [text("crate")], "in_git": true, "commit": text("revision"),
            "dirty": true, "edited": text("edited"),
        }],
        "toolchain_file": text("toolchain"),
        "profile_file": text("profile"),
        "left_out": skipped,
        "one_layout": skipped,
        "harness_of_new": [text("manifest")],
        "ignored": [text("ignored")],
    });
    // Of a record from anywhere, no command has an option that writes a file.
    record["options"] = json!([
        format!("--package={}", marked("package", harm)),
        format!("--record={}", marked("writes", harm)),
    ]);
}

/// All that can be made of a record of a measurement, by output.
fn of_measurement(folder: &Path, json: &Value) -> Vec<(&'static str, String)> {
    let file = folder.join("record.json");
    fs::write(&file, json.to_string()).unwrap();
    let record: Record = record::read(&file).unwrap();
    let against = compare_records(&record, &marked("baseline", ""), &record, |_| 0.02);
    let against = BaselineComparison::Record(against);
    let plain = View::unlimited();
    let coloured = View { style: Style::Coloured, ..plain };
    let study_file = folder.join("study.json");
    let mut study = Command::new(program());
    study.arg("study").arg(&file).arg("--json").arg(&study_file).current_dir(folder);
    let study = Outcome::of(&study.output().unwrap());
    study.exits(0);
    vec![
        ("report", render(&record, None, None, &plain)),
        ("coloured report", without_colours(&render(&record, None, None, &coloured))),
        ("baseline", render(&record, Some(&against), None, &plain)),
        ("JSON lines", json_results(&record, 0, None, Some(&against))),
        ("libtest's lines", bencher_lines(&record)),
        ("study", study.stdout),
        ("JSON of a study", fs::read_to_string(study_file).unwrap()),
    ]
}

/// The escape sequences of our own colors are no harm.
fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut parts = text.split("\u{1b}[");
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (code, rest) = part.split_once('m').unwrap_or(("", part));
        assert!(code.chars().all(|c| c.is_ascii_digit() || c == ';'), "{part:?}");
        plain.push_str(rest);
    }
    plain
}

/// All that can be made of the record of a comparison, by output.
fn of_comparison(folder: &Path, json: &Value, code: i32) -> Vec<(&'static str, String)> {
    let file = folder.join("comparison.json");
    fs::write(&file, json.to_string()).unwrap();
    let report = |format: &str| {
        let mut command = Command::new(program());
        command
            .env("COLUMNS", "100000")
            .args(["compare", "-v", "--format", format, "--from"])
            .arg(&file)
            .current_dir(folder);
        command.arg("--comment").arg(folder.join("comment.md"));
        command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", folder.join("summary"));
        Outcome::of(&command.output().unwrap())
    };
    let [table, markdown, json] = ["table", "markdown", "json"].map(report);
    table.exits(code);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    vec![
        ("table", table.stdout),
        ("markdown", markdown.stdout),
        ("comment", read("comment.md")),
        ("summary", read("summary")),
        ("JSON", json.stdout),
        ("annotations", table.stderr),
    ]
}

/// Panics where an output would do harm as a whole, whatever is in it.
#[track_caller]
fn assert_harmless(output: &str, text: &str) {
    for line in text.lines() {
        let harmful = |c: char| {
            c.is_control()
                || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!line.contains(harmful), "{output}: {line:?}");
        let command = line.trim_start().starts_with("::") || line.contains("##[");
        assert!(!command || output == "annotations", "{output}: {line:?}");
        // Of annotations there is one in a line, which is ours.
        let ours = ["::error ", "::warning ", "::notice ", "plusminus: "];
        let is_ours = ours.iter().any(|begin| line.starts_with(begin));
        assert!(output != "annotations" || is_ours, "{output}: {line:?}");
    }
    if output.starts_with("JSON") {
        for line in text.lines().filter(|line| line.starts_with('{') && line.ends_with('}')) {
            serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        }
    }
}

/// The fields, in the order of the table.
const FIELDS: [&str; 43] = [
    "benchmark",
    "function",
    "problem",
    "point",
    "instance",
    "unit",
    "panic",
    "printed",
    "ref",
    "added",
    "removed",
    "identical_code",
    "renamedfrom",
    "renamedto",
    "program",
    "commit",
    "rustc",
    "flags",
    "system",
    "cpu",
    "governor",
    "target",
    "otherrun",
    "clocksource",
    "argument",
    "grounds",
    "refused",
    "place",
    "lockfile",
    "skipped",
    "because",
    "dependency",
    "version",
    "folder",
    "crate",
    "revision",
    "edited",
    "toolchain",
    "profile",
    "manifest",
    "ignored",
    "package",
    "writes",
];

/// Returns the shapes of the texts of each field in an output, without their marks.
fn shapes(text: &str) -> BTreeMap<&'static str, Vec<String>> {
    let mut found = BTreeMap::new();
    for field in FIELDS {
        let (begin, end) = (format!("begin{field}"), format!("end{field}"));
        let mut shapes: Vec<String> = text
            .split(&begin)
            .skip(1)
            .map(|rest| match rest.split_once(&end) {
                Some((shape, _)) => shape.to_owned(),
                None => "… (cut)".to_owned(),
            })
            .collect();
        shapes.sort();
        shapes.dedup();
        if !shapes.is_empty() {
            found.insert(field, shapes);
        }
    }
    found
}

/// A line for each output and shape, with the fields that have it there.
fn table(outputs: &[(&str, String)]) -> String {
    let mut lines = String::new();
    for (output, text) in outputs {
        assert_harmless(output, text);
        let mut by_shape: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (field, shapes) in shapes(text) {
            for shape in shapes {
                by_shape.entry(shape).or_default().push(field);
            }
        }
        assert!(!by_shape.is_empty(), "{output} shows none of it: {text}");
        for (shape, fields) in by_shape {
            lines.push_str(&format!("{output}: {shape}\n    {}\n", fields.join(" ")));
        }
    }
    lines
}

#[test]
fn hostile_texts_in_records_of_measurements() {
    let folder = folder("hostile-measurements");
    for (kind, harm) in KINDS {
        let outputs = of_measurement(&folder, &measurement(harm));
        insta::assert_snapshot!(format!("measurement_{kind}"), table(&outputs));
    }
}

#[test]
fn hostile_texts_in_records_of_comparisons() {
    let folder = folder("hostile-comparisons");
    for (kind, harm) in KINDS {
        let _ = fs::remove_file(folder.join("summary"));
        let outputs = of_comparison(&folder, &comparison(harm), 2);
        insta::assert_snapshot!(format!("comparison_{kind}"), table(&outputs));
    }
}

#[test]
fn hostile_texts_in_explanations() {
    let folder = folder("hostile-explanations");
    for (_, harm) in KINDS {
        let mut record = stored("why.json");
        for explanation in record["explanations"].as_array_mut().unwrap() {
            let text = |field: &str| json!(marked(field, harm));
            (explanation["benchmark"], explanation["reason"]) =
                (text("benchmark"), text("grounds"));
            let row = json!({ "number": 1, "base": text("operand"), "new": text("operand"), "base_source": text("operand") });
            let function = json!({ "how": "changed", "name": text("operand") });
            explanation["listings"] = json!([{ "function": function, "rows_in_all": 1, "differing_in_all": 1, "rows": [row] }]);
            let parts = explanation["parts"].as_array_mut().unwrap();
            parts[0]["refused"] = text("refused");
            for function in
                parts.iter_mut().flat_map(|part| part["functions"].as_array_mut().unwrap())
            {
                (function["name"], function["place"]) = (text("function"), text("place"));
            }
        }
        let mut outputs = of_comparison(&folder, &record, 1);
        // They name the benchmark alone.
        outputs.retain(|(name, _)| *name != "annotations");
        assert!(
            outputs.iter().any(|(name, text)| *name == "comment" && text.contains("beginplace"))
        );
        let shown = table(&outputs);
        for field in ["benchmark", "grounds", "refused", "function", "place"] {
            assert!(shown.contains(field), "{field}: {shown}");
        }
    }
}

#[test]
fn megabytes_of_a_text_fill_no_screen() {
    let folder = folder("hostile-lengths");
    // Programs read JSON, which has the whole of it.
    let mut record = stored("schema-1.json");
    record["cases"][0]["problem"] = json!("long ".repeat(200_000));
    record["cases"][1]["problem"] = record["cases"][0]["problem"].clone();
    record["cases"][2]["failures"][0]["cause"] =
        json!({ "panicked": { "message": "\u{1b}a long message ".repeat(2 << 16) } });
    for (output, text) in of_measurement(&folder, &record) {
        assert_harmless(output, &text);
        if output.starts_with("JSON") {
            continue;
        }
        assert!(text.len() < 1 << 20, "{output}: {} bytes", text.len());
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(longest < 12_000, "{output}: {longest}");
    }
    let mut record = comparison("");
    record["base"]["name"] = json!("long ".repeat(200_000));
    record["new"]["name"] = record["base"]["name"].clone();
    cause_of(&mut record["cases"][2]["failures"][0])["cause"] =
        json!({ "panicked": { "message": "\u{202e}a long message ".repeat(2 << 16) } });
    for (output, text) in of_comparison(&folder, &record, 2) {
        assert_harmless(output, &text);
        assert!(text.len() < 1 << 20 || output == "JSON", "{output}: {} bytes", text.len());
        assert!(output != "comment" || text.chars().count() < 65_536);
    }
}

/// The formats of `export`, as its help lists them.
fn formats() -> Vec<String> {
    let help = Outcome::of(&Command::new(program()).args(["export", "--help"]).output().unwrap());
    let list = help.exits(0).stdout.split("Possible values:").nth(1).expect("formats are listed");
    let list = list.lines().filter_map(|line| line.trim().strip_prefix("- "));
    list.filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect()
}

#[test]
fn hostile_texts_in_exports_figures_and_histories() {
    let folder = folder("hostile-exports");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(program());
        Outcome::of(&command.args(arguments).current_dir(&folder).output().unwrap())
    };
    let formats = formats();
    assert!(formats.len() >= 7 && formats.contains(&"csv".to_owned()), "{formats:?}");
    for (kind, harm) in KINDS {
        let mut record = measurement(harm);
        // A service reads the beginning of a line, and a name begins the lines of tables.
        record["cases"][0]["name"] = json!(format!("::error::{harm}"));
        record["manifest"]["dirty"] = json!(false);
        fs::write(folder.join("record.json"), record.to_string()).unwrap();
        for format in &formats {
            let output = run(&["export", format, "record.json"]);
            output.exits(0).says("benchmark");
            // Each line of this one is a document of its own.
            let is_json = !["csv", "openmetrics", "markdown"].contains(&format.as_str());
            let name = if is_json { format!("JSON of {format}") } else { format.clone() };
            assert_harmless(&format!("{name}, {kind}"), &output.stdout);
        }
        let _ = fs::remove_dir_all(folder.join("history"));
        let add = run(&["history", "add", "--dir", "history", "record.json"]);
        assert_harmless(&format!("history add, {kind}"), &add.exits(0).stdout);
        for command in ["show", "check"] {
            let output = run(&["history", command, "--dir", "history"]);
            assert_harmless(&format!("history {command}, {kind}"), &output.exits(0).stdout);
        }
        run(&["report", "record.json", "--figures", "figures"]).exits(0);
        let mut tables = 0;
        for file in fs::read_dir(folder.join("figures")).unwrap().flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            if name.ends_with(".csv") || name.ends_with(".svg") {
                tables += usize::from(name.ends_with(".csv"));
                let text = fs::read_to_string(file.path()).unwrap();
                assert_harmless(&format!("{name}, {kind}"), &text);
            }
        }
        assert!(tables > 0, "figures have their data below them");
    }
}

/// The sources that print or write texts. Each has a test that gives it hostile ones, or prints words of its own only.
const WRITERS: [(&str, &str); 37] = [
    ("cargo-plusminus/src/bench/mod.rs", "all/whole_programs"),
    ("cargo-plusminus/src/changed.rs", "end_to_end/changed"),
    ("cargo-plusminus/src/clean.rs", "all/baselines"),
    ("cargo-plusminus/src/compare/answer.rs", "all/hostile_texts"),
    ("cargo-plusminus/src/compare/join.rs", "tests of its own"),
    ("cargo-plusminus/src/compare/mod.rs", "all/hostile_texts"),
    ("cargo-plusminus/src/compare/slot.rs", "a list for itself, in JSON"),
    ("cargo-plusminus/src/error.rs", "its own"),
    ("cargo-plusminus/src/export/mod.rs", "all/hostile_texts"),
    ("cargo-plusminus/src/history/mod.rs", "all/hostile_texts"),
    ("cargo-plusminus/src/history/store.rs", "all/hostile_texts"),
    ("cargo-plusminus/src/import/mod.rs", "all/export_import"),
    ("cargo-plusminus/src/init/mod.rs", "all/init"),
    ("cargo-plusminus/src/manual.rs", "words of its own"),
    ("cargo-plusminus/src/pages/mod.rs", "all/hostile_texts"),
    ("cargo-plusminus/src/progress.rs", "end_to_end/texts"),
    ("cargo-plusminus/src/report/github.rs", "all/hostile_texts"),
    ("cargo-plusminus/src/report/mod.rs", "words of its own"),
    ("cargo-plusminus/src/report/table.rs", "all/hostile_texts"),
    ("cargo-plusminus/src/selftest/mod.rs", "words of its own"),
    ("cargo-plusminus/src/study/mod.rs", "all/hostile_texts"),
    ("cargo-plusminus/src/study/predict.rs", "tests of its own"),
    ("cargo-plusminus/src/wrapper/link.rs", "the compiler's own messages"),
    ("harness/runner/src/baselines/record.rs", "all/baselines"),
    ("harness/runner/src/cli/baseline/program.rs", "all/baselines"),
    ("harness/runner/src/cli/bench.rs", "end_to_end/texts"),
    ("harness/runner/src/cli/list.rs", "all/hostile_names"),
    ("harness/runner/src/cli/mod.rs", "end_to_end/texts"),
    ("harness/runner/src/cli/page.rs", "end_to_end/texts"),
    ("harness/runner/src/cli/progress.rs", "end_to_end/texts"),
    ("harness/runner/src/cli/test.rs", "end_to_end/texts"),
    ("harness/runner/src/cli/values.rs", "words of its own"),
    ("harness/runner/src/output/file.rs", "writes the content that others give it"),
    ("harness/runner/src/output/print.rs", "prints what others give it"),
    ("harness/runner/src/output/terminal.rs", "asks the terminal"),
    ("harness/runner/src/record/store.rs", "all/hostile_texts"),
    ("harness/runner/src/report/lines.rs", "all/hostile_texts"),
];

/// Whether a source calls one of these functions.
fn calls(code: &str, names: &[&str]) -> bool {
    names.iter().any(|name| {
        code.match_indices(name).any(|(at, _)| {
            let before = &code[..at];
            !before.ends_with(|c: char| c.is_alphanumeric() || "_.".contains(c))
                && !before.ends_with("fn ")
        })
    })
}

#[test]
fn every_writer_is_listed_with_its_test() {
    let mut found = Vec::new();
    for krate in ["cargo-plusminus/src", "harness/runner/src"] {
        let mut folders = vec![workspace().join(krate)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    // The replay is a test.
                    folders.extend(Some(path).filter(|path| !path.ends_with("replay")));
                    continue;
                }
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                let is_code = |line: &&str| !line.trim_start().starts_with("//");
                let code = code.lines().filter(is_code).collect::<Vec<_>>().join("\n");
                let own = code.contains("output::")
                    && calls(
                        &code,
                        &[
                            "print(",
                            "complain(",
                            "say(",
                            "write_file(",
                            "write_file_with(",
                            "write_on(",
                        ],
                    );
                if own || calls(&code, &["println!(", "eprintln!(", "stdout()"]) {
                    let name = path.strip_prefix(workspace()).unwrap();
                    found.push(name.to_string_lossy().replace('\\', "/"));
                }
            }
        }
    }
    found.sort();
    let listed: Vec<&str> = WRITERS.iter().map(|(file, _)| *file).collect();
    assert_eq!(found, listed, "give a new writer hostile texts in a test, and list both");
    for (_, test) in WRITERS {
        let path = workspace().join("tests/tests").join(format!("{test}.rs"));
        assert!(!test.contains('/') || path.is_file(), "{test}");
    }
}
