//! Groups of benchmarks, and how benchmarks are identified.

use std::{collections::BTreeSet, fmt::Display, time::Duration};

use plusminus::Work;

use crate::{
    Bencher, Criterion, PlotConfiguration, SamplingMode,
    measurement::Measurement,
    program::{bench, note_idle},
    settings::Settings,
};

/// Benchmarks whose ids begin with the same name, and that share settings.
pub struct BenchmarkGroup<'a, M: Measurement> {
    criterion: &'a mut Criterion<M>,
    name: String,
    settings: Settings,
    throughput: Option<Throughput>,
    ids: BTreeSet<String>,
}

/// Makes methods that take a setting without effect, and note that it was used.
macro_rules! idle {
    ($($(#[$attribute:meta])* $name:ident($type:ty);)+) => {
        $(
            $(#[$attribute])*
            pub fn $name(&mut self, _: $type) -> &mut Self {
                note_idle(stringify!($name));
                self
            }
        )+
    };
}

impl<'a, M: Measurement> BenchmarkGroup<'a, M> {
    pub(crate) fn new(criterion: &'a mut Criterion<M>, name: String) -> Self {
        let (settings, ids) = (Settings::default(), BTreeSet::new());
        Self { criterion, name, settings, throughput: None, ids }
    }

    /// Limits the time to warm up, of all runs together.
    pub fn warm_up_time(&mut self, time: Duration) -> &mut Self {
        self.settings.warm_up_time = Some(time);
        self
    }

    /// Limits the time for samples, of all runs together.
    pub fn measurement_time(&mut self, time: Duration) -> &mut Self {
        self.settings.measurement_time = Some(time);
        self
    }

    /// Sets the part of the time up to which a comparison counts a change as none.
    pub fn noise_threshold(&mut self, part: f64) -> &mut Self {
        self.settings.noise_threshold = Some(part);
        self
    }

    /// States the work of one call of the benchmarks that follow.
    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        self.throughput = Some(throughput);
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
        plot_config(PlotConfiguration);
        /// Accepted, without effect: all samples have the same number of calls.
        sampling_mode(SamplingMode);
    }

    /// Registers a benchmark.
    #[track_caller]
    pub fn bench_function<I: IntoBenchmarkId, F>(&mut self, id: I, mut run: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        self.register(id.into_benchmark_id(), |bencher| run(bencher));
        self
    }

    /// Registers a benchmark of an input.
    #[track_caller]
    pub fn bench_with_input<I: IntoBenchmarkId, F, T>(
        &mut self,
        id: I,
        input: &T,
        mut run: F,
    ) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>, &T),
        T: ?Sized,
    {
        self.register(id.into_benchmark_id(), |bencher| run(bencher, input));
        self
    }

    #[track_caller]
    fn register(&mut self, id: BenchmarkId, run: impl FnOnce(&mut Bencher<'_, M>)) {
        let id = id.in_group(&self.name);
        assert!(self.ids.insert(id.clone()), "two benchmarks of a group have the id `{id}`");
        if !self.criterion.keeps(&id) {
            return;
        }
        let work = self.throughput.as_ref().map_or_else(Work::none, Throughput::work);
        bench(&id, self.settings.or(self.criterion.settings).options(), |bencher| {
            run(&mut Bencher::new(bencher.work(work)));
        });
    }

    /// Ends the group.
    pub fn finish(self) {}
}

/// Identifies a benchmark within its group: a function, a parameter, or both.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub struct BenchmarkId {
    function: Option<String>,
    parameter: Option<String>,
}

impl BenchmarkId {
    /// A function with a parameter.
    pub fn new<S: Into<String>, P: Display>(function: S, parameter: P) -> Self {
        Self { function: Some(function.into()), parameter: Some(parameter.to_string()) }
    }

    /// A parameter alone, of a group that is about one function.
    pub fn from_parameter<P: Display>(parameter: P) -> Self {
        Self { function: None, parameter: Some(parameter.to_string()) }
    }

    /// The id of a benchmark that is its group.
    pub(crate) fn nothing() -> Self {
        Self { function: None, parameter: None }
    }

    /// Splits off the function as the name of a group.
    pub(crate) fn apart(self) -> (String, Self) {
        let function = self.function.unwrap_or_default();
        (function, Self { function: None, parameter: self.parameter })
    }

    fn in_group(&self, group: &str) -> String {
        let parts = [Some(group), self.function.as_deref(), self.parameter.as_deref()];
        let parts: Vec<&str> =
            parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        parts.join("/")
    }
}

/// Values that can replace a [`BenchmarkId`]: texts are names of functions.
pub trait IntoBenchmarkId {
    /// The id.
    fn into_benchmark_id(self) -> BenchmarkId;
}

impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}

impl<S: Into<String>> IntoBenchmarkId for S {
    fn into_benchmark_id(self) -> BenchmarkId {
        BenchmarkId { function: Some(self.into()), parameter: None }
    }
}

/// The work of one call, shown as a rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Throughput {
    /// Bits.
    Bits(u64),
    /// Bytes.
    Bytes(u64),
    /// Bytes, which are shown like the others here.
    BytesDecimal(u64),
    /// Elements.
    Elements(u64),
    /// Elements and bytes; tables show the elements.
    ElementsAndBytes {
        /// The elements.
        elements: u64,
        /// The bytes.
        bytes: u64,
    },
}

impl Throughput {
    fn work(&self) -> Work {
        let elements = |count| Work::of("elements", count as f64);
        match *self {
            Self::Bits(count) => Work::bits(count),
            Self::Bytes(count) | Self::BytesDecimal(count) => Work::bytes(count),
            Self::Elements(count) => elements(count),
            Self::ElementsAndBytes { elements: count, bytes } => {
                elements(count).and(Work::bytes(bytes))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_criterion() {
        let of = |id: BenchmarkId| id.in_group("group");
        assert_eq!(of(BenchmarkId::new("function", 3)), "group/function/3");
        assert_eq!(of(BenchmarkId::from_parameter("a b")), "group/a b");
        assert_eq!(of("function".into_benchmark_id()), "group/function");
        assert_eq!(of(BenchmarkId::nothing()), "group");
    }
}
