//! One file of a history: the results of one record for each benchmark, without its samples.

use plusminus::{
    record::{ComparisonRecord, Manifest, Record},
    results::{self, RowResult, Time},
    text::number::counted,
};
use plusminus_analysis::{
    summary::{quantile, summarize},
    verdict::{Doubt, Verdict},
};
use serde::{Deserialize, Serialize};

use crate::{
    compare::{Dated, dated},
    error::{Result, error},
};

/// The version of the format; later versions read all earlier ones.
pub(super) const SCHEMA: u32 = 1;

/// The mark of these files.
pub(super) use crate::report::own::HISTORY as KIND;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) schema: u32,
    pub(super) kind: String,
    /// The label of the machine: only times with the same one are compared.
    pub(super) machine: String,
    /// When it was measured, in UTC.
    pub(super) measured: String,
    /// The package of the bench target; `None` if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) package: Option<String>,
    /// The bench target; empty for a comparison, whose times and pairs have their own.
    pub(super) bench: String,
    /// The commit of the times; of a comparison, that of the new side.
    pub(super) commit: Commit,
    /// Of a comparison, the commit of the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) base: Option<Commit>,
    pub(super) rustc: String,
    pub(super) system: String,
    /// How fast the machine was, by small kernels of which the code never changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) probes: Vec<Probe>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) times: Vec<Timed>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) pairs: Vec<Pair>,
}

/// A place in the order of commits.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Commit {
    /// The hash, or the user's name for it.
    pub(super) name: String,
    /// When it was committed, in UTC; `None` where the repository does not know the commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) committed: Option<String>,
    /// The number of commits up to it, which separates commits of the same second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ancestors: Option<u64>,
    /// Whether the work tree differed from it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) dirty: bool,
}

/// The median of the times of a probe, and how many there were.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Probe {
    pub(super) name: String,
    pub(super) median_ns: f64,
    pub(super) count: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Target {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) package: Option<String>,
    pub(super) bench: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Timed {
    /// Of a comparison, the bench target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<Target>,
    pub(super) benchmark: String,
    pub(super) ns: f64,
    /// σ; `None` for a single run.
    pub(super) u_ns: Option<f64>,
    /// Of a comparison, whether it is that of the base.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) of_base: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Pair {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<Target>,
    pub(super) benchmark: String,
    /// ln(new/base), with its σ and its interval.
    pub(super) log_change: f64,
    pub(super) u: f64,
    pub(super) interval: Option<(f64, f64)>,
    /// `faster`, `slower`, `within_margin`, `inconclusive`, or `identical_code`, which earlier versions called `same`, `undecided` and
    /// `unchanged`.
    pub(super) verdict: String,
    /// Pairs of processes that were measured.
    pub(super) blocks: usize,
}

/// The entry of a measurement; the user may name the machine and the commit.
pub(super) fn of_record(
    record: &Record,
    machine: Option<&str>,
    commit: Option<&Dated>,
) -> Result<Entry> {
    let manifest = &record.manifest;
    let commit = match commit {
        Some(known) => commit_of(&known.hash, Some(known), false),
        None => of_manifest(manifest)?,
    };
    let tables = results::tables(record);
    let rows = tables.iter().flat_map(|table| &table.rows);
    let times =
        rows.filter_map(|row| timed((None, &row.case.name), row.time.as_ref()?, false)).collect();
    Ok(Entry { commit, times, ..blank(manifest, machine) })
}

pub(super) fn of_comparison(record: &ComparisonRecord, machine: Option<&str>) -> Result<Entry> {
    let outcome = results::outcome(record);
    let (mut times, mut pairs) = (Vec::new(), Vec::new());
    for case in &outcome.cases {
        // The row of all instances together, or the only one.
        let Some(row) = case.rows.iter().find(|row| row.instance.is_none()) else { continue };
        if row.doubts.iter().any(|doubt| matches!(doubt, Doubt::ControlDiffers { .. })) {
            return error(
                "its control, base against a copy of base, came out as different: no verdict of it can be trusted, and it is \
                 not kept",
            );
        }
        for (side, time) in [true, false].into_iter().zip(row.times.iter().flatten()) {
            times.extend(timed(named(record, &case.name), time, side));
        }
        pairs.extend(pair(named(record, &case.name), row));
    }
    pairs.extend(record.identical_code.iter().map(|name| {
        let (target, name) = named(record, name);
        Pair {
            target,
            benchmark: name.to_owned(),
            interval: Some((0.0, 0.0)),
            verdict: "identical_code".to_owned(),
            ..Pair::default()
        }
    }));
    Ok(Entry {
        commit: of_manifest(&record.new.manifest)?,
        base: Some(of_manifest(&record.base.manifest)?),
        times,
        pairs,
        ..blank(&record.new.manifest, machine)
    })
}

