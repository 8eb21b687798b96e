//! Are fitted latencies and gaps plausible? They are compared with the measurements of micro-kernels.

use plusminus::text::quantity;
use plusminus_analysis::apex_map::ApexModel;
use serde::Serialize;

use super::{Study, of_size};
use crate::study::measured::{Measured, function_of};

/// Problems of micro-kernels, as records name them: random reads, bandwidth, round trips.
pub const MICRO_KERNELS: [&str; 3] =
    ["micro::reads::RandomReads", "micro::bandwidth::Bandwidth", "micro::round_trip::RoundTrip"];

/// Times of micro-kernels, in nanoseconds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Calibration {
    /// Working set in bytes and time of an independent random read.
    reads: Vec<(u64, f64)>,
    /// Array in bytes and time for each word of a running sum.
    sums: Vec<(u64, f64)>,
    /// Array in bytes and time for each word copied.
    copies: Vec<(u64, f64)>,
    /// Time of a question and an answer of one word.
    round_trip: Option<f64>,
    /// The least time for a word and for a byte of any stream on one processor.
    peak: Option<(f64, f64)>,
}

/// A fitted coefficient and a measured one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plausibility {
    /// The coefficient's name in the model.
    pub coefficient: &'static str,
    pub fitted_ns: f64,
    /// The measure that it is compared with.
    pub measure: String,
    /// The measurement of the micro-kernel.
    pub calibrated_ns: f64,
    /// Neither is more than twice the other.
    pub within_factor_two: bool,
}

impl Plausibility {
    /// Fitted over calibrated.
    pub fn ratio(&self) -> f64 {
        self.fitted_ns / self.calibrated_ns
    }
}

impl Calibration {
    /// Collects the micro-kernels of one system. Without any, nothing can be compared.
    pub fn of(measured: &[Measured]) -> Self {
        let [random_reads, bandwidth, round_trip] = MICRO_KERNELS;
        let mut calibration = Self::default();
        for one in measured {
            let (nanoseconds, variant) = (one.call.value * 1e9, function_of(&one.variant));
            let size = quantity::bytes(&one.point).unwrap_or(0);
            if one.problem == random_reads && one.instance == "independent" {
                calibration.reads.push((size, nanoseconds / one.work));
            } else if one.problem == bandwidth && variant.ends_with("::stream_on_one") {
                let per_word = (size, nanoseconds / (size as f64 / 8.0));
                let (word, byte) = calibration.peak.unwrap_or((f64::INFINITY, f64::INFINITY));
                calibration.peak = Some((word.min(per_word.1), byte.min(nanoseconds / one.work)));
                match one.instance.as_str() {
                    "sum" => calibration.sums.push(per_word),
                    "copy" => calibration.copies.push(per_word),
                    _ => {}
                }
            } else if one.problem == round_trip
                && variant.ends_with("::polling")
                && one.instance == "8B"
            {
                calibration.round_trip = Some(nanoseconds / one.work);
            }
        }
        calibration
    }

    /// The least time for a word and for a byte of any stream on one processor, in nanoseconds: the peak of an ideal machine
    /// that takes as long for every access.
    pub fn peak_ns(&self) -> Option<(f64, f64)> {
        self.peak
    }

    /// Returns the capacity c of the fast level, in bytes, from independent random reads. It is the largest working
    /// set whose reads are below the geometric mean of the smallest and the largest one.
    ///
    /// `None` with fewer than three working sets, or if reads of the largest take less than twice as long: then there
    /// are no two levels to distinguish.
    pub fn capacity_bytes(&self) -> Option<u64> {
        let mut reads = self.reads.clone();
        reads.sort_by_key(|(size, _)| *size);
        let [(_, near), _, .., (_, far)] = reads[..] else { return None };
        let halfway = (near * far).sqrt();
        let fast = reads.iter().take_while(|(_, time)| *time < halfway);
        fast.last().map(|(size, _)| *size).filter(|_| far >= 2.0 * near)
    }

    /// Compares the coefficients of model 3 with the micro-kernels that measure the same.
    ///
    /// l₂ is compared with independent reads of a working set as large as M. (Apex-MAP knows its addresses in
    /// advance.) If blocks come by message, it is compared with a round trip. l₁ is compared with reads of the
    /// smallest working set. g₁ and g₂ are compared with copies for the nested array form. Forms that keep a single
    /// sum use a running sum instead. For the fused array form, and with R > 1, no micro-kernel does the same, and
    /// nothing is compared.
    pub fn check(&self, study: &Study) -> Vec<Plausibility> {
        let fit = &study.model(ApexModel::Combined).fit;
        let sweep = &study.sweep;
        let memory = 8 * sweep.memory_words as u64;
        let variant = function_of(&sweep.variant);
        let one_sum = !sweep.point.contains(",R=") && !variant.ends_with("::fused_array");
        let by_message = variant.ends_with("::message") && sweep.processors > 1;
        let gaps = if variant.ends_with("::nested_array") {
            Some(("copy, each word", &self.copies))
        } else {
            one_sum.then_some(("running sum, each word", &self.sums))
        };
        let far = match self.round_trip {
            Some(time) if by_message => Some(("round trip, polling, 8B".to_string(), time)),
            _ if by_message => None,
            _ => nearest("independent read", &self.reads, memory),
        };
        let gap = |size| gaps.and_then(|(what, measured)| nearest(what, measured, size));
        let references = [nearest("independent read", &self.reads, 0), gap(0), far, gap(memory)];
        fit.model
            .coefficient_names()
            .iter()
            .zip(&fit.coefficients)
            .zip(references)
            .filter_map(|((coefficient, fitted), reference)| {
                let ((measure, calibrated_ns), fitted_ns) = (reference?, fitted.value);
                let within_factor_two = (0.5..=2.0).contains(&(fitted_ns / calibrated_ns));
                Some(Plausibility {
                    coefficient,
                    fitted_ns,
                    measure,
                    calibrated_ns,
                    within_factor_two,
                })
            })
            .collect()
    }
}

/// The measurement whose size is nearest, with its name.
fn nearest(what: &str, measured: &[(u64, f64)], size: u64) -> Option<(String, f64)> {
    // On the scale of ratios: 64 MiB is nearer to 128 MiB than to 256 KiB.
    let octave = |bytes: u64| bytes.checked_ilog2().unwrap_or(0);
    let distance = |bytes: u64| octave(bytes).abs_diff(octave(size));
    let (bytes, time) = measured.iter().min_by_key(|(bytes, _)| distance(*bytes))?;
    Some((format!("{what}, {}", of_size(*bytes)), *time))
}
