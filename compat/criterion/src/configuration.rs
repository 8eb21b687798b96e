//! `Criterion`: the object with which bench functions register benchmarks.

use std::{any::TypeId, marker::PhantomData, path::Path, time::Duration};

use crate::{
    Bencher, BenchmarkGroup, BenchmarkId, PlottingBackend,
    measurement::{Measurement, WallTime},
    profiler::ExternalProfiler,
    program::note_idle,
    settings::Settings,
};

/// Registers benchmarks, with the settings of a group of bench functions.
pub struct Criterion<M: Measurement = WallTime> {
    pub(crate) settings: Settings,
    filter: BenchmarkFilter,
    measurement: PhantomData<M>,
}

/// The benchmarks that a program keeps, further limited by the command line.
#[derive(Clone, Debug)]
pub enum BenchmarkFilter {
    /// All of them.
    AcceptAll,
    /// Those whose id a regular expression matches.
    Regex(regex_lite::Regex),
    /// The one of this id.
    Exact(String),
    /// None of them.
    RejectAll,
}

impl BenchmarkFilter {
    fn passes(&self, id: &str) -> bool {
        match self {
            Self::AcceptAll => true,
            Self::Regex(expression) => expression.is_match(id),
            Self::Exact(wanted) => wanted == id,
            Self::RejectAll => false,
        }
    }
}

impl Default for Criterion<WallTime> {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            filter: BenchmarkFilter::AcceptAll,
            measurement: PhantomData,
        }
    }
}

/// Makes methods that take a setting without effect, and note that it was used.
macro_rules! idle {
    ($($(#[$attribute:meta])* $name:ident($($type:ty),*);)+) => {
        $(
            $(#[$attribute])*
            #[must_use]
            pub fn $name(self, $(_: $type),*) -> Self {
                note_idle(stringify!($name));
                self
            }
        )+
    };
}

impl<M: Measurement> Criterion<M> {
    /// Chooses the measurement; the only one is [`WallTime`].
    #[must_use]
    pub fn with_measurement<N: Measurement>(self, _: N) -> Criterion<N> {
        Criterion { settings: self.settings, filter: self.filter, measurement: PhantomData }
    }

    /// Chooses a profiler; one of your own has no effect, and is listed with the settings that have none. It may be one that only the
    /// original criterion knows.
    #[must_use]
    pub fn with_profiler<P: 'static>(self, _: P) -> Self {
        if TypeId::of::<P>() != TypeId::of::<ExternalProfiler>() {
            note_idle("with_profiler");
        }
        self
    }

    /// Limits the time to warm up, of all runs together.
    #[must_use]
    pub fn warm_up_time(mut self, time: Duration) -> Self {
        self.settings.warm_up_time = Some(time);
        self
    }

    /// Limits the time for samples, of all runs together.
    #[must_use]
    pub fn measurement_time(mut self, time: Duration) -> Self {
        self.settings.measurement_time = Some(time);
        self
    }

    /// Sets the part of the time up to which a comparison counts a change as none.
    #[must_use]
    pub fn noise_threshold(mut self, part: f64) -> Self {
        self.settings.noise_threshold = Some(part);
        self
    }

    idle! {
        /// Accepted, without effect: as many samples are taken as time allows.
        sample_size(usize);
        /// Accepted, without effect: nothing is resampled.
        nresamples(usize);
        /// Accepted, without effect: intervals are those for 95 %.
        confidence_level(f64);
        /// Accepted, without effect: verdicts are wrong in at most 5 % of all cases.
        significance_level(f64);
        /// Accepted, without effect: nothing is drawn.
        plotting_backend(PlottingBackend);
        /// Accepted, without effect: nothing is drawn.
        with_plots();
        /// Accepted, without effect: `cargo bench -- --color WHEN` decides.
        with_output_color(bool);
        /// Accepted, without effect: `PLUSMINUS_OUTPUT` sets the place of records.
        output_directory(&Path);
        /// Accepted, without effect: `cargo bench -- --save-baseline NAME` decides.
        save_baseline(String);
        /// Accepted, without effect: `cargo bench -- --baseline NAME` decides.
        retain_baseline(String, bool);
        /// Accepted, without effect: `cargo bench -- --profile-time SECONDS` decides.
        profile_time(Option<Duration>);
    }

    /// Nothing is drawn anyway.
    #[must_use]
    pub fn without_plots(self) -> Self {
        self
    }

    /// Keeps the benchmarks whose id a regular expression matches.
    ///
    /// # Panics
    /// If it is no regular expression.
    #[must_use]
    pub fn with_filter<S: Into<String>>(self, filter: S) -> Self {
        let filter = filter.into();
        match regex_lite::Regex::new(&filter) {
            Ok(expression) => self.with_benchmark_filter(BenchmarkFilter::Regex(expression)),
            Err(error) => panic!("`{filter}` is no regular expression: {error}"),
        }
    }

    /// Keeps the benchmarks that pass.
    #[must_use]
    pub fn with_benchmark_filter(mut self, filter: BenchmarkFilter) -> Self {
        self.filter = filter;
        self
    }

    /// Nothing is left to do: the command line is read before bench functions are called.
    #[must_use]
    pub fn configure_from_args(self) -> Self {
        self
    }

    /// Nothing is left to do: the report comes when all is measured.
    pub fn final_summary(&self) {}

    /// Begins a group of benchmarks, whose ids begin with this name.
    pub fn benchmark_group<S: Into<String>>(&mut self, name: S) -> BenchmarkGroup<'_, M> {
        BenchmarkGroup::new(self, name.into())
    }

    /// Registers a benchmark.
    #[track_caller]
    pub fn bench_function<F>(&mut self, id: &str, run: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        self.benchmark_group(id).bench_function(BenchmarkId::nothing(), run);
        self
    }

    /// Registers a benchmark of an input.
    #[track_caller]
    pub fn bench_with_input<F, I>(&mut self, id: BenchmarkId, input: &I, run: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
        I: ?Sized,
    {
        let (function, parameter) = id.apart();
        self.benchmark_group(function).bench_with_input(parameter, input, run);
        self
    }

    pub(crate) fn keeps(&self, id: &str) -> bool {
        self.filter.passes(id)
    }
}
