//! Parts of a study's document beyond tables of scaling and models: advice, and output on request.

use serde::Serialize;

/// Advice from a sweep over processors, in sentences: isoefficiency and throughput.
#[derive(Debug, Serialize)]
pub struct Advice {
    pub sentences: Vec<String>,
}

/// Coefficients of a model by Foster's two criteria, in nanoseconds.
#[derive(Debug, Serialize)]
pub struct ForeignFit {
    pub model: &'static str,
    pub formula: &'static str,
    pub names: Vec<&'static str>,
    /// Least squares.
    pub simple: Vec<f64>,
    /// Least squares of relative differences.
    pub scaled: Vec<f64>,
    /// The predictions of both for each configuration, and the measurements (DBPP, Table 3.3).
    pub predicted: Vec<ForeignPrediction>,
    /// Whether the model was written on the command line: its predictions are printed.
    #[serde(skip)]
    pub is_own: bool,
}

/// Times of one configuration in nanoseconds, by Foster's two fits.
#[derive(Debug, Serialize)]
pub struct ForeignPrediction {
    pub n: Option<f64>,
    pub p: usize,
    pub measured_ns: f64,
    pub simple_ns: f64,
    pub scaled_ns: f64,
}

/// The cost of a message, from instances that are messages of several lengths.
#[derive(Debug, Serialize)]
pub struct MessageCost {
    pub variant: String,
    pub point: String,
    /// t_s in nanoseconds of a message, or of a round trip.
    pub start_up_ns: f64,
    /// t_w in nanoseconds per unit of a message's contents.
    pub per_unit_ns: f64,
    pub unit: String,
}

/// Times of each instance in each run of one variant at one point (VoV, Table 1).
#[derive(Debug, Serialize)]
pub struct Cells {
    pub variant: String,
    pub point: String,
    pub processors: usize,
    pub instances: Vec<String>,
    pub runs: Vec<CellsOfRun>,
}

#[derive(Debug, Serialize)]
pub struct CellsOfRun {
    pub run: u32,
    /// The time of a call on each instance, in their order.
    pub times_ns: Vec<f64>,
}
