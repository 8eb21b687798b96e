//! With what a program was built.

use crate::json::json_object;

json_object! {
    /// Compiler and profile of a program, for the manifest of its records.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Build {
        /// The compiler's version.
        pub rustc: String,
        /// The target triple.
        pub target: String,
        /// The level of optimization.
        pub opt_level: String,
        /// Flags in `RUSTFLAGS` or a configuration file.
        pub flags: String,
        /// Whether debug assertions are on.
        pub debug_assertions: bool,
        /// The files that the loader has put into its process.
        pub loaded: Vec<String> = Vec::new(),
    }
}

impl Build {
    /// Returns that of this program, without what the loader knows.
    pub fn own() -> Self {
        Self {
            rustc: env!("PLUSMINUS_BUILD_RUSTC").to_owned(),
            target: env!("PLUSMINUS_BUILD_TARGET").to_owned(),
            opt_level: env!("PLUSMINUS_BUILD_OPT_LEVEL").to_owned(),
            flags: env!("PLUSMINUS_BUILD_FLAGS").to_owned(),
            debug_assertions: cfg!(debug_assertions),
            loaded: Vec::new(),
        }
    }
}
