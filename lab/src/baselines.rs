//! Saved baselines and known truths. One program is saved, and compared with itself again and again while neighbors
//! come and go, then with a version of it that does 15 % more. The stored record alone, and criterion, are measured
//! in the same session.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use cargo_plusminus::{
    error::{Result, at, error},
    progress::Progress,
    selftest::{KERNELS as MODULE, this_program},
};
use plusminus::{Bencher, bench, engine::Random, exit, system::interrupt};

use crate::truth::{Noise, criterion};

/// Steps of the chain: a copy of this program with another number in it is another version of the program.
static STEPS: &[u8; 27] = b"steps of the chain: 0100000";

/// The bytes of the marker before the number.
const LABEL: usize = 20;

/// The additional work of the chain in the slower version, in percent.
const SLOWER: usize = 15;

#[bench]
fn marked_chain(bencher: Bencher<'_>) {
    let digits = &std::hint::black_box(STEPS)[LABEL..];
    let steps = digits.iter().fold(0, |number, digit| 10 * number + u64::from(digit - b'0'));
    bencher.bench(move || {
        (0..std::hint::black_box(steps)).fold(1_u64, |x, _| {
            std::hint::black_box(x).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1)
        })
    });
}

/// The kernels of the self-test that are compared, each in a few hundred milliseconds at most.
const KERNELS: [&str; 8] =
    ["chain", "arith", "fib20", "sort1000", "hash4k", "hashmap1000", "strfmt", "btree10k"];

/// Options of `baselines`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Comparisons of the program with itself.
    #[arg(long, default_value_t = 100)]
    times: usize,
    /// Comparisons with the version that does 15 % more.
    #[arg(long, default_value_t = 20)]
    slower: usize,
    /// Comparisons with the stored record alone.
    #[arg(long, default_value_t = 20)]
    records: usize,
    /// Comparisons under criterion; 0 leaves it out.
    #[arg(long, default_value_t = 4)]
    criterion: usize,
    /// Longest pause between two comparisons, in seconds.
    #[arg(long, default_value_t = 6.0)]
    pause: f64,
    /// Seconds to spend in all, divided among the parts by their numbers of comparisons; what has no time is not begun.
    #[arg(long, default_value_t = 3600)]
    max_time: u64,
    /// The seed of disturbances and pauses.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Verdicts, counted.
#[derive(Debug, Default)]
struct Counts {
    comparisons: usize,
    slower: usize,
    faster: usize,
    within_margin: usize,
    inconclusive: usize,
    /// Those whose interval contains the truth.
    covered: usize,
    /// Comparisons by exit code: 0, 1, 3, others.
    codes: [usize; 4],
    seconds: f64,
}

impl Counts {
    fn verdicts(&self) -> usize {
        self.slower + self.faster + self.within_margin + self.inconclusive
    }
}

/// Neighbors that come and go between and during comparisons.
struct Disturbances {
    program: PathBuf,
    random: Random,
    longest: f64,
    noise: Option<Noise>,
}

impl Disturbances {
    fn unit(&mut self) -> f64 {
        self.random.below(1 << 30) as f64 / f64::from(1 << 30)
    }

    /// Waits, and starts or stops the neighbors with even chances.
    fn change(&mut self) -> Result<()> {
        self.noise = match self.random.below(2) {
            0 => None,
            _ => Some(Noise::start(&self.program)?),
        };
        let pause = Duration::from_secs_f64(self.longest * self.unit());
        thread::sleep(pause);
        Ok(())
    }
}

