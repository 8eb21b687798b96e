//! Two loops that show whether something else works on the same core. One waits for its own results, and hardly notices a
//! neighbor. The other keeps all units busy, and takes up to twice as long. Their ratio depends on neither the frequency of the
//! processor nor the optimization of the program.

use std::time::Instant;

/// Rounds of each loop: about a microsecond.
#[cfg(all(target_arch = "x86_64", not(plusminus_fallback)))]
const ROUNDS: u64 = 400;

/// Times that each loop is timed, in turns.
const REPEATS: usize = 5;

/// The time of independent additions over that of dependent multiplications, which is higher while something else works on the
/// same core. `None` on processors for which there are no such loops.
///
/// The median of the additions counts, as a neighbor comes and goes within microseconds, and the shortest of the
/// multiplications, as interruptions only add to it.
pub fn core_load() -> Option<f64> {
    let mut added_ns = [0; REPEATS];
    let mut multiplied_ns = u128::MAX;
    for time in &mut added_ns {
        *time = time_ns(additions)?;
        multiplied_ns = multiplied_ns.min(time_ns(multiplications)?);
    }
    added_ns.sort_unstable();
    Some(added_ns[REPEATS / 2] as f64 / multiplied_ns as f64)
}

fn time_ns(work: fn() -> Option<()>) -> Option<u128> {
    let begin = Instant::now();
    work()?;
    Some(begin.elapsed().as_nanos().max(1))
}

/// Thirty-two additions a round, in four lanes.
#[cfg(all(target_arch = "x86_64", not(plusminus_fallback)))]
fn additions() -> Option<()> {
    // SAFETY: changes registers that are declared, and the flags; touches neither memory nor stack.
    unsafe {
        std::arch::asm!(
            ".p2align 6",
            "2:",
            ".rept 8",
            "add {a}, {one}",
            "add {b}, {one}",
            "add {c}, {one}",
            "add {d}, {one}",
            ".endr",
            "sub {rounds}, {one}",
            "jnz 2b",
            rounds = inout(reg) ROUNDS => _,
            a = inout(reg) 0_u64 => _,
            b = inout(reg) 0_u64 => _,
            c = inout(reg) 0_u64 => _,
            d = inout(reg) 0_u64 => _,
            one = in(reg) 1_u64,
            options(nomem, nostack),
        );
    }
    Some(())
}

/// Four multiplications a round, one after the other.
#[cfg(all(target_arch = "x86_64", not(plusminus_fallback)))]
fn multiplications() -> Option<()> {
    // SAFETY: changes registers that are declared, and the flags; touches neither memory nor stack.
    unsafe {
        std::arch::asm!(
            ".p2align 6",
            "2:",
            ".rept 4",
            "imul {a}, {three}",
            ".endr",
            "sub {rounds}, 1",
            "jnz 2b",
            rounds = inout(reg) ROUNDS => _,
            a = inout(reg) 1_u64 => _,
            three = in(reg) 3_u64,
            options(nomem, nostack),
        );
    }
    Some(())
}

#[cfg(not(all(target_arch = "x86_64", not(plusminus_fallback))))]
fn additions() -> Option<()> {
    None
}

#[cfg(not(all(target_arch = "x86_64", not(plusminus_fallback))))]
fn multiplications() -> Option<()> {
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_loops_are_of_about_the_same_length_where_there_are_any() {
        let known = cfg!(all(target_arch = "x86_64", not(plusminus_fallback)));
        let found = super::core_load();
        assert_eq!(found.is_some(), known);
        assert!(found.is_none_or(|ratio| ratio > 0.0 && ratio.is_finite()));
    }
}
