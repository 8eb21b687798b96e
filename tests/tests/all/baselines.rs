//! Records and programs that are kept under a name: measured again in turns, compared with, loaded, replaced, missing and
//! damaged.

use std::{fs, path::PathBuf, process::Command};

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
        self.run_with(line, &[])
    }

    fn run_with(&self, line: &str, variables: &[(&str, &str)]) -> Outcome {
        let mut command = self.fixture.command(self.binary.to_str().unwrap());
        command.args(["--bench", "--runs", "3", "--samples", "4"]).args(line.split_whitespace());
        command.envs(variables.iter().copied());
        Outcome::of(&command.output().unwrap())
    }

    /// Returns the same benches as a different version of the program, whose `bare` does this number of steps.
    fn with_steps(&self, steps: u32) -> Self {
        let mut program = fs::read(&self.binary).unwrap();
        let marker = b"bare steps: 00100";
        let at: Vec<usize> =
            (0..program.len()).filter(|&at| program[at..].starts_with(marker)).collect();
        let [at] = at[..] else { panic!("the number is in the program {} times", at.len()) };
        program[at + 12..at + 17].copy_from_slice(format!("{steps:05}").as_bytes());
        let folder = self.fixture.output.join(format!("steps-{steps}"));
        fs::create_dir_all(&folder).unwrap();
        // The name of the file is that of the bench target.
        let binary = folder.join("small");
        // Another process writes it: a program that is open for writing, if only in a child of another test, cannot be started.
        let written = folder.join("small.written");
        fs::copy(&self.binary, &written).unwrap();
        fs::write(&written, program).unwrap();
        assert!(Command::new("cp").args([&written, &binary]).status().unwrap().success());
        let output = self.fixture.output.clone();
        Self { fixture: Fixture { folder: self.fixture.folder.clone(), output }, binary }
    }

    fn program(&self, name: &str) -> PathBuf {
        let ending = std::env::consts::EXE_SUFFIX;
        self.fixture.home("small").join("baselines").join(format!("{name}.program{ending}"))
    }

    fn remove_program(&self, name: &str) {
        fs::remove_file(self.program(name)).unwrap();
    }

    fn baseline(&self, name: &str) -> PathBuf {
        self.fixture.home("small").join("baselines").join(format!("{name}.json"))
    }

    /// Changes a baseline, as another machine or another commit would have made it.
    fn change(&self, name: &str, change: impl FnOnce(&mut Record)) {
        let path = self.baseline(name);
        let mut record = record::read(&path).unwrap();
        change(&mut record);
        record::write(&record, &path).unwrap();
    }
}

/// Multiplies all times of a record by a factor.
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
    // Many times as many calls in the same time, which no change of the machine explains.
    bench.change("before", |record| {
        for measurement in record.cases.iter_mut().flat_map(|case| &mut case.measurements) {
            measurement.calls *= 30;
        }
    });
    bench.remove_program("before");
    let slower = bench.run("--baseline before inner with_argument");
    slower
        .exits(1)
        .says("compared with the stored baseline `before`")
        .says(" slower\n")
        .says("measured at different times")
        .says("Small built-in kernels")
        .complains("the program of the baseline `before` cannot be measured any more")
        .complains("there is no copy of its program");
    bench.change("before", |record| scale(record, 10_000.0));
    bench.run("--baseline before inner with_argument").exits(0).says(": 3 faster\n");
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
    both.says("compared with the program of the baseline `first`").says("both measured in turns");
    assert_ne!(both.code, Some(2), "{}", both.both());
    assert_ne!(std::fs::read(bench.baseline("first")).unwrap(), before);
    let loaded = bench.run("--load first --baseline first bare");
    loaded.exits(0).complains("");
    // The less certain it is, the fewer digits it has.
    let same = ["  1.0", "  1  "].iter().any(|speedup| loaded.stdout.contains(speedup));
    assert!(same, "{}", loaded.both());
    assert!(!loaded.stdout.contains("slower") && !loaded.stdout.contains("Raw data: "));
    let replaced = bench.run("--save-baseline first inner");
    replaced.exits(0).complains("the baseline `first` is replaced, and no longer has bare");
}

