//! The ends of an interval in numbers, each with as many digits as the verdict needs: who reads them with the margin comes to the
//! same verdict.

use crate::{analysis::Interval, results::RowResult};

const MOST: usize = 6;

/// Returns a speedup and the ends of its interval: `1.29`, `[1.19, 1.39]`.
pub(super) fn of_speedup(speedup: f64, interval: Interval, margin: f64) -> (String, String) {
    let limits = [1.0 / (1.0 + margin), 1.0, 1.0 + margin];
    let Interval { low, high } = interval;
    let least = least_digits(high - low);
    let end = |end: f64| format!("{end:.*}", digits(end, least, &limits));
    (format!("{speedup:.least$}"), format!("[{}, {}]", end(low), end(high)))
}

/// The width of an interval in percent from which a change has no digit worth printing if its sign is open as well.
const WIDE: f64 = 100.0;

/// Returns a change of time, as a fraction, and the ends of its interval: `+5.0 %`, `[+4.1, +6.0] %`. A change of which the interval
/// shows neither sign nor size is `unknown`.
pub fn change_with_interval(change: f64, (low, high): (f64, f64), margin: f64) -> (String, String) {
    let limits = [1.0 / (1.0 + margin) - 1.0, 0.0, margin].map(|limit| 100.0 * limit);
    let (low, high) = (100.0 * low, 100.0 * high);
    let least = least_digits(high - low);
    let number = |value: f64, digits: usize| {
        let text = format!("{:.digits$}", value.abs());
        let sign = match value {
            _ if text.bytes().all(|byte| !(b'1'..=b'9').contains(&byte)) => "",
            value if value < 0.0 => "−",
            _ => "+",
        };
        format!("{sign}{text}")
    };
    let end = |end: f64| number(end, digits(end, least, &limits));
    let is_unknown = low < 0.0 && high > 0.0 && high - low > WIDE;
    let change = match is_unknown {
        true => "unknown".to_owned(),
        false => format!("{} %", number(100.0 * change, least)),
    };
    (change, format!("[{}, {}] %", end(low), end(high)))
}

/// Returns the change of a row and the ends of its interval, as [`change_with_interval`] writes them.
pub fn row_change(row: &RowResult) -> Option<(String, String)> {
    Some(change_with_interval(row.change()?, row.change_interval()?, row.margin))
}

/// The digits that show two of the width of an interval.
fn least_digits(width: f64) -> usize {
    if !width.is_finite() || width <= 0.0 {
        return 2;
    }
    (1.0 - width.log10().floor()).clamp(0.0, MOST as f64) as usize
}

/// The digits that show on which side of each limit an end lies; `least` if any do.
fn digits(end: f64, least: usize, limits: &[f64]) -> usize {
    let is_faithful = |digits: &usize| {
        let power = 10_f64.powi(*digits as i32);
        let rounded = (end * power).round() / power;
        limits.iter().all(|limit| end.partial_cmp(limit) == rounded.partial_cmp(limit))
    };
    (least..=MOST).find(is_faithful).unwrap_or(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_have_two_digits_of_the_width_and_more_near_a_limit() {
        let shown = |change, ends| change_with_interval(change, ends, 0.02);
        let both = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(shown(0.05, (0.041, 0.060)), both("+5.0 %", "[+4.1, +6.0] %"));
        assert_eq!(shown(-0.01, (-0.12, 0.08)), both("−1 %", "[−12, +8] %"));
        assert_eq!(shown(0.0, (-0.53, 3.13)), both("unknown", "[−53, +313] %"));
        assert_eq!(shown(2.0, (0.5, 4.0)), both("+200 %", "[+50, +400] %"));
        // Not within the margin, which two digits would hide.
        assert_eq!(shown(0.0101, (0.001, 0.020_02)), both("+1.0 %", "[+0.1, +2.002] %"));
        let faster = Interval { low: 1.19, high: 1.39 };
        assert_eq!(of_speedup(1.29, faster, 0.02), both("1.29", "[1.19, 1.39]"));
        let nothing = Interval { low: 1.0, high: 1.0 };
        assert_eq!(of_speedup(1.0, nothing, 0.02), both("1.00", "[1.00, 1.00]"));
    }

    proptest::proptest! {
        #[test]
        fn printed_ends_are_on_the_side_of_the_margin_where_they_are(
            low in -0.1_f64..0.1, width in 0.0001_f64..0.1, margin in 0.001_f64..0.1,
        ) {
            let ends = (low, low + width);
            let (_, text) = change_with_interval(low + width / 2.0, ends, margin);
            let inner = text.trim_start_matches('[').trim_end_matches("] %").replace('−', "-");
            let (a, b) = inner.split_once(", ").unwrap();
            let [a, b] = [a, b].map(|end| end.parse::<f64>().unwrap() / 100.0);
            for limit in [1.0 / (1.0 + margin) - 1.0, 0.0, margin] {
                // Beyond the last digit, nothing can be shown.
                if (low - limit).abs() > 1e-8 && (ends.1 - limit).abs() > 1e-8 {
                    proptest::prop_assert_eq!(a > limit, low > limit, "{} {:?}", text, ends);
                    proptest::prop_assert_eq!(b > limit, ends.1 > limit, "{} {:?}", text, ends);
                }
            }
        }
    }
}
