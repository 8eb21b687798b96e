//! A first benchmark. Call functions of your own in it.

use plusminus::bench;

#[bench(args = ["12345", "4000000000"])]
fn parse(text: &str) -> u64 {
    text.parse().unwrap()
}

plusminus::main!();
