//! The tables of a study, one function for each.

use super::{
    document::{
        Comparison, FittedModel, ModelComparison, Number, Refused, RunWise, Scaling, Sweep,
    },
    each_once,
    extras::{Cells, ForeignFit, MessageCost},
    grouped,
    sets::SetRanking,
    text::{aligned, number, optional, sentence, share, time, with_u},
};
use plusminus::text::{
    number::{digits, time_with_uncertainty},
    visible,
};

/// The cells of a row that is written in one text.
pub(super) fn headings(cells: &str) -> Vec<String> {
    cells.split(" | ").map(str::to_owned).collect()
}

/// n as people write it.
pub(super) fn size(n: Option<f64>) -> String {
    match n {
        None => "-".to_owned(),
        Some(n) if n.fract() == 0.0 && n < 1e15 => format!("{n:.0}"),
        Some(n) => digits(n),
    }
}

/// T, S, E, T_o and Karp–Flatt of each configuration.
pub(super) fn scaling(table: &Scaling) -> String {
    let kind = match table.sweep {
        Sweep::Point => "one configuration".to_owned(),
        Sweep::Sizes => "over n".to_owned(),
        Sweep::Strong => "strong scaling".to_owned(),
        Sweep::Grid => "strong scaling at each n".to_owned(),
        Sweep::Weak => {
            let work = visible(table.work.as_deref().unwrap_or("n"));
            format!("weak scaling, work counted in {work}")
        }
        Sweep::Irregular => "over n and p".to_owned(),
        Sweep::Points => "points without a size".to_owned(),
    };
    let parallel = table.rows.iter().any(|row| row.p > 1 || row.speedup_real.is_some());
    let weak = table.sweep == Sweep::Weak;
    let by_point = table.rows.iter().any(|row| row.n.is_none());
    let mut first = headings(if by_point { "point | p | T ± u" } else { "n | p | T ± u" });
    if parallel {
        if weak {
            first.extend(headings("S scaled ± σ | work/p"));
        }
        first.extend(headings("S real ± σ | S relative ± σ | E ± σ | T_o ± σ | Karp–Flatt e ± σ"));
    }
    let mut rows = vec![first];
    for row in &table.rows {
        let name = if by_point { visible(&row.point) } else { size(row.n) };
        let mut cells = vec![name, row.p.to_string(), time(&row.time_ns)];
        if parallel {
            if weak {
                cells.push(number(row.speedup_scaled.as_ref()));
                cells.push(row.work_per_processor.map_or_else(|| "-".to_owned(), digits));
            }
            let efficiency = row
                .efficiency
                .as_ref()
                .map(|e| format!("{} {}", with_u(e.value, e.u), row.against.unwrap_or_default()));
            cells.extend([
                number(row.speedup_real.as_ref()),
                number(row.speedup_relative.as_ref()),
                efficiency.unwrap_or_else(|| "-".to_owned()),
                row.overhead_ns.as_ref().map_or_else(|| "-".to_owned(), time),
                number(row.karp_flatt.as_ref()),
            ]);
        }
        rows.push(cells);
    }
    let mut text = format!("  {kind}\n{}", aligned(&rows));
    table.notes.iter().for_each(|note| text += &sentence(note));
    text
}

pub(super) fn models(table: &ModelComparison) -> String {
    if table.models.is_empty() {
        return format!("  no model can be fitted\n{}", refused(&table.refused));
    }
    let mut text = format!("  models over {}: {} configurations", table.over, table.configurations);
    match table.pc_noise {
        Some(floor) => {
            text += &format!(", noise floor {}", digits(floor));
            // The same for all models, as it depends on the measurements alone.
            let pc = table.models.first().map(|model| &model.pc);
            if let Some((r, ratio)) = pc.and_then(|pc| pc.pc_r_noise.zip(pc.pc_ratio_noise)) {
                text += &format!(" (of PC_r {}, of pc_ratio {})", digits(r), digits(ratio));
            }
            text.push('\n');
        }
        None => text += ", noise floor not known\n",
    }
    let mut rows =
        vec![headings("model | T | weight | PC_a | adjusted | corrected | LOO | pc_ratio | bias")];
    rows.extend(table.models.iter().map(model));
    text += &aligned(&rows);
    table.models.iter().for_each(|model| text += &coefficients(model));
    text += &refused(&table.refused);
    table.sentences.iter().for_each(|said| text += &sentence(said));
    text += &valid(table);
    text
}

