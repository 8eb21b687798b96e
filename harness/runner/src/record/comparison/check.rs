//! Which records of comparisons make sense, so that analysis can rely on it.

use std::collections::BTreeSet;

use super::{BlockRecord, ComparisonRecord};
use crate::record::consistent;
use plusminus_worker::order::sorted;

pub(in crate::record) fn consistent(record: &ComparisonRecord) -> Result<(), String> {
    let settings = &record.settings;
    if !(settings.alpha > 0.0 && settings.alpha < 1.0) {
        return Err("its settings are impossible".to_owned());
    }
    let names: Vec<&str> = record.cases.iter().map(|case| case.name.as_str()).collect();
    let names = sorted(&names, &Ord::cmp);
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("`{}` is in it twice", twice[0]));
    }
    for case in record.cases.iter().chain(&record.control) {
        let pairs = |block: &BlockRecord| {
            let samples = block.base.wall_ns.len();
            block.new.wall_ns.len() == samples
                && block.order.len() == samples
                && block.order.bytes().all(|first| matches!(first, b'b' | b'n'))
                && block.round < consistent::MOST_RUNS
                && (block.layout == 0 || block.layout == block.round + 1)
                && (block.base.run, block.base.instance) == (block.new.run, block.new.instance)
        };
        let mut cells = BTreeSet::new();
        let mut is_new = |block: &BlockRecord| cells.insert((block.base.run, block.base.instance));
        if !case.blocks.iter().all(|block| pairs(block) && is_new(block)) {
            return Err(format!("the blocks of `{}` contradict each other", case.name));
        }
        if !(case.margin >= 0.0 && case.margin.is_finite()) {
            return Err(format!("the margin of `{}` is impossible", case.name));
        }
        let sizes = consistent::Sizes {
            workers: record.workers.len(),
            processors: case.processors,
            instances: case.instances.len(),
            metrics: case.metrics.len(),
        };
        let mut measured = case.blocks.iter().flat_map(|block| [&block.base, &block.new]);
        let mut failed = case.failures.iter().map(|failed| &failed.failure);
        consistent::consistent_case(&case.name, &sizes, &mut measured, &mut failed)?;
    }
    record.explanations.iter().flat_map(|one| &one.measured).try_for_each(consistent)?;
    consistent::consistent_clocks(&record.workers)
}
