//! How much work a call does, shown as a rate.

use std::any::Any;

use plusminus::Work;

mod sealed {
    /// Keeps other crates from counters of their own.
    pub trait Sealed {
        /// The unit, and how many.
        fn work(&self) -> plusminus::Work;
    }
}

use sealed::Sealed;

/// A number of something that a call processes.
pub trait Counter: Sized + Any + Sealed {}

/// Values that can be a counter; a number stands for items.
pub trait IntoCounter {
    /// The counter.
    type Counter: Counter;

    /// Makes it one.
    fn into_counter(self) -> Self::Counter;
}

impl<C: Counter> IntoCounter for C {
    type Counter = C;

    fn into_counter(self) -> C {
        self
    }
}

/// An unsigned integer.
pub trait CountUInt: Copy + Any {
    #[doc(hidden)]
    fn count(self) -> u64;
}

/// An unsigned integer, or a reference to one.
pub trait AsCountUInt {
    #[doc(hidden)]
    fn as_count(&self) -> u64;
}

impl<T: AsCountUInt> AsCountUInt for &T {
    fn as_count(&self) -> u64 {
        T::as_count(self)
    }
}

macro_rules! integers {
    ($($integer:ty),+) => {
        $(
            impl CountUInt for $integer {
                fn count(self) -> u64 {
                    self as u64
                }
            }

            impl AsCountUInt for $integer {
                fn as_count(&self) -> u64 {
                    *self as u64
                }
            }

            impl IntoCounter for $integer {
                type Counter = ItemsCount;

                fn into_counter(self) -> ItemsCount {
                    ItemsCount::new(self)
                }
            }
        )+
    };
}

integers!(u8, u16, u32, u64, usize);

macro_rules! counters {
    ($($(#[$attribute:meta])* $name:ident => $unit:literal;)+) => {
        $(
            $(#[$attribute])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
            pub struct $name {
                count: u64,
            }

            impl $name {
                /// Makes a counter of this value.
                pub fn new<N: CountUInt>(count: N) -> Self {
                    Self { count: count.count() }
                }
            }

            impl<C: AsCountUInt> From<C> for $name {
                fn from(count: C) -> Self {
                    Self { count: count.as_count() }
                }
            }

            impl Sealed for $name {
                fn work(&self) -> Work {
                    Work::of($unit, self.count as f64)
                }
            }

            impl Counter for $name {}
        )+
    };
}

counters! {
    /// Bytes.
    BytesCount => "bytes";
    /// Characters.
    CharsCount => "chars";
    /// Cycles, of whatever a call goes through.
    CyclesCount => "cycles";
    /// Items.
    ItemsCount => "items";
}

macro_rules! bytes_of {
    ($($integer:ident),+) => {
        impl BytesCount {
            $(
                /// Returns the bytes of this number of numbers of this type.
                pub const fn $integer(count: usize) -> Self {
                    Self::of_many::<$integer>(count)
                }
            )+
        }
    };
}

bytes_of!(f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, isize, usize);

impl BytesCount {
    /// The bytes of a value of this type.
    pub const fn of<T>() -> Self {
        Self { count: size_of::<T>() as u64 }
    }

    /// Returns the bytes of `count` values of this type.
    ///
    /// # Panics
    /// When they are more than fit into a `u64`.
    pub const fn of_many<T>(count: usize) -> Self {
        match (size_of::<T>() as u64).checked_mul(count as u64) {
            Some(count) => Self { count },
            None => panic!("the number of bytes exceeds 64 bits"),
        }
    }

    /// Returns the bytes of a value itself, without its references.
    pub fn of_val<T: ?Sized>(value: &T) -> Self {
        Self { count: size_of_val(value) as u64 }
    }

    /// The bytes of all values of an iterator.
    pub fn of_iter<T, I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::of_many::<T>(values.into_iter().count())
    }

    /// The bytes of a text.
    pub fn of_str<S: ?Sized + AsRef<str>>(text: &S) -> Self {
        Self::of_val(text.as_ref())
    }

    /// The bytes of a slice.
    pub fn of_slice<T, S: ?Sized + AsRef<[T]>>(slice: &S) -> Self {
        Self::of_val(slice.as_ref())
    }
}

impl CharsCount {
    /// The characters of a text.
    pub fn of_str<S: ?Sized + AsRef<str>>(text: &S) -> Self {
        Self::new(text.as_ref().chars().count())
    }
}

impl ItemsCount {
    /// The values of an iterator.
    pub fn of_iter<T, I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::new(values.into_iter().count())
    }
}

/// How bytes would be written; the harness has its own way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum BytesFormat {
    /// By powers of 1000.
    #[default]
    Decimal,
    /// By powers of 1024.
    Binary,
}

/// The counters of a benchmark, of which there is one for each unit.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct Counters(Vec<(String, f64)>);

impl Counters {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one, or replaces the one of the same unit.
    #[must_use]
    pub fn with<C: IntoCounter>(mut self, counter: C) -> Self {
        for (unit, count) in counter.into_counter().work().counts() {
            self.0.retain(|(other, _)| other != unit);
            self.0.push((unit.clone(), *count));
        }
        self
    }

    /// The work that they tell, if there are any.
    pub(crate) fn work(&self) -> Option<Work> {
        let of = |(unit, count): &(String, f64)| Work::of(unit.clone(), *count);
        self.0.iter().map(of).reduce(Work::and)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_counter_of_a_unit_counts() {
        let counters =
            Counters::new().with(3_u32).with(BytesCount::u32(2)).with(ItemsCount::new(5_u8));
        let work = counters.work().expect("there are two");
        assert_eq!(work.counts(), [("bytes".to_owned(), 8.0), ("items".to_owned(), 5.0)]);
        assert_eq!(Counters::new().work(), None);
    }

    #[test]
    fn bytes_are_those_of_the_values() {
        assert_eq!(BytesCount::of_str("äb"), BytesCount::new(3_u32));
        assert_eq!(BytesCount::of_slice(&[1_u16, 2]), BytesCount::of_iter([1_u16, 2]));
        assert_eq!(CharsCount::of_str("äb"), CharsCount::new(2_u32));
    }
}
