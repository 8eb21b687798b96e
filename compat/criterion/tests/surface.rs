//! The public surface of criterion 0.5 to 0.8 that benches use, written as benches write it: it has to compile.

use std::{path::Path, time::Duration};

use criterion::{
    AxisScale, BatchSize, Bencher, BenchmarkFilter, BenchmarkGroup, BenchmarkId, Criterion,
    PlotConfiguration, PlottingBackend, SamplingMode, Throughput, black_box, criterion_group,
    measurement::{Measurement, WallTime},
    profiler::{ExternalProfiler, Profiler},
};

fn of_criterion(c: &mut Criterion) {
    c.bench_function("function", |b| b.iter(|| black_box(1)))
        .bench_with_input(BenchmarkId::new("input", 3), &3, |b, n| b.iter(|| *n))
        .bench_with_input(BenchmarkId::from_parameter("text"), "str", |b, text| {
            b.iter(|| text.len())
        });
    let name = String::from("owned");
    c.bench_function(&name, |b: &mut Bencher<'_>| b.iter(|| ()));
    let mut group = c.benchmark_group(format!("group {}", 1));
    settings(&mut group);
    group.bench_function("str", function).bench_function(String::from("string"), function);
    group.bench_function(BenchmarkId::new(String::from("id"), 1.5), function);
    group.bench_with_input("with", &[1, 2][..], |b, list| b.iter(|| list.len()));
    group.finish();
}

/// A profiler of a crate like pprof, which has the trait of the original criterion.
struct OfTheOriginal;

/// A profiler of the user's.
struct Own;

impl Profiler for Own {
    fn start_profiling(&mut self, _: &str, _: &Path) {}

    fn stop_profiling(&mut self, _: &str, _: &Path) {}
}

fn function(b: &mut Bencher<'_>) {
    b.iter(|| ());
}

fn settings<M: Measurement>(group: &mut BenchmarkGroup<'_, M>) {
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_secs(1))
        .nresamples(1000)
        .noise_threshold(0.02)
        .confidence_level(0.99)
        .significance_level(0.01)
        .sampling_mode(SamplingMode::Auto)
        .sampling_mode(SamplingMode::Linear)
        .sampling_mode(SamplingMode::Flat)
        .plot_config(PlotConfiguration::default().summary_scale(AxisScale::Linear));
    for throughput in [
        Throughput::Bits(1),
        Throughput::Bytes(1),
        Throughput::BytesDecimal(1),
        Throughput::Elements(1),
        Throughput::ElementsAndBytes { elements: 1, bytes: 1 },
    ] {
        group.throughput(throughput.clone());
    }
}

fn of_bencher(b: &mut Bencher<'_, WallTime>, which: u8) {
    match which {
        0 => b.iter(|| 1),
        1 => b.iter_custom(Duration::from_nanos),
        2 => b.iter_with_large_drop(|| vec![1]),
        3 => b.iter_with_setup(|| vec![1], |v| v),
        4 => b.iter_with_large_setup(|| vec![1], |v| v),
        5 => b.iter_batched(|| vec![1], |mut v| v.pop(), BatchSize::SmallInput),
        6 => b.iter_batched_ref(|| vec![1], |v| v.pop(), BatchSize::LargeInput),
        7 => b.iter_batched(|| 1, |n| n, BatchSize::PerIteration),
        8 => b.iter_batched(|| 1, |n| n, BatchSize::NumBatches(3)),
        _ => b.iter_batched(|| 1, |n| n, BatchSize::NumIterations(3)),
    }
}

#[cfg(feature = "async_tokio")]
fn of_tokio(b: &mut Bencher<'_>, runtime: &tokio::runtime::Runtime) {
    b.to_async(runtime).iter(|| async { 1 });
    b.to_async(runtime.handle()).iter_batched(|| 1, |n| async move { n }, BatchSize::SmallInput);
    b.to_async(runtime).iter_custom(|calls| async move { Duration::from_nanos(calls) });
}

#[cfg(feature = "async_futures")]
fn of_futures(b: &mut Bencher<'_>) {
    b.to_async(criterion::async_executor::FuturesExecutor).iter_with_large_drop(|| async { 1 });
}

#[cfg(feature = "async_smol")]
fn of_smol(b: &mut Bencher<'_>) {
    b.to_async(criterion::async_executor::SmolExecutor).iter_with_setup(|| 1, |n| async move { n });
}

#[cfg(feature = "async_std")]
fn of_async_std(b: &mut Bencher<'_>) {
    b.to_async(criterion::async_executor::AsyncStdExecutor).iter_batched_ref(
        || 1,
        |n| std::future::ready(*n),
        BatchSize::SmallInput,
    );
}

mod generic {
    use criterion::{Criterion, measurement::Measurement};

    pub(super) fn over<M: Measurement>(c: &mut Criterion<M>) {
        c.benchmark_group("generic").bench_function("one", |b| b.iter(|| 1)).finish_by();
    }

    /// Ends a chain whose last value is not used.
    trait Finish {
        fn finish_by(&mut self) {}
    }

    impl<M: Measurement> Finish for criterion::BenchmarkGroup<'_, M> {}
}

criterion_group!(simple, of_criterion);
criterion_group!(
    name = configured;
    config = Criterion::default()
        .with_measurement(WallTime)
        .with_profiler(ExternalProfiler)
        .with_profiler(Own)
        .with_profiler(OfTheOriginal)
        .sample_size(50)
        .warm_up_time(Duration::from_millis(5))
        .measurement_time(Duration::from_millis(5))
        .nresamples(2000)
        .noise_threshold(0.05)
        .confidence_level(0.9)
        .significance_level(0.1)
        .plotting_backend(PlottingBackend::Plotters)
        .with_plots()
        .without_plots()
        .with_output_color(false)
        .output_directory(Path::new("target"))
        .save_baseline(String::from("main"))
        .retain_baseline(String::from("main"), true)
        .with_filter("a|b")
        .with_benchmark_filter(BenchmarkFilter::AcceptAll)
        .profile_time(None);
    targets = of_criterion, generic::over,
);

#[test]
fn the_surface_compiles() {
    // They may be called by `criterion_main!` only.
    let _: [fn(); 2] = [simple, configured];
    let _: fn(&mut Bencher<'_, WallTime>, u8) = of_bencher;
    #[cfg(feature = "async_tokio")]
    let _: fn(&mut Bencher<'_>, &tokio::runtime::Runtime) = of_tokio;
    #[cfg(feature = "async_futures")]
    let _: fn(&mut Bencher<'_>) = of_futures;
    #[cfg(feature = "async_smol")]
    let _: fn(&mut Bencher<'_>) = of_smol;
    #[cfg(feature = "async_std")]
    let _: fn(&mut Bencher<'_>) = of_async_std;
    Criterion::default().configure_from_args().final_summary();
}
