//! One-sided communication: memory of each rank that all others read without its help. The binding to MPI has no safe form of
//! it, so this is the one module with `unsafe`.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr;

use mpi::ffi;
use mpi::topology::SimpleCommunicator;
use mpi::traits::AsRaw;

use crate::Ranks;
use crate::ranks::meet_all;

/// Words of each rank, filled once and then only read, by all ranks.
///
/// Making one and dropping one are meetings of all ranks.
pub struct Window {
    window: ffi::MPI_Win,
    memory: *mut f64,
    words: usize,
    /// MPI was begun for calls from one thread.
    _one_thread: PhantomData<*mut ()>,
}

impl Window {
    /// Allocates this number of words on each rank and fills those of this one.
    ///
    /// # Panics
    /// If MPI has no memory for them.
    pub fn new(_: &mut Ranks, words: usize, fill: impl Fn(usize) -> f64) -> Self {
        let mut window = Self::unallocated(words);
        let bytes =
            words.checked_mul(size_of::<f64>()).and_then(|bytes| isize::try_from(bytes).ok());
        let bytes = bytes.unwrap_or_else(|| panic!("{words} words are more than a process has"));
        let world = SimpleCommunicator::world().as_raw();
        // SAFETY: the ranks exist, so MPI has begun and has not ended; it writes the address of `bytes` bytes into
        // `memory`, and the handle into `window`, both of which live on. Errors end all ranks, which is MPI's default.
        let code = unsafe {
            ffi::MPI_Win_allocate(
                bytes,
                size_of::<f64>() as c_int,
                ffi::RSMPI_INFO_NULL,
                world,
                (&raw mut window.memory).cast::<c_void>(),
                &raw mut window.window,
            )
        };
        assert!(
            code == 0 && (words == 0 || !window.memory.is_null()),
            "no memory for {words} words"
        );
        for word in 0..words {
            // SAFETY: `memory` has room for `words` words, and no rank reads before all have met.
            unsafe { window.memory.add(word).write(fill(word)) };
        }
        // SAFETY: the window is whole, and no epoch is open on it. The second call makes the writes public.
        let codes =
            unsafe { [ffi::MPI_Win_lock_all(0, window.window), ffi::MPI_Win_sync(window.window)] };
        assert_eq!(codes, [0, 0], "the window cannot be opened");
        meet_all();
        window
    }

    /// A window before there is any.
    fn unallocated(words: usize) -> Self {
        // SAFETY: reads a constant of MPI.
        let window = unsafe { ffi::RSMPI_WIN_NULL };
        Self { window, memory: ptr::null_mut(), words, _one_thread: PhantomData }
    }

    /// The words of this rank.
    pub fn own(&self) -> &[f64] {
        if self.words == 0 {
            return &[];
        }
        // SAFETY: `new` has filled this number of words, and none is written any more.
        unsafe { std::slice::from_raw_parts(self.memory, self.words) }
    }

    /// Reads blocks of equal length from ranks, each from its first word on, into a buffer, one after the other. All are under
    /// way at once.
    ///
    /// # Panics
    /// If a block is not within what a rank has, or MPI fails.
    pub fn read(&self, blocks: &[(usize, usize)], length: usize, buffer: &mut Vec<f64>) {
        buffer.clear();
        buffer.resize(blocks.len() * length, 0.0);
        let count = c_int::try_from(length).expect("blocks are short");
        // Before any is under way: MPI writes into the buffer until the flush, so nothing may unwind in between.
        for &(_, first) in blocks {
            let end = first.checked_add(length);
            assert!(
                end.is_some_and(|end| end <= self.words),
                "{length} words from {first} on, of {}",
                self.words
            );
        }
        let mut failed = None;
        for (&(rank, first), block) in blocks.iter().zip(buffer.chunks_exact_mut(length.max(1))) {
            // SAFETY: all ranks have as many words, so the block lies within; `block` is not touched until the flush
            // below, before which nothing unwinds; the epoch was opened by `new`. MPI rejects a rank that does not
            // exist.
            let code = unsafe {
                ffi::MPI_Get(
                    block.as_mut_ptr().cast(),
                    count,
                    ffi::RSMPI_DOUBLE,
                    rank as c_int,
                    first as ffi::MPI_Aint,
                    count,
                    ffi::RSMPI_DOUBLE,
                    self.window,
                )
            };
            if code != 0 {
                failed = Some(rank);
            }
        }
        // SAFETY: the epoch is open; afterwards MPI writes nothing into the buffer any more.
        let code = unsafe { ffi::MPI_Win_flush_all(self.window) };
        // Without the flush, MPI may still write into the buffer.
        if code != 0 {
            std::process::abort();
        }
        assert_eq!(failed, None, "a rank cannot be read");
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The other ranks will not come.
            return;
        }
        // SAFETY: closes the epoch that `new` opened, and frees the window once; nothing borrows its memory any more.
        let codes = unsafe {
            [ffi::MPI_Win_unlock_all(self.window), ffi::MPI_Win_free(&raw mut self.window)]
        };
        debug_assert_eq!(codes, [0, 0], "the window cannot be freed");
    }
}
