//! Marks on functions that are called for some benchmarks of a registering function only, so that `cargo plusminus
//! compare` can tell their code apart in the linker's input. May use nothing.

use std::hint::black_box;

/// The beginning of the mark of a function that is called for one benchmark only.
pub const RUN_MARK: [u8; 16] = *b"plusminus:onerun";

/// The beginning of the mark of a function that is called for the benchmarks of one section only.
pub const SECTION_MARK: [u8; 16] = *b"plusminus:sectn1";

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
