use plusminus::{Bencher, bench};

#[bench]
async fn without_executor() {}

#[bench(executor = 3)]
async fn no_executor() {}

#[bench(executor = 3)]
fn not_asynchronous() {}

#[bench(executor = 3, threads = 2)]
async fn on_threads() {}

#[bench(executor = 3)]
async fn with_bencher(_: Bencher<'_>) {}

fn main() {}
