use plusminus::bench;

#[bench(runs = "five")]
fn text_for_number() {}

#[bench(max_time = "soon")]
fn text_for_time() {}

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

fn main() {}
