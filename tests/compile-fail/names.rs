use plusminus::bench;

#[bench(name = "")]
fn empty() {}

#[bench(name = " blank ")]
fn blanks() {}

#[bench(name = "two\nlines")]
fn lines() {}

#[bench(name = "--help")]
fn option() {}

#[bench(name = "turned\u{202e}around")]
fn invisible() {}

#[bench]
fn same() {}

#[bench(name = "same")]
fn also_the_same() {}

mod elsewhere {
    use plusminus::bench;

    // Another module, another name.
    #[bench]
    fn same() {}
}

fn main() {}
