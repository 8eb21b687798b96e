//! "Designing and Building Parallel Programs", 3.5: the finite difference example. Computation time fitted by the
//! document's two criteria (figure 3.9), and the book's model of strips and messages over processors, with the
//! measurements.

mod example;
mod figures;
mod words;

use plusminus::text::number::significant;
use plusminus_analysis::models::{scaled_fit, simple_fit};

use self::{
    example::{measured, messages, per_point},
    figures::{figure_3_9, model_plots, table},
    words::*,
};
use super::beside::{row, section};
use cargo_plusminus::{pages::Section, study::document::Document};

/// Returns the sections about the document.
pub(super) fn sections(document: &Document) -> Vec<Section> {
    let measured = measured(document);
    let simple = per_point(&measured.sequential, simple_fit);
    let scaled = per_point(&measured.sequential, scaled_fit);
    let messages = messages(&measured);
    let said = "The document measured a finite difference code on a Sun SPARC 2 with Z = 10; here the suite's nine points of a plane with \
                Z = 10, by threads of one machine. It prints the two coefficients of figure 3.9. The numbers of its tables 3.2 and 3.3 are lost in \
                the available copy, so the figures here are compared with its sentences.";
    let rows = vec![
        row(
            "Table 3.2: repeated times",
            "three of each size; \"little variation\"",
            variation(&measured.sequential),
            &why_variation(&measured.sequential),
        ),
        row(
            "Fig. 3.9: t_c by the simple fit",
            &printed(0),
            simple.map(said_of),
            &why_coefficient(simple, 0),
        ),
        row(
            "Fig. 3.9: t_c by the scaled fit",
            &printed(1),
            scaled.map(said_of),
            &why_coefficient(scaled, 1),
        ),
        row(
            "Fig. 3.9: scaled over simple",
            &significant(PAPER_MS[1] / PAPER_MS[0], 3),
            simple.zip(scaled).map(|(simple, scaled)| significant(scaled.value / simple.value, 3)),
            &why_ratio(&measured.sequential),
        ),
        row(
            "Table 3.3: which fit is nearer where",
            "simple for larger N, scaled for smaller N",
            nearer(&measured.sequential, simple, scaled),
            &why_nearer(&measured.sequential, simple, scaled),
        ),
        row(
            "3.5.3: T = t_s + t_w·L of messages",
            "to be found by a line through times",
            messages.as_ref().map(|found| {
                format!(
                    "t_s = {}, t_w = {} a number",
                    signed(found.start_ns),
                    signed(found.number_ns)
                )
            }),
            &why_messages(&measured, messages.as_ref()),
        ),
        row(
            "The model over processors",
            "T = t_c·N²·Z/P + 2·t_s + 4·t_w·N·Z in the book's chapter 3",
            over_processors(&measured, scaled, messages.as_ref()),
            &why_over_processors(&measured, scaled, messages.as_ref()),
        ),
    ];
    let mut found = vec![section(rows, said)];
    if let Some((simple, scaled)) = simple.zip(scaled) {
        found.push(Section {
            title: "Computation time: simple and scaled fits".to_owned(),
            tables: vec![table(&measured.sequential, simple, scaled)],
            plots: vec![figure_3_9(&measured.sequential, simple, scaled)],
            ..Section::default()
        });
    }
    if let Some((scaled, messages)) = scaled.zip(messages) {
        found.push(Section {
            title: "Strips over processors: the model and the measurements".to_owned(),
            plots: model_plots(&measured, scaled, &messages),
            ..Section::default()
        });
    }
    found
}
