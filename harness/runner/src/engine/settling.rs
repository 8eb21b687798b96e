//! How long kernels have to be warmed up, by the blocks that show it: arithmetic only, so that it can be tested.

use super::sizes::Sizes;
use plusminus_worker::order::sorted;

/// Blocks that show how long a kernel takes to settle, the samples of each that do so at least, and the relative differences up to
/// which samples are alike, and their ratios.
const SETTLED_BLOCKS: usize = 3;
const EARLY: usize = 3;
const SETTLED: f64 = 0.01;
const SETTLED_RATIO: f64 = 0.003;

/// The parts of the usual warm-up that are tried, the shortest first.
const SHORTER: [u32; 3] = [4, 2, 1];

impl Sizes {
    /// Returns the same with a shorter warm-up, if blocks show that it is enough. A kernel that seemed to settle late, as its
    /// trial was disturbed, gets the usual one, and less where neither side nor their ratio gains by it. `blocks` has of each side
    /// of each block the samples of its warm-up and its pairs, in nanoseconds.
    pub(crate) fn with_short_warm_up(self, blocks: &[[(&[u64], &[u64]); 2]]) -> Self {
        let usual = self.usual_warm_up;
        let shorter = SHORTER.map(|divisor| usual.div_ceil(divisor));
        let enough = shorter.into_iter().find(|&warm_up| {
            // Nothing more is asked of the usual warm-up.
            let of_ratio = if warm_up < usual { SETTLED_RATIO } else { f64::INFINITY };
            warm_up < self.warm_up && is_settled(blocks, warm_up as usize, of_ratio)
        });
        Self { warm_up: enough.unwrap_or(self.warm_up), ..self }
    }
}

/// Whether samples after so long a warm-up are like the pairs, on both sides and in their ratio. Only blocks with longer ones tell.
fn is_settled(blocks: &[[(&[u64], &[u64]); 2]], warm_up: usize, of_ratio: f64) -> bool {
    let early = |(warm, samples): (&[u64], &[u64])| {
        let next = warm.get(warm_up..warm_up + EARLY)?;
        Some((median(next)? / median(samples)?).ln())
    };
    let gains = blocks
        .iter()
        .filter_map(|[base, new]| Some([early(*base)?, early(*new)?]))
        .collect::<Vec<_>>();
    let typical = |gain: fn(&[f64; 2]) -> f64| {
        sorted(&gains.iter().map(gain).collect::<Vec<_>>(), &f64::total_cmp)[gains.len() / 2].abs()
    };
    gains.len() >= SETTLED_BLOCKS
        && typical(|gain| gain[0]).max(typical(|gain| gain[1])) <= SETTLED
        && typical(|gain| gain[1] - gain[0]) <= of_ratio
}

/// The median of times, as of an odd number of them; `None` where there are none.
fn median(times_ns: &[u64]) -> Option<f64> {
    Some(*sorted(times_ns, &u64::cmp).get(times_ns.len() / 2)? as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warm_up_is_as_short_as_both_sides_and_their_ratio_allow() {
        let late = Sizes { warm_up: 16, usual_warm_up: 8, ..Sizes::ONCE };
        // A warm-up of 16 samples that is settled after the first ones.
        let after = |settled: usize, early: u64| -> Vec<u64> {
            (0..16).map(|index| if index < settled { early } else { 1000 }).collect()
        };
        let chosen = |base: Vec<u64>, new: Vec<u64>, blocks: usize| {
            let block = [(&base[..], &[1000, 1000, 9000][..]), (&new[..], &[1000; 3][..])];
            late.with_short_warm_up(&vec![block; blocks]).warm_up
        };
        let both = |settled| chosen(after(settled, 1200), after(settled, 1200), 3);
        assert_eq!([0, 2, 4, 8, 16].map(both), [2, 2, 4, 8, 16]);
        assert_eq!(chosen(after(4, 1200), after(0, 1200), 3), 4, "the slower one decides");
        assert_eq!(chosen(after(0, 1200), after(0, 1200), 2), 16, "too few blocks");
        assert_eq!(chosen(after(16, 1005), after(16, 1000), 3), 8, "their ratio is not settled");
        assert_eq!(chosen(vec![1000; 4], vec![1000; 4], 3), 16, "not known");
    }
}
