//! A benchmark for each file of a folder.

use std::{fs, path::Path};

use plusminus::{Registry, Work};
use run_time::longest_line;

/// Is called when benchmarks are listed, and in every process that measures one.
fn longest(registry: &Registry) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    // In the same order in every process.
    files.sort();
    for file in files {
        // Only the section of the wanted benchmark runs in a worker, so that only its file is read.
        registry.section(|| {
            let text = fs::read_to_string(&file).unwrap();
            let name = file.file_stem().unwrap().to_string_lossy();
            registry.bench(&name, |bencher| {
                bencher.work(Work::bytes(text.len() as u64)).bench(|| longest_line(&text));
            });
        });
    }
}

plusminus::register!(longest);
plusminus::main!();
