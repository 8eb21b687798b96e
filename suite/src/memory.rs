//! The memory that the machine has left and that this process has used. It is checked before a large graph is made,
//! to fail with a reason, and printed afterwards. Reads `/proc` on Linux; elsewhere only the allocator knows.
//!
//! ```
//! use plusminus_suite::memory;
//!
//! assert_eq!(memory::require("a small list", Some(1 << 10)), Ok(()));
//! let error = memory::require("a list of 2^50 edges", Some(12 << 50)).unwrap_err();
//! assert!(error.starts_with("a list of 2^50 edges takes 13510798.88 GB, but "), "{error}");
//! ```

/// Bytes that can be allocated without swapping, as the kernel estimates them; `None` where it does not say.
pub fn available_bytes() -> Option<u64> {
    field("/proc/meminfo", "MemAvailable:")
}

/// The most bytes of memory that this process has had at any time; `None` where the system does not say.
pub fn peak_bytes() -> Option<u64> {
    field("/proc/self/status", "VmHWM:")
}

/// Is there memory for this number of bytes? `None` stands for more than can be counted.
///
/// # Errors
/// A message with the required and the available memory.
pub fn require(what: &str, bytes: Option<u64>) -> Result<(), String> {
    let Some(bytes) = bytes else {
        return Err(format!("{what} takes more bytes than can be counted"));
    };
    if let Some(available) = available_bytes().filter(|&available| bytes > available) {
        return Err(format!(
            "{what} takes {:.2} GB, but {:.2} GB of memory are available",
            gigabytes(bytes),
            gigabytes(available)
        ));
    }
    // A reservation touches no memory, and is given back at once.
    let reserved = usize::try_from(bytes).map(|bytes| Vec::<u8>::new().try_reserve_exact(bytes));
    if !matches!(reserved, Ok(Ok(()))) {
        return Err(format!(
            "{what} takes {:.2} GB, but the system refuses so much memory",
            gigabytes(bytes)
        ));
    }
    Ok(())
}

/// For messages.
fn gigabytes(bytes: u64) -> f64 {
    bytes as f64 * 1e-9
}

/// A number of kilobytes (of 1024 bytes) in a file of `/proc`, in bytes.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_counted_is_refused() {
        let error = require("the list", None).unwrap_err();
        assert_eq!(error, "the list takes more bytes than can be counted");
        assert!(require("the list", Some(u64::MAX)).unwrap_err().starts_with("the list takes"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_peak_holds_what_was_written() {
        let written = vec![1u8; 64 << 20];
        let peak = peak_bytes().unwrap();
        assert!(peak >= written.len() as u64, "{peak}");
        assert!(available_bytes().is_some());
    }
}
