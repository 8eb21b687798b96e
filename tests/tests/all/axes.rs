//! Axes of figures: ranges that hide nothing, and ticks at round values.

use cargo_plusminus::pages::plot::{Axis, Scale};
use proptest::prelude::*;

#[test]
fn times_begin_at_zero_or_say_that_they_do_not() {
    let near = Axis::times("time", [1.0e6, 3.0e6]);
    assert_eq!((near.low, near.scale, near.title.as_str()), (0.0, Scale::Linear, "time in ms"));
    let far = Axis::times("time", [100.0, 3.0e6]);
    assert_eq!((far.scale, far.title.as_str()), (Scale::Log, "time, logarithmic scale"));
    assert_eq!(far.ticks[0].1, "100 ns");
}

#[test]
fn a_ratio_has_one_in_the_middle() {
    for values in [vec![1.001], vec![0.7, 1.1], vec![40.0], vec![], vec![1e9], vec![f64::NAN, 0.0]]
    {
        let axis = Axis::ratios("S", values.clone());
        assert!((axis.low * axis.high - 1.0).abs() < 1e-9, "{values:?}");
        let labels: Vec<&String> = axis.ticks.iter().map(|(_, label)| label).collect();
        assert!(axis.ticks.len() >= 3 && axis.ticks.len() < 14, "{values:?} {labels:?}");
    }
}

#[test]
fn counts_have_whole_ticks() {
    let labels = |low: f64, high: f64| -> Vec<String> {
        Axis::between("p", low, high).ticks.into_iter().map(|(_, label)| label).collect()
    };
    assert_eq!(labels(0.5, 2.5), ["1", "2"]);
    assert_eq!(labels(0.5, 5.5), ["1", "2", "3", "4", "5"]);
    assert_eq!(labels(0.5, 24.5), ["5", "10", "15", "20"]);
}

proptest! {
    #[test]
    fn every_axis_holds_its_values_and_has_ticks(low in 1e-9_f64..1e9, factor in 1.0_f64..1e6) {
        let values = [low, low * factor];
        for axis in [Axis::from_zero("", values), Axis::times("", values), Axis::log("", values)] {
            prop_assert!(axis.low <= low && axis.high >= low * factor, "{axis:?}");
            prop_assert!(!axis.ticks.is_empty() && axis.ticks.len() < 16, "{axis:?}");
            prop_assert!(axis.ticks.iter().all(|(at, _)| *at >= axis.low * 0.999 && *at <= axis.high * 1.001), "{axis:?}");
        }
    }
}
