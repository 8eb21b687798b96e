//! Numbers for people: a value has no more digits than its uncertainty allows, and times have a unit.

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeUnit {
    pub name: &'static str,
    pub ns: f64,
}

impl TimeUnit {
    /// Returns the largest unit, up to the second, of which a time in nanoseconds has at least one.
    pub fn of(ns: f64) -> Self {
        let (name, ns) = match ns.abs() {
            ns if ns >= 1e9 => ("s", 1e9),
            ns if ns >= 1e6 => ("ms", 1e6),
            ns if ns >= 1e3 => ("µs", 1e3),
            _ => ("ns", 1.0),
        };
        Self { name, ns }
    }
}

/// Returns the decimal exponent of a number above 0 that is rounded to this number of significant digits: 1 for 99.96
/// with two of them is 2.
fn decimal_exponent(value: f64, digits: i32) -> i32 {
    let exponent = value.log10().floor() as i32;
    let rounded = (value * 10_f64.powi(digits - 1 - exponent)).round();
    exponent + i32::from(rounded >= 10_f64.powi(digits))
}

/// Formats a number with this number of significant digits; beyond 10⁷ and below 10⁻⁴ with an exponent.
///
/// ```
/// assert_eq!(plusminus::text::number::significant(99.96, 3), "100");
/// ```
pub fn significant(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let exponent = decimal_exponent(value.abs(), digits);
    if !(-4..7).contains(&exponent) {
        return format!("{value:.0$e}", (digits - 1) as usize);
    }
    let places = (digits - 1 - exponent).max(0) as usize;
    format!("{value:.places$}")
}

/// A number with four significant digits.
pub fn digits(value: f64) -> String {
    significant(value, 4)
}

/// `5.11 ± 0.13`: the standard uncertainty with two digits, the value to the same place. Without one, `5.112 ± n/a`.
///
/// Numbers beyond 10⁷ and below 10⁻³ have a common exponent: `(1.234 ± 0.021)e-9`.
pub fn with_uncertainty(value: f64, u: Option<f64>) -> String {
    let Some(u) = u.filter(|u| u.is_finite()) else { return format!("{} ± n/a", digits(value)) };
    if u <= 0.0 {
        return format!("{value:.3} ± 0.000");
    }
    let largest = value.abs().max(u);
    if largest.is_finite() && !(1e-3..1e7).contains(&largest) {
        let exponent = largest.log10().floor() as i32;
        let scale = 10_f64.powi(exponent);
        return format!("({})e{exponent}", to_place(value / scale, u / scale));
    }
    to_place(value, u)
}

fn to_place(value: f64, u: f64) -> String {
    let places = (1 - decimal_exponent(u, 2)).clamp(0, 9) as usize;
    format!("{value:.places$} ± {u:.places$}")
}

/// A time with its uncertainty and unit: `31.20 ± 0.60 ms`.
pub fn time_with_uncertainty(ns: f64, u_ns: Option<f64>) -> String {
    let unit = TimeUnit::of(ns);
    format!("{} {}", with_uncertainty(ns / unit.ns, u_ns.map(|u| u / unit.ns)), unit.name)
}

/// A time with three digits and its unit: `31.2 ms`.
pub fn time(ns: f64) -> String {
    let unit = TimeUnit::of(ns);
    format!("{} {}", significant(ns / unit.ns, 3), unit.name)
}

/// The ends of an interval around a time in nanoseconds: `[72.34, 101.5] ms`, in the unit of that time. They have as
/// many digits as it takes to make them differ.
pub fn time_interval(ns: f64, [low, high]: [f64; 2]) -> String {
    let unit = TimeUnit::of(ns);
    // No time is below zero, whatever a few runs allow.
    let low = low.max(0.0);
    let ends = |digits: i32| [low, high].map(|end| significant(end / unit.ns, digits));
    let differ = |digits: &i32| low == high || ends(*digits)[0] != ends(*digits)[1];
    let [low, high] = ends((4..9).find(differ).unwrap_or(9));
    format!("[{low}, {high}] {}", unit.name)
}

/// Three significant digits with a prefix: `33.6 M`.
pub fn with_prefix(value: f64) -> String {
    let (scale, prefix) = match value.abs() {
        v if v >= 1e12 => (1e12, " T"),
        v if v >= 1e9 => (1e9, " G"),
        v if v >= 1e6 => (1e6, " M"),
        v if v >= 1e3 => (1e3, " k"),
        _ => (1.0, ""),
    };
    format!("{}{prefix}", significant(value / scale, 3))
}

/// A count with its noun: `1 run`, `5 runs`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A fraction in percent: `1.3 %`, `25.0 %`, `250 %`, `0.25 %`.
pub fn percent(fraction: f64) -> String {
    let percent = fraction * 100.0;
    match percent.abs() {
        p if p >= 99.95 => format!("{percent:.0} %"),
        p if p >= 0.995 => format!("{percent:.1} %"),
        _ => format!("{percent:.2} %"),
    }
}

/// A proven fraction in percent: as [`percent`], with more digits where it would be 0.
pub fn percent_proven(fraction: f64) -> String {
    match 100.0 * fraction {
        p if p > 0.0 && p < 0.005 => format!("{} %", significant(p, 1)),
        _ => percent(fraction),
    }
}

