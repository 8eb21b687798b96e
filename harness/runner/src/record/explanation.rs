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
    /// Instructions of changed functions, those of the parts with the largest changes first.
    pub listings: Vec<Listing>,
}

json_object!(Explanation {
    benchmark,
    parts,
    reason: unless_none,
    is_checked: unless_false,
    seconds = 0.0,
    measured: unless_empty,
    listings: unless_empty,
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

/// The instructions of a changed function in both versions, side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The function.
    pub function: ChangedFunction,
    /// The rows of both versions together.
    pub rows_in_all: usize,
    /// How many of them differ.
    pub differing_in_all: usize,
    /// Rows that differ, and those around them.
    pub rows: Vec<ListingRow>,
}

json_object!(Listing { function, rows_in_all, differing_in_all, rows });

/// An instruction of base, and the one of new that does the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingRow {
    /// The number of the row, from 1. Jumps name the row that they go to.
    pub number: usize,
    /// The instruction of base, if it has one here.
    pub base: Option<String>,
    /// The instruction of new, if it has one here.
    pub new: Option<String>,
    /// File, line and text of the source of base, where they differ from those of the row before.
    pub base_source: Option<String>,
    /// File, line and text of the source of new, where they differ from those of the row before.
    pub new_source: Option<String>,
}

json_object!(ListingRow {
    number,
    base: unless_none,
    new: unless_none,
    base_source: unless_none,
    new_source: unless_none,
});