fn model(one: &FittedModel) -> Vec<String> {
    let pc = &one.pc;
    vec![
        one.model.to_owned(),
        one.formula.to_owned(),
        share(one.weight),
        digits(pc.pc_a),
        optional(pc.pc_a_adjusted),
        optional(pc.pc_a_corrected),
        optional(pc.leave_one_out),
        optional(pc.pc_ratio),
        format!("{:.4}", pc.bias_factor),
    ]
}

/// Coefficients, and what they mean.
fn coefficients(one: &FittedModel) -> String {
    let bounded = |n: &Number| match n.u {
        None if n.value == 0.0 => "0 (at its bound)".to_owned(),
        u => with_u(n.value, u),
    };
    let mut parts: Vec<String> =
        one.coefficients.iter().map(|c| format!("{} = {}", c.name, bounded(&c.number))).collect();
    if let Some(share) = &one.serial_fraction_of_sequential_time {
        parts.push(format!("serial share of the sequential time {}", bounded(share)));
    }
    if let Some(share) = &one.serial_fraction_of_parallel_time {
        parts.push(format!("serial share of the parallel time {}", bounded(share)));
    }
    if let Some(usl) = &one.usl {
        parts.push(format!("σ = {}, κ = {}", bounded(&usl.contention), bounded(&usl.coherency)));
        parts.push(match &usl.peak {
            Some(peak) => format!("peak at p = {}", with_u(peak.value, peak.u)),
            None => "no peak within twice the measured p".to_owned(),
        });
    }
    let mut line = format!("    {} in ns: {}", one.model, parts.join(", "));
    if one.pc.distinguishable == Some(false) {
        line += "; not distinguishable from a perfect model";
    }
    line.push('\n');
    line
}

/// Models without a fit, those with the same reason together.
fn refused(refused: &[Refused]) -> String {
    let reasons = grouped(refused.iter().map(|one| (&*one.reason, one.model)));
    let line = |(reason, models): &(&str, Vec<&str>)| {
        sentence(&format!("not fitted: {}: {reason}", models.join(", ")))
    };
    reasons.iter().map(line).collect()
}

/// Where predictions end.
fn valid(table: &ModelComparison) -> String {
    let range = |(name, range): (&str, Option<[f64; 2]>)| {
        // Twice the largest is more than four times half the smallest only where something varies.
        let [low, high] = range.filter(|[low, high]| *high > 4.0 * low)?;
        Some(format!("{name} from {} to {}", size(Some(low)), size(Some(high))))
    };
    let ranges = [("n", table.valid_n), ("p", table.valid_p)];
    let parts: Vec<String> = ranges.into_iter().filter_map(range).collect();
    if parts.is_empty() {
        return String::new();
    }
    sentence(&format!("nothing is predicted beyond {}", parts.join(" and ")))
}

/// Variants by speed and by PC.
pub(super) fn comparison(table: &Comparison) -> String {
    let mut first = headings("variant | S (sums) ± σ | S (geometric) ± σ");
    first.extend(table.models.iter().map(|model| format!("PC_a ± σ: {model}")));
    let mut rows = vec![first];
    for one in &table.variants {
        let mut cells = vec![visible(&one.variant)];
        if one.variant == table.base {
            cells.extend(headings("1 (base) | 1 (base)"));
        } else {
            let speedups = [&one.speedup_ratio_of_sums, &one.speedup_geometric_mean];
            cells.extend(speedups.map(|speedup| number(speedup.as_ref())));
        }
        cells.extend(one.transparency.iter().map(|t| with_u(t.pc_a.value, t.pc_a.u)));
        rows.push(cells);
    }
    aligned(&rows)
}

pub(super) fn set(set: &SetRanking) -> String {
    let mut rows = vec![headings(
        "variant | S (geometric, over the sweeps) ± σ | PC_a ± σ | lowest in % of resamples",
    )];
    for one in &set.variants {
        let is_base = one.variant == set.base;
        rows.push(vec![
            visible(&one.variant),
            if is_base { "1 (base)".to_owned() } else { number(one.speedup.as_ref()) },
            with_u(one.pc_a.value, one.pc_a.u),
            one.lowest.map_or_else(|| "n/a".to_owned(), |share| format!("{:.1}", 100.0 * share)),
        ]);
    }
    aligned(&rows)
}

