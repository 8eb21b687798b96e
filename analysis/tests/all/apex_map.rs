//! The four models of Apex-MAP on a grid of localities with known parameters.
#![cfg(feature = "models")]

use plusminus_analysis::Result;
use plusminus_analysis::apex_map::{Access, ApexFit, ApexModel, fit_apex_map_with_capacities};
use plusminus_analysis::random::Random;

const TRUTH: [f64; 4] = [4.0, 0.5, 120.0, 2.0];
const CAPACITY: f64 = 65_536.0;

fn grid() -> Vec<Access> {
    let mut grid = Vec::new();
    for alpha in [0.01, 0.05, 0.1, 0.25, 0.5, 1.0] {
        for length in [1.0, 4.0, 16.0, 64.0, 256.0, 1024.0, 4096.0] {
            grid.push(Access { alpha, length, memory: 67_108_864.0 });
        }
    }
    grid
}

fn times(noise: f64) -> Vec<f64> {
    let mut random = Random::new(23);
    grid()
        .iter()
        .map(|a| {
            let t = ApexModel::Combined.time(a, CAPACITY, &TRUTH).unwrap();
            t * (noise * random.normal()).exp()
        })
        .collect()
}

/// With c at every power of two from the memory in use downwards.
fn fitted(model: ApexModel, grid: &[Access], times: &[f64]) -> Result<ApexFit> {
    let capacities: Vec<f64> = (6..=26).map(|exponent| f64::from(1 << exponent)).collect();
    fit_apex_map_with_capacities(model, grid, times, &capacities)
}

#[test]
fn the_combined_model_recovers_its_parameters_and_its_capacity() {
    let exact = fitted(ApexModel::Combined, &grid(), &times(0.0)).unwrap();
    assert_eq!(exact.capacity, Some(CAPACITY));
    for (got, truth) in exact.coefficients.iter().zip(TRUTH) {
        assert!((got.value / truth - 1.0).abs() < 1e-6, "{got:?}");
    }
    let noisy = fitted(ApexModel::Combined, &grid(), &times(0.05)).unwrap();
    // Neighboring capacities fit about as well under noise; the coefficients are judged at the true one.
    assert!((CAPACITY / 4.0..=CAPACITY * 4.0).contains(&noisy.capacity.unwrap()));
    let noisy =
        fit_apex_map_with_capacities(ApexModel::Combined, &grid(), &times(0.05), &[CAPACITY]);
    let noisy = noisy.unwrap();
    for (got, truth) in noisy.coefficients.iter().zip(TRUTH) {
        assert!((got.value - truth).abs() < 4.0 * got.u.unwrap(), "{got:?}");
    }
}

#[test]
fn complexity_falls_as_models_learn_more() {
    let pc: Vec<f64> = ApexModel::ALL
        .iter()
        .map(|m| fitted(*m, &grid(), &times(0.05)).unwrap().complexity.pc_a)
        .collect();
    // Flat > two levels > latency and gap > combined, which is left with the noise.
    assert!(pc[0] > pc[1] && pc[1] > pc[2] && pc[2] > pc[3], "{pc:?}");
    assert!(pc[0] > 3.0 && pc[3] < 0.055, "{pc:?}");
    let combined = fitted(ApexModel::Combined, &grid(), &times(0.05)).unwrap();
    let leave_one_out = combined.leave_one_out.unwrap();
    assert!(leave_one_out > combined.complexity.pc_a && leave_one_out < 0.08);
}

#[test]
fn the_corrected_model_contains_the_others() {
    for a in grid() {
        let single = Access { length: 1.0, ..a };
        let combined = ApexModel::Combined.time(&single, CAPACITY, &TRUTH).unwrap();
        let levels = ApexModel::TwoLevel.time(&single, CAPACITY, &[4.0, 120.0]).unwrap();
        assert!((combined / levels - 1.0).abs() < 1e-12);
        // Everything fits: every access hits.
        let combined = ApexModel::Combined.time(&a, 2.0 * a.memory, &TRUTH).unwrap();
        let gap = ApexModel::LatencyGap.time(&a, 0.0, &[4.0, 0.5]).unwrap();
        assert!((combined / gap - 1.0).abs() < 1e-12);
    }
}

#[test]
fn capacities_can_be_given_and_nonsense_is_refused() {
    let caches = [32_768.0, 65_536.0, 1_048_576.0];
    let fit =
        fit_apex_map_with_capacities(ApexModel::TwoLevel, &grid(), &times(0.05), &caches).unwrap();
    assert!(caches.contains(&fit.capacity.unwrap()));
    let flat = fitted(ApexModel::Flat, &grid(), &times(0.05)).unwrap();
    assert_eq!(flat.capacity, None);
    assert!(fitted(ApexModel::Combined, &grid()[..5], &times(0.0)[..5]).is_err());
    assert!(fitted(ApexModel::Flat, &grid(), &times(0.0)[1..]).is_err());
    for bad in [
        Access { alpha: 0.0, length: 1.0, memory: 1.0 },
        Access { alpha: 0.5, length: 0.5, memory: 1.0 },
        Access { alpha: 0.5, length: 1.0, memory: f64::NAN },
    ] {
        let mut grid = grid();
        grid[3] = bad;
        assert!(fitted(ApexModel::Flat, &grid, &times(0.0)).is_err());
    }
}
