//! Shaken schedules, for tests: a task that publishes a value may lose its processor before and after.
//!
//! Two tasks rarely meet between two instructions by themselves. In builds with debug assertions a test can make them;
//! in others nothing of this is compiled into [`Board`](super::Board).

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static SHAKING: AtomicBool = AtomicBool::new(false);

thread_local! {
    static WORD: Cell<u64> = const { Cell::new(0) };
}

/// Makes all boards of this process stir the order in which tasks go on; whether this build can.
#[doc(hidden)]
pub fn shake_boards() -> bool {
    SHAKING.store(cfg!(debug_assertions), Relaxed);
    cfg!(debug_assertions)
}

/// Now and then waits a little, or lets others go first.
#[inline]
pub(super) fn shake() {
    if cfg!(debug_assertions) && SHAKING.load(Relaxed) {
        stir();
    }
}

#[cold]
fn stir() {
    let word = WORD.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
    WORD.set(word);
    match (word ^ word >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 59 {
        0 => std::thread::yield_now(),
        wait @ 1..4 => (0..wait * 32).for_each(|_| std::hint::spin_loop()),
        _ => {}
    }
}