pub(super) fn runs(table: &RunWise) -> String {
    let mut rows =
        vec![headings("run | T(base) ± u | RSU | T ± u | RSU | S ± σ | spread | σ (paired)")];
    for run in &table.runs {
        rows.push(vec![
            (run.run + 1).to_string(),
            time(&run.base.time_ns),
            share(run.base.rsu),
            time(&run.variant.time_ns),
            share(run.variant.rsu),
            number(Some(&run.speedup)),
            run.spread.map_or_else(|| "-".to_owned(), |spread| format!("± {}", digits(spread))),
            run.sigma_paired.map_or_else(|| "-".to_owned(), |sigma| format!("± {}", digits(sigma))),
        ]);
    }
    let mut text = aligned(&rows);
    if let Some(over) = &table.over_runs {
        text += &sentence(&format!(
            "over the runs: S = {} (σ from runs: what another run of the same instances would give)",
            with_u(over.value, over.u)
        ));
    }
    text
}

/// Speedups over the runs side by side: a line for each pair of variants, a column for each point; nothing for one pair.
pub(super) fn side_by_side(all: &[RunWise]) -> String {
    let pairs = each_once(all.iter().map(|table| (&*table.base, &*table.variant)));
    let points = each_once(all.iter().map(|table| (&*table.point, table.processors)));
    if pairs.len() < 2 {
        return String::new();
    }
    let mut first = headings("base over variant");
    first.extend(points.iter().map(|(point, p)| format!("{} p = {p}", visible(point))));
    let mut rows = vec![first];
    for (base, variant) in pairs {
        let mut cells = vec![format!("{} over {}", visible(base), visible(variant))];
        for &(point, p) in &points {
            let of = |table: &&RunWise| {
                (&*table.base, &*table.variant) == (base, variant)
                    && (&*table.point, table.processors) == (point, p)
            };
            cells.push(number(all.iter().find(of).and_then(|table| table.over_runs.as_ref())));
        }
        rows.push(cells);
    }
    let title = "Adjusted speedups S ± σ over the runs, side by side (VoV §5.2.3)";
    format!("{title}\n{}\n", aligned(&rows))
}

/// Times of each instance in each run (VoV, Table 1): a line for each run.
pub(super) fn cells(all: &[Cells]) -> String {
    let mut text = String::new();
    for table in all {
        let (variant, point) = (visible(&table.variant), visible(&table.point));
        text += &format!(
            "{variant}   {point}   p = {}   times in ms (VoV, Table 1)\n",
            table.processors
        );
        let mut first = headings("run");
        first.extend(table.instances.iter().map(|name| visible(name)));
        let mut rows = vec![first];
        for run in &table.runs {
            let mut cells = vec![(run.run + 1).to_string()];
            cells.extend(run.times_ns.iter().map(|ns| digits(ns * 1e-6)));
            rows.push(cells);
        }
        text += &aligned(&rows);
        text.push('\n');
    }
    text
}

/// Coefficients by Foster's two criteria: a line for each model.
pub(super) fn foreign(all: &[ForeignFit]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let listed = |names: &[&str], values: &[f64]| -> String {
        let pairs =
            names.iter().zip(values).map(|(name, value)| format!("{name} = {}", digits(*value)));
        pairs.collect::<Vec<_>>().join(", ")
    };
    let mut rows = vec![headings("Foster's fits, in ns | T | simple | scaled")];
    for fit in all {
        rows.push(vec![
            fit.model.to_owned(),
            fit.formula.to_owned(),
            listed(&fit.names, &fit.simple),
            listed(&fit.names, &fit.scaled),
        ]);
    }
    let predicted = all.iter().filter(|fit| fit.is_own).map(predictions);
    aligned(&rows) + &predicted.collect::<String>()
}

/// Describes the predictions of Foster's two fits of one model (DBPP, Table 3.3).
fn predictions(fit: &ForeignFit) -> String {
    let mut first = vec![format!("{}: n", visible(fit.model))];
    first.extend(headings("p | measured | simple fit | scaled fit"));
    let mut rows = vec![first];
    for one in &fit.predicted {
        let times = [one.measured_ns, one.simple_ns, one.scaled_ns];
        let mut cells = vec![size(one.n), one.p.to_string()];
        cells.extend(times.map(|ns| time_with_uncertainty(ns, None)));
        rows.push(cells);
    }
    aligned(&rows)
}

/// Start-up time and time per unit of messages: a line for each benchmark.
pub(super) fn messages(all: &[MessageCost]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut rows =
        vec![headings("T = t_s + t_w·L over the instances | point | t_s in ns | t_w in ns | per")];
    for cost in all {
        rows.push(vec![
            visible(&cost.variant),
            visible(&cost.point),
            digits(cost.start_up_ns),
            digits(cost.per_unit_ns),
            visible(&cost.unit),
        ]);
    }
    aligned(&rows) + "\n"
}
