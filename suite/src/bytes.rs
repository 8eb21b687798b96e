//! Sizes in bytes as they appear in the names of points.

use std::fmt;
use std::str::FromStr;

/// A size in bytes, written in the largest of GiB, MiB and KiB that gives a whole number.
///
/// ```
/// use plusminus_suite::Bytes;
///
/// assert_eq!("64MiB".parse(), Ok(Bytes(64 << 20)));
/// assert_eq!(Bytes(1536 << 10).to_string(), "1536KiB");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

impl Bytes {
    const UNITS: [(&'static str, u32); 3] = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, shift) in Self::UNITS {
            if self.0 > 0 && self.0.is_multiple_of(1 << shift) {
                return write!(f, "{}{unit}", self.0 >> shift);
            }
        }
        write!(f, "{}B", self.0)
    }
}

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        for (unit, shift) in Self::UNITS {
            if let Some(number) = text.strip_suffix(unit) {
                let number: u64 = number.parse().map_err(|_| format!("`{text}` is not a size"))?;
                return number
                    .checked_mul(1 << shift)
                    .map(Self)
                    .ok_or_else(|| format!("`{text}` is too large"));
            }
        }
        if let Some(Ok(number)) = text.strip_suffix('B').map(str::parse) {
            return Ok(Self(number));
        }
        Err(format!("`{text}` is not a size: write it with KiB, MiB or GiB"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_can_be_read_back() {
        for bytes in [0, 8, 1023, 1024, 1536 << 10, 1 << 20, 3 << 30, u64::MAX] {
            assert_eq!(Bytes(bytes).to_string().parse(), Ok(Bytes(bytes)));
        }
    }

    #[test]
    fn says_what_is_wrong_with_a_size() {
        for text in ["64", "64MB", "-1KiB", "xKiB", "99999999999999GiB"] {
            let message = text.parse::<Bytes>().unwrap_err();
            assert!(message.contains(text), "{message}");
        }
    }
}
