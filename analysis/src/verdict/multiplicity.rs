//! Corrections for looking at many benchmarks at once, for tables that are explored rather than gated on.

use crate::error::{Error, Result};

/// Which of several hypotheses a procedure rejects.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejections {
    /// For each input, in its order: rejected?
    pub rejected: Vec<bool>,
    /// Adjusted p-values, comparable with the level directly; empty for e-values.
    pub adjusted: Vec<f64>,
}

impl Rejections {
    /// How many are rejected.
    pub fn count(&self) -> usize {
        self.rejected.iter().filter(|r| **r).count()
    }
}

/// Holm's procedure: the probability of *any* false rejection is at most `level`, under any dependence.
///
/// # Errors
/// When a p-value does not lie in \[0, 1\].
pub fn holm(p_values: &[f64], level: f64) -> Result<Rejections> {
    let order = ascending(p_values)?;
    let count = p_values.len();
    let mut adjusted = vec![0.0; count];
    let mut largest = 0.0_f64;
    for (rank, &i) in order.iter().enumerate() {
        largest = largest.max((p_values[i] * (count - rank) as f64).min(1.0));
        adjusted[i] = largest;
    }
    Ok(Rejections { rejected: adjusted.iter().map(|p| *p <= level).collect(), adjusted })
}

/// Benjamini and Hochberg's procedure: the expected *share* of false rejections is at most `level` for
/// independent (or positively dependent) tests. Not for a gate.
///
/// # Errors
/// When a p-value does not lie in \[0, 1\].
pub fn benjamini_hochberg(p_values: &[f64], level: f64) -> Result<Rejections> {
    let order = ascending(p_values)?;
    let count = p_values.len();
    let mut adjusted = vec![0.0; count];
    let mut smallest = 1.0_f64;
    for (rank, &i) in order.iter().enumerate().rev() {
        smallest = smallest.min(p_values[i] * count as f64 / (rank + 1) as f64);
        adjusted[i] = smallest;
    }
    Ok(Rejections { rejected: adjusted.iter().map(|p| *p <= level).collect(), adjusted })
}

/// The e-BH procedure (Wang & Ramdas 2022): the expected share of false rejections is at most `level`
/// under any dependence, for e-values at a time fixed in advance.
///
/// ```
/// use plusminus_analysis::verdict::e_bh;
///
/// let found = e_bh(&[900.0, 130.0, 70.0, 25.0, 1.2, 0.3], 0.05).unwrap();
/// assert_eq!(found.count(), 3);
/// ```
///
/// # Errors
/// When an e-value is negative or NaN.
pub fn e_bh(e_values: &[f64], level: f64) -> Result<Rejections> {
    if let Some(index) = e_values.iter().position(|e| e.is_nan() || *e < 0.0) {
        let reason = "an e-value must not be negative";
        return Err(Error::Invalid { index, value: e_values[index], reason });
    }
    let count = e_values.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| e_values[*b].total_cmp(&e_values[*a]));
    let enough = |k: usize| e_values[order[k - 1]] >= count as f64 / (level * k as f64);
    let rejections = (1..=count).rev().find(|k| enough(*k)).unwrap_or(0);
    let mut rejected = vec![false; count];
    order.iter().take(rejections).for_each(|i| rejected[*i] = true);
    Ok(Rejections { rejected, adjusted: Vec::new() })
}

/// Positions in ascending order of p.
fn ascending(p_values: &[f64]) -> Result<Vec<usize>> {
    if let Some(index) = p_values.iter().position(|p| !(0.0..=1.0).contains(p)) {
        let reason = "a p-value must lie between 0 and 1";
        return Err(Error::Invalid { index, value: p_values[index], reason });
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    Ok(order)
}