/// Runs everything.
pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let folder = tempfile::tempdir().map_err(at("write to", &env::temp_dir()))?;
    let this = this_program()?;
    let begin = Instant::now();
    let bench = Bench {
        same: version(&this, folder.path(), "same", 0)?,
        slower: version(&this, folder.path(), "slower", SLOWER)?,
        output: folder.path().join("output"),
    };
    let mut disturbances = Disturbances {
        program: this,
        random: Random::new(arguments.seed),
        longest: arguments.pause,
        noise: None,
    };
    let mut progress = Progress::new(false);
    let parts = [arguments.times, arguments.slower, arguments.records, arguments.criterion];
    let all = parts.iter().sum::<usize>().max(1) as f64;
    let until = |part: usize| {
        let share = parts[..=part].iter().sum::<usize>() as f64 / all;
        begin + Duration::from_secs(arguments.max_time).mul_f64(share)
    };
    let kernels: Vec<String> = KERNELS.map(|name| format!("{MODULE}{name}")).into();
    bench.save(&kernels)?;
    let mut count =
        |part: usize, program: &Path, wanted: &[String], truth: f64| -> Result<Counts> {
            let mut counts = Counts::default();
            while counts.comparisons < parts[part] && Instant::now() < until(part) {
                progress.show(&format!("part {}, comparison {}", part + 1, counts.comparisons + 1));
                disturbances.change()?;
                bench.compare(program, wanted, truth, &mut counts)?;
            }
            progress.end();
            Ok(counts)
        };
    println!("{}", heading());
    let counts = count(0, &bench.same, &kernels, 0.0)?;
    println!("{}", line("identical program", &counts));
    let chain = ["baselines::marked_chain".to_owned()];
    bench.save(&chain)?;
    let counts = count(1, &bench.slower, &chain, SLOWER as f64 / 100.0)?;
    println!("{}", line(&format!("{SLOWER} % slower"), &counts));
    bench.save(&kernels)?;
    bench.forget_programs()?;
    let counts = count(2, &bench.same, &kernels, 0.0)?;
    println!("{}", line("identical, record alone", &counts));
    if arguments.criterion > 0 {
        let program = crate::built("peers", "by_criterion")?;
        let counts = by_criterion(&program, until(3), arguments.criterion, &mut disturbances)?;
        println!("{}", line("identical, criterion", &counts));
    }
    Ok(exit::FINE)
}

/// Makes a copy of this program, with this percentage more steps. Its name is that of the bench target.
fn version(this: &Path, folder: &Path, name: &str, more: usize) -> Result<PathBuf> {
    let mut program = fs::read(this).map_err(at("read", this))?;
    let found: Vec<usize> = program
        .windows(STEPS.len())
        .enumerate()
        .filter(|(_, bytes)| *bytes == STEPS)
        .map(|(at, _)| at)
        .collect();
    let [place] = found[..] else {
        return error("the number of steps is not in this program once");
    };
    let steps = format!("{:07}", 100_000 + 1_000 * more);
    program[place + LABEL..place + STEPS.len()].copy_from_slice(steps.as_bytes());
    let path = folder.join(name).join("lab");
    fs::create_dir_all(folder.join(name)).map_err(at("create", folder))?;
    // The copy brings the permissions.
    fs::copy(this, &path).map_err(at("write", &path))?;
    fs::write(&path, program).map_err(at("write", &path))?;
    Ok(path)
}

struct Bench {
    same: PathBuf,
    slower: PathBuf,
    output: PathBuf,
}

