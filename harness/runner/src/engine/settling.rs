//! How long kernels have to be warmed up, by the blocks that show it: arithmetic only, so that it can be tested.

use super::{
    sampling::warm_up_turns,
    sizes::{Design, Sizes},
};
use plusminus_worker::order::{median, sorted};

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
            let gains = gains(blocks, warm_up as usize);
            let is_enough = if warm_up < usual { is_settled } else { is_rarely_late };
            warm_up < self.warm_up && gains.len() >= SETTLED_BLOCKS && is_enough(&gains)
        });
        Self { warm_up: enough.unwrap_or(self.warm_up), ..self }
    }
}

/// The gain of a block by a longer warm-up: of base and of new, how much slower the next samples are than later ones, and than pairs;
/// how their ratio moves, and how pairs scatter.
type Gain = [[f64; 2]; 3];

/// The gains after so long a warm-up. Only blocks with longer ones tell.
fn gains(blocks: &[[(&[u64], &[u64]); 2]], warm_up: usize) -> Vec<Gain> {
    let early = |(warm, samples): (&[u64], &[u64])| {
        let (next, later) = warm.get(warm_up..)?.split_at_checked(EARLY)?;
        let turns = warm_up_turns(Design::Pairs, warm.len() as u32) as usize;
        let next = median_time(next)?;
        let to_pairs = (next / median_time(samples)?).ln();
        let alone =
            later.get(..later.len().saturating_sub(turns)).filter(|alone| alone.len() >= EARLY);
        let gain = alone.and_then(median_time).map_or(to_pairs, |alone| (next / alone).ln());
        Some([gain, to_pairs])
    };
    let gain = |[base, new]: &[(&[u64], &[u64]); 2]| {
        let [of_base, of_new] = [early(*base)?, early(*new)?];
        Some([of_base, of_new, [of_new[1] - of_base[1], spread(base.1, new.1)]])
    };
    blocks.iter().filter_map(gain).collect()
}

/// Whether samples after a warm-up are like later ones, on both sides and in their ratio, and scatter no more than pairs.
fn is_settled(gains: &[Gain]) -> bool {
    let typical = |value: fn(&Gain) -> f64| median(&gains.iter().map(value).collect::<Vec<_>>());
    // In turns, samples may last longer than those of one side alone, and not shorter.
    typical(|[base, _, _]| base[0]).abs().max(typical(|[_, new, _]| new[0]).abs()) <= SETTLED
        && typical(|[base, _, _]| base[1]).max(typical(|[_, new, _]| new[1])) <= SETTLED
        && typical(|[_, _, ratio]| ratio[0]).abs() <= SETTLED_RATIO
        // One side may be early in some processes, and the other in others.
        && typical(|[_, _, ratio]| ratio[0].abs())
            <= SETTLED.max(typical(|[_, _, ratio]| ratio[1]))
}

/// Whether samples after a warm-up are unlike later ones in at most three of four blocks. Many short kernels change between two
/// speeds at any time, which looks like settling in a single process.
fn is_rarely_late(gains: &[Gain]) -> bool {
    let is_rare = |value: fn(&Gain) -> f64| {
        4 * gains.iter().filter(|gain| value(gain) > SETTLED).count() <= 3 * gains.len()
    };
    is_rare(|[base, _, _]| base[0])
        && is_rare(|[base, _, _]| -base[0])
        && is_rare(|[_, new, _]| new[0])
        && is_rare(|[_, new, _]| -new[0])
        && is_rare(|[base, _, _]| base[1])
        && is_rare(|[_, new, _]| new[1])
}

/// The median distance of the log-ratios of pairs from their median.
fn spread(base_ns: &[u64], new_ns: &[u64]) -> f64 {
    let ratios: Vec<f64> =
        base_ns.iter().zip(new_ns).map(|(&base, &new)| (new as f64 / base as f64).ln()).collect();
    let typical = median(&ratios);
    median(&ratios.iter().map(|ratio| (ratio - typical).abs()).collect::<Vec<_>>())
}

/// The median of times, as of an odd number of them; `None` where there are none.
fn median_time(times_ns: &[u64]) -> Option<f64> {
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
        // Of four blocks, base is early in one, new in another.
        let (early, settled) = (after(16, 1100), after(0, 1000));
        let samples = [1000; 5];
        let block = |base, new| [(base, &samples[..]), (new, &samples[..])];
        let in_turns = [
            block(&early[..], &settled[..]),
            block(&settled, &early),
            block(&early, &settled),
            block(&settled, &early),
            block(&settled, &settled),
        ];
        assert_eq!(late.with_short_warm_up(&in_turns).warm_up, 8, "their ratio scatters");
        // In every second process, samples are slower by a fifth for some time: early in base, later in new.
        let at_times = |count: usize, always: u64| -> Vec<_> {
            let warm_up = |slow: std::ops::Range<usize>, odd: bool| -> Vec<u64> {
                let at = |index| if slow.contains(&index) && odd { 1200 } else { always };
                (0..16).map(at).collect()
            };
            let both = |block: usize| {
                let [early, late] = [block.is_multiple_of(2), !block.is_multiple_of(2)];
                [warm_up(8..12, early), warm_up(12..16, late)]
            };
            (0..count).map(both).collect()
        };
        let chosen_of = |warm_ups: &[[Vec<u64>; 2]]| {
            let samples = [1000; 5];
            let blocks: Vec<_> = warm_ups
                .iter()
                .map(|both| both.each_ref().map(|warm_up| (&warm_up[..], &samples[..])))
                .collect();
            late.with_short_warm_up(&blocks).warm_up
        };
        assert_eq!([2, 3, 5].map(|blocks| chosen_of(&at_times(blocks, 1000))), [16, 8, 8]);
        // Samples in turns last longer than those of one side alone.
        let cold = chosen([vec![1000; 12], vec![1100; 4]].concat(), vec![1000; 16], 3);
        let block = [(&[1000; 40][..], &[1100; 5][..]); 2];
        assert_eq!((cold, late.with_short_warm_up(&[block; 3]).warm_up), (2, 2));
    }
}
