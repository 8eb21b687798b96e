//! The result of a study as data: the text is printed from it, and `--json` writes it as it stands.
//!
//! Times are in nanoseconds and end in `_ns`; everything else has no unit. Missing values are null, never NaN.
//! suite/book/study.md describes each field.

use plusminus::{results::Time, text::visible};
use plusminus_analysis::{Confidence, Estimate, Interval, speedup::Speedup};
use serde::Serialize;

use super::apex::ApexMapStudy;
use super::derive::Derived;
use super::extras::{Advice, Cells, ForeignFit, MessageCost};
use super::flat::Flat;
use super::parts::PartsOf;
use super::predict::PredictedSizes;
use super::sets::{Predicted, SetRanking};

/// The version of the format. Fields may be added without a new one.
pub const SCHEMA: u32 = 1;

/// Everything that one call of `cargo plusminus study` found.
#[derive(Debug, Serialize)]
pub struct Document {
    pub schema: u32,
    pub kind: &'static str,
    pub plusminus: &'static str,
    pub records: Vec<RecordOf>,
    pub problems: Vec<ProblemStudy>,
    /// Variants over all problems that have them; null with one problem.
    pub set: Option<SetRanking>,
    pub run_wise: Vec<RunWise>,
    /// Times of each instance in each run, on request.
    pub cells: Vec<Cells>,
    /// t_s and t_w of messages, where fits were asked for.
    pub message_costs: Vec<MessageCost>,
    /// The parts of kernels that declare phases, against the whole.
    pub parts: Vec<PartsOf>,
    pub derived: Vec<Derived>,
    /// Predictions of a file, where one was named.
    pub predicted: Option<PredictedSizes>,
    pub apex_map: Option<ApexMapStudy>,
}

/// Which record was studied.
#[derive(Debug, Serialize)]
pub struct RecordOf {
    pub path: String,
    pub bench: String,
    pub started: String,
    pub commit: Option<String>,
    pub dirty: Option<bool>,
    pub cpu: Option<String>,
    /// The signal that ended it before its time.
    pub interrupted: Option<i32>,
    /// The name of the system, if several are studied.
    pub system: Option<String>,
    /// The name of the new side, which was studied, where the record is that of a comparison.
    pub side: Option<String>,
    /// The process that measured was killed before it ended.
    pub unfinished: bool,
}

/// x ± u. Times and speedups of configurations also have their 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Number {
    pub value: f64,
    pub u: Option<f64>,
    pub degrees_of_freedom: Option<f64>,
    pub low_95: Option<f64>,
    pub high_95: Option<f64>,
}

impl Number {
    fn with(estimate: Estimate, interval: Option<Interval>) -> Self {
        let Estimate { value, u, degrees_of_freedom } = estimate;
        let (low_95, high_95) = interval.map(|interval| (interval.low, interval.high)).unzip();
        Self { value, u, degrees_of_freedom, low_95, high_95 }
    }

