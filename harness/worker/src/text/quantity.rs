//! Quantities as people type them: one grammar for attributes, flags and variables of every program of the project.
//!
//! A quantity is a decimal number (`90`, `1.5`, `1e-3`) and a unit, with blanks around them or none. Functions answer
//! an error that continues the sentence "`--flag` takes …".

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    str::FromStr,
    time::Duration,
};

use super::visible;

const TIME: &str =
    "a number of seconds above 0, such as 90 or 0.5, or with a unit: 200ms, 1.5s, 10m, 1h";

/// Description of a valid percentage.
const PERCENT: &str = "a percentage from 0 to 1000, such as 2 or 0.5%";

/// Description of a valid number of bytes.
const BYTES: &str = "a number of bytes above 0, such as 4096, 512M or 1.5G (units of 1024)";

/// Units of time, in nanoseconds.
const TIMES: [(&str, u128); 10] = [
    ("", 1_000_000_000),
    ("s", 1_000_000_000),
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("m", 60_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

const MEMORY: [(&str, u128); 14] = [
    ("", 1),
    ("B", 1),
    ("k", 1 << 10),
    ("K", 1 << 10),
    ("KiB", 1 << 10),
    ("M", 1 << 20),
    ("MiB", 1 << 20),
    ("m", 1 << 20),
    ("G", 1 << 30),
    ("GiB", 1 << 30),
    ("g", 1 << 30),
    ("T", 1 << 40),
    ("TiB", 1 << 40),
    ("t", 1 << 40),
];

/// Reads a time above 0: seconds without a unit, or `ns`, `us`, `ms`, `s`, `m` (minutes), `h`.
///
/// ```
/// # use std::time::Duration;
/// # use plusminus_worker::text::quantity::time;
/// assert_eq!(time("1.5s"), Ok(Duration::from_millis(1500)));
/// assert_eq!(time("10m"), time("600"));
/// assert!(time("soon").is_err());
/// ```
pub fn time(text: &str) -> Result<Duration, String> {
    let time = time_or_none(text).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| expected(TIME, text))
}

/// Reads a time that may be 0.
pub fn time_or_none(text: &str) -> Result<Duration, String> {
    parse_time(text).ok_or_else(|| expected(TIME, text))
}

/// Reads a percentage from 0 to 1000, with or without `%`, and returns it as a fraction.
pub fn percent(text: &str) -> Result<f64, String> {
    parse_percent(text).map(|percent| percent / 100.0).ok_or_else(|| expected(PERCENT, text))
}

/// Reads a number of bytes above 0, with `K`, `M`, `G` or `T` for powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let bytes = decimal(text).and_then(|decimal| decimal.times(unit(text, decimal.end, &MEMORY)?));
    bytes
        .and_then(|bytes| u64::try_from(bytes).ok())
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| expected(BYTES, text))
}

/// Reads a whole number.
pub fn number<T: FromStr>(text: &str) -> Result<T, String> {
    let what = "a whole number that is not too large";
    text.trim().parse().map_err(|_| expected(what, text))
}

/// Reads the seed of a random order: a whole number of at most 64 bits.
pub fn seed(text: &str) -> Result<u64, String> {
    number(text)
}

/// Returns a seed where none is given, short enough to be typed again.
pub fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000
}

/// The time of a literal in an attribute, at compile time.
///
/// # Panics
/// Where the text is no time: the compiler shows the message at the literal.
#[doc(hidden)]
pub const fn literal_time(text: &str) -> Duration {
    match parse_time(text) {
        Some(time) => time,
        None => panic!(
            "expected a time: seconds, or a number with a unit, such as `1.5s`, `200ms`, `10m` or `1h`"
        ),
    }
}

/// The percentage of a literal in an attribute, at compile time, in percent.
///
/// # Panics
/// Where the text is no percentage: the compiler shows the message at the literal.
#[doc(hidden)]
pub const fn literal_percent(text: &str) -> f64 {
    match parse_percent(text) {
        Some(percent) => percent,
        None => panic!("expected a percentage from 0 to 1000, such as `2%`"),
    }
}

fn expected(what: &str, text: &str) -> String {
    format!("{what}, not `{}`", visible(text))
}

const fn parse_time(text: &str) -> Option<Duration> {
    let Some(decimal) = decimal(text) else { return None };
    let Some(unit) = unit(text, decimal.end, &TIMES) else { return None };
    match decimal.times(unit) {
        Some(ns) if ns <= u64::MAX as u128 => Some(Duration::from_nanos(ns as u64)),
        _ => None,
    }
}

const fn parse_percent(text: &str) -> Option<f64> {
    let Some(decimal) = decimal(text) else { return None };
    if unit(text, decimal.end, &[("", 1), ("%", 1)]).is_none() {
        return None;
    }
    let mut percent = decimal.mantissa as f64;
    let mut places = decimal.places;
    while places != 0 {
        percent = if places > 0 { percent / 10.0 } else { percent * 10.0 };
        places -= places.signum();
    }
    if percent <= 1000.0 { Some(percent) } else { None }
}

/// A decimal number: mantissa · 10^−places.
#[derive(Clone, Copy)]
struct Decimal {
    mantissa: u128,
    places: i32,
    /// The place of the first byte behind it.
    end: usize,
}

