//! Apex-MAP: the surface T(α, L), the residuals of each model, and Performance Complexity.

use std::collections::BTreeMap;

use plusminus::text::number::{significant, time, time_with_uncertainty, with_uncertainty};

use cargo_plusminus::{
    pages::{
        Section, Table,
        plot::{Axis, Cell, Colour, Plot, Span},
        plots::{cells, named_rows, short, span},
    },
    study::apex::{ApexConfiguration, ApexMapStudy, ApexRanking, ApexSweep, Ranked},
};

/// The figures of all sweeps, and of the variants side by side.
pub(super) fn sections(study: &ApexMapStudy) -> Vec<Section> {
    let section =
        |title: &str, plots| Section { title: title.to_owned(), plots, ..Section::default() };
    vec![
        section("Figures of Apex-MAP", study.sweeps.iter().flat_map(sweep).collect()),
        Section {
            tables: vec![complexities(&study.rankings)],
            ..section(
                "Performance Complexity of variants",
                study.rankings.iter().map(ranking).collect(),
            )
        },
    ]
}

/// PC of each variant at each point under each model.
fn complexities(rankings: &[ApexRanking]) -> Table {
    let mut rows: BTreeMap<(String, String), BTreeMap<usize, &Ranked>> = BTreeMap::new();
    for ranking in rankings {
        for one in &ranking.variants {
            let name = (short(&ranking.point), short(&one.variant));
            rows.entry(name).or_default().insert(ranking.model, one);
        }
    }
    let models = 0..4;
    let row = |((point, variant), by_model): ((String, String), BTreeMap<usize, &Ranked>)| {
        let pc = |model: usize| {
            by_model
                .get(&model)
                .map_or("–".to_owned(), |one| with_uncertainty(one.pc_a.value, one.pc_a.u))
        };
        let access = by_model.values().next().map(|one| &one.access_ns);
        let access = access.map(|number| time_with_uncertainty(number.value, number.u));
        let mut cells = vec![format!("{point}, {variant}")];
        cells.extend(models.clone().map(pc));
        cells.push(access.unwrap_or_default());
        cells
    };
    let mut titles = vec!["point, variant".to_owned()];
    titles.extend(models.clone().map(|model| format!("model {model}")));
    titles.push("time of an access".to_owned());
    Table {
        caption: "PC_a ± σ of each variant, and its mean time of an access".to_owned(),
        titles,
        rows: rows.into_iter().map(row).collect(),
    }
}

/// The figures of one variant at one point.
fn sweep(sweep: &ApexSweep) -> Vec<Plot> {
    let name = format!("{}, {}", short(&sweep.variant), short(&sweep.point));
    let times: Vec<f64> = sweep.configurations.iter().map(|c| c.access_ns).collect();
    let low = times.iter().copied().fold(f64::MAX, f64::min);
    let high = times.iter().copied().fold(0.0, f64::max);
    let range = (high / low).ln();
    let shade = |t: &f64| if range > 0.0 { (t / low).ln() / range } else { 0.5 };
    let surface = Plot {
        title: format!("T(α, L): {name}"),
        caption: format!(
            "Time of one access by temporal locality α (below is more reuse) and block length L. The faintest cell is {}, the \
             strongest {}; shades are logarithmic. (Performance Complexity, figure 1.)",
            time(low),
            time(high)
        ),
        ..map(sweep, &["time of an access"], &times, shade)
    };
    let residuals = sweep.models.iter().map(|model| {
        let reach = model.residuals.iter().map(|r| r.abs()).fold(0.01, f64::max);
        let names = ["faster than predicted", "slower than predicted"];
        Plot {
            title: format!("Residuals of model {} ({}): {name}", model.model, model.name),
            caption: format!(
                "ln(measured/predicted) of each configuration: the strongest color is a factor of {:.2}. PC_a = {}. \
                 (Performance Complexity, figures 4 and 8, which draw squares of these.)",
                reach.exp(),
                significant(model.pc.pc_a, 3)
            ),
            ..map(sweep, &names, &model.residuals, |r| -r / reach)
        }
    });
    std::iter::once(surface).chain(residuals).chain(coefficients(sweep, &name)).collect()
}

/// A heat map over L and α of values in the order of the configurations.
fn map(sweep: &ApexSweep, names: &[&str], values: &[f64], shade: impl Fn(&f64) -> f64) -> Plot {
    let sorted = |of: fn(&ApexConfiguration) -> f64| {
        let mut values: Vec<f64> = sweep.configurations.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    };
    let (lengths, alphas) = (sorted(|c| c.block_words as f64), sorted(|c| c.alpha));
    let at = |list: &[f64], value: f64| Cell::around(list.partition_point(|other| *other < value));
    let all = sweep.configurations.iter().zip(values).map(|(c, value)| Cell {
        x: at(&lengths, c.block_words as f64),
        y: at(&alphas, c.alpha),
        value: *value,
        shade: shade(value),
        text: "",
    });
    let labels = |list: &[f64], of: fn(f64) -> String| -> Vec<String> {
        list.iter().map(|value| of(*value)).collect()
    };
    Plot {
        title: String::new(),
        caption: String::new(),
        x: Axis::named("L in words", &labels(&lengths, |length| length.to_string())),
        y: Axis::named("α", &labels(&alphas, |alpha| significant(alpha, 2))),
        layers: cells(names, &all.collect::<Vec<_>>()),
        height: 320,
    }
}

/// The coefficients of every model, such as latency and gap.
fn coefficients(sweep: &ApexSweep, name: &str) -> Option<Plot> {
    let all = sweep.models.iter().flat_map(|model| {
        model.coefficients.iter().map(move |coefficient| {
            let value = time(coefficient.number.value);
            let name = format!("model {}, {}: {value}", model.model, short(&coefficient.name));
            (0, name, span(0.0, &coefficient.number))
        })
    });
    let all: Vec<(usize, String, Span)> = all.collect();
    let ends = || all.iter().flat_map(|(.., span)| Span { interval: None, ..*span }.ends());
    let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
    (!all.is_empty()).then(|| {
        named_rows(
            format!("Fitted latencies and gaps: {name}"),
            "Coefficients of the models in nanoseconds, with their standard uncertainty. (Performance Complexity, figures 5 \
             and 9.)"
                .to_owned(),
            Axis::between("ns", 1.05 * low, 1.05 * high),
            Vec::new(),
            &[("coefficient ± u", Colour::Series(0))],
            all,
        )
    })
}

/// Variants by Performance Complexity under one model.
fn ranking(ranking: &ApexRanking) -> Plot {
    let rows = ranking.variants.iter().map(|one| {
        let name = format!("{}: {}", short(&one.variant), significant(one.pc_a.value, 3));
        (0, name, Span { interval: None, ..span(0.0, &one.pc_a) })
    });
    let rows: Vec<(usize, String, Span)> = rows.collect();
    named_rows(
        format!("Performance Complexity, model {}: {}", ranking.model, short(&ranking.point)),
        "PC_a of each variant; a bar is ± σ over resampled configurations. Lower is more transparent. (Performance Complexity, \
         figures 2, 3, 6 and 7.)"
            .to_owned(),
        Axis::from_zero("PC_a", rows.iter().flat_map(|(.., span)| span.ends())),
        Vec::new(),
        &[("PC_a ± σ", Colour::Series(0))],
        rows,
    )
}
