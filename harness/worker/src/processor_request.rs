//! Processor counts for sweeps that a command line asks for. They are kept for the whole process, and a worker gets
//! them by the variable.

use std::{sync::OnceLock, thread};

use crate::{listed::Listed, order::sorted};

/// The variable that names processor counts, `1,2,4`.
pub const PROCESSORS: &str = "PLUSMINUS_PROCESSORS";

/// More processors than any machine has that runs this.
const MOST: usize = 1 << 16;

/// The request, once anything has been read.
static REQUESTED: OnceLock<Option<Vec<usize>>> = OnceLock::new();

/// Takes counts from the command line, before anything asks for them.
pub fn request(counts: Vec<usize>) {
    // The first one counts: a process has one command line.
    REQUESTED.get_or_init(|| Some(counts));
}

/// Returns the variable by which a different process gets the same request.
pub fn variable() -> Option<(&'static str, String)> {
    Some((PROCESSORS, listing(asked_processor_counts()?)))
}

/// Counts as they are written.
pub fn listing(counts: &[usize]) -> String {
    counts.iter().map(usize::to_string).listed().join(",")
}

/// Reads `1,2,4` or `1,max`: ascending, each once.
///
/// # Errors
/// A description of valid values, to follow the name of the option or variable.
pub fn read(text: &str) -> Result<Vec<usize>, String> {
    let count = |part: &str| match part.trim() {
        "max" => Some(of_machine()),
        number => number.parse().ok().filter(|count| (1..=MOST).contains(count)),
    };
    let mut counts = Vec::new();
    for part in text.split(',') {
        let refused = || {
            format!(
                "numbers of processors from 1 to {MOST}, such as `1,2,4` or `1,max`, not `{}`",
                crate::text::visible(text)
            )
        };
        counts.push(count(part).ok_or_else(refused)?);
    }
    Ok(ascending(counts))
}

/// The processors that this process may use.
pub fn of_machine() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the processor counts of a sweep. `--processors` or the variable `PLUSMINUS_PROCESSORS` sets them.
/// Otherwise they are 1, 2, 4 … and the number of processors of the machine, and at least 1 and 2.
///
/// ```
/// #[plusminus::bench(processors = plusminus::processor_counts())]
/// fn parallel() -> usize {
///     plusminus::processors()
/// }
/// # assert!(!plusminus::processor_counts().is_empty());
/// ```
///
/// A [`Problem`](crate::Problem) whose points name processors calls it in its `sweep`.
///
/// # Panics
/// When the variable is not a list of counts, outside of a bench binary. A bench binary rejects such a variable.
pub fn processor_counts() -> Vec<usize> {
    asked_processor_counts().map_or_else(|| usual(of_machine()), <[usize]>::to_vec)
}

/// The processor counts that `--processors` or the variable `PLUSMINUS_PROCESSORS` asks for, if any, for sweeps that
/// are other ones where a user asks.
///
/// # Panics
/// As [`processor_counts`] does.
pub fn asked_processor_counts() -> Option<&'static [usize]> {
    let of_variable = || {
        let text = std::env::var(PROCESSORS).ok().filter(|text| !text.is_empty())?;
        let counts = read(&text);
        Some(counts.unwrap_or_else(|reason| panic!("{PROCESSORS} takes {reason}")))
    };
    REQUESTED.get_or_init(of_variable).as_deref()
}

fn usual(machine: usize) -> Vec<usize> {
    let mut counts = vec![1, 2];
    let mut next = 4;
    while next < machine {
        counts.push(next);
        next *= 2;
    }
    counts.push(machine);
    ascending(counts)
}

fn ascending(counts: Vec<usize>) -> Vec<usize> {
    let all = sorted(&counts, &Ord::cmp);
    let first = |&index: &usize| index == 0 || all[index] != all[index - 1];
    (0..all.len()).filter(first).map(|index| all[index]).listed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_double_up_to_the_machine() {
        assert_eq!(usual(1), [1, 2]);
        assert_eq!(usual(2), [1, 2]);
        assert_eq!(usual(3), [1, 2, 3]);
        assert_eq!(usual(8), [1, 2, 4, 8]);
        assert_eq!(usual(12), [1, 2, 4, 8, 12]);
    }

    #[test]
    fn lists_are_read_in_order_and_mistakes_are_named() {
        assert_eq!(read("4, 1,2,4"), Ok(vec![1, 2, 4]));
        assert_eq!(read("max"), Ok(vec![of_machine()]));
        for wrong in ["", "0", "1,,2", "two", "-1", "1;2", "65537", "99999999999999999999", "1,0"] {
            assert!(read(wrong).unwrap_err().contains("such as `1,2,4`"), "{wrong}");
        }
    }
}
