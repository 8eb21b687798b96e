//! Parts of a study's document that go beyond tables of scaling and models: advice, and what is printed on request.

use serde::Serialize;

/// What a sweep over processors advises, in sentences: isoefficiency and throughput.
#[derive(Debug, Serialize)]
pub(crate) struct Advice {
    pub(crate) sentences: Vec<String>,
}

/// Coefficients of a model by Foster's two criteria, in nanoseconds.
#[derive(Debug, Serialize)]
pub(crate) struct ForeignFit {
    pub(crate) model: &'static str,
    pub(crate) formula: &'static str,
    pub(crate) names: Vec<&'static str>,
    /// Least squares.
    pub(crate) simple: Vec<f64>,
    /// Least squares of relative differences.
    pub(crate) scaled: Vec<f64>,
    /// What both predict for each configuration, beside what was measured (DBPP, Table 3.3).
    pub(crate) predicted: Vec<ForeignPrediction>,
    /// Whether the model was written on the command line: its predictions are printed.
    #[serde(skip)]
    pub(crate) is_own: bool,
}

/// Times of one configuration in nanoseconds, by Foster's two fits.
#[derive(Debug, Serialize)]
pub(crate) struct ForeignPrediction {
    pub(crate) n: Option<f64>,
    pub(crate) p: usize,
    pub(crate) measured_ns: f64,
    pub(crate) simple_ns: f64,
    pub(crate) scaled_ns: f64,
}

/// What a message costs, from instances that are messages of several lengths.
#[derive(Debug, Serialize)]
pub(crate) struct MessageCost {
    pub(crate) variant: String,
    pub(crate) point: String,
    /// t_s in nanoseconds.
    pub(crate) start_up_ns: f64,
    /// t_w in nanoseconds per unit of work.
    pub(crate) per_unit_ns: f64,
    pub(crate) unit: String,
}

/// Times of each instance in each run of one variant at one point (VoV, Table 1).
#[derive(Debug, Serialize)]
pub(crate) struct Cells {
    pub(crate) variant: String,
    pub(crate) point: String,
    pub(crate) processors: usize,
    /// The names of the instances.
    pub(crate) instances: Vec<String>,
    pub(crate) runs: Vec<CellsOfRun>,
}

/// The times of one run.
#[derive(Debug, Serialize)]
pub(crate) struct CellsOfRun {
    pub(crate) run: u32,
    /// The time of a call on each instance, in their order.
    pub(crate) times_ns: Vec<f64>,
}
