use plusminus::bench;

#[bench(runs = "five")]
fn text_for_number() {}

#[bench(sample_time = "soon")]
fn text_for_time() {}

#[bench(timeout = "5x", margin = "-2%")]
fn units_that_there_are_not() {}

#[bench(launcher = 3)]
fn number_for_launcher() {}

#[bench(launcher = " ")]
fn no_launcher() {}

#[bench(launcher = "mpirun -n {ranks}")]
fn another_place() {}

#[bench(launcher)]
fn launcher_without_a_value() {}

#[bench(threads = "many")]
fn text_for_counts() {}

#[bench(ignore = 3)]
fn number_for_reason() {}

#[bench(name = 3)]
fn number_for_text() {}

#[bench(samples = 0)]
fn nothing_to_measure() {}

#[bench(items = "many")]
fn text_for_count() {}

#[bench(metrics = [String::new()])]
fn no_metric() {}

#[bench(phases = "build")]
fn text_for_phases() {}

#[bench(phases = ["build", 3])]
fn number_for_phase() {}

#[bench(phases = ["build", "build"])]
fn phase_twice() {}

#[bench(phases = [])]
fn no_phases() {}

fn main() {}
