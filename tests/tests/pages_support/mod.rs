//! Records for pages: published ones, and made ones whose contents are known.
#![allow(dead_code, reason = "every test program uses a part of it")]

use plusminus::record::{
    self, AnyRecord, CaseRecord, InstanceRecord, Measurement, Record, read_any,
};
use plusminus_tests::workspace;

use super::study_support::{Case, empty, folder, plusminus, record_of};

/// Figures of the two published records together.
pub(crate) const FIGURES: usize = 9 + 7;

/// A record that the repository has.
pub(crate) fn published(name: &str) -> AnyRecord {
    read_any(&workspace().join("tests/records").join(name)).unwrap()
}

/// The page of a record, made by the subcommand.
pub(crate) fn page_of(test: &str, record: impl Into<Kept>) -> String {
    let folder = folder(test);
    let path = folder.join("record.json");
    match record.into().0 {
        AnyRecord::Measurement(record) => record::write(&record, &path).unwrap(),
        AnyRecord::Comparison(record) => record::write_comparison(&record, &path).unwrap(),
    }
    plusminus(&folder, &["report", "record.json"]).exits(0).says("page: record.html");
    std::fs::read_to_string(folder.join("record.html")).unwrap()
}

/// A record to be written.
pub(crate) struct Kept(AnyRecord);

impl From<&AnyRecord> for Kept {
    fn from(record: &AnyRecord) -> Self {
        Self(record.clone())
    }
}

impl From<&Record> for Kept {
    fn from(record: &Record) -> Self {
        Self(AnyRecord::Measurement(Box::new(record.clone())))
    }
}

/// A function with samples of one call each: so many runs and samples in each, by a rule.
pub(crate) fn case(
    name: &str,
    runs: u32,
    samples: u32,
    ns: impl Fn(u32, u32) -> u64,
) -> CaseRecord {
    let AnyRecord::Measurement(template) = published("schema-1.json") else { unreachable!() };
    let measurement = |run: u32| Measurement {
        run,
        calls: 1,
        windows: 1,
        wall_ns: (0..samples).map(|sample| ns(run, sample)).collect(),
        ..Measurement::default()
    };
    CaseRecord {
        name: name.to_owned(),
        function: name.to_owned(),
        problem: None,
        point: String::new(),
        size: None,
        role: record::Role::Contender,
        processors: 1,
        threads: 1,
        metrics: Vec::new(),
        instances: vec![InstanceRecord { name: String::new(), work: Vec::new() }],
        measurements: (0..runs).map(measurement).collect(),
        failures: Vec::new(),
        tallies: Vec::new(),
        ..template.cases[0].clone()
    }
}

/// Two of three samples take 100 ns, the third 150 ns, by turns; 3 runs of 21 samples.
pub(crate) fn bimodal() -> Record {
    let ns = |_: u32, sample: u32| if (sample * 7).is_multiple_of(3) { 150_000 } else { 100_000 };
    let mut record = empty();
    record.cases = vec![case("bimodal::kernel", 3, 21, ns)];
    record
}

/// Names that would be markup, scripts, addresses or orders to a terminal.
pub(crate) fn hostile() -> Record {
    let names = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "</title></style></svg><iframe src=javascript:alert(1)>",
        "{style | unescaped}",
        "\u{202e}gnihtemos \u{1b}[2J",
        "=HYPERLINK(\"http://example.invalid\")",
        "' onmouseover='alert(1)",
    ];
    let mut record = empty();
    record.cases =
        names.map(|name| case(name, 3, 5, |run, s| 1000 + u64::from(run * 7 + s))).into();
    record.cases[1].instances[0].name = names[1].to_owned();
    record.manifest.bench = names[2].to_owned();
    record.manifest.arguments = vec![names[0].to_owned()];
    record.manifest.cpu = Some(names[1].to_owned());
    record
}

/// Ten runs of a hundred thousand samples.
pub(crate) fn million() -> Record {
    let ns = |run: u32, sample: u32| 1_000_000 + u64::from((run * 131 + sample * 7919) % 10_007);
    let mut record = empty();
    record.cases = vec![case("large::kernel", 10, 100_000, ns)];
    record
}

/// Strong scaling that ends in a knee, of two variants: seven configurations of three runs each.
pub(crate) fn knee() -> Record {
    let seconds = [100.6, 52.1, 28.9, 17.0, 11.7, 10.35, 12.95];
    let case = |function: &'static str, factor: f64| {
        seconds.iter().enumerate().map(move |(i, seconds)| {
            let case = Case::of(function, 1000.0, seconds * factor * 1e9).on(1 << i);
            Case { point: "only".to_owned(), ..case }
        })
    };
    record_of(&[], case("known::knee", 1.0).chain(case("known::slower", 1.4)).collect())
}
