use plusminus::{bench, bench_group};

#[bench_group(args = [1])]
mod for_one_only {}

#[bench_group(smaples = 1)]
mod misspelt {}

#[bench_group(runs = 2)]
fn no_module() {}

#[bench_group(runs = 2, name = "")]
mod without_name {}

#[bench_group(runs = 2)]
mod fine {
    use super::bench;

    #[bench]
    fn inner() {}
}

fn main() {}