#[test]
fn clean_removes_programs_and_leaves_what_is_not_ours() {
    let bench = Bench::new("clean_removes_programs");
    bench.run("--save-baseline kept bare").exits(0);
    let output = &bench.fixture.output;
    fs::write(output.join("thesis.txt"), "not ours").unwrap();
    let program = plusminus_tests::program().to_str().unwrap();
    let clean = |arguments: &[&str]| {
        let mut command = bench.fixture.command(program);
        Outcome::of(&command.arg("clean").args(arguments).output().unwrap())
    };
    clean(&["--dry-run"]).exits(0).says("would be removed").says("small/baselines/kept.program");
    assert!(bench.program("kept").is_file());
    clean(&[]).exits(0).says("records stay");
    assert!(!bench.program("kept").exists() && bench.baseline("kept").is_file());
    clean(&["--all"]).exits(0).says("small/records/");
    assert!(!bench.baseline("kept").exists() && output.join("thesis.txt").is_file());
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
    bench.remove_program("part");
    let part = bench.run("--baseline part bare inner");
    part.says("compared with the stored baseline `part`").complains(
        "`module::inner` is not compared with the baseline `part`: it is not in the baseline",
    );
    assert_ne!(part.code, Some(2), "{}", part.both());
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
    assert!(!compared.stdout.contains("different environment"), "{}", compared.both());
    bench.remove_program("other");
    let compared = bench.run("--baseline other bare");
    compared
        .says("different environment: the processor was `Another")
        .says("the compiler was `rustc 1.0.0`");
    assert!(!compared.stdout.contains('\u{1b}'), "nothing of a record moves the cursor");
}

#[test]
fn the_program_of_a_baseline_is_measured_in_turns() {
    let bench = Bench::new("measured_in_turns");
    bench.with_steps(1).run("--save-baseline fast bare inner").exits(0);
    assert!(bench.program("fast").is_file());
    let slower = bench.run("--baseline fast bare inner");
    slower
        .exits(1)
        .says("compared with the program of the baseline `fast`")
        .says("both measured in turns")
        .says("  bare: +")
        .says("Control (base against a copy of base");
    assert!(!slower.stderr.contains("cannot be measured"), "{}", slower.both());
    let record = bench.fixture.records("small").into_iter().find(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".compared.json"))
    });
    let record = record::read_comparison(&record.expect("the comparison is kept")).unwrap();
    assert_eq!(record.cases.len(), 2);
    assert_eq!(record.base.name, "fast");
    // In the other direction nothing is slower, whatever `inner` does in a few blocks.
    bench.run("--save-baseline slow bare").exits(0);
    let faster = bench.with_steps(1).run("--baseline slow --format json bare");
    faster.exits(0).says("\"paired\":{").says("\"verdict\":\"faster\"");
    let left = fs::read_dir(bench.fixture.home("small").join("baselines")).unwrap().flatten();
    let left: Vec<_> = left.map(|file| file.file_name()).collect();
    assert_eq!(left.len(), 4, "nothing temporary is left: {left:?}");
}

#[test]
fn a_program_that_cannot_be_measured_is_told_and_the_record_is_used() {
    let bench = Bench::new("cannot_be_measured");
    bench.run("--save-baseline old bare").exits(0);
    fs::write(bench.program("old"), "another one").unwrap();
    let other = bench.run("--baseline old bare");
    other
        .complains("is not the program that its record is of")
        .says("compared with the stored baseline `old`");
    // By the record, it is: it cannot be started.
    bench.change("old", |record| {
        let hash = b"another one".iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        record.manifest.binary_hash = Some(format!("{hash:016x}"));
    });
    let broken = bench.run("--baseline old bare");
    broken
        .complains("the program of the baseline `old` cannot be measured any more")
        .complains("cannot start")
        .says("compared with the stored baseline `old`");
}

#[test]
fn the_run_before_is_a_baseline_where_that_is_wanted() {
    let bench = Bench::new("the_run_before");
    let variables = [("PLUSMINUS_BASELINE", "previous")];
    let first = bench.with_steps(1).run_with("bare", &variables);
    first.exits(0).complains("no previous run to compare with");
    let second = bench.run_with("bare", &variables);
    second.exits(1).says("compared with the program of the baseline `previous`");
    // The second one is now the run before.
    let third = bench.with_steps(1).run_with("bare", &variables);
    third.exits(0).says("faster");
}
