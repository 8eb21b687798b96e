//! Kernels moved into the frame of a window, so that the compiler can keep what they have captured in registers.
//!
//! Behind a reference that other code may hold, everything that a closure has captured is read anew at each call: what
//! [`black_box`](std::hint::black_box) does to memory is unknown. Loops written by hand do not pay for that.

use std::{mem::ManuallyDrop, ptr};

use super::sample::plusminus_counted_window;

/// The largest kernels that are moved, in bytes: more does not fit into registers, and what a kernel has captured by
/// value may be the memory that it works on.
const MOST: usize = 16 * size_of::<usize>();

/// A kernel that is put back into its place when this is dropped, after a panic as well.
struct Moved<'a, K> {
    kernel: ManuallyDrop<K>,
    place: &'a mut K,
}

impl<K> Drop for Moved<'_, K> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: both are valid and do not overlap. What is overwritten is the value that `window_of` has read, which
        // must not be dropped: the kernel has been used instead of it since. From here on the place owns the kernel.
        unsafe { ptr::copy_nonoverlapping(&raw const *self.kernel, self.place, 1) };
    }
}

/// Runs a window with the kernel as a value of its frame, unless it is too large.
pub(super) fn window_of<K, T>(place: &mut K, window: impl FnOnce(&mut K) -> T) -> T {
    if size_of::<K>() > MOST {
        return plusminus_counted_window(|| window(place));
    }
    // SAFETY: `place` is valid for reads, as it is a reference. The kernel goes straight into a `ManuallyDrop`, which never
    // drops it, beside the place, to which it is written back when the window returns or panics; until then the exclusive
    // borrow of the place keeps all code from the value left there.
    let kernel = unsafe { ptr::read(place) };
    plusminus_counted_window_of(kernel, place, window)
}

/// The same as [`plusminus_counted_window`]. The kernel is an argument by value: of references that it has captured, the
/// compiler then knows that nothing changes behind them.
#[inline(never)]
fn plusminus_counted_window_of<K, T>(
    kernel: K,
    place: &mut K,
    window: impl FnOnce(&mut K) -> T,
) -> T {
    let mut moved = Moved { kernel: ManuallyDrop::new(kernel), place };
    window(&mut moved.kernel)
}

#[cfg(test)]
mod tests {
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        rc::Rc,
    };

    use super::*;

    /// A kernel that owns memory and replaces it at each call, with so many bytes beside it.
    fn counting<const BYTES: usize>(alive: &Rc<()>) -> impl FnMut() -> usize + use<BYTES> {
        let (mut all, ballast, alive) = (vec![0_usize; 1], [1_u8; BYTES], alive.clone());
        move || {
            all = vec![all[0] + usize::from(ballast[0]) * Rc::strong_count(&alive) / 2];
            assert!(all[0] < 5, "five calls");
            all[0]
        }
    }

    fn stays_one<const BYTES: usize>() {
        let alive = Rc::new(());
        let mut kernel = counting::<BYTES>(&alive);
        assert_eq!(window_of(&mut kernel, |kernel| kernel() + kernel()), 3);
        assert_eq!(kernel(), 3, "the place has what the window left");
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            window_of(&mut kernel, |kernel| kernel() + kernel() + kernel())
        }));
        assert!(panicked.is_err());
        assert_eq!(Rc::strong_count(&alive), 2, "there is one kernel");
        assert!(
            catch_unwind(AssertUnwindSafe(&mut kernel)).is_err(),
            "it goes on where it panicked"
        );
        drop(kernel);
        assert_eq!(Rc::strong_count(&alive), 1, "and it is dropped once");
    }

    #[test]
    fn a_kernel_is_one_value_wherever_it_is() {
        stays_one::<1>();
        stays_one::<1000>();
    }
}
