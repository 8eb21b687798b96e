//! A sum in a tree and a grid in strips, by models that are known.

use plusminus::record::{Record, Role};
use plusminus_tests::{
    pages_support::textbook,
    study_support::{self, Case},
};

use super::{Made, each_can_agree_and_differ, outcomes};
use crate::{Paper, sentence::Outcome};

/// Times of two variants on 1, 2, 4 and 8 processors, against ω = n; sizes that grow with processors.
fn of_times(time: impl Fn(&str, f64, f64) -> f64) -> Record {
    on_processors(&[1, 2, 4, 8], time)
}

fn on_processors(processors: &[usize], time: impl Fn(&str, f64, f64) -> f64) -> Record {
    let mut cases = Vec::new();
    for n in [4096.0, 8192.0, 16384.0] {
        for &p in processors {
            let mut add = |function: &'static str, role, ns: f64| {
                let case = Case::of(function, n, ns).on(p).role(role);
                cases.push(Case { point: format!("n{n}-p{p}"), ..case });
            };
            add("sum::sequential", Role::Reference, 10.0 * n);
            add("sum::tree", Role::Contender, time("tree", n, p as f64));
            add("sum::other", Role::Contender, time("other", n, p as f64));
        }
    }
    let mut record = study_support::record_of(&[], cases);
    record.manifest.cores = 8;
    record
}

#[test]
fn each_sentence_on_parallel_systems_can_agree_and_differ() {
    // A serial part, and an overhead that grows faster than p.
    let usual = of_times(|name, n, p| match name {
        "tree" => 10.1 * n * (0.02 + 0.98 / p),
        // Fastest on two processors, and the most efficient there.
        _ => {
            10.05
                * n
                * if p == 1.0 {
                    1.0
                } else if p == 2.0 {
                    0.5
                } else {
                    0.45
                }
        }
    });
    // Faster than ω on one processor, superlinear on two, slower than one on four.
    let odd = of_times(|name, n, p| match name {
        "tree" => {
            n * if p == 1.0 {
                9.0
            } else if p == 2.0 {
                20.0
            } else {
                1.0
            }
        }
        _ => {
            n * if p == 1.0 {
                9.9
            } else if p == 2.0 {
                4.4
            } else {
                30.0
            }
        }
    });
    let slow = of_times(|_, n, p| 8.0 * n * p);
    // An overhead that does not grow, and a variant that is the most efficient on two processors and slower on one.
    let constant = of_times(|name, n, p| match name {
        "tree" => 12.0 * n / p,
        _ => {
            n * if p == 1.0 {
                13.0
            } else if p == 2.0 {
                5.5
            } else {
                4.0
            }
        }
    });
    let mut amdahl = usual.clone();
    amdahl.cases.retain(|case| case.function != "sum::other");
    // Two tasks on three processors do not fit into a machine of four; and larger problems gain less.
    let three = on_processors(&[1, 3, 4], |name, n, p| match (name, p as usize) {
        ("tree", p) => n * [13.0, 6.0, 3.0][p.saturating_sub(2)],
        (_, p) => n * [12.0, 3.4, 3.3][p.saturating_sub(2)],
    });
    let falling = of_times(|_, n, p| 10.1 * n / p * if p > 1.0 { n.powf(0.3) } else { 1.0 });
    let records = [usual, odd, slow, constant, amdahl, three, falling];
    each_can_agree_and_differ(Paper::Mpp, "mpp", &records);
}

/// Strips by a factor; T of the whole grid by a t_c for each size; t_s and t_w of a round trip.
fn grid(strips: f64, per_point: [f64; 4], start: f64, number: f64, scatter: f64) -> Record {
    let mut record = textbook(2);
    record.cases.retain(|case| case.function.starts_with("grid::"));
    for case in &mut record.cases {
        let side = (case.size.unwrap() / 10.0).sqrt();
        let which = (side / 64.0).log2().round() as usize;
        let whole = per_point[which] * case.size.unwrap();
        let p = case.processors as f64;
        let messages = (p - 1.0) * (15_000.0 + 0.8 * 20.0 * side);
        let time = match &*case.function {
            "grid::strips" => strips * (whole / p + messages),
            _ => whole,
        };
        for (run, measured) in case.measurements.iter_mut().enumerate() {
            measured.wall_ns = vec![(time * (1.0 + scatter * (run as f64 - 1.0))) as u64];
        }
    }
    let lengths = [8.0, 1024.0, 65536.0];
    let work =
        |bytes: f64| vec![("round trips".to_owned(), 32.0), ("bytes".to_owned(), 32.0 * bytes)];
    // Messages of the middle length are off the line where times scatter.
    let off = |bytes: f64| if bytes == 1024.0 && scatter > 0.1 { 0.3 } else { 1.0 };
    let time = |bytes: &f64| 32.0 * (start + number / 8.0 * bytes) * off(*bytes);
    record.cases.push(
        Made {
            function: "micro::round_trip::polling",
            problem: "micro::round_trip::RoundTrip",
            point: "pair".to_owned(),
            size: None,
            role: Role::Baseline,
            processors: 2,
            models: &[],
            instances: lengths.iter().map(|bytes| (format!("{bytes}B"), work(*bytes))).collect(),
            times: vec![lengths.iter().map(time).collect(); 3],
        }
        .case(),
    );
    record
}

#[test]
fn each_sentence_on_the_finite_differences_can_agree_and_differ() {
    let as_printed = grid(1.0, [11.2, 11.2, 11.2, 12.0], 15_000.0, 0.8, 0.001);
    let opposite = grid(4.0, [30.0, 30.0, 30.0, 12.0], -100.0, 200.0, 0.2);
    // The second largest grid pulls the simple fit away from the largest, and towards the smallest.
    let uneven = grid(1.0, [12.5, 10.0, 20.0, 12.0], 1e6, -0.1, 0.001);
    each_can_agree_and_differ(Paper::Dbpp, "dbpp", &[as_printed, opposite, uneven]);
}

/// Starts of threads and imbalance are in the times of strips: no message has such a t_s.
#[test]
fn strips_are_no_messages() {
    let mut record = textbook(2);
    let found = outcomes(Paper::Dbpp, "dbpp_strips", &record);
    for name in ["start", "number", "strips"] {
        assert_eq!(found[name], Outcome::Untested, "{name}");
    }
    record = grid(1.0, [11.2; 4], 9_000.0, 0.8, 0.001);
    let found = outcomes(Paper::Dbpp, "dbpp_messages", &record);
    assert_eq!(found["start"], Outcome::Agrees);
}
