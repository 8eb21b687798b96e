//! What runner and worker say to each other: one JSON value a line, requests one way, answers the other.

use serde::{Deserialize, Serialize};

use super::RawSample;

/// Changes whenever a runner and a worker of different versions could misunderstand each other.
pub(crate) const PROTOCOL: u32 = 1;

/// What a runner asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Request {
    /// Build the input of the point that these cases share.
    Load(Load),
    /// Take samples.
    Sample(Sampling),
    /// Let go of the input.
    Finish,
}

/// The cases to measure together: variants of one problem at one point, or a single function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Load {
    /// Their names; later requests give an index into this list.
    pub(crate) cases: Vec<String>,
}

/// A request for samples of one case on one instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sampling {
    /// Index into the loaded cases.
    pub(crate) case: usize,
    /// Index into the instances.
    pub(crate) instance: usize,
    /// Kernel calls in one sample.
    pub(crate) calls: u64,
    /// How many samples.
    pub(crate) samples: u32,
    /// Check the last output of the first sample.
    pub(crate) check: bool,
}

/// What a worker answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    /// The process has started.
    Ready {
        /// The protocol it speaks.
        protocol: u32,
    },
    /// The input is built.
    Loaded {
        /// What there is to solve.
        instances: Vec<Instance>,
    },
    /// The samples that were asked for, in the order in which they were taken.
    Sampled {
        /// The samples.
        samples: Vec<RawSample>,
    },
    /// The input is dropped.
    Finished,
    /// The request could not be carried out; the process ends unless the answer was wrong only.
    Failed(Failed),
}

/// An instance as it is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Instance {
    /// Its name; empty for a function.
    pub(crate) name: String,
    /// Unit and amount of the work of one call.
    pub(crate) work: Vec<(String, f64)>,
}

/// Why a request failed, where the worker itself can still tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Failed {
    /// The kernel, or the building of its input, panicked.
    Panicked {
        /// Message and place.
        message: String,
    },
    /// The problem's check refused the output.
    WrongAnswer {
        /// The check's words.
        message: String,
    },
    /// The benchmark cannot be measured as it is written.
    Misuse {
        /// What is wrong, and what to do.
        message: String,
    },
}
