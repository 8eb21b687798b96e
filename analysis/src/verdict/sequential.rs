//! The verdict on one benchmark of a suite, block by block.

use super::judgement::{Intervals, Judgement, Margin, Verdict, judge};
use super::typical::TypicalChange;
use crate::error::{Result, check_count, check_probability};

/// The parameters of a decision: fixed before the first block, the same for all benchmarks of a suite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    /// Changes within it are ignored.
    pub margin: Margin,
    /// Probability that any interval of the whole suite misses the truth, and so of any wrong verdict in it.
    pub alpha: f64,
    /// Number of benchmarks M in the suite: each is judged, and has its interval, at α/M (Bonferroni).
    pub benchmarks: usize,
    /// How many times rarer than α/M an alarm has to be: 1 for all benchmarks. A control, which takes all verdicts with it,
    /// has more.
    pub rarer_alarms: f64,
    /// No decision before this many blocks.
    pub minimum_blocks: usize,
    /// Standard uncertainty that the clock alone gives to one block's log-ratio; 0 if unknown.
    pub resolution: f64,
}

impl Default for Rule {
    /// One benchmark, 5 %, margin 2 %, at least 6 blocks.
    fn default() -> Self {
        Self {
            margin: Margin::default(),
            alpha: 0.05,
            benchmarks: 1,
            rarer_alarms: 1.0,
            minimum_blocks: 6,
            resolution: 0.0,
        }
    }
}

/// The blocks of one benchmark and what they prove so far.
#[derive(Debug, Clone, PartialEq)]
pub struct SequentialVerdict {
    rule: Rule,
    /// At α/M, which proves "same", and is reported.
    change: TypicalChange,
}

/// The state of a benchmark when no more blocks come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conclusion {
    /// The label and its numbers.
    pub judgement: Judgement,
    /// Blocks measured.
    pub blocks: usize,
    /// S = exp(−d) of new over base, d the median of the blocks; `None` before the first block.
    pub speedup: Option<f64>,
    /// σ of S, S times the standard uncertainty of the median; `None` before the second block.
    pub sigma: Option<f64>,
    /// Mean and median of the blocks differ, so that the signs alone decided ([`TypicalChange::is_by_signs_alone`]).
    pub by_signs_alone: bool,
    /// Anytime-valid p-value of "no change".
    pub p_value: f64,
    /// Blocks in all that it would take to prove or refute "same", if the noise stays as it is.
    pub blocks_needed: Option<usize>,
    /// The sequence contradicts itself: mark the result unreliable.
    pub contradictory: bool,
}

/// Judges blocks by a rule, in the order in which they were measured. It makes no difference after how many of them
/// they were examined before, and whether that ended the measurement.
///
/// ```
/// use plusminus_analysis::verdict::{Rule, Verdict, look};
///
/// let blocks = [0.051, 0.049, 0.050, 0.052, 0.048, 0.050];
/// assert_eq!(look(&blocks[..5], Rule::default()).unwrap().decision(), None); // Too early.
/// assert_eq!(look(&blocks, Rule::default()).unwrap().decision(), Some(Verdict::Slower));
/// ```
///
/// # Errors
/// When a block is not finite, or the rule is not valid.
pub fn look(blocks: &[f64], rule: Rule) -> Result<SequentialVerdict> {
    let mut verdict = SequentialVerdict::new(rule)?;
    for &d in blocks {
        verdict.push(d)?;
    }
    Ok(verdict)
}

impl SequentialVerdict {
    /// Starts without blocks.
    ///
    /// # Errors
    /// When alpha is no probability, there are no benchmarks, alarms are never raised, or the resolution is negative or not
    /// finite.
    pub fn new(rule: Rule) -> Result<Self> {
        check_count("benchmarks", rule.benchmarks, 1)?;
        let alpha = rule.alpha / rule.benchmarks as f64;
        check_probability("alpha of an alarm", alpha / rule.rarer_alarms)?;
        Ok(Self { change: TypicalChange::new(alpha, rule.resolution)?, rule })
    }

    /// Adds the log-ratio ln(t_new/t_base) of a block.
    ///
    /// # Errors
    /// When it is not finite.
    pub fn push(&mut self, d: f64) -> Result<()> {
        self.change.push(d)
    }

    /// The verdict that ends measuring: proven same, or a change proven larger than the margin.
    pub fn decision(&self) -> Option<Verdict> {
        if self.change.n() < self.rule.minimum_blocks || self.change.is_contradictory() {
            return None;
        }
        let judgement = self.judgement();
        let final_now = judgement.verdict == Verdict::WithinMargin || judgement.beyond_margin;
        final_now.then_some(judgement.verdict)
    }

    /// The typical change at α/M, whose interval is the one to show.
    pub fn change(&self) -> &TypicalChange {
        &self.change
    }

    /// Returns how many blocks in all it takes until the next verdict has at least this chance, if blocks continue to
    /// scatter `scale` times as much. The verdict may be any but inconclusive; if the sign is proven, it is a final one. `None` if no
    /// number is enough, as for blocks that contradict each other.
    pub fn blocks_until(&self, chance: f64, scale: f64) -> Option<usize> {
        if self.change.is_contradictory() {
            return None;
        }
        let limit = self.rule.margin.log();
        let beyond = match self.judgement().verdict {
            Verdict::Inconclusive => 0.0,
            _ => limit,
        };
        let blocks = self.change.blocks_until(chance, limit, beyond, scale)?;
        Some(blocks.max(self.rule.minimum_blocks))
    }

    /// The label if measuring ends here: also a proven sign without a proven size.
    pub fn conclude(&self) -> Conclusion {
        let contradictory = self.change.is_contradictory();
        let mut judgement = self.judgement();
        if contradictory || self.change.n() < self.rule.minimum_blocks {
            judgement.verdict = Verdict::Inconclusive;
            judgement.at_least = None;
            judgement.beyond_margin = false;
            judgement.real_but_within_margin = false;
        }
        let speedup = self.change.estimate().map(|d| libm::exp(-d)).filter(|s| s.is_finite());
        Conclusion {
            judgement,
            blocks: self.change.n(),
            speedup,
            sigma: speedup.zip(self.change.u()).map(|(s, u)| s * u).filter(|s| s.is_finite()),
            by_signs_alone: self.change.is_by_signs_alone(),
            p_value: self.change.p_value(),
            blocks_needed: self.change.blocks_needed(self.rule.margin.log()),
            contradictory,
        }
    }

    fn judgement(&self) -> Judgement {
        // The interval of all blocks so far: it holds after any number of looks, and the estimate lies in it. The
        // intersection with earlier ones is narrower, but may leave the estimate outside.
        let (alpha, alone) = (self.rule.alpha / self.rule.benchmarks as f64, self.rule.alpha);
        let alarm = alpha / self.rule.rarer_alarms;
        judge(
            Intervals {
                shared: self.change.interval(),
                alarm: self.change.interval_at(alarm),
                alone: self.change.interval_at(alone),
            },
            self.rule.margin,
            self.change.minimum_detectable_effect_at(alarm),
        )
    }
}
