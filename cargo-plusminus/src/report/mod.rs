//! Words, tables and files for people and programs, made from the results of a comparison. Measures nothing.

pub(crate) mod numbers;
