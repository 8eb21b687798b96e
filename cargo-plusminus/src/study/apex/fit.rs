//! Apex-MAP's models fitted to a sweep: measured configurations in, models and residuals out.

use plusminus_analysis::{
    Error, Result,
    apex_map::{Access, ApexFit, ApexModel, fit_apex_map_with_capacities},
    complexity::{Complexity, ComplexityOptions, performance_complexity},
};

/// One measured configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Temporal locality α: 1 is uniformly random, towards 0 everything is near the first word.
    pub alpha: f64,
    /// Spatial locality L: consecutive words at each visit.
    pub block_words: usize,
    /// Mean time of one access as one processor sees it.
    pub seconds_per_access: f64,
    /// Its relative standard uncertainty u/mean.
    pub rsu: f64,
}

/// One variant at one point: all localities that were measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// `module::function` of the variant.
    pub variant: String,
    pub point: String,
    /// Processors given to the kernel.
    pub processors: usize,
    /// M: words of all memory together.
    pub memory_words: usize,
    pub samples: Vec<Sample>,
    /// For each complete run, the geometric mean over configurations of the seconds per access; may be empty.
    pub run_means: Vec<f64>,
}

impl Sweep {
    /// A sweep of one processor, without the means of its runs.
    pub fn new(
        variant: impl Into<String>,
        point: impl Into<String>,
        memory_words: usize,
        samples: Vec<Sample>,
    ) -> Self {
        let (variant, point) = (variant.into(), point.into());
        Self { variant, point, processors: 1, memory_words, samples, run_means: Vec::new() }
    }

    /// Nanoseconds per access: fits work best with coefficients near 1.
    pub(super) fn nanoseconds(&self) -> Vec<f64> {
        self.samples.iter().map(|sample| sample.seconds_per_access * 1e9).collect()
    }

    fn accesses(&self) -> Vec<Access> {
        let access = |sample: &Sample| Access {
            alpha: sample.alpha,
            length: sample.block_words as f64,
            memory: self.memory_words as f64,
        };
        self.samples.iter().map(access).collect()
    }
}

/// A sweep with the four models fitted to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    pub sweep: Sweep,
    /// The models 0 to 3.
    pub models: Vec<ModelStudy>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ModelStudy {
    /// Coefficients and predictions in nanoseconds, capacity c in words, leave-one-out PC.
    pub fit: ApexFit,
    /// Performance Complexity with the noise floor.
    pub complexity: Complexity,
    /// ln(measured/predicted) of each configuration.
    pub residuals: Vec<f64>,
    /// The best c is the smallest or the largest that was tried: the sweep does not determine it.
    pub capacity_at_bound: bool,
}

/// The smallest c that is tried, in words: one cache line.
const SMALLEST_CAPACITY: f64 = 8.0;

impl Study {
    /// Fits the four models, c from all of the memory down to one cache line in halves.
    ///
    /// # Errors
    /// When there are fewer than six configurations, or one has a time that is not positive.
    pub fn of(sweep: Sweep) -> Result<Self> {
        let halved = |c: &f64| Some(c / 2.0).filter(|half| *half >= SMALLEST_CAPACITY);
        let tried: Vec<f64> =
            std::iter::successors(Some(sweep.memory_words as f64), halved).collect();
        Self::with_capacities(sweep, &tried)
    }

    /// Fits the four models, with the best of these capacities c, in words; a single one is kept and not fitted.
    ///
    /// # Errors
    /// As [`Study::of`]; also when there is no capacity, or one is not positive.
    pub fn with_capacities(sweep: Sweep, words: &[f64]) -> Result<Self> {
        let models = ApexModel::ALL.map(|model| ModelStudy::of(model, &sweep, words));
        let models = models.into_iter().collect::<Result<_>>()?;
        Ok(Self { sweep, models })
    }

    pub fn model(&self, model: ApexModel) -> &ModelStudy {
        self.models.iter().find(|study| study.fit.model == model).expect("all models are fitted")
    }
}

impl ModelStudy {
    fn of(model: ApexModel, sweep: &Sweep, capacities: &[f64]) -> Result<Self> {
        let times = sweep.nanoseconds();
        let fit = fit_apex_map_with_capacities(model, &sweep.accesses(), &times, capacities)?;
        let rsu: Vec<f64> = sweep.samples.iter().map(|sample| sample.rsu).collect();
        if let Some(index) = rsu.iter().position(|u| !(u.is_finite() && *u >= 0.0)) {
            let reason = "a relative uncertainty must be finite and not negative";
            return Err(Error::Invalid { index, value: rsu[index], reason });
        }
        // Given values are not fitted.
        let is_sought = capacities.len() > 1;
        let fitted_parameters =
            fit.coefficients.len() + usize::from(model.has_capacity() && is_sought);
        let options = ComplexityOptions { fitted_parameters, rsu, ..ComplexityOptions::default() };
        let complexity = performance_complexity(&times, &fit.predictions, &options)?;
        let residuals = times.iter().zip(&fit.predictions).map(|(t, m)| libm::log(t / m)).collect();
        let bounds = [f64::min, f64::max].map(|bound| capacities.iter().copied().reduce(bound));
        let capacity_at_bound =
            is_sought && fit.capacity.is_some() && bounds.contains(&fit.capacity);
        Ok(Self { fit, complexity, residuals, capacity_at_bound })
    }

    /// Capacity c in bytes, where the model has one.
    pub fn capacity_bytes(&self) -> Option<f64> {
        self.fit.capacity.map(|words| 8.0 * words)
    }
}
