//! `cargo plusminus history`: records of many commits as one series for each benchmark and machine, with the steps that are
//! proven in it. Measures nothing; estimates come from `results` of the harness, steps from the analysis.

mod entry;
mod names;
mod page;
mod series;
mod store;
mod text;

use std::path::{Path, PathBuf};

use plusminus::{
    exit,
    output::{print, try_file, write_file},
    record::{AnyRecord, read_any},
    text::{number::counted, visible},
};

use crate::{
    compare::{Dated, alpha, dated, margin},
    error::{Error, Result, at, error},
    newest, pages,
};
use entry::{Entry, Target};
use series::{Change, Series};

/// Times of many commits: added, looked at, and checked for steps.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A history is a folder of plain files, one for each record, which are never changed: keep it in a branch of the repository, or in
the cache of a build server. Only what has the same machine label is compared.
Exit codes of check: 0 fine, 1 a benchmark is proven slower, 2 something is wrong with the history or an option.
Examples:
  cargo bench && cargo plusminus history add                        the newest record
  cargo plusminus compare HEAD~1 --record change.json; cargo plusminus history add change.json
  cargo plusminus history show --html history.html
  cargo plusminus history check --last 5")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Add records to the history.
    Add(AddArguments),
    /// Show every benchmark over the commits, with its steps.
    Show(ShowArguments),
    /// Exit with 1 if a benchmark is proven to have become slower.
    Check(CheckArguments),
}

/// The folder of all that a history command does.
#[derive(Debug, clap::Args)]
struct Folder {
    /// Use the history in this folder.
    #[arg(long, value_name = "DIR", default_value = "plusminus-history")]
    dir: PathBuf,
}

/// The parameters of a search.
#[derive(Debug, clap::Args)]
struct Search {
    #[command(flatten)]
    level: Level,
    /// Use only times of this machine.
    #[arg(long, value_name = "LABEL")]
    machine: Option<String>,
}

#[derive(Debug, Clone, Copy, clap::Args)]
struct Level {
    /// Accept this probability of any wrong step, over all benchmarks, places and looks at a growing history.
    #[arg(long, value_name = "ALPHA", default_value = "0.05", value_parser = alpha)]
    alpha: f64,
    /// Ignore changes up to this, in percent.
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = margin)]
    margin: f64,
}

#[derive(Debug, clap::Args)]
struct AddArguments {
    #[command(flatten)]
    folder: Folder,
    /// Records that `cargo bench` has written, or `compare --record` [default: the newest below target/plusminus].
    #[arg(value_name = "RECORD")]
    records: Vec<PathBuf>,
    /// Name the machine [default: its CPU and the number of CPUs].
    #[arg(long, value_name = "LABEL")]
    machine: Option<String>,
    /// Set the commit that was measured, if the record lacks it.
    #[arg(long, value_name = "COMMIT")]
    commit: Option<String>,
    /// Also add records of uncommitted changes; they follow their commit.
    #[arg(long)]
    allow_dirty: bool,
}

