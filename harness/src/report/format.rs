//! Numbers for people: a value has no more digits than its uncertainty allows, and times have one unit a line.

/// A unit of time and how many nanoseconds it has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TimeUnit {
    pub(crate) name: &'static str,
    pub(crate) ns: f64,
}

/// The largest unit of which there is at least one.
pub(crate) fn time_unit(ns: f64) -> TimeUnit {
    let (name, unit) = match ns {
        ns if ns >= 1e9 => ("s", 1e9),
        ns if ns >= 1e6 => ("ms", 1e6),
        ns if ns >= 1e3 => ("µs", 1e3),
        _ => ("ns", 1.0),
    };
    TimeUnit { name, ns: unit }
}

/// Decimal places that show an uncertainty with two digits, from 0 to 9.
fn places(uncertainty: f64) -> usize {
    if !(uncertainty > 0.0 && uncertainty.is_finite()) {
        return 3;
    }
    let exponent = libm_log10_floor(uncertainty);
    let mut places = (1 - exponent).clamp(0, 9);
    // Rounding may add a digit: 0.0996 has to become 0.10, not 0.100.
    let scale = 10_f64.powi(places);
    if places > 0 && (uncertainty * scale).round() >= 100.0 {
        places -= 1;
    }
    places as usize
}

fn libm_log10_floor(value: f64) -> i32 {
    value.log10().floor() as i32
}

/// `5.11 ± 0.13`: σ with two digits, the value to the same place. Without σ the value has four digits.
pub(crate) fn with_sigma(value: f64, sigma: Option<f64>) -> String {
    match sigma {
        Some(sigma) => {
            let places = places(sigma);
            format!("{value:.places$} ± {sigma:.places$}")
        }
        None => format!("{} ± n/a", four_digits(value)),
    }
}

/// A time with its uncertainty and unit: `31.20 ± 0.60 ms`.
pub(crate) fn time_with_sigma(ns: f64, sigma_ns: Option<f64>) -> String {
    let unit = time_unit(ns);
    format!("{} {}", with_sigma(ns / unit.ns, sigma_ns.map(|sigma| sigma / unit.ns)), unit.name)
}

/// A number with four significant digits, without trailing zeros after the point being cut.
pub(crate) fn four_digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let exponent = libm_log10_floor(value.abs());
    let places = (3 - exponent).clamp(0, 12) as usize;
    format!("{value:.places$}")
}

/// Three significant digits with a prefix: `33.6 M`.
pub(crate) fn with_prefix(value: f64) -> String {
    let (scale, prefix) = match value.abs() {
        v if v >= 1e12 => (1e12, " T"),
        v if v >= 1e9 => (1e9, " G"),
        v if v >= 1e6 => (1e6, " M"),
        v if v >= 1e3 => (1e3, " k"),
        _ => (1.0, ""),
    };
    let scaled = value / scale;
    let places = match scaled.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    format!("{scaled:.places$}{prefix}")
}

/// A fraction as a percentage with two digits: `1.3 %`.
pub(crate) fn percent(fraction: f64) -> String {
    let percent = fraction * 100.0;
    let places = if percent.abs() >= 9.95 {
        0
    } else if percent.abs() >= 0.995 {
        1
    } else {
        2
    };
    format!("{percent:.places$} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigma_has_two_digits_and_decides_the_place() {
        for (value, sigma, expected) in [
            (1.0268, 0.2108, "1.03 ± 0.21"),
            (5.112, 0.0996, "5.11 ± 0.10"),
            (31.249, 0.6, "31.25 ± 0.60"),
            (1234.5, 12.3, "1234 ± 12"),
            (1234.5, 123.0, "1234 ± 123"),
            (1.0, 0.000_012, "1.000000 ± 0.000012"),
            (2.0, 0.0, "2.000 ± 0.000"),
        ] {
            assert_eq!(with_sigma(value, Some(sigma)), expected);
        }
        assert_eq!(with_sigma(5.112_345, None), "5.112 ± n/a");
    }

    #[test]
    fn times_choose_their_unit() {
        assert_eq!(time_with_sigma(31_200_000.0, Some(600_000.0)), "31.20 ± 0.60 ms");
        assert_eq!(time_with_sigma(0.4, Some(0.01)), "0.400 ± 0.010 ns");
        assert_eq!(time_with_sigma(1_500.0, None), "1.500 ± n/a µs");
    }

    #[test]
    fn prefixes_keep_three_digits() {
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
    fn percentages_keep_two_digits() {
        assert_eq!(percent(0.0131), "1.3 %");
        assert_eq!(percent(0.25), "25 %");
        assert_eq!(percent(0.001), "0.10 %");
    }
}
