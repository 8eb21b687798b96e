//! Reading `vectors.json` and comparing with it.

use std::sync::LazyLock;

use serde_json::Value;

/// All vectors.
pub(crate) fn vectors() -> &'static Value {
    static VECTORS: LazyLock<Value> =
        LazyLock::new(|| serde_json::from_str(include_str!("vectors.json")).unwrap());
    &VECTORS
}

/// A number.
pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// A list of numbers.
pub(crate) fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}")).iter().map(number).collect()
}

/// The two ends of an interval.
pub(crate) fn pair(value: &Value) -> (f64, f64) {
    (number(&value[0]), number(&value[1]))
}

/// Equal to ten significant digits.
#[track_caller]
pub(crate) fn close(got: f64, expected: &Value) {
    within(got, expected, 1e-10);
}

/// Equal to a relative tolerance: for vectors that are published with fewer digits.
#[track_caller]
pub(crate) fn within(got: f64, expected: &Value, relative: f64) {
    let expected = number(expected);
    let error = if expected == 0.0 { got.abs() } else { (got / expected - 1.0).abs() };
    assert!(error < relative, "got {got:.16e}, expected {expected:.16e}");
}
