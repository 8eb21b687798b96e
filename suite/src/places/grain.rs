//! How many nodes a task has.

use std::fmt;
use std::str::FromStr;

/// How many nodes a task of the fork/join and the clocked style has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Grain {
    /// One: a task per node, as the paper's kernels have it. Every node has a mailbox with a lock of its own, and a clocked
    /// task outlives a phase only within a group of phases, as between the paper's `clocked finish` and its end.
    Node,
    /// A few blocks of nodes for each processor, so that threads that are done early can take over from others.
    Block,
    /// One block of nodes for each processor.
    Processor,
}

impl Grain {
    /// All grains, by size.
    pub const ALL: [Self; 3] = [Self::Node, Self::Block, Self::Processor];
}

impl fmt::Display for Grain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Node => "node",
            Self::Block => "block",
            Self::Processor => "processor",
        })
    }
}

impl FromStr for Grain {
    type Err = String;

    /// Reads `node`, `block` or `processor`.
    ///
    /// ```
    /// use plusminus_suite::places::Grain;
    ///
    /// assert_eq!("node".parse(), Ok(Grain::Node));
    /// assert!("grape".parse::<Grain>().unwrap_err().contains("processor"));
    /// ```
    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|grain| grain.to_string() == text.trim());
        found.ok_or_else(|| format!("{text:?} is none of node, block, processor"))
    }
}
