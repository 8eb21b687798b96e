//! Times of kernels, and the claims of the paper's text about its bars.

use std::collections::{BTreeMap, BTreeSet};

use plusminus::{results::Row, text::number::significant};

use super::{
    super::beside::{Found, UNEXPLAINED, fares, geometric_mean, ratio},
    figure_8::Counted,
    is_sparse, known,
    ratios::Entry,
};

/// Whether the serial kernel is faster.
pub(super) fn serial(all: &[Entry]) -> Found {
    let processors: BTreeSet<usize> =
        all.iter().map(|entry| entry.processors).filter(|p| *p <= 4).collect();
    let of = |p: usize| all.iter().filter(move |entry| entry.processors == p);
    let each = processors.iter().map(|p| {
        let slower = of(*p).filter(|entry| entry.value < 1.0).count();
        format!("p = {p}: {slower} of {} variants are slower than serial", of(*p).count())
    });
    let each: Vec<String> = each.collect();
    let few: Vec<&Entry> = all.iter().filter(|entry| entry.processors <= 4).collect();
    let slower = few.iter().filter(|entry| entry.value < 1.0).count();
    let mut said = fares(slower, few.len(), "speedups are below 1");
    let means = processors.iter().filter_map(|p| {
        let values: Vec<f64> = of(*p).map(|entry| entry.value).collect();
        Some(format!("{} on {p}", significant(geometric_mean(&values)?, 3)))
    });
    let means: Vec<String> = means.collect();
    if !means.is_empty() {
        said.push_str(&format!(" S is {} in the geometric mean.", means.join(", ")));
    }
    let faster: BTreeSet<String> = few
        .iter()
        .filter(|entry| entry.value > 1.0)
        .map(|entry| entry.kernel.to_uppercase())
        .collect();
    if !faster.is_empty() && slower > 0 {
        let faster: Vec<String> = faster.into_iter().collect();
        said.push_str(&format!(" Above 1 in some variant: {}.", faster.join(", ")));
    }
    Found { here: (!each.is_empty()).then(|| each.join("; ")), ratio: None, said }
}

