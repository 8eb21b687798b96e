//! "Designing and Building Parallel Programs", 3.5: the finite difference example. Computation time fitted by the
//! document's two criteria (figure 3.9), and the book's model of strips and messages over processors, with the
//! measurements.

mod example;
mod facts;
mod figures;

use plusminus::{record::Record, text::number::time_with_uncertainty};
use plusminus_analysis::models::{scaled_fit, simple_fit};

use self::{
    example::{measured, messages, per_point},
    figures::{figure_3_9, model_plots, table},
};
use crate::fact::Facts;
use cargo_plusminus::{pages::Section, study::document::Document};

/// The facts of the records, and the sections about them.
pub(super) fn of(document: &Document, records: &[Record]) -> (Facts, Vec<Section>) {
    let measured = measured(document);
    let of_whole = |by| per_point(&measured.sequential, by);
    let fits = of_whole(simple_fit).zip(of_whole(scaled_fit));
    let by_trips = facts::by_round_trips(records);
    let facts = facts::facts(&measured, fits, by_trips.as_ref());
    let mut found = Vec::new();
    if let Some((simple, scaled)) = fits {
        let said = |fit: example::PerPoint| time_with_uncertainty(fit.value, Some(fit.u));
        found.push(Section {
            title: "Computation time: simple and scaled fits".to_owned(),
            paragraphs: vec![format!(
                "t_c is {} by the simple fit and {} by the scaled one.",
                said(simple),
                said(scaled)
            )],
            tables: vec![table(&measured.sequential, simple, scaled)],
            plots: vec![figure_3_9(&measured.sequential, simple, scaled)],
            ..Section::default()
        });
    }
    if let Some(((_, scaled), messages)) = fits.zip(by_trips.or_else(|| messages(&measured))) {
        found.push(Section {
            title: "Strips over processors: the model and the measurements".to_owned(),
            plots: model_plots(&measured, scaled, &messages),
            ..Section::default()
        });
    }
    (facts, found)
}
