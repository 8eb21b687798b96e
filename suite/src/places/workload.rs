//! Work that is injected into every task, beside the algorithm's own.

use std::hint::black_box;

/// What every task of a phase does besides its own: kernels that simulate nodes do little work per task, real
/// applications do more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Workload {
    /// Nothing.
    #[default]
    None,
    /// So many dependent additions: the paper's own workload.
    Arithmetic(u64),
    /// Writes to one word of each 64-byte line of a buffer of so many bytes, which pollutes caches up to that size.
    /// Each thread has a buffer of its own.
    Cache(usize),
    /// So many more packets through the network, to the neighbours in turn. They are delivered and read, and counted.
    Messages(u32),
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
    /// ```
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is none of none, arithmetic:N, cache:BYTES, messages:N");
        let (kind, amount) = text.split_once(':').unwrap_or((text, ""));
        match kind {
            "none" if amount.is_empty() => Ok(Self::None),
            "arithmetic" => amount.parse().map(Self::Arithmetic).map_err(|_| wrong()),
            "cache" => amount.parse().map(Self::Cache).map_err(|_| wrong()),
            "messages" => amount.parse().map(Self::Messages).map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }
}

/// The memory that a thread's workload touches.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    lines: Vec<u64>,
}

/// Words per cache line.
const LINE: usize = 8;

impl Scratch {
    pub(super) fn new(workload: Workload) -> Self {
        match workload {
            Workload::Cache(bytes) => Self { lines: vec![0; bytes.div_ceil(8)] },
            _ => Self::default(),
        }
    }

    /// Does the work of one task; extra messages are sent by the block.
    #[inline]
    pub(super) fn work(&mut self, workload: Workload, node: u32) {
        match workload {
            Workload::None | Workload::Messages(_) => {}
            Workload::Arithmetic(additions) => {
                let mut sum = u64::from(node);
                for step in 0..additions {
                    sum = black_box(sum + step);
                }
            }
            Workload::Cache(_) => {
                for line in self.lines.iter_mut().step_by(LINE) {
                    *line = line.wrapping_add(u64::from(node));
                }
                black_box(&mut self.lines);
            }
        }
    }
}
