//! Marks on functions that are called for some benchmarks of a registering function only, so that `cargo plusminus
//! compare` can tell their code apart in the linker's input. Uses the system for one address.

use std::hint::black_box;

use crate::sys;

/// What the mark of a function begins with that is called for one benchmark only.
pub const RUN_MARK: [u8; 16] = *b"plusminus:onerun";

/// What the mark of a function begins with that is called for the benchmarks of one section only.
pub const SECTION_MARK: [u8; 16] = *b"plusminus:sectn1";

/// A function's place in its program: its distance from the place where the program begins, modulo 2⁶⁴. So it does not
/// depend on where the program was loaded.
pub(crate) type CodePlace = u64;

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

    /// Where the function is; `None` where the system does not tell. The mark is in every program that asks.
    pub(super) fn place(called: &'static Self) -> Option<CodePlace> {
        let called = black_box(called);
        let function = called.function as usize as u64;
        Some(function.wrapping_sub(sys::program_entry()?))
    }
}
