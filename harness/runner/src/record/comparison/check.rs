//! Which records of comparisons make sense, so that analysis can rely on it.

use super::{BlockRecord, ComparisonRecord};
use crate::record::consistent;
use plusminus_worker::order::sorted;

pub(in crate::record) fn consistent(record: &ComparisonRecord) -> Result<(), String> {
    let settings = &record.settings;
    let fraction = |value: f64| value > 0.0 && value < 1.0;
    if !fraction(settings.alpha) {
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
        let cell = |block: &BlockRecord| (block.base.run, block.base.instance);
        let cells: Vec<(u32, usize)> = case.blocks.iter().map(cell).collect();
        let cells = sorted(&cells, &Ord::cmp);
        let once = cells.windows(2).all(|pair| pair[0] != pair[1]);
        if !case.blocks.iter().all(pairs) || !once {
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
