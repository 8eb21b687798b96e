//! What a study says, as data: the text is printed from it, and `--json` writes it as it stands.
//!
//! Times are in nanoseconds and end in `_ns`; everything else has no unit. What does not exist is null, never NaN.
//! docs/study.md describes each field.

use plusminus::results::Time;
use plusminus_analysis::{Confidence, Estimate, Interval, speedup::Speedup};
use serde::Serialize;

/// The version of the format. Fields may be added without a new one.
pub(super) const SCHEMA: u32 = 1;

/// Everything that one call of `cargo plusminus study` found.
#[derive(Debug, Serialize)]
pub(super) struct Document {
    pub(super) schema: u32,
    pub(super) kind: &'static str,
    pub(super) plusminus: &'static str,
    pub(super) records: Vec<RecordOf>,
    pub(super) problems: Vec<ProblemStudy>,
    pub(super) run_wise: Vec<RunWise>,
    pub(super) apex_map: Option<ApexMapStudy>,
}

/// Which record was studied.
#[derive(Debug, Serialize)]
pub(super) struct RecordOf {
    pub(super) path: String,
    pub(super) bench: String,
    pub(super) started: String,
    pub(super) commit: Option<String>,
    pub(super) dirty: Option<bool>,
    pub(super) cpu: Option<String>,
    /// The signal that ended it before its time.
    pub(super) interrupted: Option<i32>,
}

/// x ± u; times and speedups of configurations have their 95 % interval, too.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Number {
    pub(super) value: f64,
    pub(super) u: Option<f64>,
    pub(super) degrees_of_freedom: Option<f64>,
    pub(super) low_95: Option<f64>,
    pub(super) high_95: Option<f64>,
}

impl Number {
    fn with(estimate: Estimate, interval: Option<Interval>) -> Self {
        let Estimate { value, u, degrees_of_freedom } = estimate;
        let (low_95, high_95) = interval.map(|interval| (interval.low, interval.high)).unzip();
        Self { value, u, degrees_of_freedom, low_95, high_95 }
    }

