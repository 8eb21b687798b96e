//! Settings of criterion's plots and sampling: accepted, and without effect.

/// The scale of an axis.
#[derive(Debug, Default, Clone, Copy)]
pub enum AxisScale {
    /// Linear.
    #[default]
    Linear,
    /// Logarithmic.
    Logarithmic,
}

/// How criterion would draw a group.
#[derive(Debug, Default, Clone)]
#[non_exhaustive]
pub struct PlotConfiguration {}

impl PlotConfiguration {
    /// Chooses the scale of a group's summary.
    #[must_use]
    pub fn summary_scale(self, _: AxisScale) -> Self {
        self
    }
}

/// The plotting backend, without effect.
#[derive(Debug, Clone, Copy)]
pub enum PlottingBackend {
    /// Gnuplot.
    Gnuplot,
    /// The crate `plotters`.
    Plotters,
    /// Nothing.
    None,
}

/// How criterion would choose the number of calls of each sample; the harness has the same number in all of them.
#[derive(Debug, Default, Clone, Copy)]
pub enum SamplingMode {
    /// By the kernel.
    #[default]
    Auto,
    /// A growing number.
    Linear,
    /// The same number.
    Flat,
}
