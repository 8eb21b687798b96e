//! Records of comparisons: read back as they were written, refused where they are damaged, and each side a record.

use plusminus::record::{self, AnyRecord, Side, StoreError};
use plusminus_tests::workspace;

fn published() -> String {
    std::fs::read_to_string(workspace().join("tests/records/comparison-1.json")).unwrap()
}

fn parsed(text: &str) -> Result<AnyRecord, StoreError> {
    record::parse_any(text.as_bytes(), std::path::Path::new("file.json"))
}

#[test]
fn a_comparison_is_read_as_it_was_written() {
    let path = workspace().join("tests/records/comparison-1.json");
    let found = record::read_comparison(&path).unwrap();
    assert_eq!((found.cases.len(), found.control.len(), found.workers.len()), (2, 1, 54));
    assert_eq!(found.renamed, [("old::name".to_owned(), "new::name".to_owned())]);
    let folder = workspace().join("target/fixtures/outputs/comparison_record");
    let again = folder.join("again.json");
    record::write_comparison(&found, &again).unwrap();
    assert_eq!(record::read_any(&again).unwrap(), AnyRecord::Comparison(Box::new(found)));
}

#[test]
fn each_side_is_a_record_of_its_own() {
    let path = workspace().join("tests/records/comparison-1.json");
    let found = record::read_comparison(&path).unwrap();
    let (base, new) = (found.side(Side::Base), found.side(Side::New));
    assert_eq!(base.manifest.commit.as_deref(), Some("0123456789abcdef"));
    let samples = |record: &record::Record| -> usize {
        let cells = record.cases.iter().flat_map(|case| &case.measurements);
        cells.map(|cell| cell.wall_ns.len()).sum()
    };
    assert_eq!((samples(&base), samples(&new)), (9 * 3 * 7, 9 * 3 * 7));
    let first = |record: &record::Record| record.cases[0].measurements[0].wall_ns.clone();
    assert_eq!(first(&base), found.cases[0].blocks[0].base.wall_ns);
    assert_eq!(first(&new), found.cases[0].blocks[0].new.wall_ns);
}

#[test]
fn the_two_kinds_are_not_confused() {
    let records = workspace().join("tests/records");
    let error = record::read(&records.join("comparison-1.json")).unwrap_err().to_string();
    assert!(error.contains("compare --from"), "{error}");
    let error = record::read_comparison(&records.join("schema-1.json")).unwrap_err().to_string();
    assert!(error.contains("not of a comparison"), "{error}");
    let any = record::read_any(&records.join("schema-1.json")).unwrap();
    assert!(matches!(any, AnyRecord::Measurement(_)));
}

#[test]
fn damaged_comparisons_are_named() {
    let good = published();
    assert!(parsed(&good).is_ok());
    // `compare --margin 0` writes this.
    assert!(parsed(&good.replace("\"margin\": 0.02", "\"margin\": 0.0")).is_ok());
    for (name, text, expected) in [
        ("truncated", good[..good.len() / 2].to_owned(), "Unexpected end of file"),
        ("newer", good.replacen("\"schema\": 1", "\"schema\": 99", 1), "has schema 99"),
        ("another kind", good.replace("\"comparison\"", "\"portrait\""), "portrait"),
        ("an impossible α", good.replace("\"alpha\": 0.05", "\"alpha\": 1.05"), "settings"),
        ("a layout too many", good.replace("\"layout\": 0", "\"layout\": 7"), "contradict"),
        ("an order of other pairs", good.replace("\"order\": \"", "\"order\": \"b"), "contradict"),
        ("no calls", good.replace("\"calls\": 128", "\"calls\": 0"), "contradict"),
        ("a worker too many", good.replace("\"worker\": 53", "\"worker\": 54"), "contradict"),
        ("no margin", good.replace("\"margin\": 0.02", "\"margin\": -0.02"), "margin"),
    ] {
        assert_ne!(text, good, "{name}: nothing was damaged");
        let error = parsed(&text).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("file.json"), "{name}: {error}");
    }
}

#[test]
fn records_of_earlier_versions_keep_their_identical_code() {
    // They called the list `unchanged`, as the published record still does.
    let text = published();
    assert!(text.contains("\"unchanged\"") && !text.contains("\"identical_code\""));
    let AnyRecord::Comparison(found) = parsed(&text).unwrap() else { panic!("no comparison") };
    assert!(!found.identical_code.is_empty() && found.unchanged.is_empty());
    let folder = workspace().join("target/fixtures/outputs/comparison_record");
    let again = folder.join("identical.json");
    record::write_comparison(&found, &again).unwrap();
    let written = std::fs::read_to_string(&again).unwrap();
    assert!(written.contains("\"identical_code\"") && !written.contains("\"unchanged\""));
    assert_eq!(record::read_comparison(&again).unwrap(), *found);
}
