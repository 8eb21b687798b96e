//! Random numbers of the system that both sides of a block share: keys of hash maps, and seeds of generators. With keys of their own,
//! one map can be faster than another with the same entries, and random inputs differ in what they cost. Each block draws new ones.
//!
//! The standard library asks `getrandom` for its keys, with a flag for keys that need no security. Crates ask it for seeds, of 24
//! bytes or more, or the system by `syscall`. Functions of these names in the program come before those of the C library: these
//! answer such requests, and hand on all others. Names that must be unique, such as a UUID, have 16 bytes.

/// Has hash maps and generators of this process that are not seeded yet get keys and seeds that follow from this one. Elsewhere than
/// under Linux on x86-64 with the GNU C library nothing happens.
pub fn share_random(seed: u64) {
    #[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
    gnu::share(seed);
    #[cfg(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")))]
    let _ = seed;
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod gnu {
    use std::{
        mem::{self, MaybeUninit},
        ptr::null_mut,
        slice,
        sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering},
    };

    use libc::{c_long, c_uint, c_void, size_t, ssize_t};

    /// The bytes of a map's two keys.
    const KEYS: size_t = 16;

    /// The fewest bytes of a seed.
    const LEAST_SEED: size_t = 24;

    static IS_SHARED: AtomicBool = AtomicBool::new(false);

    /// From what the next keys follow, and the next seeds: one map more does not change inputs.
    static OF_KEYS: AtomicU64 = AtomicU64::new(0);
    static OF_SEEDS: AtomicU64 = AtomicU64::new(0);

    /// The function of the C library, once it has been looked up.
    static NEXT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

    type GetRandom = unsafe extern "C" fn(*mut c_void, size_t, c_uint) -> ssize_t;

    type SystemCall = unsafe extern "C" fn(c_long, ...) -> c_long;

    // Weak, so that a program may have such functions itself. For all other numbers, `syscall` does as that of the C library does: it
    // moves the arguments to where the system expects them, and a negative result to the error number.
    std::arch::global_asm!(
        ".pushsection .text.getrandom, \"ax\", @progbits",
        ".weak getrandom",
        ".type getrandom, @function",
        "getrandom: jmp {answer}",
        ".size getrandom, . - getrandom",
        ".popsection",
        ".pushsection .text.syscall, \"ax\", @progbits",
        ".weak syscall",
        ".type syscall, @function",
        "syscall: mov rax, rdi",
        "mov rdi, rsi",
        "mov rsi, rdx",
        "mov rdx, rcx",
        "cmp rax, {number}",
        "je {answer}",
        "mov r10, r8",
        "mov r8, r9",
        "mov r9, [rsp + 8]",
        "syscall",
        "cmp rax, -4095",
        "jae 2f",
        "ret",
        "2: neg eax",
        "push rax",
        "call {errno}",
        "pop rcx",
        "mov [rax], ecx",
        "mov rax, -1",
        "ret",
        ".size syscall, . - syscall",
        ".popsection",
        answer = sym answer,
        number = const libc::SYS_getrandom,
        errno = sym libc::__errno_location,
    );

    unsafe extern "C" {
        // Named here, so that the linker takes it from this crate, and not from the C library.
        fn getrandom(buffer: *mut c_void, length: size_t, flags: c_uint) -> ssize_t;
    }

    pub(super) fn share(seed: u64) {
        std::hint::black_box((getrandom as GetRandom, libc::syscall as SystemCall));
        OF_KEYS.store(seed, Ordering::Relaxed);
        OF_SEEDS.store(!seed, Ordering::Relaxed);
        IS_SHARED.store(true, Ordering::Relaxed);
    }

    unsafe extern "C" fn answer(buffer: *mut c_void, length: size_t, flags: c_uint) -> ssize_t {
        let state = match length {
            KEYS if flags & libc::GRND_INSECURE != 0 => Some(&OF_KEYS),
            LEAST_SEED.. if !buffer.is_null() => Some(&OF_SEEDS),
            _ => None,
        };
        if let Some(state) = state.filter(|_| IS_SHARED.load(Ordering::Relaxed)) {
            // SAFETY: the caller hands over a buffer of `length` bytes, of which no other thread knows.
            let bytes =
                unsafe { slice::from_raw_parts_mut(buffer.cast::<MaybeUninit<u8>>(), length) };
            for part in bytes.chunks_mut(8) {
                let random = next(state).to_ne_bytes();
                part.iter_mut().zip(random).for_each(|(byte, random)| _ = byte.write(random));
            }
            return length as ssize_t;
        }
        match of_the_library() {
            // SAFETY: the arguments are the caller's arguments for this very function.
            Some(function) => unsafe { function(buffer, length, flags) },
            None => {
                // SAFETY: the place of this thread's error number is valid as long as the thread lives.
                unsafe { *libc::__errno_location() = libc::ENOSYS };
                -1
            }
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

    fn next(state: &AtomicU64) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut mixed = state.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
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

        fn random<const LENGTH: usize>(flags: c_uint) -> [u8; LENGTH] {
            let mut bytes = [0; LENGTH];
            // SAFETY: the buffer has this number of bytes.
            let written = unsafe { getrandom(bytes.as_mut_ptr().cast(), LENGTH, flags) };
            assert_eq!(written, LENGTH as ssize_t);
            bytes
        }

        /// Returns what the system call of this number gives, or its error number.
        fn called(number: c_long, arguments: [c_long; 6]) -> Result<c_long, Option<i32>> {
            let [a, b, c, d, e, f] = arguments;
            // SAFETY: the tests hand over numbers that touch no memory, or places that are valid.
            let result = unsafe { libc::syscall(number, a, b, c, d, e, f) };
            if result == -1 {
                Err(std::io::Error::last_os_error().raw_os_error())
            } else {
                Ok(result)
            }
        }

        #[test]
        fn other_system_calls_are_handed_on() {
            assert_eq!(called(libc::SYS_getpid, [0; 6]), Ok(std::process::id().into()));
            assert_eq!(called(libc::SYS_close, [-1, 0, 0, 0, 0, 0]), Err(Some(libc::EBADF)));
            let [from, mut to] = [7_u64, 0];
            let part = |place: *const u64| libc::iovec { iov_base: place as *mut _, iov_len: 8 };
            let [source, target] = [part(&raw const from), part(&raw const to)];
            let mut copy = |flags| {
                let [source, target] = [&raw const source as c_long, &raw const target as c_long];
                let own = std::process::id().into();
                let copied = called(libc::SYS_process_vm_readv, [own, target, 1, source, 1, flags]);
                std::hint::black_box(&mut to);
                copied
            };
            assert_eq!(copy(1), Err(Some(libc::EINVAL)), "the sixth argument");
            assert_eq!(copy(0), Ok(8));
            assert_eq!(to, from);
        }

        #[test]
        fn hash_maps_and_generators_have_the_same_start_for_the_same_seed_and_names_stay_unique() {
            assert_ne!(hash(), hash(), "they are random before");
            share(7);
            let first = [hash(), hash()];
            assert_ne!(first[0], first[1]);
            let mut called_for = [0; 32];
            let (place, length) = (called_for.as_mut_ptr() as c_long, 32);
            assert_eq!(called(libc::SYS_getrandom, [place, length, 0, 0, 0, 0]), Ok(32));
            let seeds: [[u8; 32]; 2] = [called_for, random(0)];
            assert_ne!(seeds[0], seeds[1]);
            assert!(random::<41>(0)[32..].iter().any(|&byte| byte != 0), "to the last byte");
            share(8);
            assert_ne!((hash(), random(0)), (first[0], seeds[0]));
            share(7);
            assert_eq!([random(0), random(0)], seeds, "whatever maps there are");
            assert_eq!([hash(), hash()], first);
            share(7);
            let name: [u8; KEYS] = random(0);
            share(7);
            assert_ne!(random(0), name);
            IS_SHARED.store(false, Ordering::Relaxed);
            assert_ne!(random::<KEYS>(libc::GRND_INSECURE), random(libc::GRND_INSECURE));
            assert_ne!(random::<32>(0), random(0));
        }
    }
}