    /// A time with the interval that reports print.
    pub(super) fn of_time(time: &Time) -> Self {
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
pub(super) struct ProblemStudy {
    pub(super) problem: String,
    pub(super) series: Vec<Series>,
    pub(super) comparisons: Vec<Comparison>,
    pub(super) notes: Vec<String>,
}

/// One variant over one sweep of n and p.
#[derive(Debug, Serialize)]
pub(super) struct Series {
    pub(super) variant: String,
    /// What tells this sweep from others of the same variant.
    pub(super) sweep: Option<String>,
    pub(super) scaling: Scaling,
    pub(super) models: Vec<ModelComparison>,
}

/// What varies in a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Sweep {
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
pub(super) struct Scaling {
    pub(super) sweep: Sweep,
    /// What a weak scaling's work is counted in.
    pub(super) work: Option<String>,
    pub(super) rows: Vec<ScalingRow>,
    pub(super) notes: Vec<String>,
}

/// One configuration of a scaling table.
#[derive(Debug, Serialize)]
pub(super) struct ScalingRow {
    pub(super) point: String,
    pub(super) n: Option<f64>,
    pub(super) p: usize,
    pub(super) runs: usize,
    pub(super) time_ns: Number,
    pub(super) speedup_real: Option<Number>,
    /// The name of what the real speedup is against: the fastest variant measured on one processor at the point.
    pub(super) sequential: Option<String>,
    pub(super) speedup_relative: Option<Number>,
    /// Weak scaling: work per time over that of the first row.
    pub(super) speedup_scaled: Option<Number>,
    /// Weak scaling: growth of work over growth of p.
    pub(super) work_per_processor: Option<f64>,
    /// Which speedup the following come from: "real", "relative" or "scaled".
    pub(super) against: Option<&'static str>,
    pub(super) efficiency: Option<Number>,
    pub(super) overhead_ns: Option<Number>,
    pub(super) karp_flatt: Option<Number>,
    pub(super) isoefficiency_constant: Option<Number>,
    pub(super) superlinear: bool,
}

/// Models that were compared on the same configurations.
#[derive(Debug, Serialize)]
pub(super) struct ModelComparison {
    /// Which configurations: "all", "p = 1", "n = 1024".
    pub(super) over: String,
    pub(super) configurations: usize,
    /// Best first.
    pub(super) models: Vec<FittedModel>,
    pub(super) refused: Vec<Refused>,
    /// The models between which the data cannot decide; one name is a clear choice.
    pub(super) cannot_tell: Vec<&'static str>,
    pub(super) pc_noise: Option<f64>,
    /// Where predictions are allowed: half the smallest (at least 1) to twice the largest measured n, likewise p.
    pub(super) valid_n: Option<[f64; 2]>,
    pub(super) valid_p: Option<[f64; 2]>,
    pub(super) sentences: Vec<String>,
}

/// One model fitted.
#[derive(Debug, Serialize)]
pub(super) struct FittedModel {
    pub(super) model: &'static str,
    pub(super) formula: &'static str,
    /// T in nanoseconds.
    pub(super) coefficients: Vec<Coefficient>,
    pub(super) aicc: Option<f64>,
    pub(super) weight: Option<f64>,
    #[serde(flatten)]
    pub(super) pc: Pc,
    /// Amdahl's share of the sequential time.
    pub(super) serial_fraction_of_sequential_time: Option<Number>,
    /// Gustafson's share of the parallel time.
    pub(super) serial_fraction_of_parallel_time: Option<Number>,
    pub(super) usl: Option<Usl>,
    /// ln(measured/predicted), in the order of the scaling table's rows that belong to it.
    pub(super) residuals: Vec<f64>,
}

/// A coefficient.
#[derive(Debug, Serialize)]
pub(super) struct Coefficient {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) number: Number,
}

/// Performance Complexity.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Pc {
    pub(super) pc_a: f64,
    pub(super) pc_a_adjusted: Option<f64>,
    pub(super) pc_a_corrected: Option<f64>,
    pub(super) pc_r: Option<f64>,
    pub(super) pc_ratio: Option<f64>,
    pub(super) unresolved_sd: Option<f64>,
    pub(super) pc_noise: Option<f64>,
    pub(super) distinguishable: Option<bool>,
    pub(super) leave_one_out: Option<f64>,
    pub(super) bias_factor: f64,
}

impl Pc {
    pub(super) fn new(
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
            distinguishable: found.noise.map(|noise| noise.distinguishable),
            leave_one_out,
            bias_factor: found.bias_factor,
        }
    }
}

/// The Universal Scalability Law.
#[derive(Debug, Serialize)]
pub(super) struct Usl {
    pub(super) contention: Number,
    pub(super) coherency: Number,
    pub(super) peak: Option<Number>,
}

/// A model without a fit.
#[derive(Debug, Serialize)]
pub(super) struct Refused {
    pub(super) model: &'static str,
    pub(super) reason: String,
}

/// Variants side by side: faster, and more transparent?
#[derive(Debug, Serialize)]
pub(super) struct Comparison {
    pub(super) sweep: Option<String>,
    pub(super) base: String,
    /// The configurations that all variants share.
    pub(super) configurations: usize,
    /// The models that could be fitted to all variants.
    pub(super) models: Vec<&'static str>,
    pub(super) variants: Vec<Compared>,
    pub(super) sentences: Vec<String>,
}

/// One variant of a comparison.
#[derive(Debug, Serialize)]
pub(super) struct Compared {
    pub(super) variant: String,
    /// Σ T(base) / Σ T(variant); null for the base.
    pub(super) speedup_ratio_of_sums: Option<Number>,
    pub(super) speedup_geometric_mean: Option<Number>,
    pub(super) transparency: Vec<TransparencyOf>,
}

/// PC_a ± σ of a variant under one model.
#[derive(Debug, Serialize)]
pub(super) struct TransparencyOf {
    pub(super) model: &'static str,
    /// u is σ over resampled configurations.
    pub(super) pc_a: Number,
    pub(super) leave_one_out: Option<f64>,
    /// The share of resamples in which no other variant has a lower PC_a.
    pub(super) lowest: Option<f64>,
    /// The share of resamples in which its PC_a is not above that of the base.
    pub(super) below_base: Option<f64>,
}

