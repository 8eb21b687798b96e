//! How our types look as JSON. A library knows the syntax; this module has the names of fields, and when they may be
//! missing. Knows neither files nor pipes, and none of the types: each type describes its form next to its
//! definition.
//!
//! Every user compiles this, so that it works on tables of fields and on `dyn` values: a type costs a table, not code.

mod read;
mod shape;
mod values;
mod write;

pub use read::{Field, FromJson, Malformed, Reader, decode};
pub use shape::{json_object, json_variants};
pub use write::{Entry, ToJson, Writer, encode, encode_in, encode_object};
