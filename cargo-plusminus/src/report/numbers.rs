//! Numbers for people: times with a unit, changes in percent with a sign.

/// A time of so many nanoseconds, with three digits and a unit.
pub(crate) fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns >= 1e9 => (ns / 1e9, "s"),
        ns if ns >= 1e6 => (ns / 1e6, "ms"),
        ns if ns >= 1e3 => (ns / 1e3, "µs"),
        _ => (ns, "ns"),
    };
    format!("{} {unit}", three_digits(value))
}

/// Three digits of a number of the usual size.
fn three_digits(value: f64) -> String {
    match value.abs() {
        v if v >= 99.95 => format!("{value:.0}"),
        v if v >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// A fraction in percent, without a sign: `3.9 %`.
pub fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    match percent.abs() {
        p if p >= 99.95 => format!("{percent:.0} %"),
        p if p >= 0.0995 => format!("{percent:.1} %"),
        _ => format!("{percent:.2} %"),
    }
}

/// A change in percent, with its sign: `+3.9 %`. Nothing is `0.0 %`.
pub fn change(fraction: f64) -> String {
    let text = percent(fraction.abs());
    let nothing = text.chars().all(|c| !c.is_ascii_digit() || c == '0');
    match fraction {
        _ if nothing => text,
        f if f < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// `S ± σ`: σ with two digits, S to the same place.
pub(crate) fn with_sigma(value: f64, sigma: Option<f64>) -> String {
    match sigma.filter(|sigma| *sigma > 0.0) {
        Some(sigma) => {
            let places = (1 - sigma.log10().floor() as i32).clamp(0, 9) as usize;
            format!("{value:.places$} ± {sigma:.places$}")
        }
        None => format!("{value:.4} ± n/a"),
    }
}

/// Seconds for people: `12 s`, `3 min`, `2 h`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 9.95 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_people_read() {
        assert_eq!(time(31_249.0), "31.2 µs");
        assert_eq!(time(0.4), "0.40 ns");
        assert_eq!(percent(0.0391), "3.9 %");
        assert_eq!(percent(0.0004), "0.04 %");
        assert_eq!(percent(2.5), "250 %");
        assert_eq!(change(0.0391), "+3.9 %");
        assert_eq!(change(-0.0391), "−3.9 %");
        assert_eq!(change(-0.000_001), "0.00 %");
        assert_eq!(with_sigma(0.963_4, Some(0.001_2)), "0.9634 ± 0.0012");
        assert_eq!(with_sigma(1.0, None), "1.0000 ± n/a");
        assert_eq!(duration(3.0), "3.0 s");
        assert_eq!(duration(600.0), "10 min");
    }
}