/// A change in percent, with its sign: `+3.9 %`. Where all digits are 0 there is no sign.
pub fn change(fraction: f64) -> String {
    let text = percent(fraction.abs());
    let nothing = text.chars().all(|c| !c.is_ascii_digit() || c == '0');
    match fraction {
        _ if nothing => text,
        f if f < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// Time to wait, from seconds: `31.2 ms`, `3.0 s`, `12 s`, `2 min 5 s`, `1 h 20 min`.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        // One decimal would be 0.0.
        _ if seconds > 0.0 && seconds < 0.05 => time(seconds * 1e9),
        _ if seconds < 9.95 => format!("{seconds:.1} s"),
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "run")), ["0 runs", "1 run", "2 runs"]);
    }

    #[test]
    fn the_uncertainty_has_two_digits_and_decides_the_place() {
        for (value, u, expected) in [
            (1.0268, Some(0.2108), "1.03 ± 0.21"),
            (5.112, Some(0.0996), "5.11 ± 0.10"),
            (31.249, Some(0.6), "31.25 ± 0.60"),
            (1234.5, Some(12.3), "1234 ± 12"),
            (1234.5, Some(123.0), "1234 ± 123"),
            (1.0, Some(0.000_012), "1.000000 ± 0.000012"),
            (2.0, Some(0.0), "2.000 ± 0.000"),
            (5.112_345, None, "5.112 ± n/a"),
            (1.234e-9, Some(2.1e-11), "(1.234 ± 0.021)e-9"),
            (3.2e9, Some(1.1e8), "(3.20 ± 0.11)e9"),
            (-0.02, Some(0.3), "-0.02 ± 0.30"),
            (0.963_4, Some(0.001_2), "0.9634 ± 0.0012"),
        ] {
            assert_eq!(with_uncertainty(value, u), expected);
        }
    }

    #[test]
    fn ends_of_an_interval_have_one_unit_and_differ() {
        assert_eq!(time_interval(4e5, [-3.5e5, 1.183e6]), "[0, 1183] µs");
        for (ends, expected) in [
            ([72.34e6, 101.52e6], "[72.34, 101.5] ms"),
            ([992e3, 1.03e6], "[0.9920, 1.030] ms"),
            ([1.005e6, 1.005_02e6], "[1.00500, 1.00502] ms"),
            ([1.005e6; 2], "[1.005, 1.005] ms"),
        ] {
            assert_eq!(time_interval(1.0e6, ends), expected);
        }
    }

    #[test]
    fn times_choose_their_unit() {
        assert_eq!(time_with_uncertainty(31_200_000.0, Some(600_000.0)), "31.20 ± 0.60 ms");
        assert_eq!(time_with_uncertainty(0.4, Some(0.01)), "0.400 ± 0.010 ns");
        assert_eq!(time_with_uncertainty(-1_500.0, None), "-1.500 ± n/a µs");
        assert_eq!((time(31_249.0).as_str(), time(0.4).as_str()), ("31.2 µs", "0.400 ns"));
    }

    #[test]
    fn digits_are_counted_after_rounding() {
        for (value, digits, expected) in [
            (9.999_9, 4, "10.00"),
            (99.96, 3, "100"),
            (0.099_96, 3, "0.100"),
            (1234.5, 2, "1234"),
            (1.5e-7, 4, "1.500e-7"),
            (0.0, 3, "0"),
        ] {
            assert_eq!(significant(value, digits), expected);
        }
        for (value, expected) in [
            (33.6e6, "33.6 M"),
            (171.2e6, "171 M"),
            (999.6, "1000"),
            (5.0, "5.00"),
            (1.234e12, "1.23 T"),
        ] {
            assert_eq!(with_prefix(value), expected);
        }
    }

    #[test]
    fn percentages_and_changes_are_rounded_alike() {
        for (fraction, expected) in [
            (0.0391, "+3.9 %"),
            (-0.0391, "−3.9 %"),
            (0.25, "+25.0 %"),
            (2.5, "+250 %"),
            (0.0025, "+0.25 %"),
            (-1e-6, "0.00 %"),
        ] {
            assert_eq!(change(fraction), expected);
        }
        assert_eq!(percent(0.0004), "0.04 %");
        assert_eq!([0.0, 1.2e-5, 4e-4].map(percent_proven), ["0.00 %", "0.001 %", "0.04 %"]);
    }

    #[test]
    fn waiting_has_two_units_at_most() {
        for (seconds, expected) in [
            (0.0, "0.0 s"),
            (13e-9, "13.0 ns"),
            (0.031_2, "31.2 ms"),
            (0.05, "0.1 s"),
            (3.0, "3.0 s"),
            (12.4, "12 s"),
            (125.0, "2 min 5 s"),
            (4_801.0, "1 h 20 min"),
            (59.7, "1 min 0 s"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
    }

    proptest::proptest! {
        #[test]
        fn printed_values_are_within_their_last_digit(value in -1e6_f64..1e6, u in 1e-6_f64..1e3) {
            let text = with_uncertainty(value, Some(u));
            if let Some((number, uncertainty)) = text.split_once(" ± ").filter(|_| !text.contains('e')) {
                let (number, shown): (f64, f64) = (number.parse().unwrap(), uncertainty.parse().unwrap());
                proptest::prop_assert!((number - value).abs() <= 0.06 * u + 0.51, "{text}");
                proptest::prop_assert!((shown - u).abs() <= 0.06 * u + 0.51, "{text}");
                let count = uncertainty.chars().filter(char::is_ascii_digit).skip_while(|&c| c == '0').count();
                proptest::prop_assert!(count == 2 || u >= 99.0, "{text}");
            }
        }
    }
}
