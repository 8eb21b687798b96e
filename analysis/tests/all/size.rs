//! The number of pairs of a block: that it is the best one, and that it is found from what blocks show.

use plusminus_analysis::random::Random;
use plusminus_analysis::verdict::{Scatter, block, pairs_of_a_block};

#[test]
fn no_other_number_of_pairs_takes_less_time() {
    for fixed in [0.002, 0.02, 0.3] {
        for (between, within) in [(1e-4, 1e-4), (4e-4, 1e-5), (1e-6, 1e-3)] {
            let scatter = Scatter { between, within };
            let time = |pairs: f64| (fixed + 0.001 * pairs) * (between + within / pairs);
            let best = pairs_of_a_block(fixed, 0.001, scatter);
            for factor in [0.3, 0.7, 0.99, 1.01, 1.4, 3.0] {
                assert!(time(factor * best) > time(best), "{fixed} {scatter:?} {factor}");
            }
            // Nearby numbers cost hardly more: the components need not be known well.
            assert!(time(1.5 * best) < 1.1 * time(best));
        }
    }
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
        let of_block = between * random.normal() + far;
        let new: Vec<f64> =
            (0..pairs).map(|_| (of_block + within * random.normal()).exp()).collect();
        let block = block(&vec![1.0; pairs], &new, None).unwrap();
        found.push((block.log_ratio, block.pair_spread, block.pairs));
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
    let scatter = Scatter::of(&together).unwrap();
    assert!(scatter.between > 0.0 && pairs_of_a_block(0.02, 0.001, scatter).is_finite());
    // In usual blocks it is limited by what they show at all: σ_w²/m is not above their variance.
    for seed in 0..200 {
        let pairs = pairs_of_a_block(0.02, 0.001, self::scatter(6, 21, [0.0, 0.01], 0.0, seed));
        assert!(pairs > 5.0, "{pairs}");
    }
}
