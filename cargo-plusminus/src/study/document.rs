//! What a study says, as data: the text is printed from it, and `--json` writes it as it stands.
//!
//! Times are in nanoseconds and end in `_ns`; everything else has no unit. What does not exist is null, never NaN.
//! docs/study.md describes each field.

use plusminus::results::Time;
use plusminus_analysis::{Confidence, Estimate, Interval, speedup::Speedup};
use serde::Serialize;

use super::apex::ApexMapStudy;
use super::extras::{Advice, Cells, ForeignFit, MessageCost};
use super::flat::Flat;
use super::parts::PartsOf;
use super::sets::{Predicted, SetRanking};

/// The version of the format. Fields may be added without a new one.
pub(crate) const SCHEMA: u32 = 1;

/// Everything that one call of `cargo plusminus study` found.
#[derive(Debug, Serialize)]
pub(crate) struct Document {
    pub(crate) schema: u32,
    pub(crate) kind: &'static str,
    pub(crate) plusminus: &'static str,
    pub(crate) records: Vec<RecordOf>,
    pub(crate) problems: Vec<ProblemStudy>,
    /// Variants over all problems that have them; null with one problem.
    pub(crate) set: Option<SetRanking>,
    pub(crate) run_wise: Vec<RunWise>,
    /// Times of each instance in each run, where they were asked for.
    pub(crate) cells: Vec<Cells>,
    /// t_s and t_w of messages, where fits were asked for.
    pub(crate) message_costs: Vec<MessageCost>,
    /// The parts of kernels that declare phases, against the whole.
    pub(crate) parts: Vec<PartsOf>,
    pub(crate) apex_map: Option<ApexMapStudy>,
}

/// Which record was studied.
#[derive(Debug, Serialize)]
pub(crate) struct RecordOf {
    pub(crate) path: String,
    pub(crate) bench: String,
    pub(crate) started: String,
    pub(crate) commit: Option<String>,
    pub(crate) dirty: Option<bool>,
    pub(crate) cpu: Option<String>,
    /// The signal that ended it before its time.
    pub(crate) interrupted: Option<i32>,
    /// What the system is called, where several are studied.
    pub(crate) system: Option<String>,
    /// The name of the new side, which was studied, where the record is that of a comparison.
    pub(crate) side: Option<String>,
    /// The process that measured was killed before it ended.
    pub(crate) unfinished: bool,
}

/// x ± u; times and speedups of configurations have their 95 % interval, too.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Number {
    pub(crate) value: f64,
    pub(crate) u: Option<f64>,
    pub(crate) degrees_of_freedom: Option<f64>,
    pub(crate) low_95: Option<f64>,
    pub(crate) high_95: Option<f64>,
}

impl Number {
    fn with(estimate: Estimate, interval: Option<Interval>) -> Self {
        let Estimate { value, u, degrees_of_freedom } = estimate;
        let (low_95, high_95) = interval.map(|interval| (interval.low, interval.high)).unzip();
        Self { value, u, degrees_of_freedom, low_95, high_95 }
    }

    /// A time with the interval that reports print.
    pub(crate) fn of_time(time: &Time) -> Self {
        Self::with(time.estimate, time.interval())
    }
}

impl From<Estimate> for Number {
    fn from(estimate: Estimate) -> Self {
        Self::with(estimate, None)
    }
}

impl From<&Speedup> for Number {
    fn from(speedup: &Speedup) -> Self {
        Self::with(speedup.estimate(), speedup.log_interval(Confidence::P95))
    }
}

/// One problem.
#[derive(Debug, Serialize)]
pub(crate) struct ProblemStudy {
    pub(crate) problem: String,
    pub(crate) series: Vec<Series>,
    pub(crate) comparisons: Vec<Comparison>,
    pub(crate) notes: Vec<String>,
}

/// One variant over one sweep of n and p.
#[derive(Debug, Serialize)]
pub(crate) struct Series {
    pub(crate) variant: String,
    /// What tells this sweep from others of the same variant.
    pub(crate) sweep: Option<String>,
    pub(crate) scaling: Scaling,
    /// What the table advises.
    pub(crate) advice: Advice,
    pub(crate) models: Vec<ModelComparison>,
    /// Fits by other criteria than ours, where they were asked for.
    pub(crate) foreign_fits: Vec<ForeignFit>,
    /// Performance in the flat metric that was asked for, with the first of the comparisons of models.
    pub(crate) flat: Option<Flat>,
}

