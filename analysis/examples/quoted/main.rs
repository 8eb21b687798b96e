//! Prints every number that `docs/evidence/formulas.md` quotes, as the lines that stand there:
//! `cargo run -p plusminus-analysis --features models --example quoted`. A test compares the two.

mod text;

fn main() {
    print!("{}", text::text());
}
