//! Marks on functions that are called for some benchmarks of a registering function only, so that `cargo plusminus
//! compare` can tell their code apart in the linker's input. May use nothing.

use std::hint::black_box;

/// The beginning of the mark of a function that is called for one benchmark only.
pub const RUN_MARK: [u8; 16] = *b"plusminus:onerun";

/// The beginning of the mark of a function that is called for the benchmarks of one section only.
pub const SECTION_MARK: [u8; 16] = *b"plusminus:sectn1";

/// The beginning of the mark of a list of sections. A benchmark runs only the sections that it is in.
pub const LIST_MARK: [u8; 16] = *b"plusminus:sects1";

/// A mark, and the function that it is on. The order of its fields in memory is fixed.
#[repr(C)]
pub(super) struct Called {
    mark: [u8; 16],
    function: *const (),
}

impl Called {
    pub(super) const fn new(mark: [u8; 16], function: *const ()) -> Self {
        Self { mark, function }
    }

    /// The address of the function. The mark is in every program that asks.
    pub(super) fn address(called: &'static Self) -> usize {
        black_box(called).function as usize
    }
}

/// Sections that are handed the same value, in a list whose length no code knows: one more of them changes nothing for
/// the benchmarks of the others. The order of its fields in memory is fixed.
#[repr(C)]
pub struct Sections<T: 'static> {
    mark: [u8; 16],
    listed: &'static [&'static Listed<T>],
}

/// A section of a list, in memory as `Called`. Its function must refer to something of its own, such as a variable, so
/// that no two of them are equal and become one.
#[repr(C)]
pub struct Listed<T> {
    mark: [u8; 16],
    run: fn(&mut T),
}

impl<T> Sections<T> {
    /// Makes the list, in a constant.
    pub const fn new(listed: &'static [&'static Listed<T>]) -> Self {
        Self { mark: LIST_MARK, listed }
    }

    /// The functions of the sections, in their order.
    pub(super) fn functions(&'static self) -> impl Iterator<Item = fn(&mut T)> {
        black_box(self).listed.iter().map(|one| one.run)
    }
}

impl<T> Listed<T> {
    /// Makes an item of a list, in a constant.
    pub const fn new(run: fn(&mut T)) -> Self {
        Self { mark: SECTION_MARK, run }
    }
}
