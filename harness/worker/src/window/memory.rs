//! Counts what kernels allocate. Nothing is counted, and next to nothing spent, unless the harness asks for it.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    hint::black_box,
    sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed},
};

use crate::protocol::MemoryUse;

/// A global allocator that counts what kernels allocate, on request of the harness.
///
/// Calls in which memory is counted are not timed; in timed calls the allocator adds the reading of one flag.
///
/// ```
/// use plusminus::CountingAllocator;
///
/// #[global_allocator]
/// static ALLOCATOR: CountingAllocator = CountingAllocator::system();
/// # fn main() { drop(vec![1, 2, 3]); }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct CountingAllocator<A = System>(A);

impl CountingAllocator<System> {
    /// Counts around the system's allocator.
    pub const fn system() -> Self {
        Self(System)
    }
}

impl<A> CountingAllocator<A> {
    /// Counts around another allocator.
    pub const fn around(allocator: A) -> Self {
        Self(allocator)
    }

    /// The same under the name that it has in divan.
    #[doc(hidden)]
    pub const fn new(allocator: A) -> Self {
        Self::around(allocator)
    }
}

static COUNTING: AtomicBool = AtomicBool::new(false);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
/// Bytes in use beyond those at the beginning; below 0 where older blocks were freed.
static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

/// Notes a block that grew from `old` to `new` bytes: 0 for one that did not exist, or does no longer.
#[cold]
fn note(old: usize, new: usize) {
    if new > 0 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(new.saturating_sub(old) as u64, Relaxed);
    }
    let change = new as i64 - old as i64;
    let live = LIVE.fetch_add(change, Relaxed) + change;
    PEAK.fetch_max(live, Relaxed);
}

// SAFETY: every method hands its arguments to the inner allocator unchanged and returns its result. Counting touches
// atomics only and never allocates, so it cannot call itself.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAllocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if COUNTING.load(Relaxed) {
            note(0, layout.size());
        }
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { self.0.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if COUNTING.load(Relaxed) {
            note(0, layout.size());
        }
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if COUNTING.load(Relaxed) {
            note(layout.size(), 0);
        }
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { self.0.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if COUNTING.load(Relaxed) {
            note(layout.size(), size);
        }
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { self.0.realloc(block, layout, size) }
    }
}

pub(crate) fn start() {
    for counter in [&ALLOCATIONS, &BYTES] {
        counter.store(0, Relaxed);
    }
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    COUNTING.store(true, Relaxed);
}

pub(crate) fn stop() {
    COUNTING.store(false, Relaxed);
}

pub(crate) fn counted() -> MemoryUse {
    MemoryUse {
        allocations: ALLOCATIONS.load(Relaxed),
        bytes: BYTES.load(Relaxed),
        peak_bytes: PEAK.load(Relaxed).max(0) as u64,
        kept_bytes: Some(LIVE.load(Relaxed).max(0) as u64),
    }
}

/// Whether a [`CountingAllocator`] is this program's global allocator.
pub(crate) fn installed() -> bool {
    start();
    drop(black_box(Box::new(0_u8)));
    stop();
    counted().allocations > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_bytes_and_peak_are_counted() {
        assert!(!installed(), "this test program has the usual allocator");
        let allocator = CountingAllocator::system();
        let layout = |size| Layout::from_size_align(size, 8).unwrap();
        start();
        // SAFETY: each block is freed with the layout that it has, and not used in between.
        unsafe {
            let one = allocator.alloc(layout(100));
            let one = allocator.realloc(one, layout(100), 300);
            let two = allocator.alloc_zeroed(layout(50));
            assert!(std::slice::from_raw_parts(two, 50).iter().all(|&byte| byte == 0));
            allocator.dealloc(one, layout(300));
            let three = allocator.alloc(layout(10));
            allocator.dealloc(three, layout(10));
            allocator.dealloc(two, layout(50));
        }
        stop();
        let (bytes, peak_bytes) = (360, 350);
        let all = MemoryUse { allocations: 4, bytes, peak_bytes, kept_bytes: Some(0) };
        assert_eq!(counted(), all);
        // SAFETY: as above.
        unsafe { allocator.dealloc(allocator.alloc(layout(7)), layout(7)) };
        assert_eq!(counted().allocations, 4, "nothing is counted after the end");
    }
}
