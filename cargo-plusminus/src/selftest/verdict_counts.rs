//! Counts verdicts whose truth is known.

use std::collections::BTreeMap;

use plusminus::{
    results::RowResult,
    text::number::{change, percent},
};
use plusminus_analysis::verdict::{Doubt, Verdict};

/// Verdicts on one true change.
#[derive(Debug, Default, Clone)]
pub struct VerdictCounts {
    /// All verdicts.
    pub judged: usize,
    /// Rows that are faster.
    pub faster: usize,
    /// Rows that are slower.
    pub slower: usize,
    /// Of the slower and faster ones, those proven to exceed the margin.
    pub beyond: usize,
    /// Rows with a change proven to lie within the margin, if any.
    pub within_margin: usize,
    /// Rows without a proof.
    pub inconclusive: usize,
    /// Verdicts that a check has marked.
    pub unreliable: usize,
    /// Alarms that no check has marked.
    pub unmarked_alarms: usize,
    /// Intervals that contain the truth.
    pub covered: usize,
    /// All intervals.
    pub intervals: usize,
    /// Blocks of all verdicts together.
    pub blocks: usize,
    /// How far reported changes are from the truth, new/base − 1 − truth.
    pub errors: Vec<f64>,
    /// How often which check has marked a verdict.
    pub doubts: BTreeMap<&'static str, usize>,
    /// Reported changes, new/base − 1.
    pub reported: Vec<f64>,
    /// Standard deviations of blocks.
    pub spreads: Vec<f64>,
}

impl VerdictCounts {
    /// The titles of [`Self::cells`].
    pub const TITLES: [&str; 12] = [
        "verdicts",
        "slower",
        "faster",
        "within margin",
        "inconclusive",
        "check failed",
        "reported change",
        "mean error",
        "largest error",
        "truth in interval",
        "blocks",
        "block SD",
    ];

    /// Adds a verdict on a true change.
    pub(super) fn count(&mut self, row: &RowResult, truth: f64) {
        // A budget that ended before the first verdict could be is no verdict.
        if row.blocks.len() < 6 {
            return;
        }
        self.judged += 1;
        match row.judgement.verdict {
            Verdict::Faster => self.faster += 1,
            Verdict::Slower => self.slower += 1,
            Verdict::WithinMargin => self.within_margin += 1,
            Verdict::Inconclusive => self.inconclusive += 1,
        }
        let alarm = matches!(row.judgement.verdict, Verdict::Faster | Verdict::Slower);
        self.beyond += usize::from(row.judgement.beyond_margin);
        self.unreliable += usize::from(!row.doubts.is_empty());
        self.unmarked_alarms += usize::from(alarm && row.doubts.is_empty());
        if let Some(interval) = row.judgement.interval {
            self.intervals += 1;
            self.covered += usize::from(interval.contains(1.0 / (1.0 + truth)));
        }
        self.blocks += row.blocks.len();
        self.reported.extend(row.speedup.map(|speedup| 1.0 / speedup - 1.0));
        self.errors.extend(row.speedup.map(|speedup| 1.0 / speedup - 1.0 - truth));
        for doubt in &row.doubts {
            *self.doubts.entry(kind(doubt)).or_default() += 1;
        }
        self.spreads.extend(block_spread(row));
    }

    /// Adds the verdicts of another one.
    pub fn merge(&mut self, other: &Self) {
        self.judged += other.judged;
        self.faster += other.faster;
        self.slower += other.slower;
        self.beyond += other.beyond;
        self.within_margin += other.within_margin;
        self.inconclusive += other.inconclusive;
        self.unreliable += other.unreliable;
        self.unmarked_alarms += other.unmarked_alarms;
        self.covered += other.covered;
        self.intervals += other.intervals;
        self.blocks += other.blocks;
        self.reported.extend(&other.reported);
        self.errors.extend(&other.errors);
        for (kind, count) in &other.doubts {
            *self.doubts.entry(kind).or_default() += count;
        }
        self.spreads.extend(&other.spreads);
    }

    /// Slower and faster.
    pub fn alarms(&self) -> usize {
        self.slower + self.faster
    }

    /// The counts as cells of a table.
    pub fn cells(&self) -> Vec<String> {
        let or_none = |value: Option<f64>, text: fn(f64) -> String| {
            value.map_or_else(|| "–".to_owned(), text)
        };
        vec![
            self.judged.to_string(),
            self.slower.to_string(),
            self.faster.to_string(),
            self.within_margin.to_string(),
            self.inconclusive.to_string(),
            self.unreliable.to_string(),
            or_none(mean(&self.reported), change),
            or_none(mean(&self.errors), points),
            or_none(self.errors.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())), points),
            format!("{}/{}", self.covered, self.intervals),
            format!("{:.1}", self.blocks as f64 / self.judged.max(1) as f64),
            or_none(median(&self.spreads), percent),
        ]
    }
}

/// The short name of a check.
fn kind(doubt: &Doubt) -> &'static str {
    match doubt {
        Doubt::ControlDiffers { .. } => "the control differs",
        Doubt::Contradiction => "blocks contradict each other",
        Doubt::CorrelatedBlocks { .. } => "blocks are correlated",
        Doubt::Drift { .. } => "drift",
        Doubt::FewCleanSamples { .. } => "few clean samples",
        Doubt::NoSteadyState { .. } => "no steady state",
        Doubt::TwoSpeeds(_) => "two speeds",
        _ => "another check",
    }
}

/// A difference of changes in percentage points, to three places: errors are often small.
fn points(fraction: f64) -> String {
    format!("{:+.3}", 100.0 * fraction).replace('-', "−")
}

/// Standard deviation of the blocks of a row.
fn block_spread(row: &RowResult) -> Option<f64> {
    let n = row.blocks.len() as f64;
    let speedup = row.speedup.filter(|_| n >= 2.0 && !row.repaired)?;
    Some(row.sigma? / speedup * n.sqrt())
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}
