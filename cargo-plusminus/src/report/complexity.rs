//! Performance Complexity of both sides of a comparison, for benchmarks with a sweep over sizes.

use plusminus::{
    record::{ComparisonRecord, Side},
    report::{PC_MEANING, complexity_cells},
    results::{SweepComplexity, complexities, is_of_sweep},
};

/// A sentence for each sweep that both sides have, and what they mean; nothing without a sweep.
pub(super) fn sentences(record: &ComparisonRecord) -> Vec<String> {
    // The sides of a record are copies of all samples.
    if !record.cases.iter().any(|case| is_of_sweep(case.size, &case.point)) {
        return Vec::new();
    }
    let [base, new] = [Side::Base, Side::New].map(|side| complexities(&record.side(side)));
    let mut all: Vec<String> = new
        .iter()
        .filter_map(|new| {
            let of = |one: &SweepComplexity| (one.function.clone(), one.processors, one.sizes);
            let base = base.iter().find(|base| of(base) == of(new))?;
            let ((name, new), (_, base)) = (complexity_cells(new), complexity_cells(base));
            Some(format!("{name}: {base} in base, {new} in new"))
        })
        .collect();
    if !all.is_empty() {
        all.push(PC_MEANING.to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::kept_record;

    /// A sweep over five sizes: base follows a power law, and new does not.
    #[test]
    fn both_sides_of_a_sweep_have_their_complexity() {
        let mut record = kept_record();
        let measured = record.cases[0].clone();
        let case = |k: u64| {
            let mut case = measured.clone();
            case.name = format!("sorting::sort::{}", 1 << k);
            "sorting::sort".clone_into(&mut case.function);
            (case.point, case.size) = (format!("n{}", 1 << k), Some((1_u64 << k) as f64));
            for block in &mut case.blocks {
                let scale = |of: &mut Vec<u64>, by: u64| of.iter_mut().for_each(|ns| *ns *= by);
                for (side, by) in [(&mut block.base, 1 << k), (&mut block.new, 1 << (2 * k % 5))] {
                    scale(&mut side.wall_ns, by);
                    scale(&mut side.cpu_ns, by);
                }
            }
            case
        };
        record.cases = (0..5).map(case).collect();
        let found = sentences(&record);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("sorting::sort, 5 sizes: PC_a "), "{found:?}");
        assert!(found[0].contains(" under T = a·n^1.00 in base, PC_a "), "{found:?}");
        assert_eq!(found[1], PC_MEANING);
        record.cases.truncate(3);
        assert!(sentences(&record).is_empty(), "three sizes");
    }
}
