//! "Performance Complexity": Apex-MAP under four models. The paper's bars are pictures, so its text is the reference.

mod figures;
mod models;
mod times;

use plusminus::text::visible;

use super::beside::{compared, section};
use cargo_plusminus::{
    pages::Section,
    study::{
        apex::{ApexModelOf, ApexSweep},
        document::Document,
    },
};

/// Returns the sections about the paper.
pub(super) fn sections(document: &Document) -> Vec<Section> {
    let said = "The paper compares ten machines of 2005; here is one. It prints its values of PC as bars without numbers, so that the \
                order of the models and what its text says can be compared, and no bar. PC is of times of an access here and of accesses per \
                cycle there, which is the same on one machine. The figures are below, in the paper's order.";
    let none = Vec::new();
    let sweeps = document.apex_map.as_ref().map_or(&none, |apex| &apex.sweeps);
    let (parallel, serial): (Vec<&ApexSweep>, Vec<&ApexSweep>) =
        sweeps.iter().partition(|sweep| sweep.variant.contains("parallel"));
    let rows = vec![
        compared("§5: the sweep", "10 α × 17 L, 512 MB", times::swept(&serial)),
        compared(
            "§6: range of performance, serial",
            "2 orders of magnitude",
            times::orders(&serial, 2.0),
        ),
        compared(
            "Figs. 2, 3: PC_a of models 0, 1, 2, 3, serial",
            "falls: model 1 little below model 0, model 2 well below both, model 3 by far the lowest",
            models::order(&serial),
        ),
        compared(
            "Fig. 5: effective c of model 3",
            "256 kB (Xeon, Itanium, Opteron, PowerPC, X1) or 2 MB (Power3 to 5)",
            models::capacity(&serial),
        ),
        compared(
            "Fig. 5: l and g of both levels, model 3",
            "a picture only; little hierarchy on vector processors alone",
            models::coefficients(&serial),
        ),
        compared(
            "Fig. 4: residuals of model 3",
            "largest at medium L (Itanium), no structure (Opteron)",
            models::residuals(&serial),
        ),
        compared(
            "§6: range of performance, parallel",
            "5 orders of magnitude, 256 processors",
            times::orders(&parallel, 5.0),
        ),
        compared(
            "Figs. 6, 7: PC_a of models 0, 1, 2, 3, parallel",
            "model 2 is better than model 1; model 3 by far the best",
            models::order(&parallel),
        ),
        compared(
            "Figs. 6, 7: styles under model 3",
            "global arrays (UPC by blocks, shmem) have the lowest PC, messages (MPI) the highest on the X1",
            models::styles(&parallel),
        ),
    ];
    let figures = document.apex_map.as_ref().map(figures::sections);
    std::iter::once(section(rows, said)).chain(figures.into_iter().flatten()).collect()
}

/// The name of a sweep in a cell.
fn name(sweep: &ApexSweep) -> String {
    let short = sweep.variant.rsplit("::").next().unwrap_or(&sweep.variant);
    format!("{} {}", visible(short), visible(&sweep.point))
}

/// A value of each sweep, with the name of the sweep.
fn each(sweeps: &[&ApexSweep], of: impl Fn(&ApexSweep) -> Option<String>) -> Option<String> {
    let said = sweeps.iter().filter_map(|sweep| Some(format!("{}: {}", name(sweep), of(sweep)?)));
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| said.join("; "))
}

fn model(sweep: &ApexSweep, wanted: usize) -> Option<&ApexModelOf> {
    sweep.models.iter().find(|model| model.model == wanted)
}
