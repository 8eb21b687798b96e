//! Every sample, for your own analyses.

use plusminus::{
    record::{CaseRecord, Measurement, Record},
    text::json_escaped,
};
use serde::Serialize;

use crate::csv::quoted;

/// A sample with everything that identifies it.
#[derive(Serialize)]
struct Sample<'a> {
    benchmark: &'a str,
    problem: Option<&'a str>,
    point: &'a str,
    size: Option<f64>,
    processors: usize,
    threads: usize,
    instance: &'a str,
    run: u32,
    sample: usize,
    calls: u64,
    wall_ns: u64,
    cpu_ns: Option<u64>,
    switches: Option<u64>,
}

fn samples(record: &Record) -> impl Iterator<Item = Sample<'_>> {
    record
        .cases
        .iter()
        .flat_map(|case| case.measurements.iter().flat_map(move |cell| of_cell(case, cell)))
}

fn of_cell<'a>(case: &'a CaseRecord, cell: &'a Measurement) -> impl Iterator<Item = Sample<'a>> {
    cell.wall_ns.iter().enumerate().map(move |(sample, &wall_ns)| Sample {
        benchmark: &case.name,
        problem: case.problem.as_deref(),
        point: &case.point,
        size: case.size,
        processors: case.processors,
        threads: case.threads,
        instance: case.instances.get(cell.instance).map_or("", |instance| &instance.name),
        run: cell.run,
        sample,
        calls: cell.calls,
        wall_ns,
        cpu_ns: cell.cpu_ns.get(sample).copied(),
        switches: cell.switches.get(sample).copied(),
    })
}

pub(super) fn json_lines(record: &Record) -> String {
    let line = |sample: Sample<'_>| {
        json_escaped(&serde_json::to_string(&sample).unwrap_or_default()) + "\n"
    };
    samples(record).map(line).collect()
}

/// A table (RFC 4180).
pub(super) fn csv(record: &Record) -> String {
    let mut text = String::from(
        "benchmark,problem,point,size,processors,threads,instance,run,sample,calls,wall_ns,cpu_ns,switches\n",
    );
    for sample in samples(record) {
        let optional = |number: Option<u64>| number.map_or(String::new(), |n| n.to_string());
        let cells = [
            quoted(sample.benchmark),
            quoted(sample.problem.unwrap_or("")),
            quoted(sample.point),
            sample.size.map_or(String::new(), |size| size.to_string()),
            sample.processors.to_string(),
            sample.threads.to_string(),
            quoted(sample.instance),
            sample.run.to_string(),
            sample.sample.to_string(),
            sample.calls.to_string(),
            sample.wall_ns.to_string(),
            optional(sample.cpu_ns),
            optional(sample.switches),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}
