//! Written for criterion, and not changed.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use from_criterion::fibonacci;

fn numbers(c: &mut Criterion) {
    c.bench_function("fibonacci 20", |b| b.iter(|| fibonacci(black_box(20))));
    let mut group = c.benchmark_group("several");
    for n in [10, 40, 80] {
        group.throughput(Throughput::Elements(n.into()));
        group.bench_with_input(BenchmarkId::from_parameter(n), &n, |b, &n| b.iter(|| fibonacci(n)));
    }
    group.finish();
}

criterion_group!(benches, numbers);
criterion_main!(benches);
