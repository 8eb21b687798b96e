use plusminus::bench;

#[bench(sampels = 3)]
fn misspelt() {}

#[bench(wibble = 3, runs = 2)]
fn invented() {}

#[bench(sample_count = 10, counters = [1])]
fn from_another_harness() {}

#[bench(runs = 2, runs = 3)]
fn twice() {}

#[bench(runs)]
fn without_value() {}

#[bench(baseline = true)]
fn with_value() {}

fn main() {
    // The functions are still there: no error follows from the first ones.
    misspelt();
    invented();
}
