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