impl Decimal {
    /// The product with a unit, without what is below 1; `None` where it is too large.
    const fn times(self, unit: u128) -> Option<u128> {
        let Some(mut product) = self.mantissa.checked_mul(unit) else { return None };
        let mut places = self.places;
        while places > 0 && product > 0 {
            product /= 10;
            places -= 1;
        }
        while places < 0 && product > 0 {
            let Some(larger) = product.checked_mul(10) else { return None };
            product = larger;
            places += 1;
        }
        Some(product)
    }
}

/// The decimal number that a text begins with.
const fn decimal(text: &str) -> Option<Decimal> {
    let bytes = text.as_bytes();
    let mut at = skip_blanks(bytes, 0);
    let (mut mantissa, mut places, mut digits, mut point) = (0_u128, 0, 0, false);
    while at < bytes.len() && (bytes[at].is_ascii_digit() || (bytes[at] == b'.' && !point)) {
        if bytes[at] == b'.' {
            point = true;
        } else {
            // More digits than these say nothing about a quantity that people measure.
            if digits == 20 {
                return None;
            }
            mantissa = mantissa * 10 + (bytes[at] - b'0') as u128;
            digits += 1;
            places += point as i32;
        }
        at += 1;
    }
    if digits == 0 {
        return None;
    }
    if at + 1 < bytes.len() && (bytes[at] | 0x20) == b'e' {
        let negative = bytes[at + 1] == b'-';
        let mut end = at + 1 + (negative || bytes[at + 1] == b'+') as usize;
        let (from, mut exponent) = (end, 0);
        while end < bytes.len() && bytes[end].is_ascii_digit() && end < from + 2 {
            exponent = exponent * 10 + (bytes[end] - b'0') as i32;
            end += 1;
        }
        if end > from {
            places += if negative { exponent } else { -exponent };
            at = end;
        }
    }
    Some(Decimal { mantissa, places, end: at })
}

/// The size of the unit that a text has from a place on, in a list of units.
const fn unit(text: &str, from: usize, units: &[(&str, u128)]) -> Option<u128> {
    let bytes = text.as_bytes();
    let from = skip_blanks(bytes, from);
    let mut end = bytes.len();
    while end > from && bytes[end - 1] == b' ' {
        end -= 1;
    }
    let mut index = 0;
    while index < units.len() {
        let name = units[index].0.as_bytes();
        let mut same = 0;
        while same < name.len() && from + same < end && name[same] == bytes[from + same] {
            same += 1;
        }
        if same == name.len() && from + same == end {
            return Some(units[index].1);
        }
        index += 1;
    }
    None
}

const fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] == b' ' {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, ms) in [
            ("90", 90_000),
            ("1.5s", 1_500),
            (" 1.5 s ", 1_500),
            ("10m", 600_000),
            ("10 min", 600_000),
            ("1h", 3_600_000),
            ("250ms", 250),
            ("2000us", 2),
            ("2000µs", 2),
            ("1e-3", 1),
            (".5", 500),
            ("5.", 5_000),
            ("1e3ms", 1_000),
        ] {
            assert_eq!(time(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        assert_eq!(time("7ns"), Ok(Duration::from_nanos(7)));
        for wrong in [
            "",
            "0",
            "0s",
            "-1",
            "nan",
            "inf",
            "5x",
            "s",
            "1 s s",
            "1e40",
            "1..5",
            "1é",
            "99999999999h",
            "1m30s",
        ] {
            assert!(time(wrong).unwrap_err().contains("such as"), "{wrong}");
        }
        assert_eq!(time_or_none("0"), Ok(Duration::ZERO));
        assert_eq!(literal_time("1.5s"), Duration::from_millis(1_500));
    }

    #[test]
    fn percentages_are_fractions_with_limits() {
        for (text, fraction) in
            [("2", 0.02), ("0.5 %", 0.005), ("0", 0.0), ("1000%", 10.0), ("0.1%", 0.001)]
        {
            assert_eq!(percent(text), Ok(fraction), "{text}");
        }
        for wrong in ["", "-1", "nan", "x", "1001", "2%%", "%"] {
            assert!(percent(wrong).is_err(), "{wrong}");
        }
        assert_eq!(literal_percent("5%"), 5.0);
    }

    #[test]
    fn bytes_are_powers_of_1024() {
        for (text, count) in [
            ("4096", 4096),
            ("512M", 512 << 20),
            ("2 GiB", 2 << 30),
            ("1.5k", 1536),
            ("1T", 1 << 40),
        ] {
            assert_eq!(bytes(text), Ok(count), "{text}");
        }
        for wrong in ["0", "3X", "-1", "1e30", "0.1"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_a_panic(text in ".{0,30}") {
            let _ = (time(&text), percent(&text), bytes(&text), seed(&text));
        }

        #[test]
        fn seconds_are_read_exactly(ns in 1_u64..u64::MAX) {
            let text = format!("{}.{:09}s", ns / 1_000_000_000, ns % 1_000_000_000);
            proptest::prop_assert_eq!(time(&text), Ok(Duration::from_nanos(ns)));
        }

        #[test]
        fn percentages_are_what_the_standard_library_reads(percent in 0.0_f64..1000.0) {
            let text = format!("{percent:.6}");
            let expected = text.parse::<f64>().unwrap() / 100.0;
            proptest::prop_assert!((super::percent(&text).unwrap() - expected).abs() <= 1e-15 * expected.max(1.0));
        }
    }
}
