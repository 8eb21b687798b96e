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

#[bench(max_time = 1)]
fn the_time_of_an_invocation() {}

fn main() {
    the_time_of_an_invocation();
    // The functions are still there: no error follows from the first ones.
    misspelt();
    invented();
}
