//! Pages in a real browser: nothing is fetched, nothing complains, every mark is where it belongs, and axe-core, the
//! validator of HTML and widths of 360 to 1920 pixels find no fault. [`browser_support`](plusminus_tests::browser_support) lists
//! the requirements.

use std::path::Path;

use plusminus::record::{self, AnyRecord};
use plusminus_tests::browser_support::{figures, number, seen, sound};
use plusminus_tests::pages_support::{
    compared, explanation, hostile, knee, long_names, million, nothing_compared, published,
};
use plusminus_tests::study_support::{folder, plusminus};
use plusminus_tests::workspace;

#[test]
fn pages_are_whole_in_a_browser() {
    let folder = folder("pages_browser");
    let write = |name: &str, record: &AnyRecord| {
        let path = folder.join(format!("{name}.json"));
        match record {
            AnyRecord::Measurement(record) => record::write(record, &path).unwrap(),
            AnyRecord::Comparison(record) => record::write_comparison(record, &path).unwrap(),
        }
        plusminus(&folder, &["report", &format!("{name}.json")]).exits(0);
        folder.join(format!("{name}.html"))
    };
    let compared_record = |record| AnyRecord::Comparison(Box::new(record));
    let mut one = nothing_compared();
    one.cases.push(compared("only", |_, k| if k % 3 == 0 { 1.5 } else { 1.0 }));
    one.explanations.push(explanation("only", "parse::number", "qword ptr [rsp+rax*8+0x40]"));
    let measured = |record| AnyRecord::Measurement(Box::new(record));
    let study = |name: &str, record: &Path| {
        let arguments = ["report", "--study", record.to_str().unwrap(), "-o", "."];
        plusminus(&folder, &arguments).exits(0);
        folder.join(format!("{name}-study.html"))
    };
    record::write(&knee(), &folder.join("knee.json")).unwrap();
    let history = |name: &str| {
        let record = |commit: usize| {
            let mut record = knee();
            record.manifest.commit = Some(format!("<script>{commit}"));
            record.manifest.started = format!("2026-01-{:02}T00:00:00Z", commit + 1);
            record
        };
        for commit in 0..10 {
            record::write(&record(commit), &folder.join("commit.json")).unwrap();
            plusminus(&folder, &["history", "add", "--allow-dirty", "commit.json"]).exits(0);
        }
        plusminus(&folder, &["history", "show", "--html", name]).exits(0);
        folder.join(name)
    };
    // Rows that are faster are alike.
    let mut names = long_names();
    names.cases.drain(12..58);
    let pages = [
        write("measurement", &published("schema-1.json")),
        write("comparison", &published("comparison-1.json")),
        write("hostile", &measured(hostile())),
        write("million", &measured(million())),
        study("knee", &folder.join("knee.json")),
        study("imsuite-study", &workspace().join("tests/records/imsuite-study.json")),
        history("history.html"),
        write("one", &compared_record(one)),
        write("many_names", &compared_record(names)),
    ];
    let Some(seen) = seen(&pages, &[], &folder) else { return };
    assert_eq!(seen.len(), pages.len());
    seen.iter().for_each(sound);
    // Two runs of two variants with eight instances: each sample, and each typical time.
    let of = |page: usize, figure: usize| &figures(&seen[page]["views"][0])[figure];
    assert_eq!((number(&of(0, 0)["circles"]), number(&of(0, 2)["bars"])), (32.0, 16.0));
    // Three runs of five samples, and three medians; the name is no mark.
    assert_eq!(number(&of(2, 0)["circles"]), 18.0);
    // The script filters by a name that one row has, and keys lead to a row.
    let filtered = &seen[8]["filtered"];
    assert_eq!(filtered["before"], filtered["again"], "{filtered}");
    assert!(number(&filtered["after"]) < number(&filtered["before"]), "{filtered}");
    assert_eq!(filtered["focus"], "SUMMARY");
}
