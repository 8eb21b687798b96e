//! The visited data: R arrays of small whole numbers, and the array that the array forms write.

use super::drand48::scramble;

/// The value of word `number` of array `array`: a whole number below 2¹⁶.
///
/// With such values and factors of one half every sum below is exact, whatever the order of its terms, so that all
/// forms and all numbers of processors must agree to the last bit. (The original fills with `0.1·i/M`.)
pub fn element(array: usize, number: usize) -> u16 {
    (scramble((array as u64) << 48 | number as u64) >> 48) as u16
}

/// Distances by which the arrays are moved against each other, so that the same place in two arrays does not fall
/// into the same cache set. Primes, as in the original.
const OFFSETS: [usize; 8] = [0, 13, 17, 19, 23, 29, 31, 37];

/// R arrays of equal length in one allocation, every page of it written and so present.
#[derive(Debug)]
pub struct Arrays {
    words: Vec<f64>,
    array_words: usize,
}

impl Arrays {
    /// Fills R arrays of this number of words.
    pub(super) fn new(r: usize, array_words: usize) -> Self {
        let mut words = Vec::with_capacity(r * array_words + OFFSETS[r - 1]);
        for (array, offset) in OFFSETS[..r].iter().enumerate() {
            words.resize(array * array_words + offset, 0.0);
            words.extend((0..array_words).map(|number| f64::from(element(array, number))));
        }
        Self { words, array_words }
    }

    /// Array number `array`.
    #[inline]
    pub fn get(&self, array: usize) -> &[f64] {
        let first = array * self.array_words + OFFSETS[array];
        &self.words[first..first + self.array_words]
    }

    /// The length of each array, in words.
    pub fn array_words(&self) -> usize {
        self.array_words
    }
}

/// The output of the array forms, and the call that wrote it.
#[derive(Debug)]
pub struct Destination {
    /// The call that wrote last.
    pub call: u64,
    /// One value for each word visited: array by array, in the order of the visits.
    pub words: Vec<f64>,
}
