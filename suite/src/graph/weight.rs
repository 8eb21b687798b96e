//! Weights of edges, and how distances of that type become ordered 32-bit keys.

use std::fmt::{Debug, Display};

/// A non-negative edge weight; sums of weights are distances of the same type.
///
/// All algorithms compare distances as *keys*: `u32`s in the same order as the distances, so that one atomic
/// minimum serves every type. The largest key, [`UNREACHED`](Weight::UNREACHED), means that no path exists.
///
/// Implemented for `u32` and for `f32` (finite and not negative; the bit patterns of such floats are ordered as
/// the numbers are).
pub trait Weight: Copy + PartialEq + PartialOrd + Debug + Display + Send + Sync + 'static {
    /// The key of a vertex that no path reaches.
    const UNREACHED: u32 = u32::MAX;
    /// The distance of a vertex that no path reaches, as it appears in results.
    const INFINITE: Self;
    /// The weight of nothing, and the distance of the source to itself.
    const ZERO: Self;

    /// The conditions on a weight, for messages.
    const LEGAL: &'static str;
    /// The field name of such values in Matrix Market files.
    const MATRIX_FIELD: &'static str;

    /// The key of a distance.
    fn to_key(self) -> u32;

    /// The distance of a key.
    fn from_key(key: u32) -> Self;

    /// The key of the distance `key` extended by an edge of this weight.
    ///
    /// A sum that its type cannot hold stays reachable: it becomes [`u32::MAX`] − 1 or infinity, which stands for
    /// "that far or farther". `key` must not be [`UNREACHED`](Weight::UNREACHED).
    fn extend(self, key: u32) -> u32;

    /// ⌊distance/Δ⌋, the class of Δ-stepping. The farthest distances of floats share a class.
    fn quotient(self, delta: Self) -> u64;

    /// log₂ of an integer that is a power of two, so that dividing by it can be a shift of the key.
    fn log2_exact(self) -> Option<u32>;

    /// This weight as a real number.
    fn to_real(self) -> f64;

    /// A width Δ near a positive real number: for integers the power of two below, at least 1.
    fn width(real: f64) -> Self;

    /// Weight `1`..=`max` (or uniform in \[0, 1) for floats) from a draw in \[0, 2³¹ − 1).
    fn from_draw(draw: u32, max: u32) -> Self;

    /// Is this a legal weight? Negative, infinite and undefined floats are not.
    fn is_legal(self) -> bool;
}

/// The number of values of the Graph500 random number generator, 2³¹ − 1.
const DRAWS: u64 = (1 << 31) - 1;

impl Weight for u32 {
    const INFINITE: u32 = u32::MAX;
    const ZERO: u32 = 0;
    const LEGAL: &'static str = "a whole number from 0 to 4294967294";
    const MATRIX_FIELD: &'static str = "integer";

    #[inline]
    fn to_key(self) -> u32 {
        self
    }

    #[inline]
    fn from_key(key: u32) -> u32 {
        key
    }

    #[inline]
    fn extend(self, key: u32) -> u32 {
        key.saturating_add(self).min(u32::MAX - 1)
    }

    #[inline]
    fn quotient(self, delta: u32) -> u64 {
        u64::from(self / delta)
    }

    fn log2_exact(self) -> Option<u32> {
        self.is_power_of_two().then(|| self.trailing_zeros())
    }

    fn to_real(self) -> f64 {
        f64::from(self)
    }

    fn width(real: f64) -> u32 {
        1 << (real.clamp(1.0, f64::from(1 << 30)) as u32).ilog2()
    }

    fn from_draw(draw: u32, max: u32) -> u32 {
        1 + (u64::from(draw) * u64::from(max) / DRAWS) as u32
    }

    fn is_legal(self) -> bool {
        self < u32::MAX
    }
}

impl Weight for f32 {
    const INFINITE: f32 = f32::INFINITY;
    const ZERO: f32 = 0.0;
    const LEGAL: &'static str = "a finite number not below 0";
    const MATRIX_FIELD: &'static str = "real";

    #[inline]
    fn to_key(self) -> u32 {
        // `-0.0` has the bit pattern of a negative number, and would be the farthest of all.
        (self + 0.0).to_bits()
    }

    #[inline]
    fn from_key(key: u32) -> f32 {
        if key == Self::UNREACHED { f32::INFINITY } else { f32::from_bits(key) }
    }

    #[inline]
    fn extend(self, key: u32) -> u32 {
        (f32::from_bits(key) + self).to_bits()
    }

    #[inline]
    fn quotient(self, delta: f32) -> u64 {
        // The cast saturates, so that infinity has a class too.
        (self / delta) as u64
    }

    fn log2_exact(self) -> Option<u32> {
        None
    }

    fn to_real(self) -> f64 {
        f64::from(self)
    }

    fn width(real: f64) -> f32 {
        real as f32
    }

    /// As the reference implementation of Graph500: the draw over 2³¹ − 1 in single precision, whatever `max`.
    fn from_draw(draw: u32, _: u32) -> f32 {
        (f64::from(draw as f32) * 4.656_612_875_245_797e-10) as f32
    }

    fn is_legal(self) -> bool {
        self.is_finite() && self >= 0.0
    }
}
