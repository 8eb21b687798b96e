//! Why the time of a benchmark differs: programs that have a part of the change each, and their measurements.

use super::{ChangedFunction, ComparisonRecord};
use plusminus_worker::json::json_object;

json_object! {
    /// Why the time of a benchmark differs between two versions.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Explanation {
        /// The benchmark.
        pub benchmark: String,
        /// The functions that differ, in parts of which each can be exchanged without the others.
        pub parts: Vec<ChangedPart>,
        /// Why there is one part only, where that has a reason; or why there is none.
        pub reason: Option<String> [unless_none],
        /// Whether the benchmark checks what its programs compute.
        pub is_checked: bool [unless_false],
        /// Seconds for linking and measuring the parts.
        pub seconds: f64 = 0.0,
        /// The comparisons of base with each part and with new: their targets are `whole` and the numbers of parts. None if there is
        /// one part, which is the whole.
        pub measured: Vec<ComparisonRecord> [unless_empty],
        /// Instructions of changed functions, those of the parts with the largest changes first.
        pub listings: Vec<Listing> [unless_empty],
    }
}

json_object! {
    /// Functions that are exchanged together.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ChangedPart {
        /// Its number, the target of its measurement.
        pub name: String,
        /// The number of the part that it is a part of; `None` for those of the whole.
        pub within: Option<String> [unless_none],
        /// The first functions.
        pub functions: Vec<ChangedFunction>,
        /// How many functions there are in all.
        pub functions_in_all: usize,
        /// Why it was not measured.
        pub refused: Option<String> [unless_none],
    }
}

json_object! {
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
}

json_object! {
    /// An instruction of base, and the one of new that does the same.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ListingRow {
        /// The number of the row, from 1. Jumps name the row that they go to.
        pub number: usize,
        /// The instruction of base, if it has one here.
        pub base: Option<String> [unless_none],
        /// The instruction of new, if it has one here.
        pub new: Option<String> [unless_none],
        /// File, line and text of the source of base, where they differ from those of the row before.
        pub base_source: Option<String> [unless_none],
        /// File, line and text of the source of new, where they differ from those of the row before.
        pub new_source: Option<String> [unless_none],
    }
}
