//! The number of pairs of a block: that it is the best one, and that it is found from what blocks show.

use plusminus_analysis::random::Random;
use plusminus_analysis::verdict::{
    Block, PAIRS, Pairs, Rule, Scatter, Verdict, block, blocks_by_pairs, decide_blocks,
    pairs_of_a_block,
};

/// Seconds of a block besides its pairs, and of a pair; and of long samples, of which one pair may be enough.
const COSTS: [f64; 2] = [0.015, 0.001];
const LONG: [f64; 2] = [0.18, 0.062];

/// Standard deviations between blocks and within, and that of their first pair, which halves with every two pairs.
type Noise = [f64; 3];

/// Changes of a kernel, with their noise.
const ROWS: [(f64, Noise); 7] = [
    (0.3, [0.004, 0.01, 0.0]),
    (0.0, [0.003, 0.01, 0.0]),
    (0.03, [0.004, 0.03, 0.0]),
    (0.0, [0.002, 0.04, 0.0]),
    (0.0, [0.01, 0.01, 0.0]),
    (0.05, [0.03, 0.02, 0.0]),
    (0.0, [0.006, 0.12, 0.0]),
];

/// Changes of kernels with long samples, whose processes scatter more or less than their pairs.
const LONG_ROWS: [(f64, Noise); 4] = [
    (0.0, [0.04, 0.017, 0.0]),
    (0.1, [0.06, 0.01, 0.0]),
    (0.0, [0.005, 0.02, 0.0]),
    (0.0, [0.003, 0.005, 0.0]),
];

/// Kernels that still settle while pairs are taken.
const SETTLING: [(f64, Noise); 2] = [(0.0, [0.004, 0.004, 0.1]), (0.05, [0.02, 0.02, 0.2])];

/// Returns the seconds until a verdict on a row, with this number of pairs in each block or the chosen numbers, and
/// whether the verdict is right.
fn decided(
    (change, noise): (f64, Noise),
    costs: [f64; 2],
    fixed: Option<u32>,
    random: &mut Random,
) -> (f64, bool) {
    let rule = Rule { benchmarks: 20, ..Rule::default() };
    let [first, least] = if costs == LONG { [3, 1] } else { [13, 5] };
    let (mut blocks, mut seconds, mut pairs) = (Vec::new(), 0.0, fixed.unwrap_or(first));
    loop {
        blocks.push(one_block(pairs as usize, noise, change, random));
        seconds += costs[0] + costs[1] * f64::from(pairs);
        let ratios: Vec<f64> = blocks.iter().map(|block| block.log_ratio).collect();
        if let Some(verdict) = decide_blocks(&ratios, rule).unwrap() {
            let truth = if change == 0.0 { Verdict::WithinMargin } else { Verdict::Slower };
            return (seconds, verdict == truth);
        }
        if let Some(scatter) = scatter_of(&blocks).filter(|_| fixed.is_none()) {
            let needed = blocks_by_pairs(&ratios, rule, scatter).unwrap();
            pairs = pairs_of_a_block(costs[0], costs[1], &needed, least);
        }
    }
}

/// The mean seconds until a verdict.
fn mean(row: (f64, Noise), costs: [f64; 2], fixed: Option<u32>, random: &mut Random) -> f64 {
    const ROUNDS: usize = 30;
    let all = (0..ROUNDS).map(|_| decided(row, costs, fixed, random));
    let (seconds, right): (Vec<f64>, Vec<bool>) = all.unzip();
    assert!(right.iter().filter(|right| !**right).count() <= 1, "{row:?} {fixed:?}");
    seconds.iter().sum::<f64>() / ROUNDS as f64
}

#[test]
fn what_is_chosen_takes_little_longer_than_the_best_number_of_pairs() {
    let mut random = Random::new(7);
    for (rows, costs, numbers) in [(&ROWS[..], COSTS, &PAIRS[2..]), (&LONG_ROWS, LONG, &PAIRS)] {
        let mut sum = 0.0;
        for &row in rows {
            let all = numbers.iter().map(|&pairs| mean(row, costs, Some(pairs), &mut random));
            let best = all.reduce(f64::min).unwrap();
            let chosen = mean(row, costs, None, &mut random);
            assert!(chosen < 1.5 * best, "{row:?}: {chosen} s, best {best} s");
            sum += chosen / best;
        }
        let of_best = sum / rows.len() as f64;
        assert!(of_best < 1.2, "{costs:?}: {of_best}");
    }
}