/// S on 2 processors over S on 1.
pub(super) fn linear(all: &[Entry], rows: &[&Row<'_>]) -> Found {
    let ones = all.iter().filter(|entry| entry.processors == 1);
    let ratios: Vec<f64> = ones
        .filter_map(|one| {
            let two = all.iter().find(|two| {
                two.processors == 2 && two.kernel == one.kernel && two.style == one.style
            })?;
            Some(two.value / one.value)
        })
        .collect();
    let mean = geometric_mean(&ratios);
    let near = ratios.iter().filter(|ratio| **ratio >= 1.6).count();
    let worse = ratios.iter().filter(|ratio| **ratio < 1.0).count();
    let mut said = fares(near, ratios.len(), "variants gain at least 60 % by the second processor");
    if near < ratios.len() {
        said.push_str(&format!(" {worse} are slower on two. {}", with_size(rows)));
    }
    Found {
        here: mean.map(|mean| format!("× {} in the geometric mean", significant(mean, 3))),
        ratio: mean.and_then(|mean| ratio([mean / 2.0])),
        said,
    }
}

/// Whether S on several processors grows with the number of nodes: what the same threads add weighs less in larger ones.
fn with_size(rows: &[&Row<'_>]) -> String {
    let mut lines: BTreeMap<(&str, &str, usize), BTreeMap<usize, f64>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.case.processors > 1) {
        let (Some(own), Some(real), Some(size)) = (known(row.case), &row.real, row.case.size)
        else {
            continue;
        };
        let key = (own.kernel, own.style, row.case.processors);
        if own.style != "serial" && !own.case.point.contains("arithmetic") {
            lines.entry(key).or_default().insert(size as usize, real.speedup.speedup);
        }
    }
    let ends = lines.values().filter_map(|line| {
        let (first, last) = line.first_key_value().zip(line.last_key_value())?;
        (first.0 < last.0).then_some((last.1 / first.1, *first.0, *last.0))
    });
    let ends: Vec<(f64, usize, usize)> = ends.collect();
    let grow = ends.iter().filter(|(ratio, ..)| *ratio > 1.0).count();
    let mean = geometric_mean(&ends.iter().map(|(ratio, ..)| *ratio).collect::<Vec<_>>());
    match (mean, ends.first()) {
        (Some(mean), Some((_, from, to))) if 2 * grow > ends.len() => format!(
            "The size is a part of it: from {from} to {to} nodes S over the serial kernel grows in {grow} of {} variants, by × {} in the \
             geometric mean.",
            ends.len(),
            significant(mean, 2)
        ),
        _ => UNEXPLAINED.to_owned(),
    }
}

/// Whether times grow with the size, and whose most.
pub(super) fn sizes(rows: &[&Row<'_>]) -> Found {
    let mut lines: BTreeMap<(String, String, usize), BTreeMap<usize, f64>> = BTreeMap::new();
    for row in rows {
        let (Some(own), Some(time), Some(size)) = (known(row.case), row.estimate(), row.case.size)
        else {
            continue;
        };
        let wanted = ["fork_join", "clocked"].contains(&own.style);
        let dense = own.case.point.starts_with("chain") || !is_sparse(&own.case.point);
        // The chain is the sparser input of VC, whose denser one is the star.
        let of_vc = own.kernel != "vc" || own.case.point.starts_with("star");
        if wanted && dense && of_vc && !own.case.point.contains("arithmetic") {
            let key = (own.kernel.to_uppercase(), own.style.to_owned(), row.case.processors);
            lines.entry(key).or_default().insert(size as usize, time.value);
        }
    }
    lines.retain(|_, line| line.len() > 2);
    let grow = |line: &&BTreeMap<usize, f64>| {
        let times: Vec<f64> = line.values().copied().collect();
        times.windows(2).all(|pair| pair[0] < pair[1])
    };
    let growth = |line: &BTreeMap<usize, f64>| {
        let (first, last) = line.first_key_value().zip(line.last_key_value())?;
        Some((last.1 / first.1, *first.0, *last.0))
    };
    let most = lines
        .iter()
        .filter_map(|((kernel, style, _), line)| Some((growth(line)?, kernel, style)))
        .max_by(|a, b| a.0.0.total_cmp(&b.0.0));
    let mut said = fares(
        lines.values().filter(grow).count(),
        lines.len(),
        "kernels and styles take longer with every size",
    );
    if !lines.values().all(|line| grow(&line)) {
        let falling = lines.iter().filter(|(_, line)| !grow(line)).map(|((_, style, _), _)| style);
        let clocked = falling.clone().filter(|style| *style == "clocked").count();
        said.push_str(&format!(
            " Of the others {clocked} of {} are clocked. {UNEXPLAINED}",
            falling.count()
        ));
    }
    if let Some((_, kernel, _)) = &most {
        let word = if *kernel == "BY" { "as in the paper" } else { "and not BY" };
        said.push_str(&format!(" The steepest is {kernel}, {word}."));
    }
    Found {
        here: most.map(|((factor, from, to), kernel, style)| {
            format!(
                "at most × {}: {kernel} {style} from {from} to {to} nodes",
                significant(factor, 3)
            )
        }),
        ratio: None,
        said,
    }
}

/// Times in the denser input over those in the sparser one: BY, and whether communication tells the direction.
pub(super) fn inputs(all: &[Entry], cells: &[Counted]) -> Found {
    let by: Vec<f64> = all
        .iter()
        .filter(|e| e.kernel == "by" && e.style == "fork_join")
        .map(|e| e.value)
        .collect();
    let below = by.iter().filter(|value| **value < 1.0).count();
    let mut said = match by.len() {
        0 => "Nothing in these records tells of BY.".to_owned(),
        of if below == of => {
            "BY agrees with HJ: where places cost nothing the longer diameter decides.".to_owned()
        }
        of if below == 0 => format!(
            "BY agrees with X10: above 1 in {of} of {of} times, although places cost nothing here."
        ),
        of => format!("BY is below 1 in {below} of {of} times."),
    };
    let told: Vec<bool> = all
        .iter()
        .filter_map(|entry| {
            let counted = cells.iter().find(|counted| counted.kernel == entry.kernel)?;
            let [sparse, dense, ..] = &counted.cells;
            let comm = dense.here? / sparse.here?;
            Some((comm > 1.0) == (entry.value > 1.0))
        })
        .collect();
    if !told.is_empty() {
        said.push_str(&format!(
            " The direction of time is that of communication in {} of {} kernels and styles.",
            told.iter().filter(|same| **same).count(),
            told.len()
        ));
    }
    let larger = all.iter().filter(|entry| entry.value > 1.0).count();
    Found {
        here: (!all.is_empty()).then(|| {
            let of_by = ratio(by).map_or(String::new(), |by| format!("; BY {by}"));
            format!("above 1 for {larger} of {} kernels and styles{of_by}", all.len())
        }),
        ratio: None,
        said,
    }
}
