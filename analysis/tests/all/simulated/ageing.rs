//! Changes of kernels while their processes run.

use plusminus_analysis::{
    ageing::{shared, within},
    random::Random,
};

/// The share of 2,000 kernels of which a change is found, each seen by `processes` that take `samples`.
fn found(
    [processes, samples]: [usize; 2],
    mut series: impl FnMut(usize, usize, &mut Random) -> Vec<f64>,
) -> f64 {
    let mut random = Random::new(11);
    let mut kernel = || {
        let changes: Vec<f64> = (0..processes)
            .filter_map(|process| within(&series(process, samples, &mut random)))
            .collect();
        shared(&changes).is_some()
    };
    (0..2000).filter(|_| kernel()).count() as f64 / 2000.0
}

/// Samples around 1 on a machine whose speed wanders: each state is `memory` times the last one and a step.
fn wandering(samples: usize, memory: f64, step: f64, random: &mut Random) -> Vec<f64> {
    let mut state = 5.0 * step * random.normal();
    let mut next = || {
        state = memory * state + step * random.normal();
        state.exp()
    };
    (0..samples).map(|_| next()).collect()
}

#[test]
fn kernels_without_state_are_left_alone_on_any_machine() {
    for processes in [5, 12, 40] {
        for samples in [3, 9, 21, 60] {
            let rates = [
                ("white", found([processes, samples], |_, n, r| wandering(n, 0.0, 0.02, r))),
                ("dependent", found([processes, samples], |_, n, r| wandering(n, 0.9, 0.02, r))),
                ("walking", found([processes, samples], |_, n, r| wandering(n, 1.0, 0.01, r))),
                (
                    "getting slower, by 3 % from process to process",
                    found([processes, samples], |process, n, r| {
                        let at = |i: usize| 0.03 * (process as f64 + i as f64 / n as f64 / 4.0);
                        let noise = wandering(n, 0.0, 0.01, r);
                        noise.iter().enumerate().map(|(i, x)| x * at(i).exp()).collect()
                    }),
                ),
                (
                    "interrupted",
                    found([processes, samples], |_, n, r| {
                        let mut all = wandering(n, 0.0, 0.005, r);
                        let hit = |r: &mut Random| r.uniform() < 0.05;
                        all.iter_mut().for_each(|x| *x *= if hit(r) { 3.0 } else { 1.0 });
                        all
                    }),
                ),
                (
                    "by a coarse clock",
                    found([processes, samples], |_, n, r| {
                        let ticks = |x: &f64| (x * 20.0).round() / 20.0;
                        wandering(n, 0.0, 0.02, r).iter().map(ticks).collect()
                    }),
                ),
            ];
            for (machine, rate) in rates {
                assert!(rate <= 0.005, "{machine}, {processes} × {samples}: {rate}");
            }
        }
    }
}

#[test]
fn kernels_that_change_are_found() {
    let changing = |level: fn(f64) -> f64| {
        found([8, 21], |_, n, r| {
            let noise = wandering(n, 0.5, 0.01, r);
            noise.iter().enumerate().map(|(i, x)| x * level(i as f64)).collect()
        })
    };
    for (kernel, level) in [
        ("a cache that fills", (|i| 1.0 + 0.3 * libm::exp(-i / 8.0)) as fn(f64) -> f64),
        ("allocations that stay", |i| 1.0 + 0.005 * i),
        ("a table that grew", |i| if i < 11.0 { 1.0 } else { 1.05 }),
    ] {
        let rate = changing(level);
        assert!(rate >= 0.95, "{kernel}: {rate}");
    }
}

#[test]
fn too_little_proves_nothing() {
    assert_eq!(within(&[1.0, 2.0]), None);
    assert_eq!(within(&[0.0, 1.0, 2.0]), None);
    assert_eq!(within(&[1.0, 5.0, 2.0]), Some(2.0_f64.ln()));
    assert_eq!(shared(&[0.1; 4]), None);
    assert_eq!(shared(&[0.1; 5]), Some(0.1));
    assert_eq!(shared(&[-0.1; 5]), Some(-0.1));
    assert_eq!(shared(&[0.009; 50]), None);
    assert_eq!(shared(&[f64::NAN; 5]), None);
}