#[test]
fn pairs_that_move_together_get_longer_blocks() {
    let mut random = Random::new(8);
    for row in SETTLING {
        // Their scatter within a block alone tells that 5 pairs do.
        let [few, many] = [7, 27].map(|pairs| mean(row, COSTS, Some(pairs), &mut random));
        let chosen = mean(row, COSTS, None, &mut random);
        assert!(few > 3.0 * many && chosen < 3.0 * many, "{row:?}: {chosen} s, {few}, {many}");
    }
}

#[test]
fn few_pairs_do_where_few_blocks_decide_and_many_where_pairs_scatter() {
    let rule = Rule::default();
    let scatter = |between: f64, within: f64, found| Scatter {
        by_pairs: PAIRS.map(|pairs| between + within / f64::from(pairs)),
        found,
    };
    let few = scatter(1e-5, 1e-3, 1e-4);
    let needed = blocks_by_pairs(&[0.30, 0.31, 0.29, 0.30], rule, few).unwrap();
    assert_eq!(pairs_of_a_block(0.02, 0.001, &needed, 5), 5, "{needed:?}");
    let processes = scatter(1.6e-3, 3e-4, 1.7e-3);
    let needed = blocks_by_pairs(&[0.03, -0.03, 0.02, -0.02, 0.0], rule, processes).unwrap();
    assert_eq!(pairs_of_a_block(LONG[0], LONG[1], &needed, 1), 1, "{needed:?}");
    let many = scatter(1e-4, 1e-2, 1e-3);
    let needed = blocks_by_pairs(&[0.03, -0.03, 0.02, -0.02, 0.0], rule, many).unwrap();
    assert!(pairs_of_a_block(0.02, 0.001, &needed, 5) >= 19, "{needed:?}");
}

/// Makes a block of this number of pairs.
fn one_block(
    pairs: usize,
    [between, within, first]: Noise,
    change: f64,
    random: &mut Random,
) -> Block {
    let of_block = change + between * random.normal();
    let off = first * random.normal();
    let settling = (0..pairs).map(|pair| off * (-0.5 * pair as f64).exp2());
    let new: Vec<f64> =
        settling.map(|off| (of_block + off + within * random.normal()).exp()).collect();
    block(&vec![1.0; pairs], &new, None).unwrap()
}

fn scatter_of(blocks: &[Block]) -> Option<Scatter> {
    fn pairs(block: &Block) -> Pairs<'_> {
        Pairs {
            log_ratio: block.log_ratio,
            spread: block.pair_spread,
            count: block.pairs,
            of_first: &block.of_first,
        }
    }
    Scatter::of(&blocks.iter().map(pairs).collect::<Vec<_>>())
}

/// Makes blocks with this number of pairs and noise; `off` of them lie far off.
fn scatter(blocks: usize, pairs: usize, noise: Noise, off: f64, seed: u64) -> Scatter {
    let mut random = Random::new(seed);
    let far = |random: &mut Random| if random.uniform() < off { 0.5 } else { 0.0 };
    let one = |_| {
        let far = far(&mut random);
        one_block(pairs, noise, far, &mut random)
    };
    scatter_of(&(0..blocks).map(one).collect::<Vec<_>>()).unwrap()
}

#[test]
fn variances_are_found_whatever_lies_far_off() {
    for off in [0.0, 0.08] {
        for noise in [[0.01, 0.02, 0.0], [0.02, 0.01, 0.0], [0.005, 0.02, 0.0], [0.01, 0.02, 0.4]] {
            let found = scatter(400, 41, noise, off, 4);
            for (index, pairs) in PAIRS.into_iter().enumerate() {
                // With this number in each block.
                let truth = scatter(400, pairs as usize, noise, off, 5).found;
                let ratio = (found.by_pairs[index] / truth).sqrt();
                assert!(ratio.ln().abs() < 0.35, "{noise:?} {off} {pairs}: {ratio}");
            }
        }
    }
}

#[test]
fn few_blocks_that_lie_together_do_not_make_it_endless() {
    let together = |log_ratio| Pairs { log_ratio, spread: 0.05, count: 21, of_first: &[] };
    let two = [together(0.0), together(0.01)];
    assert_eq!(Scatter::of(&two), None, "two are too few");
    assert_eq!(Scatter::of(&[together(0.1); 5]), None, "nothing scatters");
    let close = Scatter::of(&[together(0.010), together(0.0101), together(0.0099)]).unwrap();
    assert!(close.by_pairs.iter().all(|variance| *variance > 0.0));
    // However little blocks scatter, a tenth of it is left with any number of pairs.
    for seed in 0..200 {
        let scatter = scatter(6, 19, [0.0, 0.01, 0.0], 0.0, seed);
        let [least, of_19] = [scatter.by_pairs[8], scatter.by_pairs[6]];
        assert!(least >= 0.1 * of_19, "{scatter:?}");
    }
}
