//! Messages and answers as words, for runs whose nodes live in several processes. Nothing here sends anything.

use std::mem::size_of;

/// A value of a fixed number of 32-bit words: what can travel between processes that run the same program.
///
/// ```
/// use plusminus_suite::places::Wire;
///
/// assert_eq!((7u32, 8u32).pack(), [7, 8]);
/// assert_eq!(Option::<u32>::unpack([1, 9]), Some(Some(9)));
/// assert_eq!(bool::unpack([2]), None);
/// ```
pub trait Wire: Copy {
    /// The words, `[u32; N]`.
    type Words: Copy + Default + AsRef<[u32]> + AsMut<[u32]>;

    /// This value as words.
    fn pack(self) -> Self::Words;

    /// The value of words, if they are those of one.
    fn unpack(words: Self::Words) -> Option<Self>;
}

/// How many words a value has.
pub const fn words_of<T: Wire>() -> usize {
    size_of::<T::Words>() / size_of::<u32>()
}

impl Wire for () {
    type Words = [u32; 0];

    fn pack(self) -> [u32; 0] {
        []
    }

    fn unpack([]: [u32; 0]) -> Option<()> {
        Some(())
    }
}

impl Wire for u32 {
    type Words = [u32; 1];

    #[inline]
    fn pack(self) -> [u32; 1] {
        [self]
    }

    #[inline]
    fn unpack([word]: [u32; 1]) -> Option<u32> {
        Some(word)
    }
}

impl Wire for bool {
    type Words = [u32; 1];

    fn pack(self) -> [u32; 1] {
        [u32::from(self)]
    }

    fn unpack([word]: [u32; 1]) -> Option<bool> {
        (word <= 1).then_some(word == 1)
    }
}

impl Wire for Option<u32> {
    type Words = [u32; 2];

    fn pack(self) -> [u32; 2] {
        self.map_or([0, 0], |word| [1, word])
    }

    fn unpack([some, word]: [u32; 2]) -> Option<Option<u32>> {
        bool::unpack([some]).map(|some| some.then_some(word))
    }
}

impl Wire for (u32, u32) {
    type Words = [u32; 2];

    fn pack(self) -> [u32; 2] {
        [self.0, self.1]
    }

    fn unpack([first, second]: [u32; 2]) -> Option<(u32, u32)> {
        Some((first, second))
    }
}

/// Takes a value off the front of words; `None` if they are none.
#[inline]
pub fn take<T: Wire>(words: &mut &[u32]) -> Option<T> {
    let (value, rest) = words.split_at_checked(words_of::<T>())?;
    *words = rest;
    let mut packed = T::Words::default();
    packed.as_mut().copy_from_slice(value);
    T::unpack(packed)
}

/// An answer of which every process has the part of its own nodes, in the order of nodes.
///
/// ```
/// use plusminus_suite::places::Parts;
///
/// let mut words = Vec::new();
/// vec![3u32, 4].pack(&mut words);
/// let mut whole = vec![1, 2];
/// assert_eq!(whole.take_in(&mut &words[..]), Some(()));
/// assert_eq!(whole, [1, 2, 3, 4]);
/// ```
pub trait Parts: Default {
    /// Appends this part as words.
    fn pack(&self, words: &mut Vec<u32>);

    /// Takes a part off the front of words and appends it to this one; `None` if the words are none.
    fn take_in(&mut self, words: &mut &[u32]) -> Option<()>;
}

impl<T: Wire> Parts for Vec<T> {
    fn pack(&self, words: &mut Vec<u32>) {
        words.extend_from_slice(length(self.len()).as_ref());
        self.iter().for_each(|value| words.extend_from_slice(value.pack().as_ref()));
    }

    fn take_in(&mut self, words: &mut &[u32]) -> Option<()> {
        for _ in 0..take_length(words)? {
            self.push(take(words)?);
        }
        Some(())
    }
}

/// A length as words.
pub(crate) fn length(length: usize) -> [u32; 2] {
    pack_u64(length as u64)
}

/// A length off the front of words.
pub(crate) fn take_length(words: &mut &[u32]) -> Option<usize> {
    usize::try_from(take_u64(words)?).ok()
}

/// A long number as words.
pub(crate) fn pack_u64(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

/// A long number off the front of words.
pub(crate) fn take_u64(words: &mut &[u32]) -> Option<u64> {
    let (low, high) = take::<(u32, u32)>(words)?;
    Some(u64::from(low) | u64::from(high) << 32)
}
