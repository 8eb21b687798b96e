//! Performance Complexity over the sizes of a sweep, in a sentence for each variant.

use crate::{
    record::Record,
    results::{SweepComplexity, complexities},
    text::{
        number::{significant, with_uncertainty},
        visible,
    },
};

/// The meaning of the numbers.
pub const PC_MEANING: &str = "PC_a is the typical factor between the times of a sweep and a model, minus 1. The model is \
                              T = a·n^b, and σ is from fits without one size each. `cargo plusminus study RECORD` \
                              compares models.";

/// The name of a sweep, and its Performance Complexity.
pub fn complexity_cells(of: &SweepComplexity) -> (String, String) {
    let on = if of.processors > 1 { format!(", p = {}", of.processors) } else { String::new() };
    let name = format!("{}{on}, {} sizes", visible(&of.function), of.sizes);
    let pc = with_uncertainty(of.law.pc_a.value, of.law.pc_a.u);
    (name, format!("PC_a {pc} under T = a·n^{}", significant(of.law.exponent, 3)))
}

/// A sentence for each sweep of a record, and what they mean; nothing without a sweep.
pub(super) fn sentences(record: &Record) -> Vec<String> {
    let mut all = complexities(record)
        .iter()
        .map(|one| {
            let (name, found) = complexity_cells(one);
            format!("{name}: {found}")
        })
        .collect::<Vec<_>>();
    if !all.is_empty() {
        all.push(PC_MEANING.to_owned());
    }
    all
}
