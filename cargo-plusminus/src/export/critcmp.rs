//! The format of critcmp: estimates by the names that criterion gives them.

use plusminus::{
    analysis::summary::{quantile, summarize},
    record::{CaseRecord, Record},
    results::{Time, tables},
    text::visible,
};
use serde_json::{Map, Value, json};

use crate::report::json::pretty;

/// The record as one of critcmp's baselines. Its mean is our time, its error our σ; the other estimates are of the means of
/// the runs.
pub(super) fn render(record: &Record, name: &str) -> String {
    let name = visible(name);
    let mut benchmarks = Map::new();
    for table in &tables(record) {
        for row in &table.rows {
            let Some(time) = &row.time else { continue };
            let full = visible(&row.case.name);
            benchmarks.insert(full.clone(), benchmark(&name, &full, row.case, time));
        }
    }
    pretty(&json!({ "name": name, "benchmarks": benchmarks }))
}

fn benchmark(baseline: &str, full: &str, case: &CaseRecord, time: &Time) -> Value {
    json!({
        "baseline": baseline,
        "fullname": format!("{baseline}/{full}"),
        "criterion_benchmark_v1": {
            "group_id": full,
            "function_id": null,
            "value_str": null,
            "throughput": throughput(case),
            "full_id": full,
            "directory_name": full,
        },
        "criterion_estimates_v1": estimates(time),
    })
}

/// The first kind of work of a call: critcmp knows bytes and elements.
fn throughput(case: &CaseRecord) -> Value {
    let work = case.instances.iter().filter_map(|instance| instance.work.first());
    let (mut sum, mut count, mut unit) = (0.0, 0.0, "");
    for (name, amount) in work {
        sum += amount;
        count += 1.0;
        unit = name;
    }
    let mean = (sum / count).round();
    if !(count > 0.0 && (1.0..1e19).contains(&mean)) {
        return Value::Null;
    }
    let key = if ["B", "bytes"].contains(&unit) { "Bytes" } else { "Elements" };
    json!({ key: mean as u64 })
}

fn estimates(time: &Time) -> Value {
    let value = time.estimate.value;
    let interval = time.interval().map_or((value, value), |interval| (interval.low, interval.high));
    let of = |point: f64, error: f64, (low, high): (f64, f64)| {
        json!({
            "confidence_interval": { "confidence_level": 0.95, "lower_bound": low, "upper_bound": high },
            "point_estimate": point,
            "standard_error": error,
        })
    };
    let alone = |point: f64| of(point, 0.0, (point, point));
    let median = quantile(&time.run_means_ns, 0.5).unwrap_or(value);
    let away: Vec<f64> = time.run_means_ns.iter().map(|mean| (mean - median).abs()).collect();
    let spread = summarize(&time.run_means_ns).ok().and_then(|all| all.spread).unwrap_or(0.0);
    json!({
        "mean": of(value, time.estimate.u.unwrap_or(0.0), interval),
        "median": alone(median),
        "median_abs_dev": alone(quantile(&away, 0.5).unwrap_or(0.0)),
        "slope": null,
        "std_dev": alone(spread),
    })
}
