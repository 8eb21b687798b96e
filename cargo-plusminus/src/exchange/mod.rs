//! `cargo plusminus export` and `import`: records in the formats of other tools, and results of other tools as records.
//! Measures nothing; numbers that leave come from `plusminus::results`, and what comes in keeps what it cannot say.

mod export;
mod import;

pub(crate) use export::{ExportArguments, export};
pub(crate) use import::{ImportArguments, import};
