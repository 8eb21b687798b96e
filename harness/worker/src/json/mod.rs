//! How our types look as JSON. A library knows the syntax; here is what a field is called, and when it may be missing.
//! Knows neither files nor pipes, and none of the types: each of them says beside its definition how it is written.
//!
//! Every user compiles this, so that it works on tables of fields and on `dyn` values: a type costs a table, not code.

mod read;
mod shape;
mod values;
mod write;

pub use read::{Field, FromJson, Malformed, Reader, decode};
pub use shape::{json_object, json_variants};
pub use write::{Entry, ToJson, Writer, encode, encode_object};
