//! The formats of services that keep times over months.

use plusminus::{
    record::Record,
    results::{Row, tables},
    text::visible,
};
use serde_json::{Map, Value, json};

use super::document;

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
    document(&Value::Object(metrics.into_iter().collect()))
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
    document(&Value::Array(entries))
}

struct Gauge {
    name: &'static str,
    unit: &'static str,
    help: &'static str,
    of: fn(&Row<'_>) -> Option<f64>,
}

const GAUGES: [Gauge; 6] = [
    Gauge {
        name: "plusminus_time_seconds",
        unit: "seconds",
        help: "Time of one call.",
        of: |row| Some(row.estimate()?.value / 1e9),
    },
    Gauge {
        name: "plusminus_time_uncertainty_seconds",
        unit: "seconds",
        help: "Standard uncertainty of the time of one call.",
        of: |row| Some(row.estimate()?.u? / 1e9),
    },
    Gauge {
        name: "plusminus_time_low_95_seconds",
        unit: "seconds",
        help: "Lower end of the 95 % interval of the time.",
        of: |row| Some(row.time.as_ref()?.interval()?.low / 1e9),
    },
    Gauge {
        name: "plusminus_time_high_95_seconds",
        unit: "seconds",
        help: "Upper end of the 95 % interval of the time.",
        of: |row| Some(row.time.as_ref()?.interval()?.high / 1e9),
    },
    Gauge {
        name: "plusminus_speedup_ratio",
        unit: "ratio",
        help: "Time of the baseline variant over the time.",
        of: |row| Some(row.speedup.as_ref()?.speedup.speedup),
    },
    Gauge {
        name: "plusminus_speedup_uncertainty_ratio",
        unit: "ratio",
        help: "Standard uncertainty of the speedup.",
        of: |row| row.speedup.as_ref()?.speedup.sigma,
    },
];

/// OpenMetrics, which Prometheus reads too.
pub(super) fn openmetrics(record: &Record) -> String {
    let escaped =
        |text: &str| visible(text).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let bench = escaped(&record.manifest.bench);
    let mut text = String::new();
    for gauge in &GAUGES {
        let samples: Vec<String> = timed(record, |name, row| {
            let value = (gauge.of)(row)?;
            Some(format!(
                "{}{{bench=\"{bench}\",name=\"{}\"}} {value}\n",
                gauge.name,
                escaped(name)
            ))
        })
        .into_iter()
        .flatten()
        .collect();
        if samples.is_empty() {
            continue;
        }
        let Gauge { name, unit, help, .. } = gauge;
        text.push_str(&format!(
            "# HELP {name} {help}\n# TYPE {name} gauge\n# UNIT {name} {unit}\n"
        ));
        text.push_str(&samples.concat());
    }
    text.push_str("# EOF\n");
    text
}
