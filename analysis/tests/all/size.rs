//! The number of pairs of a block: that it is the best one, and that it is found from what blocks show.

use plusminus_analysis::random::Random;
use plusminus_analysis::verdict::{
    PAIRS, Rule, Scatter, Verdict, block, blocks_by_pairs, decide_blocks, pairs_of_a_block,
};

/// Seconds of a block besides its pairs, and of a pair.
const COSTS: [f64; 2] = [0.015, 0.001];

/// Changes of a kernel, with the standard deviations between blocks and within.
const ROWS: [(f64, [f64; 2]); 7] = [
    (0.3, [0.004, 0.01]),
    (0.0, [0.003, 0.01]),
    (0.03, [0.004, 0.03]),
    (0.0, [0.002, 0.04]),
    (0.0, [0.01, 0.01]),
    (0.05, [0.03, 0.02]),
    (0.0, [0.006, 0.12]),
];

/// Returns the seconds until a verdict on a row, with this number of pairs in each block or the chosen numbers, and
/// whether the verdict is right.
fn decided(
    (change, scatter): (f64, [f64; 2]),
    fixed: Option<u32>,
    random: &mut Random,
) -> (f64, bool) {
    let rule = Rule { benchmarks: 20, ..Rule::default() };
    let (mut blocks, mut seconds, mut pairs) = (Vec::new(), 0.0, fixed.unwrap_or(11));
    loop {
        let (log_ratio, spread, of) = one_block(pairs as usize, scatter, change, random);
        blocks.push((log_ratio, spread, of));
        seconds += COSTS[0] + COSTS[1] * f64::from(pairs);
        let ratios: Vec<f64> = blocks.iter().map(|block| block.0).collect();
        if let Some(verdict) = decide_blocks(&ratios, rule).unwrap() {
            let truth = if change == 0.0 { Verdict::WithinMargin } else { Verdict::Slower };
            return (seconds, verdict == truth);
        }
        if let Some(scatter) = Scatter::of(&blocks).filter(|_| fixed.is_none()) {
            let needed = blocks_by_pairs(&ratios, rule, scatter).unwrap();
            pairs = pairs_of_a_block(COSTS[0], COSTS[1], &needed);
        }
    }
}

#[test]
fn what_is_chosen_takes_little_longer_than_the_best_number_of_pairs() {
    const ROUNDS: usize = 30;
    let mut random = Random::new(7);
    let mut mean = |row, fixed| {
        let all = (0..ROUNDS).map(|_| decided(row, fixed, &mut random));
        let (seconds, right): (Vec<f64>, Vec<bool>) = all.unzip();
        assert!(right.iter().filter(|right| !**right).count() <= 1, "{row:?} {fixed:?}");
        seconds.iter().sum::<f64>() / ROUNDS as f64
    };
    let mut sums = [0.0; 2];
    for row in ROWS {
        let all = PAIRS.map(|pairs| mean(row, Some(pairs)));
        let best = all.into_iter().reduce(f64::min).unwrap();
        let chosen = mean(row, None);
        assert!(chosen < 1.4 * best, "{row:?}: {chosen} s, best {best} s");
        sums = [sums[0] + chosen / best, sums[1] + 1.0];
    }
    assert!(sums[0] < 1.2 * sums[1], "{}", sums[0] / sums[1]);
}

#[test]
fn few_pairs_do_where_few_blocks_decide_and_many_where_pairs_scatter() {
    let rule = Rule::default();
    let scatter = Scatter { between: 1e-5, within: 1e-3, found: 1e-4 };
    let needed = blocks_by_pairs(&[0.30, 0.31, 0.29, 0.30], rule, scatter).unwrap();
    assert_eq!(pairs_of_a_block(0.02, 0.001, &needed), 5, "{needed:?}");
    let scatter = Scatter { between: 1e-4, within: 1e-2, found: 1e-3 };
    let needed = blocks_by_pairs(&[0.03, -0.03, 0.02, -0.02, 0.0], rule, scatter).unwrap();
    assert!(pairs_of_a_block(0.02, 0.001, &needed) >= 19, "{needed:?}");
}

/// Makes a block of this number of pairs: its log-ratio, the spread of its pairs, and their number.
fn one_block(
    pairs: usize,
    [between, within]: [f64; 2],
    change: f64,
    random: &mut Random,
) -> (f64, f64, usize) {
    let of_block = change + between * random.normal();
    let new: Vec<f64> = (0..pairs).map(|_| (of_block + within * random.normal()).exp()).collect();
    let block = block(&vec![1.0; pairs], &new, None).unwrap();
    (block.log_ratio, block.pair_spread, block.pairs)
}

/// Makes blocks of this number of pairs with these standard deviations between blocks and within; `off` of them lie
/// far off.
fn scatter(
    blocks: usize,
    pairs: usize,
    [between, within]: [f64; 2],
    off: f64,
    seed: u64,
) -> Scatter {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    for _ in 0..blocks {
        let far = if random.uniform() < off { 0.5 } else { 0.0 };
        found.push(one_block(pairs, [between, within], far, &mut random));
    }
    Scatter::of(&found).unwrap()
}

#[test]
fn components_are_found_whatever_lies_far_off() {
    for off in [0.0, 0.08] {
        for [between, within] in [[0.01, 0.02], [0.02, 0.01], [0.005, 0.02]] {
            let found = scatter(400, 21, [between, within], off, 4);
            let ratio = (found.within / found.between).sqrt();
            let truth = within * std::f64::consts::FRAC_PI_2.sqrt() / between;
            assert!((ratio / truth).ln().abs() < 0.35, "{between} {within} {off}: {ratio} {truth}");
        }
    }
}

#[test]
fn few_blocks_that_lie_together_do_not_make_it_endless() {
    assert_eq!(Scatter::of(&[(0.0, 0.01, 21), (0.01, 0.01, 21)]), None, "two are too few");
    assert_eq!(Scatter::of(&[(0.1, 0.0, 1); 5]), None, "nothing scatters");
    let together = [(0.010, 0.05, 21), (0.0101, 0.05, 21), (0.0099, 0.05, 21)];
    assert!(Scatter::of(&together).unwrap().between > 0.0);
    // In usual blocks it is limited by what they show at all: σ_w²/m is not above their variance.
    for seed in 0..200 {
        let scatter = scatter(6, 21, [0.0, 0.01], 0.0, seed);
        assert!((20.0 * scatter.within / scatter.between).sqrt() > 5.0, "{scatter:?}");
    }
}
