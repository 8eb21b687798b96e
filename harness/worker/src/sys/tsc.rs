//! The processor's time stamp counter (TSC): whether it is known to run at one speed on all processors, and its value.
//! Only x86_64 has it; elsewhere it is not proven, and never read.

/// Returns whether the counter is a clock, from `/proc/cpuinfo` and the system's own clock source. Every processor must
/// report that it runs at one speed (`constant_tsc`) and in all sleep states (`nonstop_tsc`). The operating system
/// watches the counter against other clocks and compares it between processors. It must still trust it, and then reads
/// the counter itself.
fn prove(cpuinfo: &str, source: &str) -> Result<(), String> {
    let flags = || cpuinfo.lines().filter(|line| line.starts_with("flags"));
    if flags().next().is_none() {
        return Err("/proc/cpuinfo does not tell what the processors can do".to_owned());
    }
    for flag in ["constant_tsc", "nonstop_tsc"] {
        if !flags().all(|line| line.split_whitespace().any(|word| word == flag)) {
            return Err(format!("a processor does not have `{flag}`"));
        }
    }
    if source != "tsc" {
        return Err(format!(
            "the system's own clock reads `{source}`, not the counter, which it may have found unstable"
        ));
    }
    Ok(())
}

/// Whether the counter is proven to be a clock on this machine.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub fn proven_counter() -> Result<(), String> {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo")
        .map_err(|error| format!("/proc/cpuinfo cannot be read: {error}"))?;
    let source = super::clock_source().unwrap_or_else(|| "something unknown".to_owned());
    prove(&cpuinfo, &source)
}

/// Elsewhere nothing is known.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
pub fn proven_counter() -> Result<(), String> {
    Err("only on x86_64 under Linux is it known how to prove it".to_owned())
}

/// The counter now: nothing that stands before in the program is still to be done, and nothing after it has begun.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn counter() -> u64 {
    use core::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: both instructions belong to every x86_64 processor and touch no memory. A system may forbid `rdtsc` to
    // programs, which would end this one. This system has chosen the counter for its own clock, as proven before this
    // is ever called, and reads it by the same instruction in programs.
    unsafe {
        _mm_lfence();
        let count = _rdtsc();
        _mm_lfence();
        count
    }
}

/// There is no such counter, and it is never asked for, as it is not proven.
#[cfg(not(target_arch = "x86_64"))]
pub fn counter() -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "processor : 0\nflags\t: fpu tsc constant_tsc nonstop_tsc\n\
                        processor : 1\nflags\t: fpu tsc constant_tsc nonstop_tsc\n";

    #[test]
    fn the_counter_has_to_be_proven() {
        assert_eq!(prove(GOOD, "tsc"), Ok(()));
        assert!(prove(GOOD, "kvm-clock").unwrap_err().contains("`kvm-clock`"));
        assert!(prove("", "tsc").unwrap_err().contains("does not tell"));
        // One processor is enough to make it useless.
        let one = GOOD.replacen("nonstop_tsc", "", 1);
        assert!(prove(&one, "tsc").unwrap_err().contains("`nonstop_tsc`"));
        let other = GOOD.replace("constant_tsc", "constant_tsc_maybe");
        assert!(prove(&other, "tsc").unwrap_err().contains("`constant_tsc`"));
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn the_counter_never_goes_back() {
        if let Err(reason) = proven_counter() {
            eprintln!("not tested: {reason}");
            return;
        }
        let counts: Vec<u64> = (0..1000).map(|_| counter()).collect();
        assert!(counts.is_sorted() && counts[0] < counts[999]);
    }
}