/// What varies in a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sweep {
    /// One configuration.
    Point,
    /// n at one p.
    Sizes,
    /// p at one n.
    Strong,
    /// n grows with p.
    Weak,
    /// p at each of several n.
    Grid,
    /// n and p in no pattern that has a name.
    Irregular,
    /// Points without a size.
    Points,
}

/// A scaling table.
#[derive(Debug, Serialize)]
pub(crate) struct Scaling {
    pub(crate) sweep: Sweep,
    /// What a weak scaling's work is counted in.
    pub(crate) work: Option<String>,
    pub(crate) rows: Vec<ScalingRow>,
    pub(crate) notes: Vec<String>,
    /// Whether it is of the sequential reference, which uses one processor whatever p is.
    #[serde(skip)]
    pub(crate) is_reference: bool,
}

/// One configuration of a scaling table.
#[derive(Debug, Serialize)]
pub(crate) struct ScalingRow {
    pub(crate) point: String,
    pub(crate) n: Option<f64>,
    pub(crate) p: usize,
    pub(crate) runs: usize,
    pub(crate) time_ns: Number,
    /// What it was made from: for figures.
    #[serde(skip)]
    pub(crate) run_means_ns: Vec<f64>,
    pub(crate) speedup_real: Option<Number>,
    /// The name of what the real speedup is against: the fastest variant measured on one processor at the point.
    pub(crate) sequential: Option<String>,
    pub(crate) speedup_relative: Option<Number>,
    /// Weak scaling: work per time over that of the first row.
    pub(crate) speedup_scaled: Option<Number>,
    /// Weak scaling: growth of work over growth of p.
    pub(crate) work_per_processor: Option<f64>,
    /// Which speedup the following come from: "real", "relative" or "scaled".
    pub(crate) against: Option<&'static str>,
    pub(crate) efficiency: Option<Number>,
    pub(crate) overhead_ns: Option<Number>,
    pub(crate) karp_flatt: Option<Number>,
    pub(crate) isoefficiency_constant: Option<Number>,
    pub(crate) superlinear: bool,
}

/// Models that were compared on the same configurations.
#[derive(Debug, Serialize)]
pub(crate) struct ModelComparison {
    /// Which configurations: "all", "p = 1", "n = 1024".
    pub(crate) over: String,
    pub(crate) configurations: usize,
    /// Best first.
    pub(crate) models: Vec<FittedModel>,
    pub(crate) refused: Vec<Refused>,
    /// The models between which the data cannot decide; one name is a clear choice.
    pub(crate) cannot_tell: Vec<&'static str>,
    pub(crate) pc_noise: Option<f64>,
    /// Where predictions are allowed: half the smallest (at least 1) to twice the largest measured n, likewise p.
    pub(crate) valid_n: Option<[f64; 2]>,
    pub(crate) valid_p: Option<[f64; 2]>,
    pub(crate) sentences: Vec<String>,
}

/// One model fitted.
#[derive(Debug, Serialize)]
pub(crate) struct FittedModel {
    pub(crate) model: &'static str,
    pub(crate) formula: &'static str,
    /// T in nanoseconds.
    pub(crate) coefficients: Vec<Coefficient>,
    pub(crate) aicc: Option<f64>,
    pub(crate) weight: Option<f64>,
    #[serde(flatten)]
    pub(crate) pc: Pc,
    /// Amdahl's share of the sequential time.
    pub(crate) serial_fraction_of_sequential_time: Option<Number>,
    /// Gustafson's share of the parallel time.
    pub(crate) serial_fraction_of_parallel_time: Option<Number>,
    pub(crate) usl: Option<Usl>,
    /// ln(measured/predicted), in the order of the scaling table's rows that belong to it.
    pub(crate) residuals: Vec<f64>,
}

/// A coefficient.
#[derive(Debug, Serialize)]
pub(crate) struct Coefficient {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) number: Number,
}

/// Performance Complexity.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Pc {
    pub(crate) pc_a: f64,
    pub(crate) pc_a_adjusted: Option<f64>,
    pub(crate) pc_a_corrected: Option<f64>,
    pub(crate) pc_r: Option<f64>,
    pub(crate) pc_ratio: Option<f64>,
    pub(crate) unresolved_sd: Option<f64>,
    pub(crate) pc_noise: Option<f64>,
    pub(crate) pc_r_noise: Option<f64>,
    pub(crate) pc_r_corrected: Option<f64>,
    pub(crate) pc_ratio_noise: Option<f64>,
    pub(crate) distinguishable: Option<bool>,
    pub(crate) leave_one_out: Option<f64>,
    pub(crate) bias_factor: f64,
}

