//! Records for pages: published ones, and made ones whose contents are known.

use crate::workspace;
use plusminus::record::{
    self, AnyRecord, BlockRecord, CaseRecord, Cause, ChangedCode, ChangedFunction, ComparedCase,
    ComparisonRecord, Explanation, Failure, InstanceRecord, Listing, ListingRow, Measurement,
    Record, Role, Side, SideFailure, Tally, read_any,
};

use crate::study_support::{Case, empty, folder, plusminus, record_of};

/// Figures of the two published records together.
pub const FIGURES: usize = 7 + 8;

/// A record that the repository has.
pub fn published(name: &str) -> AnyRecord {
    read_any(&workspace().join("tests/records").join(name)).unwrap()
}

/// The page of a record, made by the subcommand.
pub fn page_of(test: &str, record: impl Into<Kept>) -> String {
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
pub struct Kept(AnyRecord);

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

impl From<&ComparisonRecord> for Kept {
    fn from(record: &ComparisonRecord) -> Self {
        Self(AnyRecord::Comparison(Box::new(record.clone())))
    }
}

/// A comparison without benchmarks.
pub fn nothing_compared() -> ComparisonRecord {
    let AnyRecord::Comparison(mut record) = published("comparison-1.json") else { unreachable!() };
    record.cases.clear();
    for list in [&mut record.identical_code, &mut record.added, &mut record.removed] {
        list.clear();
    }
    record.renamed.clear();
    *record
}

/// A benchmark of a comparison, of 24 blocks of six samples: the factor of each sample of new, by block and sample.
pub fn compared(name: &str, factor: impl Fn(u32, u32) -> f64) -> ComparedCase {
    compared_in(name, 6, factor)
}

/// Makes the same with this number of samples in a block.
fn compared_in(name: &str, samples: u32, factor: impl Fn(u32, u32) -> f64) -> ComparedCase {
    let AnyRecord::Comparison(record) = published("comparison-1.json") else { unreachable!() };
    let mut case = ComparedCase { name: name.to_owned(), ..record.cases[0].clone() };
    let template = case.blocks[0].clone();
    let time = |block: u32, k: u32| f64::from(500_000 + 100 * ((block * 5 + k * 3) % 11));
    let side = |of: &Measurement, block: u32, factor: &dyn Fn(u32) -> f64| {
        let ns: Vec<u64> = (0..samples).map(|k| (time(block, k) * factor(k)) as u64).collect();
        let switches = vec![0; ns.len()];
        Measurement { run: block, wall_ns: ns.clone(), cpu_ns: ns, switches, ..of.clone() }
    };
    let noise = |block: u32, k: u32| 0.004 * (f64::from((block * 7 + k) % 5) - 2.0);
    let block = |number: u32| BlockRecord {
        round: number / 3,
        order: "bn".repeat(3)[..samples as usize].to_owned(),
        base: side(&template.base, number, &|_| 1.0),
        new: side(&template.new, number, &|k| factor(number, k) * (1.0 + noise(number, k))),
        ..template.clone()
    };
    case.blocks = (0..24).map(block).collect();
    case
}

/// 67 benchmarks with long names: three slower, 56 faster, and every other thing that a benchmark may come to.
pub fn long_names() -> ComparisonRecord {
    let mut record = nothing_compared();
    let name = |number: usize| {
        format!("parse_document_nocopy::of_a_module_with_a_name/rpm_primary_{number}.xml/utf_8")
    };
    for number in 0..58 {
        let factor =
            if number < 3 { 1.04 + 0.01 * number as f64 } else { 0.9 - 0.002 * number as f64 };
        record.cases.push(compared(&name(number), |_, _| factor));
    }
    record.cases.push(compared(&name(58), |_, _| 1.0));
    record
        .cases
        .push(compared("noisy", |block, k| 1.0 + 0.3 * f64::from((block * 7 + k) % 5) - 0.6));
    record.cases.push(compared("drifting", |block, _| 1.0 + 0.02 * f64::from(block)));
    record.cases.push(compared("bimodal", |_, k| if k % 3 == 0 { 1.5 } else { 1.0 }));
    let AnyRecord::Measurement(failing) = published("schema-1.json") else { unreachable!() };
    let failure = failing.cases.iter().find_map(|case| case.failures.first()).unwrap();
    let mut failed = compared("failing", |_, _| 1.0);
    let failure = Failure { run: 0, instance: None, ..failure.clone() };
    let mut skipped = compared("skipped", |_, _| 1.0);
    skipped.blocks.clear();
    let nothing = Failure { cause: Cause::Nothing, ..failure.clone() };
    skipped.failures = vec![SideFailure { side: Some(Side::Base), failure: nothing }];
    record.cases.push(skipped);
    failed.failures = vec![SideFailure { side: Some(Side::New), failure }];
    record.cases.push(failed);
    let mut unmeasured = compared("not_begun", |_, _| 1.0);
    unmeasured.blocks.clear();
    record.cases.push(unmeasured);
    record.identical_code = vec!["<b>same</b>".to_owned(), "same::code".to_owned()];
    record.out_of_time = true;
    record.base.manifest.subject = Some("Release 1.2".to_owned());
    record.new.manifest.subject = Some("Keep <entities> in one table".to_owned());
    for case in &mut record.cases[..3] {
        case.code = Some(changed_code("parse::entity<T>"));
    }
    record
}

/// Code of a benchmark that differs in a function of this name, and in more than a record keeps.
pub fn changed_code(name: &str) -> ChangedCode {
    let function = |how: &str, name: &str, place: Option<&str>| ChangedFunction {
        how: how.to_owned(),
        name: name.to_owned(),
        place: place.map(str::to_owned),
    };
    ChangedCode {
        first: "instructions".to_owned(),
        only_set_up: false,
        functions: vec![
            function("changed", name, Some("src/parse.rs:12")),
            function("added", "parse::cold_path", None),
        ],
        functions_in_all: 9,
        sizes: Vec::new(),
    }
}

/// The explanation of a benchmark, with the most instructions that a record lists: of a function of this name, with sources and
/// operands of this text.
pub fn explanation(benchmark: &str, function: &str, text: &str) -> Explanation {
    let row = |number: usize| {
        let instruction = |side: usize| (number % 5 != side).then(|| format!("mov rax, {text}"));
        let source =
            |line: usize| number.is_multiple_of(3).then(|| format!("src/lib.rs:{line} {text}"));
        ListingRow {
            number,
            base: instruction(0),
            new: instruction(1),
            base_source: source(number),
            new_source: source(number + 1),
        }
    };
    let listing = |rows: std::ops::Range<usize>| Listing {
        function: changed_code(function).functions[0].clone(),
        rows_in_all: 1000,
        differing_in_all: 900,
        rows: rows.map(row).collect(),
    };
    Explanation {
        benchmark: benchmark.to_owned(),
        parts: Vec::new(),
        reason: None,
        is_checked: true,
        seconds: 1.0,
        measured: Vec::new(),
        listings: vec![listing(1..401), listing(500..900)],
    }
}

/// A comparison of `count` benchmarks, of which every hundredth is slower, of few blocks: what takes time is to read them.
pub fn very_many(count: usize) -> ComparisonRecord {
    let mut record = nothing_compared();
    let [slower, same] = [1.05, 1.0].map(|factor| {
        let mut case = compared_in("", 3, |_, _| factor);
        case.blocks.truncate(12);
        case
    });
    for number in 0..count {
        let case = if number % 100 == 0 { &slower } else { &same };
        let name = format!("group_{}/of_benchmarks/with_a_long_name_{number}", number % 17);
        record.cases.push(ComparedCase { name, ..case.clone() });
    }
    record
}

/// Makes a function with samples of one call each: this number of runs and samples in each, by a rule.
pub fn case(name: &str, runs: u32, samples: u32, ns: impl Fn(u32, u32) -> u64) -> CaseRecord {
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
pub fn bimodal() -> Record {
    let ns = |_: u32, sample: u32| if (sample * 7).is_multiple_of(3) { 150_000 } else { 100_000 };
    let mut record = empty();
    record.cases = vec![case("bimodal::kernel", 3, 21, ns)];
    record
}

/// Names that would be markup, scripts, addresses or orders to a terminal.
pub fn hostile() -> Record {
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
pub fn million() -> Record {
    let ns = |run: u32, sample: u32| 1_000_000 + u64::from((run * 131 + sample * 7919) % 10_007);
    let mut record = empty();
    record.cases = vec![case("large::kernel", 10, 100_000, ns)];
    record
}

/// Strong scaling that ends in a knee, of two variants: seven configurations of three runs each.
pub fn knee() -> Record {
    let seconds = [100.6, 52.1, 28.9, 17.0, 11.7, 10.35, 12.95];
    let case = |function: &'static str, factor: f64| {
        seconds.iter().enumerate().map(move |(i, seconds)| {
            let case = Case::of(function, 1000.0, seconds * factor * 1e9).on(1 << i);
            Case { point: "only".to_owned(), ..case }
        })
    };
    record_of(&[], case("known::knee", 1.0).chain(case("known::slower", 1.4)).collect())
}

/// A sum in a tree and a grid in strips, by models that are known, on up to `most` processors.
pub fn textbook(most: usize) -> Record {
    let mut cases = Vec::new();
    let processors: Vec<usize> = [1, 2, 4, 8].into_iter().filter(|p| *p <= most).collect();
    let mut add = |function: &'static str, role: Role, n: f64, p: usize, ns: f64| {
        let case = Case::of(function, n, ns).on(p).role(role);
        cases.push(Case { point: format!("n{n}-p{p}"), ..case });
    };
    for n in [8192.0, 16384.0, 131_072.0, 262_144.0] {
        for &p in &processors {
            let of_p = p as f64;
            add("sum::one_after_another", Role::Reference, n, p, n);
            add("sum::tree", Role::Contender, n, p, n / of_p + 9000.0 * of_p.log2());
        }
    }
    for side in [64.0, 128.0, 256.0, 512.0] {
        for &p in &processors {
            let (n, of_p) = (10.0 * side * side, p as f64);
            let messages = (p - 1).min(2) as f64 * (15_000.0 + 0.8 * 20.0 * side);
            add("grid::whole_grid", Role::Reference, n, p, 1.2 * n);
            add("grid::strips", Role::Contender, n, p, 1.2 * n / of_p + messages);
        }
    }
    let mut record = record_of(&[], cases);
    record.manifest.cores = most;
    record
}

/// KLA and Δ-stepping as "The Value of Variance" has them, at scales with a speedup each: by the definitions on tasks, and,
/// three times as fast with a third of the speedup, filtered on messages. Five runs of eight instances, of which the
/// seventh takes KLA twice as long as others.
pub fn shortest_paths(scales: &[(u32, f64)]) -> Record {
    const RUNS: u32 = 5;
    let AnyRecord::Measurement(template) = published("schema-1.json") else { unreachable!() };
    let template = &template.cases[0];
    let side = |function: &str, point: &str, ns: f64, is_odd: bool| {
        let time = |run: u32, instance: usize| {
            let of_run = 1.0 + 0.01 * (f64::from(run) - 2.0);
            let of_instance =
                if is_odd && instance == 6 { 2.0 } else { 1.0 + 0.02 * instance as f64 };
            (ns * of_run * of_instance) as u64
        };
        let measured = |run: u32| {
            (0..8).map(move |instance| Measurement {
                run,
                instance,
                calls: 1,
                windows: 1,
                wall_ns: vec![time(run, instance)],
                ..Measurement::default()
            })
        };
        CaseRecord {
            name: format!("{function}::{point}"),
            function: function.to_owned(),
            problem: Some("sssp::ShortestPaths".to_owned()),
            point: point.to_owned(),
            size: None,
            role: Role::Contender,
            processors: 2,
            measurements: (0..RUNS).flat_map(measured).collect(),
            failures: Vec::new(),
            tallies: Vec::new(),
            ..template.clone()
        }
    };
    let mut record = empty();
    for (scale, s) in scales {
        for weight in [255, 100] {
            let point = format!("rmat-{scale}-w{weight}-p2");
            for (kind, delta_ns, s) in
                [("literal_tasks", 9e6, *s), ("filtered_messages", 3e6, s / 3.0)]
            {
                // The mean over instances of KLA has one that is twice as long.
                let odd = (7.0 + 0.02 * 22.0 + 2.0) / (8.0 + 0.02 * 28.0);
                let kla = side(&format!("sssp::kla_{kind}"), &point, s * delta_ns / odd, true);
                let delta = side(&format!("sssp::delta_{kind}"), &point, delta_ns, false);
                record.cases.extend([kla, delta]);
            }
        }
    }
    record
}

/// The kept record of IMSuite with what the original's procedure counts, with a DR that counts as the repaired one does,
/// and with an HS.
pub fn kernels() -> Record {
    let AnyRecord::Measurement(mut record) = published("imsuite-study.json") else {
        unreachable!()
    };
    let comm = "comm at 64 places";
    let with = |case: &CaseRecord, kernel: &str, here: f64, original: f64| {
        let renamed = |text: &str| text.replace("bf::", kernel).replace("lcr::", kernel);
        let mut case = CaseRecord {
            name: renamed(&case.name),
            function: renamed(&case.function),
            problem: case.problem.as_deref().map(renamed),
            ..case.clone()
        };
        for one in &mut case.tallies {
            one.tallies.retain(|tally| tally.name != comm);
            one.tallies.push(Tally::new(comm, here));
            one.tallies.push(Tally::new("original's comm at 64 places", original));
        }
        case
    };
    let named = |start: &str| -> Vec<CaseRecord> {
        record.cases.iter().filter(|case| case.function.contains(start)).cloned().collect()
    };
    let of_dr = |case: &CaseRecord| {
        let original = if case.point.starts_with("sp-min") { 20587.0 } else { 16204.0 };
        with(case, "dr::", 8127.0, original)
    };
    let dr: Vec<CaseRecord> = named("bf::fork_join").iter().map(of_dr).collect();
    let rings = named("lcr::fork_join");
    let hs: Vec<CaseRecord> =
        rings.iter().map(|case| with(case, "hs::", 25373.0, 25373.0)).collect();
    let lcr: Vec<CaseRecord> =
        rings.iter().map(|case| with(case, "lcr::", 12224.0, 12224.0)).collect();
    record.cases.retain(|case| !case.function.contains("lcr::fork_join"));
    record.cases.extend([dr, hs, lcr].concat());
    *record
}

/// The page without its style and its script, which are no matter of the record.
pub fn without_style(page: &str) -> String {
    let without = |page: &str, begin: &str, end: &str| match page.split_once(begin) {
        Some((before, rest)) => format!("{before}{}", rest.split_once(end).unwrap().1),
        None => page.to_owned(),
    };
    let page = without(page, "<style>", "</style>");
    without(&without(&page, "<script>", "</script>"), "script-src 'sha256-", "'")
}

/// Asserts that a picture of the documents is this one, which was made from a record.
///
/// # Panics
/// When it is a different one. With `UPDATE_DOCUMENTS` set, it is written anew.
pub fn kept_picture(made: &std::path::Path, name: &str) {
    let made = std::fs::read(made).unwrap();
    let kept = workspace().join("docs/pictures").join(name);
    if std::env::var_os("UPDATE_DOCUMENTS").is_some() {
        std::fs::write(&kept, &made).unwrap();
    }
    let is_same = std::fs::read(&kept).is_ok_and(|kept| kept == made);
    assert!(is_same, "{} is made by this test with UPDATE_DOCUMENTS=1", kept.display());
}

/// Replaces the text between two marks by its number of bytes and a hash (FNV-1a).
fn hashed(text: &str, (begin, end): (&str, &str)) -> String {
    let mut parts = text.split(begin);
    let mut words = parts.next().unwrap().to_owned();
    for part in parts {
        let (inner, rest) = part.split_once(end).unwrap();
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = inner.bytes().fold(0xcbf2_9ce4_8422_2325, step);
        words.push_str(&format!("[{begin}: {} bytes, {hash:016x}]{rest}", inner.len()));
    }
    words
}

/// Returns the page as people read it: without its style and definitions, and with a hash for each drawing and its
/// data, so that these are also the same on every machine.
pub fn in_words(page: &str) -> String {
    let page = without_style(page);
    let (page, _) = page.split_once("<section id=\"definitions\"").unwrap();
    hashed(&hashed(page, ("<svg", "</svg>")), ("<details", "</details>"))
}
