//! The verdict on a row, and why it is not to be relied on: the only place that decides either.

use super::{Block, RowResult};
use crate::{
    analysis::{
        ageing::shared,
        special::student_t_two_sided_tail,
        verdict::{
            Circumstances, Doubt, Judgement, Rule, Shares, Verdict, average_adjacent,
            change_of_shares, conclude_blocks, doubts,
        },
    },
    results::mean,
};

/// Judges the blocks of a row by themselves. Parts that the verdict does not need are left open.
pub(super) fn judged(blocks: &[Block], rule: Rule, margin: f64) -> RowResult {
    let d: Vec<f64> = blocks.iter().map(|block| block.log_ratio).collect();
    let Ok((conclusion, repaired)) = conclude_blocks(&d, rule) else {
        return RowResult { margin, ..RowResult::default() };
    };
    let moved = |block: &Block| block.ageing.map(|[base, new]| new - base);
    let circumstances = Circumstances {
        contradictory: conclusion.contradictory,
        clean_fraction: mean(blocks.iter().filter_map(|block| block.clean)),
        has_cpu_time: blocks.iter().all(|block| block.cpu_log_ratio.is_some()),
        // By how much the difference between the sides is proven to move while processes run.
        ageing: shared(&blocks.iter().filter_map(moved).collect::<Vec<_>>()),
        shares: shares(blocks, conclusion.judgement.verdict, conclusion.speedup),
    };
    // The repaired blocks are checked for the fault that was repaired.
    let checked = if repaired { average_adjacent(&d) } else { d };
    let mut doubts = doubts(&checked, &circumstances).unwrap_or_default();
    doubts.retain(|doubt| matters(doubt, &checked, margin, &conclusion.judgement));
    RowResult {
        judgement: conclusion.judgement,
        speedup: conclusion.speedup,
        sigma: conclusion.sigma,
        p_value: Some(conclusion.p_value),
        blocks_needed: conclusion.blocks_needed.map(|n| if repaired { 2 * n } else { n }),
        by_signs_alone: conclusion.by_signs_alone,
        repaired,
        doubts,
        margin,
        ..RowResult::default()
    }
}

/// Returns the reported verdict. A row that is not reliable by itself is inconclusive, and its doubts give the
/// reason. Two programs in one layout each have a least margin: a smaller change may come from the layout instead of
/// the code, and is also inconclusive.
pub(super) fn reported(mut row: RowResult, least_margin: Option<f64>) -> RowResult {
    let judgement = &mut row.judgement;
    let changed = matches!(judgement.verdict, Verdict::Slower | Verdict::Faster);
    if least_margin.is_some() && changed && !judgement.beyond_margin {
        judgement.verdict = Verdict::Inconclusive;
        judgement.at_least = None;
    }
    if !row.doubts.is_empty() {
        judgement.verdict = Verdict::Inconclusive;
        judgement.beyond_margin = false;
        judgement.real_but_within_margin = false;
        judgement.at_least = None;
    }
    row
}

/// The doubt on all verdicts, where the control, base against a copy of base, came out as different.
pub(super) fn of_control(control: &RowResult) -> Option<Doubt> {
    let verdict = control.judgement.verdict;
    matches!(verdict, Verdict::Faster | Verdict::Slower)
        .then_some(Doubt::ControlDiffers { verdict })
}

/// The speeds of a change that is one of their shares. Only kernels on one thread that never wait are looked at, whose clean samples
/// are known: where threads run is part of what is compared.
fn shares(blocks: &[Block], verdict: Verdict, speedup: Option<f64>) -> Option<Shares> {
    let is_change = matches!(verdict, Verdict::Slower | Verdict::Faster);
    if !is_change || blocks.iter().any(|block| block.clean.is_none()) {
        return None;
    }
    let times: Vec<_> = blocks.iter().flat_map(|block| block.of_samples.clone()).collect();
    change_of_shares(&times, -speedup?.ln())
}

/// Whether a doubt is one at any number of blocks: a slope of three times its uncertainty is one chance in 400 with
/// many blocks, but one in 25 with six. And a drift changes no verdict, however certain, that is far below the margin, or
/// after which, were it to go on as far again, the change would still be beyond the margin.
fn matters(doubt: &Doubt, blocks: &[f64], margin: f64, judgement: &Judgement) -> bool {
    let t = match doubt {
        Doubt::Drift { t } => t,
        Doubt::NoSteadyState { change } => return turns(*change, margin, judgement),
        Doubt::CorrelatedBlocks { lag_1, .. } => return is_narrow(*lag_1, margin, judgement),
        _ => return true,
    };
    let half = blocks.len() / 2;
    let (Some(early), Some(late)) =
        (mean(blocks[..half].iter().copied()), mean(blocks[blocks.len() - half..].iter().copied()))
    else {
        return true;
    };
    let (travelled, margin) = ((late - early).abs(), margin.ln_1p());
    student_t_two_sided_tail(*t, blocks.len() as f64 - 2.0) < THREE_SIGMA
        && travelled > margin / 2.0
        && distance(judgement) - travelled < margin
}

/// Returns whether the verdict would change if the difference between the sides drifted on as it did while the
/// processes ran. The verdict is about the middle of their samples. Half of the change leads to their end, and all of
/// it once more beyond.
fn turns(change: f64, margin: f64, judgement: &Judgement) -> bool {
    let Some(interval) = judgement.interval else { return false };
    // Differences are ln(new/base), intervals those of S = base/new.
    let (low, high) = (1.5 * change - interval.high.ln(), 1.5 * change - interval.low.ln());
    match judgement.verdict {
        Verdict::Slower => low <= 0.0,
        Verdict::Faster => high >= 0.0,
        Verdict::WithinMargin => low.max(-high) > margin.ln_1p(),
        Verdict::Inconclusive => false,
    }
}

/// Returns whether the verdict would change if the interval had the width that blocks with this correlation of neighbors need: their
/// mean has (1 + r)/(1 − r) times the variance.
fn is_narrow(lag_1: f64, margin: f64, judgement: &Judgement) -> bool {
    let Some(interval) = judgement.interval.filter(|_| lag_1 < 1.0) else { return true };
    let (low, high) = (interval.low.ln(), interval.high.ln());
    let more = (high - low) / 2.0 * (((1.0 + lag_1) / (1.0 - lag_1)).sqrt() - 1.0);
    let (low, high) = (low - more, high + more);
    match judgement.verdict {
        // Of S: it falls where new is slower.
        Verdict::Slower => high >= 0.0,
        Verdict::Faster => low <= 0.0,
        Verdict::WithinMargin => high.max(-low) > margin.ln_1p(),
        Verdict::Inconclusive => true,
    }
}

/// How far the interval is from no change, as a logarithm of S; 0 if it holds that.
fn distance(judgement: &Judgement) -> f64 {
    match judgement.interval {
        Some(interval) if interval.low > 1.0 => interval.low.ln(),
        Some(interval) if interval.high < 1.0 => -interval.high.ln(),
        _ => 0.0,
    }
}

/// The probability of a normal value beyond three standard deviations.
const THREE_SIGMA: f64 = 0.002_7;
