//! "Measuring parallel performance": speedups, overheads, laws and isoefficiency of the measurements, with the
//! document's equations and worked examples. Works with any records whose variants were measured on several
//! processors.

mod checks;
mod isoefficiency;
mod laws;
mod lines;

use plusminus::text::visible;
use plusminus_analysis::scaling::{AmdahlFraction, work_growth};

use self::{
    checks::*,
    laws::Line,
    lines::{Laws, strong_laws, weak_laws},
};
use super::beside::{row, section};
use cargo_plusminus::{
    pages::Section,
    study::document::{Document, ScalingRow, Series},
};

/// Returns the sections about the document, and the laws.
pub(super) fn sections(document: &Document) -> Vec<Section> {
    let all: Vec<&Series> = parallel(document);
    let lines: Vec<Line<'_>> = all.iter().flat_map(|series| by_size(series)).collect();
    // The exercise's model is of one variant: the sum, or the first where there is none.
    let of_sum = all.iter().find(|series| short(series) == "tree").or(all.first());
    let sum: Vec<Line<'_>> = of_sum.map_or(Vec::new(), |series| by_size(series));
    let rows: Vec<&ScalingRow> = lines.iter().flat_map(|line| line.rows.iter().copied()).collect();
    let said = "The document prints equations and worked examples, and no measurement: each line below checks what it says of every \
                parallel system on the times that were measured here. Figures of times and of real and relative speedups are \
                further below. The text of the study has efficiencies and overheads.";
    let growth = |from: f64| {
        let overhead = |p: f64| p * (p.log2() - 1.0);
        work_growth(&overhead, from, 2.0 * from).map_or(f64::NAN, |growth| growth)
    };
    let tenth = AmdahlFraction::new(0.1).ok();
    let of_tenth = |p: usize| tenth.map_or(f64::NAN, |tenth| tenth.speedup(p));
    let (strong, weak) = (strong_laws(&lines), weak_laws(&all));
    let table = vec![
        row(
            "§1: T(n, 1) is no less than ω",
            "T(n, 1) = Ω(ω)",
            one_processor(&rows),
            &why_one(&rows),
        ),
        row("Eq. 1: real speedup", "typical values are in [1, p]", real(&rows), &why_real(&rows)),
        row(
            "Eq. 2: relative speedup",
            "weaker than the real one",
            relative(&rows),
            &why_relative(&rows),
        ),
        row(
            "Eq. 3: overhead T_o = p·T − ω",
            "grows with p, at least linearly",
            overheads(&lines),
            &why_overheads(&lines),
        ),
        row(
            "Lemma 2.1: E on fewer processors is no less",
            "E(n, p') ≥ E(n, p)",
            lemma(&lines),
            &why_lemma(&lines),
        ),
        row(
            "Eq. 6: Amdahl's law",
            &format!(
                "ω_s = 0.1: S = 3.57 on 5 processors, 5.26 on 10; the formula here says {:.2} and {:.2}",
                of_tenth(5),
                of_tenth(10)
            ),
            strong.range.clone(),
            &strong.why,
        ),
        row(
            "Eq. 7: Gustafson's law",
            "near-linear scaled speedup when n grows with p",
            weak.range.clone(),
            &weak.why,
        ),
        row(
            "Eq. 9: growth of work, 8 to 16 and 1024 to 2048 processors",
            &format!("3 and 2.2; the formula here says {} and {:.2}", growth(8.0), growth(1024.0)),
            isoefficiency::growth(&sum),
            &isoefficiency::why_growth(&sum),
        ),
        row(
            "Exercise: n numbers on p processors, E = n/(n + p·lg p)",
            "left to the reader",
            isoefficiency::exercise(&sum),
            &isoefficiency::why_exercise(&sum),
        ),
    ];
    let laws_of = |title: &str, laws: Laws| Section {
        title: title.to_owned(),
        plots: laws.plots,
        list: laws.list,
        ..Section::default()
    };
    vec![
        section(table, said),
        laws_of("Amdahl's law and the Universal Scalability Law", strong),
        laws_of("Gustafson's law", weak),
        Section {
            title: "Isoefficiency".to_owned(),
            plots: isoefficiency::plots(&sum),
            ..Section::default()
        },
    ]
}

/// The series of variants that were measured on several processors and use them.
fn parallel(document: &Document) -> Vec<&Series> {
    let all = document.problems.iter().flat_map(|problem| &problem.series);
    let uses = |series: &&Series| {
        let rows = &series.scaling.rows;
        !series.scaling.is_reference
            && rows.iter().any(|row| row.p > 1)
            && rows.iter().any(|row| row.p == 1)
    };
    all.filter(uses).collect()
}

/// The rows of a series at each size that has several numbers of processors.
fn by_size(series: &Series) -> Vec<Line<'_>> {
    let same = |a: &ScalingRow, b: &ScalingRow| a.n == b.n && (a.n.is_some() || a.point == b.point);
    let rows = series.scaling.rows.chunk_by(same).filter(|rows| rows.len() > 1);
    let name = |row: &ScalingRow| match row.n {
        Some(n) => format!("{}, n = {n}", short(series)),
        None => short(series),
    };
    rows.map(|rows| Line { name: name(&rows[0]), rows: rows.iter().collect() }).collect()
}

fn short(series: &Series) -> String {
    visible(series.variant.rsplit("::").next().unwrap_or(&series.variant))
}
