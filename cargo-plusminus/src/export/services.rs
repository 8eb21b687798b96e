//! The formats of services that keep times over months.

use plusminus::{
    record::Record,
    results::{Row, tables},
    text::visible,
};
use serde_json::{Map, Value, json};

use crate::report::json::pretty;

/// Benchmarks with a time, with the name that they have everywhere.
fn timed<R>(record: &Record, mut of: impl FnMut(&str, &Row<'_>) -> R) -> Vec<R> {
    let mut all = Vec::new();
    for table in &tables(record) {
        for row in table.rows.iter().filter(|row| row.time.is_some()) {
            all.push(of(&visible(&row.case.name), row));
        }
    }
    all
}

/// Bencher Metric Format.
pub(super) fn bmf(record: &Record) -> String {
    let metrics = timed(record, |name, row| {
        let mut latency = Map::new();
        let Some(time) = &row.time else { return (name.to_owned(), Value::Null) };
        latency.insert("value".to_owned(), json!(time.estimate.value));
        if let Some(interval) = time.interval() {
            latency.insert("lower_value".to_owned(), json!(interval.low));
            latency.insert("upper_value".to_owned(), json!(interval.high));
        }
        let mut measures = json!({ "latency": latency });
        if let Some((_, rate)) = &row.rate {
            measures["throughput"] = json!({ "value": rate });
        }
        (name.to_owned(), measures)
    });
    pretty(&Value::Object(metrics.into_iter().collect()))
}

/// Returns the format `customSmallerIsBetter` of github-action-benchmark.
pub(super) fn github(record: &Record) -> String {
    let entries = timed(record, |name, row| {
        let estimate = row.estimate();
        let u = estimate.and_then(|estimate| estimate.u);
        json!({
            "name": name,
            "unit": "ns/iter",
            "value": estimate.map(|estimate| estimate.value),
            "range": u.map_or("± n/a".to_owned(), |u| format!("± {u}")),
            "extra": format!("σ over {} runs, each a fresh process", row.runs.len()),
        })
    });
    pretty(&Value::Array(entries))
}

/// The name of a gauge, which ends with its unit, its help, and its value.
type Gauge = (&'static str, &'static str, fn(&Row<'_>) -> Option<f64>);

const GAUGES: [Gauge; 6] = [
    ("plusminus_time_seconds", "Time of one call.", |row| Some(row.estimate()?.value / 1e9)),
    (
        "plusminus_time_uncertainty_seconds",
        "Standard uncertainty of the time of one call.",
        |row| Some(row.estimate()?.u? / 1e9),
    ),
    ("plusminus_time_low_95_seconds", "Lower end of the 95 % interval of the time.", |row| {
        Some(row.time.as_ref()?.interval()?.low / 1e9)
    }),
    ("plusminus_time_high_95_seconds", "Upper end of the 95 % interval of the time.", |row| {
        Some(row.time.as_ref()?.interval()?.high / 1e9)
    }),
    ("plusminus_speedup_ratio", "Time of the baseline variant over the time.", |row| {
        Some(row.speedup.as_ref()?.speedup.speedup)
    }),
    ("plusminus_speedup_uncertainty_ratio", "Standard uncertainty of the speedup.", |row| {
        row.speedup.as_ref()?.speedup.sigma
    }),
];

/// OpenMetrics, which Prometheus reads too.
pub(super) fn openmetrics(record: &Record) -> String {
    let escaped =
        |text: &str| visible(text).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let bench = escaped(&record.manifest.bench);
    let mut text = String::new();
    for (gauge, help, of) in GAUGES {
        let samples = timed(record, |name, row| {
            let labels = format!("bench=\"{bench}\",name=\"{}\"", escaped(name));
            Some(format!("{gauge}{{{labels}}} {}\n", of(row)?))
        });
        let samples: String = samples.into_iter().flatten().collect();
        if samples.is_empty() {
            continue;
        }
        let unit = gauge.rsplit('_').next().unwrap_or_default();
        text.push_str(&format!(
            "# HELP {gauge} {help}\n# TYPE {gauge} gauge\n# UNIT {gauge} {unit}\n{samples}"
        ));
    }
    text.push_str("# EOF\n");
    text
}
