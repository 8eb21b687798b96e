//! Why the time of a benchmark differs: programs that have a part of the change each, and their measurements.

use super::{ChangedFunction, ComparisonRecord};
use plusminus_worker::json::json_object;

/// Why the time of a benchmark differs between two versions.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The benchmark.
    pub benchmark: String,
    /// The functions that differ, in parts of which each can be exchanged without the others.
    pub parts: Vec<ChangedPart>,
    /// Why there is one part only, where that has a reason; or why there is none.
    pub reason: Option<String>,
    /// Whether the benchmark checks what its programs compute.
    pub is_checked: bool,
    /// Seconds for linking and measuring the parts.
    pub seconds: f64,
    /// The comparisons of base with each part and with new: their targets are `whole` and the numbers of parts. None if there is
    /// one part, which is the whole.
    pub measured: Vec<ComparisonRecord>,
}

json_object!(Explanation {
    benchmark,
    parts,
    reason: unless_none,
    is_checked: unless_false,
    seconds = 0.0,
    measured: unless_empty,
});

/// Functions that are exchanged together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPart {
    /// Its number, the target of its measurement.
    pub name: String,
    /// The number of the part that it is a part of; `None` for those of the whole.
    pub within: Option<String>,
    /// The first functions.
    pub functions: Vec<ChangedFunction>,
    /// How many functions there are in all.
    pub functions_in_all: usize,
    /// Why it was not measured.
    pub refused: Option<String>,
}

json_object!(ChangedPart {
    name,
    within: unless_none,
    functions,
    functions_in_all,
    refused: unless_none
});