/// Adjusted speedups run by run (VoV, figures 5 and 7).
#[derive(Debug, Serialize)]
pub(super) struct RunWise {
    pub(super) problem: String,
    pub(super) point: String,
    /// `scale@p` and the maximal weight, where the point is one of the shortest path study.
    pub(super) scale: Option<u32>,
    pub(super) max_weight: Option<u32>,
    pub(super) processors: usize,
    pub(super) base: String,
    pub(super) variant: String,
    pub(super) instances: usize,
    pub(super) runs: Vec<Run>,
    /// Of means over instances, over all runs; σ from runs.
    pub(super) over_runs: Option<Number>,
    pub(super) pairs: usize,
    pub(super) pairs_within_sigma: usize,
    pub(super) sentences: Vec<String>,
}

/// One run.
#[derive(Debug, Serialize)]
pub(super) struct Run {
    pub(super) run: u32,
    pub(super) base: Side,
    pub(super) variant: Side,
    /// S = mean(base)/mean(variant) over the instances, σ by (VoV 8) from standard uncertainties: how sure S is.
    pub(super) speedup: Number,
    /// The same formula with standard deviations: how single instances scatter.
    pub(super) spread: Option<f64>,
    /// σ where the instances count as pairs (VoV 6 with its covariance term).
    pub(super) sigma_paired: Option<f64>,
}

/// One variant in one run.
#[derive(Debug, Serialize)]
pub(super) struct Side {
    pub(super) time_ns: Number,
    pub(super) spread_ns: Option<f64>,
    pub(super) rsu: Option<f64>,
    pub(super) cv: Option<f64>,
}

/// The Apex-MAP study.
#[derive(Debug, Serialize)]
pub(super) struct ApexMapStudy {
    pub(super) sweeps: Vec<ApexSweep>,
    pub(super) rankings: Vec<ApexRanking>,
    pub(super) notes: Vec<String>,
    /// What is printed; made by the suite.
    #[serde(skip)]
    pub(super) text: String,
}

/// One variant at one point.
#[derive(Debug, Serialize)]
pub(super) struct ApexSweep {
    pub(super) variant: String,
    pub(super) point: String,
    pub(super) memory_words: usize,
    pub(super) configurations: Vec<ApexConfiguration>,
    pub(super) models: Vec<ApexModelOf>,
    pub(super) plausibility: Vec<ApexPlausibility>,
}

/// One cell of α × L.
#[derive(Debug, Serialize)]
pub(super) struct ApexConfiguration {
    pub(super) alpha: f64,
    pub(super) block_words: usize,
    pub(super) access_ns: f64,
    pub(super) rsu: f64,
}

/// One of the models 0 to 3.
#[derive(Debug, Serialize)]
pub(super) struct ApexModelOf {
    pub(super) model: usize,
    pub(super) name: &'static str,
    pub(super) capacity_bytes: Option<f64>,
    /// The best c is the smallest or largest that was tried.
    pub(super) capacity_at_bound: bool,
    /// In nanoseconds.
    pub(super) coefficients: Vec<Coefficient>,
    #[serde(flatten)]
    pub(super) pc: Pc,
    /// ln(measured/predicted), in the order of `configurations`.
    pub(super) residuals: Vec<f64>,
}

/// A back-fitted latency or gap beside a micro-kernel's measurement.
#[derive(Debug, Serialize)]
pub(super) struct ApexPlausibility {
    pub(super) coefficient: &'static str,
    pub(super) fitted_ns: f64,
    pub(super) measure: String,
    pub(super) calibrated_ns: f64,
    pub(super) within_factor_two: bool,
}

/// Variants by PC under one model.
#[derive(Debug, Serialize)]
pub(super) struct ApexRanking {
    pub(super) point: String,
    pub(super) model: usize,
    pub(super) variants: Vec<ApexRanked>,
}

/// One variant of a ranking.
#[derive(Debug, Serialize)]
pub(super) struct ApexRanked {
    pub(super) variant: String,
    pub(super) pc_a: Number,
    pub(super) lowest: f64,
    pub(super) access_ns: Number,
    pub(super) speedup: Option<Number>,
}