impl Pc {
    pub(crate) fn new(
        found: &plusminus_analysis::complexity::Complexity,
        leave_one_out: Option<f64>,
    ) -> Self {
        Self {
            pc_a: found.pc_a,
            pc_a_adjusted: found.pc_a_adjusted,
            pc_a_corrected: found.noise.map(|noise| noise.pc_a_corrected),
            pc_r: found.pc_r,
            pc_ratio: found.pc_ratio,
            unresolved_sd: found.unresolved_sd,
            pc_noise: found.noise.map(|noise| noise.pc_noise),
            pc_r_noise: found.noise.and_then(|noise| noise.pc_r_noise),
            pc_r_corrected: found.noise.and_then(|noise| noise.pc_r_corrected),
            pc_ratio_noise: found.noise.and_then(|noise| noise.pc_ratio_noise),
            distinguishable: found.noise.map(|noise| noise.distinguishable),
            leave_one_out,
            bias_factor: found.bias_factor,
        }
    }
}

/// The Universal Scalability Law.
#[derive(Debug, Serialize)]
pub(crate) struct Usl {
    pub(crate) contention: Number,
    pub(crate) coherency: Number,
    pub(crate) peak: Option<Number>,
}

/// A model without a fit.
#[derive(Debug, Serialize)]
pub(crate) struct Refused {
    pub(crate) model: &'static str,
    pub(crate) reason: String,
}

/// Variants side by side: faster, and more transparent?
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    pub(crate) sweep: Option<String>,
    pub(crate) base: String,
    /// The configurations that all variants share.
    pub(crate) configurations: usize,
    /// The models that could be fitted to all variants.
    pub(crate) models: Vec<&'static str>,
    /// The one of them that ranks first for the base.
    pub(crate) simplest: &'static str,
    pub(crate) variants: Vec<Compared>,
    /// Times of each variant beside what that model predicts.
    #[serde(skip)]
    pub(crate) predicted: Vec<Predicted>,
    pub(crate) sentences: Vec<String>,
}

/// One variant of a comparison.
#[derive(Debug, Serialize)]
pub(crate) struct Compared {
    pub(crate) variant: String,
    /// Σ T(base) / Σ T(variant); null for the base.
    pub(crate) speedup_ratio_of_sums: Option<Number>,
    pub(crate) speedup_geometric_mean: Option<Number>,
    pub(crate) transparency: Vec<TransparencyOf>,
}

/// PC_a ± σ of a variant under one model.
#[derive(Debug, Serialize)]
pub(crate) struct TransparencyOf {
    pub(crate) model: &'static str,
    /// u is σ over resampled configurations.
    pub(crate) pc_a: Number,
    pub(crate) leave_one_out: Option<f64>,
    /// The share of resamples in which no other variant has a lower PC_a.
    pub(crate) lowest: Option<f64>,
    /// The share of resamples in which its PC_a is not above that of the base.
    pub(crate) below_base: Option<f64>,
}

/// Adjusted speedups run by run (VoV, figures 5 and 7).
#[derive(Debug, Serialize)]
pub(crate) struct RunWise {
    pub(crate) problem: String,
    pub(crate) point: String,
    /// `scale@p` and the maximal weight, where the point is one of the shortest path study.
    pub(crate) scale: Option<u32>,
    pub(crate) max_weight: Option<u32>,
    pub(crate) processors: usize,
    pub(crate) base: String,
    pub(crate) variant: String,
    pub(crate) instances: usize,
    pub(crate) runs: Vec<Run>,
    /// Of means over instances, over all runs; σ from runs.
    pub(crate) over_runs: Option<Number>,
    pub(crate) pairs: usize,
    pub(crate) pairs_within_sigma: usize,
    pub(crate) sentences: Vec<String>,
}

/// One run.
#[derive(Debug, Serialize)]
pub(crate) struct Run {
    pub(crate) run: u32,
    pub(crate) base: Side,
    pub(crate) variant: Side,
    /// S = mean(base)/mean(variant) over the instances, σ by (VoV 8) from standard uncertainties: how sure S is.
    pub(crate) speedup: Number,
    /// The same formula with standard deviations: how single instances scatter.
    pub(crate) spread: Option<f64>,
    /// σ where the instances count as pairs (VoV 6 with its covariance term).
    pub(crate) sigma_paired: Option<f64>,
}

/// One variant in one run.
#[derive(Debug, Serialize)]
pub(crate) struct Side {
    pub(crate) time_ns: Number,
    pub(crate) spread_ns: Option<f64>,
    pub(crate) rsu: Option<f64>,
    pub(crate) cv: Option<f64>,
}
