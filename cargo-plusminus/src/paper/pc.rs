//! "Performance Complexity": Apex-MAP under four models. The paper's bars are pictures; what its text says is beside them.

use plusminus::text::{
    number::{significant, time},
    visible,
};

use super::beside::{row, section};
use crate::{
    pages::Section,
    study::document::{ApexSweep, Document},
};

/// What stands beside the paper.
pub(super) fn sections(document: &Document) -> Vec<Section> {
    let said = "The paper compares ten machines of 2005; here is one. It prints its values of PC as bars without numbers, so that the \
                order of the models and what its text says can be compared, and no bar. The figures are below, in the paper's order.";
    let none = Vec::new();
    let sweeps = document.apex_map.as_ref().map_or(&none, |apex| &apex.sweeps);
    let serial: Vec<&ApexSweep> = sweeps.iter().filter(|sweep| !is_parallel(sweep)).collect();
    let parallel: Vec<&ApexSweep> = sweeps.iter().filter(|sweep| is_parallel(sweep)).collect();
    let mut rows = vec![
        row(
            "§5: the sweep",
            "10 α × 17 L, 512 MB",
            each(&serial, |sweep| Some(format!("{} configurations", sweep.configurations.len()))),
            "The suite sweeps the same values; α = 1 begins each row.",
        ),
        row(
            "§6: range of performance, serial",
            "2 orders of magnitude",
            each(&serial, |sweep| Some(orders(sweep))),
            "A longer way to memory makes it wider, faster caches too.",
        ),
        row(
            "Figs. 2, 3: PC_a of models 0, 1, 2, 3, serial",
            "falls: model 1 little below model 0, model 2 well below both, model 3 by far the lowest",
            each(&serial, complexities),
            "Here of times of an access, there of accesses per cycle: PC is the same for both on one machine.",
        ),
        row(
            "Fig. 5: effective c of model 3",
            "256 kB (Xeon, Itanium, Opteron, PowerPC, X1) or 2 MB (Power3 to 5)",
            each(&serial, capacity),
            "Fitted as there; with several levels of cache, c lies between or below them, and its minimum is shallow.",
        ),
        row(
            "Fig. 5: l and g of both levels, model 3",
            "a picture only",
            each(&serial, coefficients),
            "See the check of plausibility in docs/performance-complexity.md.",
        ),
        row(
            "Fig. 4: residuals of model 3",
            "largest at medium L (Itanium), no structure (Opteron)",
            each(&serial, worst),
            "Prefetching of this machine is another.",
        ),
    ];
    rows.extend([
        row(
            "§6: range of performance, parallel",
            "5 orders of magnitude, 256 processors",
            each(&parallel, |sweep| Some(orders(sweep))),
            "Threads of one machine: what is remote is another part of the same memory.",
        ),
        row(
            "Figs. 6, 7: PC_a of models 0, 1, 2, 3, parallel",
            "model 2 is better than model 1; model 3 by far the best; global arrays lower than messages",
            each(&parallel, complexities),
            "Styles of threads stand for MPI, shmem and UPC; nothing crosses a network.",
        ),
    ]);
    vec![section(rows, said)]
}

fn is_parallel(sweep: &ApexSweep) -> bool {
    sweep.variant.contains("parallel")
}

/// A value of each sweep, with the name of the sweep.
fn each(sweeps: &[&ApexSweep], of: impl Fn(&ApexSweep) -> Option<String>) -> Option<String> {
    let said: Vec<String> = sweeps
        .iter()
        .filter_map(|sweep| {
            let short = sweep.variant.rsplit("::").next().unwrap_or(&sweep.variant);
            Some(format!("{} {}: {}", visible(short), visible(&sweep.point), of(sweep)?))
        })
        .collect();
    (!said.is_empty()).then(|| said.join("; "))
}

fn orders(sweep: &ApexSweep) -> String {
    let times = || sweep.configurations.iter().map(|one| one.access_ns);
    let (low, high) = (times().fold(f64::MAX, f64::min), times().fold(0.0, f64::max));
    format!("{:.1} orders ({} to {})", (high / low).log10(), time(low), time(high))
}

fn complexities(sweep: &ApexSweep) -> Option<String> {
    let all: Vec<String> = sweep.models.iter().map(|model| significant(model.pc.pc_a, 3)).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

fn capacity(sweep: &ApexSweep) -> Option<String> {
    let model = sweep.models.iter().find(|model| model.model == 3)?;
    let bytes = model.capacity_bytes?;
    let kib = significant(bytes / 1024.0, 3);
    Some(format!("{kib} KiB{}", if model.capacity_at_bound { " (the bound)" } else { "" }))
}

fn coefficients(sweep: &ApexSweep) -> Option<String> {
    let model = sweep.models.iter().find(|model| model.model == 3)?;
    let each = model
        .coefficients
        .iter()
        .map(|one| format!("{} {}", visible(&one.name), time(one.number.value)));
    Some(each.collect::<Vec<_>>().join(", "))
}

fn worst(sweep: &ApexSweep) -> Option<String> {
    let model = sweep.models.iter().find(|model| model.model == 3)?;
    let pairs = sweep.configurations.iter().zip(&model.residuals);
    let (at, residual) = pairs.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
    let factor = residual.exp();
    Some(format!(
        "× {} at α = {}, L = {}",
        significant(factor, 3),
        significant(at.alpha, 2),
        at.block_words
    ))
}