/// The bench target of a benchmark of a comparison, if it is known, and its name there.
fn named<'a>(record: &ComparisonRecord, name: &'a str) -> (Option<Target>, &'a str) {
    match record.target_of(name) {
        Some((target, name)) => {
            let (package, bench) = (Some(target.package.clone()), target.bench.clone());
            (Some(Target { package, bench }), name)
        }
        None => (None, name),
    }
}

fn pair((target, name): (Option<Target>, &str), row: &RowResult) -> Option<Pair> {
    let speedup = row.speedup?;
    let interval = row.judgement.interval.map(|s| (-s.high.ln(), -s.low.ln()));
    Some(Pair {
        target,
        benchmark: name.to_owned(),
        log_change: -speedup.ln(),
        u: row.sigma? / speedup,
        interval: interval.filter(|(low, high)| low.is_finite() && high.is_finite()),
        verdict: row.judgement.verdict.id().to_owned(),
        blocks: row.blocks.len(),
    })
}

fn timed((target, name): (Option<Target>, &str), time: &Time, of_base: bool) -> Option<Timed> {
    let estimate = time.estimate;
    let possible = estimate.value > 0.0 && estimate.value.is_finite();
    possible.then(|| Timed {
        target,
        benchmark: name.to_owned(),
        ns: estimate.value,
        u_ns: estimate.u,
        of_base,
    })
}

fn of_manifest(manifest: &Manifest) -> Result<Commit> {
    let Some(hash) = &manifest.commit else {
        return error("it does not say which commit was measured: give it with --commit");
    };
    let known = dated(hash)?;
    Ok(commit_of(hash, known.as_ref(), manifest.dirty == Some(true)))
}

fn commit_of(hash: &str, known: Option<&Dated>, dirty: bool) -> Commit {
    Commit {
        name: hash.to_owned(),
        committed: known.and_then(|known| known.committed.clone()),
        ancestors: known.and_then(|known| known.ancestors),
        dirty,
    }
}

/// An entry without commit, times and pairs.
fn blank(manifest: &Manifest, machine: Option<&str>) -> Entry {
    let probe = |probe: &plusminus::record::ProbeRecord| {
        let median_ns = quantile(&probe.ns, 0.5).ok()?;
        Some(Probe { name: probe.name.clone(), median_ns, count: probe.ns.len() })
    };
    Entry {
        schema: SCHEMA,
        kind: KIND.to_owned(),
        machine: machine.map_or_else(|| label(manifest), str::to_owned),
        measured: manifest.started.clone(),
        package: manifest.package.clone(),
        bench: manifest.bench.clone(),
        rustc: manifest.rustc.clone(),
        system: manifest.system.clone(),
        probes: manifest.probes.iter().filter_map(probe).collect(),
        ..Entry::default()
    }
}

/// Returns the label of a machine without a name from the user.
fn label(manifest: &Manifest) -> String {
    let cpu = manifest.cpu.as_deref().map(str::trim).filter(|cpu| !cpu.is_empty());
    let cpu = cpu.unwrap_or("a processor that is not known");
    format!("{cpu}, {}", counted(manifest.cores, "processor"))
}

impl Entry {
    /// Returns the fault of an entry from a file, if there is one.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let positive = |ns: f64| ns > 0.0 && ns.is_finite();
        let sigma = |u: f64| u >= 0.0 && u.is_finite();
        let times = self.times.iter().all(|time| positive(time.ns) && time.u_ns.is_none_or(sigma));
        let probes = self.probes.iter().all(|probe| positive(probe.median_ns));
        let pairs = self.pairs.iter().all(|pair| {
            let ends = pair.interval.unwrap_or((0.0, 0.0));
            pair.log_change.is_finite() && sigma(pair.u) && ends.0.is_finite() && ends.1.is_finite()
        });
        match () {
            () if !times || !probes => Some("one of its times is impossible"),
            () if !pairs => Some("one of its comparisons is impossible"),
            () if !self.pairs.is_empty() && self.base.is_none() => {
                Some("its comparison has no base")
            }
            () => None,
        }
    }

    /// Whether a verdict is one that proves a change.
    pub(super) fn is_step(pair: &Pair) -> bool {
        [Verdict::Slower, Verdict::Faster].iter().any(|verdict| verdict.id() == pair.verdict)
    }
}

/// The level of a probe over several entries with its uncertainty, as a logarithm.
pub(super) fn probe_level(entries: &[&Entry], name: &str) -> Option<plusminus_analysis::Estimate> {
    let of = |entry: &&Entry| {
        let probe = entry.probes.iter().find(|probe| probe.name == name)?;
        Some(probe.median_ns.ln())
    };
    let logs: Vec<f64> = entries.iter().filter_map(of).collect();
    summarize(&logs).ok().map(|summary| summary.estimate())
}
