//! A report is made from a record alone. The record holds Table 1 of "The Value of Variance" as the baseline's two
//! runs, so that the report on its instances can be compared with the published analysis.

use plusminus::{
    record,
    report::{self, View},
    results,
};
use plusminus_tests::workspace;

#[test]
fn table_1_of_the_value_of_variance() {
    let record = record::read(&workspace().join("tests/records/schema-1.json")).unwrap();
    let report = report::render(&record, None, None, &View::unlimited());
    insta::assert_snapshot!(report);
    assert_eq!(
        report,
        report::render(&record, None, None, &View::unlimited()),
        "the same record gives the same report"
    );
}

#[test]
fn the_analysis_of_table_1_is_the_published_one() {
    let record = record::read(&workspace().join("tests/records/schema-1.json")).unwrap();
    let tables = results::tables(&record);
    let kla = &tables[0].rows[0];
    let means: Vec<f64> = kla.cells.iter().map(|run| run.iter().sum::<f64>() / 8.0).collect();
    // The record holds whole nanoseconds of what Table 1 has as seconds to 10 digits.
    assert!((means[0] / 1e6 - 88.080_239_3).abs() < 1e-6, "{means:?}");
    assert!((means[1] / 1e6 - 85.783_855_712_5).abs() < 1e-6, "{means:?}");
}

#[test]
fn what_is_no_record_is_named() {
    let folder = workspace().join("target/fixtures/outputs/what_is_no_record");
    std::fs::create_dir_all(&folder).unwrap();
    let good = std::fs::read_to_string(workspace().join("tests/records/schema-1.json")).unwrap();
    let cases = [
        ("empty", String::new(), "Unexpected end of file"),
        ("garbage", "\u{0}\u{1}garbage".to_owned(), "Unexpected char"),
        ("truncated", good[..good.len() / 2].to_owned(), "Unexpected end of file"),
        ("another document", "[1, 2]".to_owned(), "not a record"),
        ("newer", good.replace("\"schema\": 1", "\"schema\": 99"), "has schema 99"),
        ("no calls", good.replace("\"calls\": 1", "\"calls\": 0"), "contradict each other"),
        (
            "unknown instance",
            good.replace("\"instance\": 7", "\"instance\": 8"),
            "contradict each other",
        ),
    ];
    for (name, text, expected) in cases {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        let error = record::read(&path).unwrap_err().to_string();
        assert!(
            error.contains(expected) && error.contains(&path.display().to_string()),
            "{name}: {error}"
        );
    }
}
