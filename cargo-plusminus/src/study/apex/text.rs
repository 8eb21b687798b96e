//! Studies as text: models with their PC, the map of residuals, and rankings.

use std::fmt;

use plusminus_analysis::apex_map::ApexModel;

use super::{ModelStudy, Plausibility, Ranking, Study, of_size};

/// Number and name of a model.
fn name(model: ApexModel) -> &'static str {
    match model {
        ApexModel::Flat => "0 flat",
        ApexModel::TwoLevel => "1 levels",
        ApexModel::LatencyGap => "2 blocks",
        ApexModel::Combined => "3 both",
    }
}

impl fmt::Display for Study {
    /// A table of the models, and below it the residuals of the last one over α × L.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sweep = &self.sweep;
        writeln!(
            f,
            "{}   {}   {} configurations",
            sweep.variant,
            sweep.point,
            sweep.samples.len()
        )?;
        writeln!(
            f,
            "  model         PC_a   ratio    PC_r   adjusted   leave-one-out   corrected    bias   c and coefficients in ns"
        )?;
        for model in &self.models {
            row(f, model)?;
        }
        if let Some(noise) = self.models.first().and_then(|model| model.complexity.noise) {
            writeln!(f, "  noise floor {:8.4}", noise.pc_noise)?;
        }
        residual_map(f, self)
    }
}

/// A number that may be missing.
fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_string(), |value| format!("{value:.4}"))
}

fn row(f: &mut fmt::Formatter<'_>, model: &ModelStudy) -> fmt::Result {
    let pc = &model.complexity;
    write!(
        f,
        "  {:<9} {:8.4} {:>7} {:>7} {:>10} {:>15} {:>11} {:7.4}  ",
        name(model.fit.model),
        pc.pc_a,
        optional(pc.pc_ratio),
        optional(pc.pc_r),
        optional(pc.pc_a_adjusted),
        optional(model.fit.leave_one_out),
        optional(pc.noise.map(|noise| noise.pc_a_corrected)),
        pc.bias_factor,
    )?;
    if let Some(bytes) = model.capacity_bytes() {
        let bound = if model.capacity_at_bound { " (undetermined)" } else { "" };
        write!(f, " c={}{bound}", of_size(bytes.round() as u64))?;
    }
    for (name, value) in model.fit.model.coefficient_names().iter().zip(&model.fit.coefficients) {
        write!(f, " {name}={}", estimate(value.value, value.u))?;
    }
    if pc.noise.is_some_and(|noise| !noise.distinguishable) {
        write!(f, "  not distinguishable from a perfect model")?;
    }
    writeln!(f)
}

/// `x ± u` with two digits of u, or the bound it was put to.
fn estimate(value: f64, u: Option<f64>) -> String {
    match u {
        Some(u) if u > 0.0 => {
            let digits = (1 - u.log10().floor() as i32).clamp(0, 6) as usize;
            format!("{value:.digits$}±{u:.digits$}")
        }
        _ => format!("{value:.3}"),
    }
}

/// Residuals of the last model: rows α, columns L, in percent of the prediction.
fn residual_map(f: &mut fmt::Formatter<'_>, study: &Study) -> fmt::Result {
    let Some(model) = study.models.last() else { return Ok(()) };
    let samples = &study.sweep.samples;
    let mut lengths: Vec<usize> = samples.iter().map(|sample| sample.block_words).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let mut alphas: Vec<f64> = samples.iter().map(|sample| sample.alpha).collect();
    alphas.sort_unstable_by(|a, b| b.total_cmp(a));
    alphas.dedup();
    writeln!(f, "  measured against model 3, in %; rows α, columns L")?;
    write!(f, "        ")?;
    for length in &lengths {
        write!(f, "{length:>6}")?;
    }
    writeln!(f)?;
    for alpha in alphas {
        write!(f, "  {alpha:>6}")?;
        for length in &lengths {
            let here = samples
                .iter()
                .position(|place| place.alpha == alpha && place.block_words == *length);
            match here {
                Some(index) => write!(f, "{:>+6.0}", 100.0 * libm::expm1(model.residuals[index]))?,
                None => write!(f, "{:>6}", "-")?,
            }
        }
        writeln!(f)?;
    }
    Ok(())
}

impl fmt::Display for Ranking {
    /// One line for each variant: how transparent, and how fast.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.ranked.iter().map(|ranked| ranked.variant.len()).max().unwrap_or(0);
        writeln!(
            f,
            "  {:<width$}   PC_a ± σ            lowest   time per access        speedup S ± σ",
            "variant"
        )?;
        for ranked in &self.ranked {
            let speedup = ranked.speedup.map_or("1 (base)".to_owned(), |s| estimate(s.value, s.u));
            writeln!(
                f,
                "  {:<width$}   {:<18}  {:>5.1} %   {:<16} ns   {speedup}",
                ranked.variant,
                estimate(ranked.pc_a.value, ranked.pc_a.u),
                100.0 * ranked.lowest,
                estimate(ranked.access_ns.value, ranked.access_ns.u),
            )?;
        }
        writeln!(
            f,
            "  σ of PC: resampled configurations; lowest: share of resamples in which no other variant has a lower PC;\n  \
             times and speedups: geometric means over configurations, σ over runs"
        )
    }
}

impl fmt::Display for Plausibility {
    /// One line: the coefficient, its reference, and their ratio.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  {:<2} = {:>8.3} ns   {:>8.3} ns {:<42} ×{:.2}   {}",
            self.coefficient,
            self.fitted_ns,
            self.calibrated_ns,
            self.measure,
            self.ratio(),
            if self.within_factor_two { "plausible" } else { "more than a factor of two apart" }
        )
    }
}
