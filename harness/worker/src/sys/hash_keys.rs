//! Keys of hash maps that both sides of a block share. With keys of their own, one map can be faster than another with the
//! same entries. Each block draws new ones.
//!
//! The standard library asks `getrandom` for its keys, with a flag for keys that need no security. A function of that
//! name in the program comes before that of the C library: this one answers such requests, and hands on all others.

/// Has hash maps of this process that have no keys yet get keys that follow from a seed. Elsewhere than under Linux on
/// x86-64 with the GNU C library nothing happens.
pub fn share_hash_keys(seed: u64) {
    #[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
    gnu::share(seed);
    #[cfg(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")))]
    let _ = seed;
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod gnu {
    use std::{
        mem,
        ptr::null_mut,
        sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering},
    };

    use libc::{c_uint, c_void, size_t, ssize_t};

    /// The bytes of a map's two keys.
    const KEYS: size_t = 16;

    /// Whether keys are shared.
    static IS_SHARED: AtomicBool = AtomicBool::new(false);

    /// From what the next keys follow.
    static STATE: AtomicU64 = AtomicU64::new(0);

    /// The function of the C library, once it has been looked up.
    static NEXT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

    type GetRandom = unsafe extern "C" fn(*mut c_void, size_t, c_uint) -> ssize_t;

    // Weak, so that a program may have such a function itself.
    std::arch::global_asm!(
        ".pushsection .text.getrandom, \"ax\", @progbits",
        ".weak getrandom",
        ".type getrandom, @function",
        "getrandom: jmp {answer}",
        ".size getrandom, . - getrandom",
        ".popsection",
        answer = sym answer,
    );

    unsafe extern "C" {
        // Named here, so that the linker takes it from this crate, and not from the C library.
        fn getrandom(buffer: *mut c_void, length: size_t, flags: c_uint) -> ssize_t;
    }

    pub(super) fn share(seed: u64) {
        std::hint::black_box(getrandom as GetRandom);
        STATE.store(seed, Ordering::Relaxed);
        IS_SHARED.store(true, Ordering::Relaxed);
    }

    unsafe extern "C" fn answer(buffer: *mut c_void, length: size_t, flags: c_uint) -> ssize_t {
        let is_shared =
            length == KEYS && flags & libc::GRND_INSECURE != 0 && IS_SHARED.load(Ordering::Relaxed);
        if is_shared {
            let keys = [next(), next()];
            // SAFETY: the caller hands over a buffer of `length` bytes, as many as the keys have.
            unsafe { buffer.cast::<[u64; 2]>().write_unaligned(keys) };
            return KEYS as ssize_t;
        }
        match of_the_library() {
            // SAFETY: the arguments are the caller's arguments for this very function.
            Some(function) => unsafe { function(buffer, length, flags) },
            // SAFETY: the arguments are the caller's, and the system call takes the same ones.
            None => unsafe { libc::syscall(libc::SYS_getrandom, buffer, length, flags) as ssize_t },
        }
    }

    fn of_the_library() -> Option<GetRandom> {
        let mut found = NEXT.load(Ordering::Relaxed);
        if found.is_null() {
            // SAFETY: the name is a text of C; what is found lives as long as the process.
            found = unsafe { libc::dlsym(libc::RTLD_NEXT, c"getrandom".as_ptr()) };
            NEXT.store(found, Ordering::Relaxed);
        }
        // SAFETY: a function of this name has these arguments; null is `None`.
        unsafe { mem::transmute::<*mut c_void, Option<GetRandom>>(found) }
    }

    /// The next number of splitmix64.
    fn next() -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut mixed = STATE.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    #[cfg(test)]
    mod tests {
        use std::{hash::BuildHasher, thread};

        use super::*;

        /// Returns the hash of a text by a map of a new thread, which draws new keys.
        fn hash() -> u64 {
            let hash = || std::collections::hash_map::RandomState::new().hash_one("text");
            thread::spawn(hash).join().unwrap()
        }

        fn random(flags: c_uint) -> [u8; KEYS] {
            let mut bytes = [0; KEYS];
            // SAFETY: the buffer has this number of bytes.
            let written = unsafe { getrandom(bytes.as_mut_ptr().cast(), KEYS, flags) };
            assert_eq!(written, KEYS as ssize_t);
            bytes
        }

        #[test]
        fn hash_maps_have_the_same_keys_for_the_same_seed_and_secrets_stay_secret() {
            assert_ne!(hash(), hash(), "they are random before");
            share(7);
            let first = [hash(), hash()];
            assert_ne!(first[0], first[1]);
            share(8);
            assert_ne!(hash(), first[0]);
            share(7);
            assert_eq!([hash(), hash()], first);
            share(7);
            let secret = random(0);
            share(7);
            assert_ne!(random(0), secret);
            IS_SHARED.store(false, Ordering::Relaxed);
            assert_ne!(random(libc::GRND_INSECURE), random(libc::GRND_INSECURE));
        }
    }
}
