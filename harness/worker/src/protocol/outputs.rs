//! A worker's findings on outputs that no check looks at.

use crate::json::json_object;

json_object! {
    /// Outputs of a problem without a check.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Outputs {
        /// Whether nothing has looked at an output, neither a check nor a comparison with a different variant.
        pub unchecked: bool [unless_false],
        /// Variants whose outputs differ.
        pub unlike: Vec<Unlike> [unless_empty],
    }
}

json_object! {
    /// Two variants whose outputs differ.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Unlike {
        /// The name of the benchmark whose output came first.
        pub first: String,
        /// The name of the other one.
        pub second: String,
        /// The name of the first instance on which they differ.
        pub instance: String,
    }
}