#[derive(Debug, clap::Args)]
struct ShowArguments {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    search: Search,
    /// Show only benchmarks whose name contains this.
    #[arg(value_name = "NAME")]
    filter: Option<String>,
    /// Also write a page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write every figure as an SVG file, and its data as CSV, into this folder.
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct CheckArguments {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    search: Search,
    /// Check only the newest commits of a benchmark, this many.
    #[arg(long, value_name = "COMMITS", default_value_t = 10, conflicts_with = "since")]
    last: usize,
    /// Check only commits after this one: a hash, or its beginning.
    #[arg(long, value_name = "COMMIT")]
    since: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    match &arguments.command {
        Command::Add(arguments) => add(arguments),
        Command::Show(arguments) => show(arguments),
        Command::Check(arguments) => check(arguments),
    }
}

fn add(arguments: &AddArguments) -> Result<i32> {
    let records = match &arguments.records[..] {
        [] => vec![newest::record()?],
        records => records.to_vec(),
    };
    // All are read before any is written.
    let entries = records
        .iter()
        .map(|path| entry_of(path, arguments).map_err(|error| named(path, error)))
        .collect::<Result<Vec<Entry>>>()?;
    for entry in &entries {
        let (path, is_new) = store::add(&arguments.folder.dir, entry)?;
        let what = if is_new { "added" } else { "there already" };
        let said = format!(
            "{what}: {} of {} benchmarks of {}, machine {}\n",
            path.display(),
            entry.times.iter().filter(|time| !time.of_base).count().max(entry.pairs.len()),
            visible(&entry.commit.name),
            visible(&entry.machine)
        );
        print(&said).map_err(Error::Message)?;
    }
    Ok(exit::FINE)
}

/// Adds the name of the record to an error, unless it has it.
fn named(path: &Path, error: Error) -> Error {
    match error {
        Error::Message(text) if !text.contains(&path.display().to_string()) => {
            Error::Message(format!("{}: {text}", path.display()))
        }
        error => error,
    }
}

fn entry_of(path: &Path, arguments: &AddArguments) -> Result<Entry> {
    let read = read_any(path)?;
    let commit = match &arguments.commit {
        None => None,
        // A name that no repository knows is one of the user's own.
        Some(name) => {
            let unknown = || Dated { hash: name.clone(), committed: None, ancestors: None };
            Some(dated(name)?.unwrap_or_else(unknown))
        }
    };
    let machine = arguments.machine.as_deref();
    let entry = match &read {
        AnyRecord::Measurement(record) => entry::of_record(record, machine, commit.as_ref()),
        AnyRecord::Comparison(_) if commit.is_some() => {
            error("--commit is for measurements: a comparison has two commits of its own")
        }
        AnyRecord::Comparison(record) => entry::of_comparison(record, machine),
    }?;
    let is_dirty = entry.commit.dirty || entry.base.as_ref().is_some_and(|base| base.dirty);
    if is_dirty && !arguments.allow_dirty {
        return error(
            "it was measured with changes that are in no commit, so that nobody can find it again: commit them and measure, \
             or take it with --allow-dirty",
        );
    }
    if entry.times.is_empty() && entry.pairs.is_empty() {
        return error("it holds no time of any benchmark");
    }
    Ok(entry)
}

/// The entries of a history that are asked for.
fn read(folder: &Folder, search: &Search, filter: Option<&str>) -> Result<Vec<Entry>> {
    let mut entries = store::read(&folder.dir)?;
    if let Some(machine) = &search.machine {
        entries.retain(|entry| entry.machine == *machine);
        if entries.is_empty() {
            return error(format!("the history has nothing of a machine `{}`", visible(machine)));
        }
    }
    if let Some(filter) = filter {
        for entry in &mut entries {
            let Entry { package, bench, times, pairs, .. } = entry;
            let selected = |target: Option<&Target>, name: &str| {
                let own = target.map(|target| (target.package.as_deref(), target.bench.as_str()));
                let (package, bench) = own.unwrap_or((package.as_deref(), bench.as_str()));
                // As series are called that a name alone does not tell apart.
                format!("{}/{bench}: {name}", package.unwrap_or_default()).contains(filter)
            };
            times.retain(|time| selected(time.target.as_ref(), &time.benchmark));
            pairs.retain(|pair| selected(pair.target.as_ref(), &pair.benchmark));
        }
        entries.retain(|entry| !entry.times.is_empty() || !entry.pairs.is_empty());
        if entries.is_empty() {
            return error(format!("no benchmark of the history contains `{}`", visible(filter)));
        }
    }
    Ok(entries)
}

fn show(arguments: &ShowArguments) -> Result<i32> {
    if let Some(path) = &arguments.html {
        try_file(path).map_err(at("write", path))?;
    }
    let entries = read(&arguments.folder, &arguments.search, arguments.filter.as_deref())?;
    let level = arguments.search.level;
    let all = series::all(&entries, level);
    let mut said = text::render(&all);
    if let Some(path) = &arguments.html {
        let page = page::of(&all, &entries, level, &said, pages::Extent::Page);
        let html = pages::rendered(&page);
        write_file(path, html.as_bytes()).map_err(at("write", path))?;
        said.push_str(&format!("page: {}\n", path.display()));
    }
    if let Some(folder) = &arguments.figures {
        let page = page::of(&all, &entries, level, "", pages::Extent::Everything);
        let count = pages::write_figures(&page, folder)?;
        said.push_str(&format!("figures: {count} in {}\n", folder.display()));
    }
    print(&said).map_err(Error::Message)?;
    Ok(exit::FINE)
}

fn check(arguments: &CheckArguments) -> Result<i32> {
    let entries = read(&arguments.folder, &arguments.search, None)?;
    let all = series::all(&entries, arguments.search.level);
    if let Some(since) = &arguments.since {
        let mut names =
            all.iter().flat_map(|series| &series.places).map(|place| &place.commit.name);
        if !names.any(|name| name.starts_with(since.as_str())) {
            return error(format!("the history has no commit `{}`", visible(since)));
        }
    }
    let (mut slower, mut faster, mut older) = (Vec::new(), Vec::new(), 0);
    for series in &all {
        for change in series.changes.iter().filter(|change| change.is_proven) {
            let said = || text::sentence_of(series, change);
            match (counts(series, change, arguments), change.is_slower()) {
                (false, _) => older += 1,
                (true, true) => slower.push(said()),
                (true, false) => faster.push(said()),
            }
        }
    }
    let mut said: String = slower.iter().chain(&faster).map(|line| format!("{line}\n")).collect();
    if older > 0 {
        said += &format!("{older} older steps do not count: `history show` has them\n");
    }
    let benchmarks = counted(all.len(), "benchmark");
    said += &match slower.len() {
        0 => format!("{benchmarks}: none is proven to have become slower\n"),
        slow => format!("{benchmarks}: {slow} proven to have become slower\n"),
    };
    print(&said).map_err(Error::Message)?;
    Ok(if slower.is_empty() { exit::FINE } else { exit::REGRESSION })
}

/// Whether a change is at a place that the check is about.
fn counts(series: &Series<'_>, change: &Change, arguments: &CheckArguments) -> bool {
    match &arguments.since {
        None => change.place + arguments.last >= series.places.len(),
        Some(since) => {
            let is_it = |name: &str| name.starts_with(since.as_str());
            let last = series.places.iter().rposition(|place| is_it(&place.commit.name));
            // A benchmark that came later has all of its steps after the commit.
            last.is_none_or(|last| change.place > last)
        }
    }
}