impl Bench {
    fn command(&self, program: &Path, wanted: &[String]) -> Command {
        let mut command = Command::new(program);
        command
            .args(["--bench", "--quiet", "--exact", "--precision", "50", "--format", "json"])
            .args(wanted)
            .env("PLUSMINUS_OUTPUT", &self.output)
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn save(&self, wanted: &[String]) -> Result<()> {
        let mut command = self.command(&self.same, wanted);
        let output = command.args(["--save-baseline", "main"]).output();
        let output = output.map_err(at("run", &self.same))?;
        if output.status.success() { Ok(()) } else { error("the baseline could not be saved") }
    }

    /// Removes what is kept but the records.
    fn forget_programs(&self) -> Result<()> {
        let folder = self.output.join("lab/baselines");
        for file in fs::read_dir(&folder).map_err(at("read", &folder))?.flatten() {
            if file.path().extension().is_some_and(|ending| ending == "program") {
                fs::remove_file(file.path()).map_err(at("remove", &file.path()))?;
            }
        }
        Ok(())
    }

    /// Compares once, and counts the verdicts; `truth` is the relative change of time.
    fn compare(
        &self,
        program: &Path,
        wanted: &[String],
        truth: f64,
        counts: &mut Counts,
    ) -> Result<()> {
        let begin = Instant::now();
        let mut command = self.command(program, wanted);
        let output = command.args(["--baseline", "main"]).output().map_err(at("run", program))?;
        if let Some(signal) = interrupt() {
            return Err(cargo_plusminus::error::Error::Interrupted(signal));
        }
        counts.seconds += begin.elapsed().as_secs_f64();
        counts.comparisons += 1;
        let place = match output.status.code() {
            Some(code @ (0 | 1)) => code as usize,
            Some(3) => 2,
            _ => 3,
        };
        counts.codes[place] += 1;
        let lines = serde_json::Deserializer::from_slice(&output.stdout).into_iter().flatten();
        for found in lines {
            let found: serde_json::Value = found;
            let row = if found["paired"].is_object() { &found["paired"] } else { &found["stored"] };
            let number = |names: [&str; 2]| names.iter().find_map(|name| row[*name].as_f64());
            match row["verdict"].as_str() {
                Some("slower") => counts.slower += 1,
                Some("faster") => counts.faster += 1,
                Some("within_margin") => counts.within_margin += 1,
                Some("inconclusive") => counts.inconclusive += 1,
                _ => continue,
            }
            let speedup = 1.0 / (1.0 + truth);
            let ends = (number(["low", "low_95"]), number(["high", "high_95"]));
            let covered =
                matches!(ends, (Some(low), Some(high)) if low <= speedup && speedup <= high);
            counts.covered += usize::from(covered);
        }
        Ok(())
    }
}

/// The same under criterion, with a second to warm up and two to measure.
fn by_criterion(
    program: &Path,
    until: Instant,
    times: usize,
    disturbances: &mut Disturbances,
) -> Result<Counts> {
    let home = tempfile::tempdir().map_err(at("write to", &env::temp_dir()))?;
    let kernels = format!("^({})$", KERNELS.join("|"));
    let quick = ["--bench", &kernels, "--warm-up-time", "1", "--measurement-time", "2"];
    let steps = cargo_plusminus::selftest::DEFAULT_STEPS;
    criterion::run(
        program,
        home.path(),
        &[&quick[..], &["--save-baseline", "main"]].concat(),
        steps,
    )?;
    let mut counts = Counts::default();
    while counts.comparisons < times && Instant::now() < until {
        disturbances.change()?;
        let begin = Instant::now();
        let compare = [&quick[..], &["--baseline", "main"]].concat();
        let text = criterion::run(program, home.path(), &compare, steps)?;
        counts.seconds += begin.elapsed().as_secs_f64();
        counts.comparisons += 1;
        for said in criterion::read(&text) {
            match said.word {
                criterion::Word::Regressed => counts.slower += 1,
                criterion::Word::Improved => counts.faster += 1,
                criterion::Word::WithinNoise | criterion::Word::NoChange => {
                    counts.within_margin += 1
                }
            }
            let covers = said.change.is_some_and(|[low, _, high]| low <= 0.0 && 0.0 <= high);
            counts.covered += usize::from(covers);
        }
    }
    Ok(counts)
}

fn heading() -> String {
    "| compared | comparisons | slower | faster | within margin | inconclusive | truth in the interval | exit 0, 1, 3, other | s a comparison |\n\
     |---|---|---|---|---|---|---|---|---|"
        .to_owned()
}

fn line(name: &str, counts: &Counts) -> String {
    let [fine, slower, unreliable, other] = counts.codes;
    format!(
        "| {name} | {} | {} | {} | {} | {} | {} of {} | {fine}, {slower}, {unreliable}, {other} | {:.1} |",
        counts.comparisons,
        counts.slower,
        counts.faster,
        counts.within_margin,
        counts.inconclusive,
        counts.covered,
        counts.verdicts(),
        counts.seconds / counts.comparisons.max(1) as f64
    )
}