    /// A time with the interval that reports print.
    pub fn of_time(time: &Time) -> Self {
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

#[derive(Debug, Serialize)]
pub struct ProblemStudy {
    pub problem: String,
    pub series: Vec<Series>,
    pub advice: Advice,
    pub comparisons: Vec<Comparison>,
    pub notes: Vec<String>,
}

/// One variant over one sweep of n and p.
#[derive(Debug, Serialize)]
pub struct Series {
    pub variant: String,
    /// Distinguishes this sweep from others of the same variant.
    pub sweep: Option<String>,
    pub scaling: Scaling,
    pub advice: Advice,
    pub models: Vec<ModelComparison>,
    /// Fits by other criteria than ours, on request.
    pub foreign_fits: Vec<ForeignFit>,
    /// Performance in the flat metric that was asked for, with the first of the comparisons of models.
    pub flat: Option<Flat>,
}

/// The variable of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sweep {
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

#[derive(Debug, Serialize)]
pub struct Scaling {
    pub sweep: Sweep,
    /// The unit of a weak scaling's work.
    pub work: Option<String>,
    pub rows: Vec<ScalingRow>,
    pub notes: Vec<String>,
    /// Whether it is of the sequential reference, which uses one processor whatever p is.
    #[serde(skip)]
    pub is_reference: bool,
}

#[derive(Debug, Serialize)]
pub struct ScalingRow {
    pub point: String,
    pub n: Option<f64>,
    pub p: usize,
    pub runs: usize,
    pub time_ns: Number,
    /// Its sources, for figures.
    #[serde(skip)]
    pub run_means_ns: Vec<f64>,
    pub speedup_real: Option<Number>,
    /// The reference of the real speedup: the fastest variant measured on one processor at the point.
    pub sequential: Option<String>,
    pub speedup_relative: Option<Number>,
    /// Weak scaling: work per time over that of the first row.
    pub speedup_scaled: Option<Number>,
    /// Weak scaling: growth of work over growth of p.
    pub work_per_processor: Option<f64>,
    /// Which speedup the following come from: "real", "relative" or "scaled".
    pub against: Option<&'static str>,
    pub efficiency: Option<Number>,
    pub overhead_ns: Option<Number>,
    pub karp_flatt: Option<Number>,
    pub isoefficiency_constant: Option<Number>,
    pub superlinear: bool,
}

/// Models that were compared on the same configurations.
#[derive(Debug, Serialize)]
pub struct ModelComparison {
    /// Which configurations: "all", "p = 1", "n = 1024".
    pub over: String,
    pub configurations: usize,
    /// Best first.
    pub models: Vec<FittedModel>,
    pub refused: Vec<Refused>,
    /// The models between which the data cannot decide; one name is a clear choice.
    pub cannot_tell: Vec<&'static str>,
    pub pc_noise: Option<f64>,
    /// Where predictions are allowed: half the smallest (at least 1) to twice the largest measured n, likewise p.
    pub valid_n: Option<[f64; 2]>,
    pub valid_p: Option<[f64; 2]>,
    pub sentences: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct FittedModel {
    pub model: &'static str,
    pub formula: &'static str,
    /// T in nanoseconds.
    pub coefficients: Vec<Coefficient>,
    pub aicc: Option<f64>,
    pub weight: Option<f64>,
    #[serde(flatten)]
    pub pc: Pc,
    /// Amdahl's share of the sequential time.
    pub serial_fraction_of_sequential_time: Option<Number>,
    /// Gustafson's share of the parallel time.
    pub serial_fraction_of_parallel_time: Option<Number>,
    pub usl: Option<Usl>,
    /// ln(measured/predicted), in the order of the scaling table's rows that belong to it.
    pub residuals: Vec<f64>,
}

#[derive(Debug, Serialize)]
pub struct Coefficient {
    pub name: String,
    #[serde(flatten)]
    pub number: Number,
}

#[derive(Debug, Clone, Serialize)]
pub struct Pc {
    pub pc_a: f64,
    pub pc_a_adjusted: Option<f64>,
    pub pc_a_corrected: Option<f64>,
    pub pc_r: Option<f64>,
    pub pc_ratio: Option<f64>,
    /// 1 − R² = SSE′/SS′.
    pub unexplained: Option<f64>,
    pub unresolved_sd: Option<f64>,
    pub pc_noise: Option<f64>,
    pub pc_r_noise: Option<f64>,
    pub pc_r_corrected: Option<f64>,
    pub pc_ratio_noise: Option<f64>,
    pub distinguishable: Option<bool>,
    pub leave_one_out: Option<f64>,
    pub bias_factor: f64,
}

impl Pc {
    pub fn new(
        found: &plusminus_analysis::complexity::Complexity,
        leave_one_out: Option<f64>,
    ) -> Self {
        Self {
            pc_a: found.pc_a,
            pc_a_adjusted: found.pc_a_adjusted,
            pc_a_corrected: found.noise.map(|noise| noise.pc_a_corrected),
            pc_r: found.pc_r,
            pc_ratio: found.pc_ratio,
            unexplained: found.unexplained,
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

#[derive(Debug, Serialize)]
pub struct Usl {
    pub contention: Number,
    pub coherency: Number,
    pub peak: Option<Number>,
}

#[derive(Debug, Serialize)]
pub struct Refused {
    pub model: &'static str,
    pub reason: String,
}

/// Variants side by side: faster, and more transparent?
#[derive(Debug, Serialize)]
pub struct Comparison {
    pub sweep: Option<String>,
    pub base: String,
    /// The configurations that all variants share.
    pub configurations: usize,
    pub models: Vec<&'static str>,
    /// The one of them that ranks first for the base.
    pub simplest: &'static str,
    pub variants: Vec<Compared>,
    /// Times of each variant, and the predictions of that model.
    #[serde(skip)]
    pub predicted: Vec<Predicted>,
    pub sentences: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Compared {
    pub variant: String,
    /// Σ T(base) / Σ T(variant); null for the base.
    pub speedup_ratio_of_sums: Option<Number>,
    pub speedup_geometric_mean: Option<Number>,
    pub transparency: Vec<TransparencyOf>,
}

/// PC_a ± σ of a variant under one model.
#[derive(Debug, Serialize)]
pub struct TransparencyOf {
    pub model: &'static str,
    /// u is σ over resampled configurations.
    pub pc_a: Number,
    pub leave_one_out: Option<f64>,
    /// The share of resamples in which no other variant has a lower PC_a.
    pub lowest: Option<f64>,
    /// The share of resamples in which its PC_a is not above that of the base.
    pub below_base: Option<f64>,
}

/// Adjusted speedups run by run (VoV, figures 5 and 7).
#[derive(Debug, Serialize)]
pub struct RunWise {
    pub problem: String,
    pub point: String,
    /// `scale@p` and the maximal weight, where the point is one of the shortest path study.
    pub scale: Option<u32>,
    pub max_weight: Option<u32>,
    pub processors: usize,
    pub base: String,
    pub variant: String,
    pub instances: usize,
    pub runs: Vec<Run>,
    /// Of means over instances, over all runs; σ from runs.
    pub over_runs: Option<Number>,
    pub pairs: usize,
    pub pairs_within_sigma: usize,
    pub sentences: Vec<String>,
}

impl RunWise {
    /// The two variants, and the weights that the problem is limited to.
    pub fn pair(&self) -> String {
        let weight = self.max_weight.map_or(String::new(), |most| format!(", weights to {most}"));
        format!("{} against {}{weight}", visible(&self.variant), visible(&self.base))
    }

    /// Whether both are of the same variants of the same problem.
    pub fn is_like(&self, other: &Self) -> bool {
        self.problem == other.problem && self.pair() == other.pair()
    }
}

#[derive(Debug, Serialize)]
pub struct Run {
    pub run: u32,
    pub base: Side,
    pub variant: Side,
    /// S = mean(base)/mean(variant) over the instances, σ by (VoV 8) from standard uncertainties: how sure S is.
    pub speedup: Number,
    /// The same formula with standard deviations: how single instances scatter.
    pub spread: Option<f64>,
    /// σ where the instances count as pairs (VoV 6 with its covariance term).
    pub sigma_paired: Option<f64>,
}

#[derive(Debug, Serialize)]
pub struct Side {
    pub time_ns: Number,
    pub spread_ns: Option<f64>,
    pub rsu: Option<f64>,
    pub cv: Option<f64>,
}
