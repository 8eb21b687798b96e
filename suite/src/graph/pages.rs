//! Large arrays in memory of their own, on huge pages if the system has them. A graph is read at random, and with
//! pages of 4 KiB a search spends much of its time on finding out where they are.

use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Pod;
use memmap2::MmapMut;

/// Bytes of a huge page. Linux (from 6.7 on) aligns memory to them that is as long as a number of them.
const HUGE: usize = 2 << 20;
/// Bytes that the last huge page may leave unused; with more, the end gets small ones.
#[cfg(target_os = "linux")]
const UNUSED: usize = HUGE / 16;

/// An array of numbers that are zero at first. Memory that has not been written to takes none.
pub(crate) struct Pages<T> {
    map: MmapMut,
    /// Elements, which may be fewer than the memory has room for.
    len: usize,
    /// Bytes that there was room for at first.
    bytes: usize,
    element: PhantomData<T>,
}

impl<T: Pod> Pages<T> {
    /// Allocates an array of this number of zeros.
    ///
    /// # Errors
    /// If the system refuses so much memory.
    pub(crate) fn try_zeroed(len: usize) -> io::Result<Self> {
        let too_many = || io::Error::other("more bytes than can be counted");
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(too_many)?;
        // Addresses alone take no memory.
        let unit = if bytes < HUGE { 1 } else { HUGE };
        let room = bytes.max(1).checked_next_multiple_of(unit).ok_or_else(too_many)?;
        let map = MmapMut::map_anon(room)?;
        #[cfg(target_os = "linux")]
        if bytes >= HUGE {
            // Small pages hold the same: only speed depends on it.
            let huge = (bytes + UNUSED) / HUGE * HUGE;
            let _ = map.advise_range(memmap2::Advice::HugePage, 0, huge);
        }
        Ok(Self { map, len, bytes, element: PhantomData })
    }

    /// Allocates an array of this number of zeros.
    ///
    /// # Panics
    /// If the system refuses so much memory.
    pub(crate) fn zeroed(len: usize) -> Self {
        Self::try_zeroed(len).unwrap_or_else(|error| {
            panic!("{len} elements of {} bytes: {error}", size_of::<T>());
        })
    }

    /// Forgets all elements after the first `len`. Their memory stays.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// The bytes of memory that the array takes, forgotten elements included.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.bytes
    }
}

impl<T: Pod> Deref for Pages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.map[..self.len * size_of::<T>()])
    }
}

impl<T: Pod> DerefMut for Pages<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.map[..self.len * size_of::<T>()])
    }
}

impl<T: Pod> Clone for Pages<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::zeroed(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_zero_and_keep_what_is_written() {
        for len in [0, 1, 5, 3 << 20] {
            let mut array = Pages::<u64>::zeroed(len);
            assert!(array.len() == len && array.iter().all(|&number| number == 0));
            array.iter_mut().enumerate().for_each(|(index, number)| *number = index as u64);
            let mut copy = array.clone();
            array.truncate(2);
            assert!(copy.iter().enumerate().all(|(index, &number)| number == index as u64));
            assert_eq!(array[..], copy[..len.min(2)]);
            copy.truncate(len + 1);
            assert_eq!(copy.len(), len);
        }
    }

    #[test]
    fn what_cannot_be_had_is_an_error() {
        assert!(Pages::<u64>::try_zeroed(usize::MAX / 2).is_err());
        assert!(Pages::<u64>::try_zeroed(1 << 59).is_err());
    }
}
