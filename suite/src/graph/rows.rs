//! The rows of a graph as slices: what a search reads again and again, found without a look at the memory that holds it.

use std::ops::Range;

/// The rows of a graph: where each begins, and the elements of all, one row after the other.
///
/// The graph's own arrays check the length and the alignment of their memory whenever they are used; these have been
/// checked once.
#[derive(Debug)]
pub(crate) struct Rows<'a, T> {
    offsets: &'a [usize],
    elements: &'a [T],
}

impl<T> Clone for Rows<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Rows<'_, T> {}

impl<'a, T> Rows<'a, T> {
    /// Rows that begin at these offsets, the last of which is the number of elements.
    pub(super) fn new(offsets: &'a [usize], elements: &'a [T]) -> Self {
        Self { offsets, elements }
    }

    /// Where each row begins, and at last where the last one ends.
    pub(crate) fn offsets(self) -> &'a [usize] {
        self.offsets
    }

    /// The elements of all rows.
    pub(crate) fn elements(self) -> &'a [T] {
        self.elements
    }

    /// Where the elements of a row lie.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline(always)]
    pub(crate) fn range(self, row: usize) -> Range<usize> {
        let ends = &self.offsets[row..row + 2];
        ends[0]..ends[1]
    }

    /// The elements of each of some rows.
    ///
    /// # Panics
    /// If there are no such rows.
    #[inline]
    pub(crate) fn some(self, rows: Range<usize>) -> impl Iterator<Item = &'a [T]> {
        let ends = self.offsets[rows.start..=rows.end].windows(2);
        ends.map(move |ends| &self.elements[ends[0]..ends[1]])
    }

    /// The elements of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline(always)]
    pub(crate) fn row(self, row: usize) -> &'a [T] {
        &self.elements[self.range(row)]
    }
}
