//! Work that is injected into every task, in addition to the algorithm's own.

use std::fmt;
use std::hint::black_box;

/// The work of every task of a phase besides its own: kernels that simulate nodes do little work per task, real
/// applications do more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Workload {
    /// Nothing.
    #[default]
    None,
    /// This number of dependent additions: the paper's own workload.
    Arithmetic(u64),
    /// Writes to one word of each 64-byte line of a buffer of this number of bytes, which pollutes caches up to that
    /// size. Each thread has a buffer of its own.
    Cache(usize),
    /// This number of additional packets through the network, to the neighbors in turn. They are delivered and read,
    /// and counted.
    Messages(u32),
}

impl Workload {
    /// The largest buffer that can be asked for by name: more than any cache holds, and a thread's own each time.
    pub const LARGEST_CACHE: usize = 1 << 30;

    /// The most packets per task that can be asked for by name: those of a whole phase wait in memory.
    pub const MOST_MESSAGES: u32 = 1 << 16;
}

impl std::str::FromStr for Workload {
    type Err = String;

    /// Reads `none`, `arithmetic:1000`, `cache:65536` or `messages:3`.
    ///
    /// ```
    /// use plusminus_suite::places::Workload;
    ///
    /// assert_eq!("arithmetic:1000".parse(), Ok(Workload::Arithmetic(1000)));
    /// assert!("coffee:1".parse::<Workload>().is_err());
    /// assert!("cache:99999999999".parse::<Workload>().unwrap_err().contains("1073741824"));
    /// ```
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is none of none, arithmetic:N, cache:BYTES, messages:N");
        let (kind, amount) = text.split_once(':').unwrap_or((text, ""));
        let within = |most: u64| {
            let amount: u64 = amount.parse().map_err(|_| wrong())?;
            if amount > most {
                Err(format!("{text:?} is too much: at most {kind}:{most}"))
            } else {
                Ok(amount)
            }
        };
        match kind {
            "none" if amount.is_empty() => Ok(Self::None),
            "arithmetic" => within(u64::MAX).map(Self::Arithmetic),
            "cache" => within(Self::LARGEST_CACHE as u64).map(|bytes| Self::Cache(bytes as usize)),
            "messages" => within(Self::MOST_MESSAGES.into()).map(|n| Self::Messages(n as u32)),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Workload {
    /// Writes what can be read again.
    ///
    /// ```
    /// use plusminus_suite::places::Workload;
    ///
    /// for text in ["none", "arithmetic:1000", "cache:65536", "messages:3"] {
    ///     assert_eq!(text.parse::<Workload>().unwrap().to_string(), text);
    /// }
    /// ```
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => out.write_str("none"),
            Self::Arithmetic(additions) => write!(out, "arithmetic:{additions}"),
            Self::Cache(bytes) => write!(out, "cache:{bytes}"),
            Self::Messages(packets) => write!(out, "messages:{packets}"),
        }
    }
}

/// The memory that a thread's workload touches: allocated by its first task.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    lines: Vec<u64>,
}

/// Words per cache line.
const LINE: usize = 8;

impl Scratch {
    /// Does the work of one task; extra messages are sent by the block.
    #[inline]
    pub(super) fn work(&mut self, workload: Workload, node: u32) {
        match workload {
            Workload::None | Workload::Messages(_) => {}
            Workload::Arithmetic(additions) => {
                let mut sum = u64::from(node);
                for step in 0..additions {
                    sum = black_box(sum.wrapping_add(step));
                }
            }
            Workload::Cache(bytes) => {
                // No more and no less than asked for, also after a run with another size.
                self.lines.resize(bytes.div_ceil(8), 0);
                for line in self.lines.iter_mut().step_by(LINE) {
                    *line = line.wrapping_add(1);
                }
                black_box((&mut self.lines, node));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_writes_to_every_line_of_its_buffer_once() {
        let mut scratch = Scratch::default();
        for (bytes, lines) in [(0, 0), (1, 1), (64, 1), (65, 2), (4096, 64), (100, 2)] {
            scratch.lines.clear();
            scratch.work(Workload::Cache(bytes), 7);
            scratch.work(Workload::Cache(bytes), 9);
            assert_eq!(scratch.lines.len(), bytes.div_ceil(8));
            assert_eq!(scratch.lines.iter().filter(|&&word| word == 2).count(), lines);
            assert!(
                scratch.lines.iter().enumerate().all(|(at, &word)| at % LINE == 0 || word == 0)
            );
        }
    }

    #[test]
    fn other_workloads_touch_no_memory() {
        let mut scratch = Scratch::default();
        for workload in [
            Workload::None,
            Workload::Arithmetic(0),
            Workload::Arithmetic(9),
            Workload::Messages(9),
        ] {
            scratch.work(workload, u32::MAX);
        }
        assert!(scratch.lines.is_empty());
    }
}
