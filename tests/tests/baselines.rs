//! Records that are kept under a name: compared with, loaded, replaced, missing and damaged.

use std::path::PathBuf;

use plusminus::record::{self, Record};
use plusminus_tests::{Fixture, Outcome};

struct Bench {
    fixture: Fixture,
    binary: PathBuf,
}

impl Bench {
    fn new(test: &str) -> Self {
        let fixture = Fixture::new("contract", test);
        let binary = fixture.bench_binary("small");
        Self { fixture, binary }
    }

    fn run(&self, line: &str) -> Outcome {
        let mut command = self.fixture.command(self.binary.to_str().unwrap());
        command.args(["--bench", "--runs", "3", "--samples", "4"]).args(line.split_whitespace());
        Outcome::of(&command.output().unwrap())
    }

    fn baseline(&self, name: &str) -> PathBuf {
        self.fixture.output.join("small/baselines").join(format!("{name}.json"))
    }

    /// Changes a baseline, as another machine or another commit would have made it.
    fn change(&self, name: &str, change: impl FnOnce(&mut Record)) {
        let path = self.baseline(name);
        let mut record = record::read(&path).unwrap();
        change(&mut record);
        record::write(&record, &path).unwrap();
    }
}

/// All times of a record as if everything had taken so many times as long.
fn scale(record: &mut Record, factor: f64) {
    for measurement in record.cases.iter_mut().flat_map(|case| &mut case.measurements) {
        for (wall, cpu) in measurement.wall_ns.iter_mut().zip(&mut measurement.cpu_ns) {
            *wall = (*wall as f64 * factor).ceil() as u64;
            *cpu = (*cpu as f64 * factor).ceil() as u64;
        }
    }
}

#[test]
fn a_regression_is_told_by_the_exit_code() {
    let bench = Bench::new("a_regression_is_told");
    bench.run("--save-baseline before inner with_argument").exits(0);
    // Ten times as many calls in the same time.
    bench.change("before", |record| {
        for measurement in record.cases.iter_mut().flat_map(|case| &mut case.measurements) {
            measurement.calls *= 10;
        }
    });
    let slower = bench.run("--baseline before inner with_argument");
    slower
        .exits(1)
        .says("compared with the stored baseline `before`")
        .says("slower, by more than 2.0 %")
        .says("measured at different times")
        .says("cargo plusminus compare");
    bench.change("before", |record| scale(record, 10_000.0));
    bench.run("--baseline before inner with_argument").exits(0).says("faster, by more than");
    let json = bench.run("--baseline before --format json inner");
    json.exits(0).says("\"stored\":{").says("\"verdict\":\"faster\"").says("\"regression\":false");
}

#[test]
fn saving_and_comparing_go_together() {
    let bench = Bench::new("saving_and_comparing");
    bench.run("--save-baseline first bare").exits(0);
    let before = std::fs::read(bench.baseline("first")).unwrap();
    // Whatever the verdict, what is compared with is the old one, and what is kept is the new one.
    let both = bench.run("--baseline first --save-baseline first bare");
    both.says("compared with the stored baseline `first`");
    assert_ne!(both.code, Some(2), "{}", both.both());
    assert_ne!(std::fs::read(bench.baseline("first")).unwrap(), before);
    let loaded = bench.run("--load first --baseline first bare");
    loaded.exits(0).says("   1.0").complains("");
    assert!(!loaded.stdout.contains("slower") && !loaded.stdout.contains("record: "));
    let replaced = bench.run("--save-baseline first inner");
    replaced.exits(0).complains("the baseline `first` is replaced, and no longer has bare");
}

#[test]
fn what_cannot_be_compared_is_named_and_the_rest_is_measured() {
    let bench = Bench::new("what_cannot_be_compared");
    let missing = bench.run("--baseline nowhere bare inner");
    missing
        .exits(2)
        .complains("there is no baseline `nowhere`")
        .complains("`--save-baseline nowhere` keeps one");
    assert_eq!(missing.stdout, "", "nothing is measured before");
    bench.run("--save-baseline part bare").exits(0);
    let part = bench.run("--baseline part bare inner");
    part.exits(2).says("compared with the stored baseline `part`").complains(
        "`module::inner` is not compared with the baseline `part`: it is not in the baseline",
    );
    assert!(!part.stderr.contains("`bare` is not"), "{}", part.both());
    for damage in ["{", "{\"schema\":1}", "", "\u{0}"] {
        std::fs::write(bench.baseline("part"), damage).unwrap();
        bench
            .run("--baseline part bare")
            .exits(2)
            .complains("the baseline `part` cannot be used")
            .complains("is not a record of plusminus");
        bench.run("--load part").exits(2).complains("the baseline `part` cannot be used");
    }
    std::fs::write(bench.baseline("part"), "{\"schema\":99}").unwrap();
    bench
        .run("--baseline part bare")
        .exits(2)
        .complains("has schema 99")
        .complains("update plusminus");
}

#[test]
fn other_circumstances_are_told() {
    let bench = Bench::new("other_circumstances");
    bench.run("--save-baseline other bare").exits(0);
    bench.change("other", |record| {
        record.manifest.cpu = Some("Another \u{1b}[31mCPU".to_owned());
        record.manifest.rustc = "rustc 1.0.0".to_owned();
    });
    let compared = bench.run("--load other --baseline other bare");
    assert!(!compared.stdout.contains("the circumstances differ"), "{}", compared.both());
    let compared = bench.run("--baseline other bare");
    compared
        .says("the circumstances differ: the processor was `Another")
        .says("the compiler was `rustc 1.0.0`");
    assert!(!compared.stdout.contains('\u{1b}'), "nothing of a record moves the cursor");
}
