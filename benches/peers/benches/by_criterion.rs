//! The ten kernels under criterion, as its documentation would have them.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use plusminus_peers::kernels;

fn all(criterion: &mut Criterion) {
    criterion.bench_function("arith", |bencher| bencher.iter(kernels::arith));
    criterion.bench_function("fib20", |bencher| bencher.iter(kernels::fib20));
    let numbers = kernels::unsorted();
    criterion.bench_function("sort1000", |bencher| {
        bencher.iter_batched_ref(
            || numbers.clone(),
            |numbers| kernels::sort(numbers),
            BatchSize::SmallInput,
        );
    });
    let bytes = kernels::four_kib();
    criterion.bench_function("hash4k", |bencher| bencher.iter(|| kernels::hash(&bytes)));
    criterion.bench_function("hashmap1000", |bencher| bencher.iter(kernels::hashmap1000));
    criterion.bench_function("alloc64k", |bencher| bencher.iter(kernels::alloc64k));
    criterion.bench_function("strfmt", |bencher| bencher.iter(kernels::strfmt));
    let tree = kernels::tree();
    criterion.bench_function("btree", |bencher| bencher.iter(|| kernels::btree(&tree)));
    let cycle = kernels::cycle();
    criterion.bench_function("chase64m", |bencher| bencher.iter(|| kernels::chase(&cycle)));
    let million = kernels::million();
    criterion.bench_function("parsum1m", |bencher| bencher.iter(|| kernels::parsum(&million)));
}

criterion_group!(benches, all);
criterion_main!(benches);
