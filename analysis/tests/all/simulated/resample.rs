//! The uncertainty of Performance Complexity.

use plusminus_analysis::{
    Error,
    complexity::{Modelled, transparency},
    random::Random,
};

fn noisy(noise: f64, seed: u64, count: usize) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random::new(seed);
    let predicted: Vec<f64> = (0..count).map(|i| 1.0 + i as f64).collect();
    let measured = predicted.iter().map(|t| t * libm::exp(noise * random.normal())).collect();
    (measured, predicted)
}

/// The standard error of the root mean square of n normal residuals r is r/√(2n).
#[test]
fn sigma_is_that_of_a_root_mean_square() {
    let (measured, predicted) = noisy(0.2, 3, 400);
    let program = Modelled { measured: &measured, predicted: &predicted };
    let found = transparency(&[program], 7).unwrap()[0];
    let rms = libm::log1p(found.pc_a.value);
    let expected = (1.0 + found.pc_a.value) * rms / 800f64.sqrt();
    assert!((found.pc_a.u.unwrap() / expected - 1.0).abs() < 0.15, "{found:?} {expected}");
    assert_eq!(found.lowest, Some(1.0));
}

#[test]
fn few_configurations_have_no_sigma_and_unequal_ones_no_answer() {
    let (measured, predicted) = noisy(0.2, 3, 5);
    let five = Modelled { measured: &measured, predicted: &predicted };
    let found = transparency(&[five], 7).unwrap()[0];
    assert_eq!((found.pc_a.u, found.lowest), (None, None));
    let four = Modelled { measured: &measured[..4], predicted: &predicted[..4] };
    assert!(matches!(transparency(&[five, four], 7), Err(Error::Shape { .. })));
    assert!(transparency(&[], 7).is_err());
}
