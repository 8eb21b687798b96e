//! A design with a fixed plan: looks after fixed numbers of blocks.

use super::POWER_80;
use super::judgement::{Intervals, Judgement, Margin, judge};
use crate::error::{Error, Result, check_count, check_finite, check_probability};
use crate::interval::Interval;
use crate::special::student_t_two_sided_quantile;
use crate::sums;

/// Looks at 8, 16, 32 and 60 blocks, and nowhere else: intervals at the last look are about a quarter
/// narrower than those of the sequence, but measuring cannot stop between looks.
///
/// ```
/// use plusminus_analysis::verdict::{GroupSequential, Margin, Verdict};
///
/// let plan = GroupSequential::standard(Margin::default());
/// let blocks = [0.051, 0.049, 0.050, 0.052, 0.048, 0.050, 0.051, 0.049];
/// assert!(plan.judge(&blocks[..7]).unwrap().is_none()); // Not a look.
/// assert_eq!(plan.judge(&blocks).unwrap().unwrap().verdict, Verdict::Slower);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GroupSequential {
    looks: Vec<usize>,
    alpha_per_look: f64,
    margin: Margin,
}

impl GroupSequential {
    /// Looks at 8, 16, 32 and 60 blocks with α' = 0.0155 each, which together err in 5 % (by simulation).
    pub fn standard(margin: Margin) -> Self {
        Self { looks: vec![8, 16, 32, 60], alpha_per_look: 0.0155, margin }
    }

    /// Looks of one's own; α is divided among them evenly, which is always valid.
    ///
    /// # Errors
    /// When looks are missing, not ascending or below 2 blocks, or α is no probability.
    pub fn evenly(looks: &[usize], alpha: f64, margin: Margin) -> Result<Self> {
        check_count("looks", looks.len(), 1)?;
        check_count("blocks at the first look", looks[0], 2)?;
        check_probability("alpha", alpha)?;
        if let Some(i) = looks.windows(2).position(|w| w[0] >= w[1]) {
            let (index, value) = (i + 1, looks[i + 1] as f64);
            return Err(Error::Invalid { index, value, reason: "looks must ascend" });
        }
        Ok(Self { looks: looks.to_vec(), alpha_per_look: alpha / looks.len() as f64, margin })
    }

    /// The numbers of blocks after which to look.
    pub fn looks(&self) -> &[usize] {
        &self.looks
    }

    /// The judgement on all blocks so far; `None` when their number is not a look.
    ///
    /// # Errors
    /// When a block is not finite.
    pub fn judge(&self, blocks: &[f64]) -> Result<Option<Judgement>> {
        if !self.looks.contains(&blocks.len()) {
            return Ok(None);
        }
        check_finite(blocks)?;
        Ok(Some(judge_mean(blocks, self.alpha_per_look, self.margin)))
    }
}

/// A verdict from the t interval of the mean, two-sided at `alpha`. At least two values.
fn judge_mean(values: &[f64], alpha: f64, margin: Margin) -> Judgement {
    let n = values.len() as f64;
    let (mean, spread) = sums::mean_and_spread(values);
    if spread == 0.0 {
        // Equal values say nothing about how much they would scatter.
        return judge(Intervals::default(), margin, None);
    }
    let u = spread / n.sqrt();
    let t = student_t_two_sided_quantile(alpha, n - 1.0);
    let interval = Interval::checked(mean - t * u, mean + t * u);
    let effect = libm::expm1((t + POWER_80) * u);
    judge(Intervals::all(interval), margin, Some(effect).filter(|e| e.is_finite()))
}
