//! The costs of benchmarks besides time that changed, and the errors for costs that fail the gate.

use plusminus::{
    report::{measure_words, row_costs, row_name},
    results::{CaseResult, Measure, RowResult},
    text::{
        number::{change, counted},
        visible,
    },
};

use super::{Comparison, code};

/// Errors for benchmarks of which other costs fail the gate; the report shows the others.
const ERRORS: usize = 3;

/// Sizes that changed by less, as with nearly every change of code, are shown in full reports only.
const LEAST_OF_SIZES: f64 = 0.01;

impl Comparison {
    /// Whether the gate has a measure that no benchmark has.
    pub(crate) fn lacks_measures(&self) -> bool {
        !self.gate.lacking(self).is_empty()
    }

    /// The measures of a row besides time that fail the gate, unless the change accepts as much.
    pub(crate) fn failing<'a>(
        &'a self,
        case: &CaseResult,
        row: &'a RowResult,
    ) -> impl Iterator<Item = &'a Measure> {
        let accepted = self.bound(case);
        row.measures.iter().filter(move |measure| self.gate.fails(measure, accepted))
    }
}

/// Returns one line for each row of a benchmark whose costs besides time changed, without those of instances that the
/// benchmark as a whole shows. The name of the row is in front if there are several.
pub(crate) fn changed(case: &CaseResult) -> Vec<String> {
    let Some((whole, instances)) = case.rows.split_last() else { return Vec::new() };
    let line = |row: &RowResult| {
        let costs = row_costs(row, false)?;
        Some(match case.rows.len() {
            1 => costs,
            _ => format!("{}: {costs}", row_name(case, row)),
        })
    };
    match line(whole) {
        Some(of_all) => vec![of_all],
        None => instances.iter().filter_map(line).collect(),
    }
}

/// One sentence for the sizes of code and data of all benchmarks, if one of them has changed by enough.
pub(super) fn sizes(comparison: &Comparison) -> Option<String> {
    let rows: Vec<&RowResult> =
        comparison.outcome.cases.iter().filter_map(|case| case.rows.last()).collect();
    let range = |(name, words): (&str, &str)| {
        let changes = rows.iter().filter_map(|row| {
            let size = row.measures.iter().find(|one| one.is_size() && one.name == name)?;
            Some(size.judgement.change()).filter(|by| by.is_finite() && *by != 0.0)
        });
        let changes: Vec<f64> = changes.collect();
        let ends =
            changes.iter().copied().reduce(f64::min).zip(changes.iter().copied().reduce(f64::max));
        let (least, most) =
            ends.filter(|(low, high)| low.abs().max(high.abs()) >= LEAST_OF_SIZES)?;
        let (least, most) = (change(least), change(most));
        let by = if least == most { most } else { format!("{least} to {most}") };
        Some(format!("{words} {by} in {}", counted(changes.len(), "benchmark")))
    };
    let found = [("code", "machine code"), ("data", "data")].into_iter().filter_map(range);
    let found: Vec<String> = found.collect();
    (!found.is_empty()).then(|| format!("Sizes: {}.", found.join(", ")))
}

/// How many benchmarks have costs besides time that changed.
pub(super) fn benchmarks(comparison: &Comparison) -> usize {
    comparison.outcome.cases.iter().filter(|case| !changed(case).is_empty()).count()
}

/// The errors for benchmarks of which a cost besides time fails the gate.
pub(super) fn errors(comparison: &Comparison) -> Vec<String> {
    let mut errors = Vec::new();
    for case in comparison.outcome.cases.iter().filter(|case| case.failure.is_none()) {
        for row in &case.rows {
            let failing = comparison.failing(case, row);
            let words: Vec<String> =
                failing.map(|measure| measure_words(measure, row.margin)).collect();
            if words.is_empty() {
                continue;
            }
            let base = visible(&comparison.base.name);
            let words = words.join(", ");
            let mut said = format!("`{}` costs more than {base}: {words}", row_name(case, row));
            if let Some((file, line)) = &case.place {
                said.push_str(&format!(", {}:{line}", visible(file)));
            }
            if let Some(remark) = code::remark(comparison, &case.name) {
                said.push_str(&format!("\n{remark}"));
            }
            errors.push(said);
        }
    }
    if errors.len() > ERRORS {
        let more = errors.len() - ERRORS;
        errors.truncate(ERRORS);
        errors.push(format!("{more} more rows cost more, as the report shows"));
    }
    errors
}

/// The error for measures of the gate that no benchmark has.
pub(super) fn lacking(comparison: &Comparison) -> Option<String> {
    let names = comparison.gate.lacking(comparison);
    let shown: Vec<String> = names.iter().map(|name| format!("`{}`", visible(name))).collect();
    let mut needs: Vec<&str> = names.iter().filter_map(|name| need(name)).collect();
    needs.dedup();
    (!names.is_empty()).then(|| {
        let said = format!(
            "no benchmark has {} on both sides, so the gate cannot check it",
            shown.join(", ")
        );
        [&[said.as_str()], &needs[..]].concat().join("\n")
    })
}

/// Returns how to get a measure.
fn need(name: &str) -> Option<&'static str> {
    Some(match name {
        "allocations" | "bytes" | "peak" | "kept" => {
            "allocations are counted with `CountingAllocator` as the global allocator of the bench target, in both versions"
        }
        "instructions" => "`--instructions` counts them, under valgrind",
        "memory" => "memory is that of benchmarks that share no input with others",
        "p50" | "p95" | "p99" => {
            "quantiles need samples of one call: kernels of 0.4 ms and more, or `iterations = 1`"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use plusminus::{
        MetricKind, exit,
        record::{ChangedCode, CodeSize, ComparedCase, ComparisonRecord, MetricRecord},
        text::View,
    };

    use super::*;
    use crate::report::{Gate, json, kept_record, markdown, of_record, table};

    /// A comparison of one benchmark, in which a call counts this many probes in base and in new.
    fn counted(base: f64, new: f64) -> ComparisonRecord {
        let mut record = kept_record();
        record.cases.truncate(1);
        let case = &mut record.cases[0];
        let (name, unit) = ("Probes".to_owned(), "probes".to_owned());
        case.metrics = vec![MetricRecord { name, unit, kind: MetricKind::Cost }];
        for block in &mut case.blocks {
            for (side, count) in [(&mut block.base, base), (&mut block.new, new)] {
                side.metrics = vec![vec![count * side.calls as f64; side.wall_ns.len()]];
            }
        }
        record
    }

    #[test]
    fn a_metric_of_the_user_has_a_verdict_and_every_report_shows_its_change() {
        let mut record = counted(5.0, 6.0);
        let size = |part: &str| CodeSize { part: part.to_owned(), base: 1000, new: 1064 };
        record.cases[0].code = Some(ChangedCode {
            first: "bytes".to_owned(),
            only_set_up: false,
            functions: Vec::new(),
            functions_in_all: 0,
            sizes: vec![size("code"), CodeSize { new: 1000, ..size("data") }],
        });
        let mut comparison = of_record(&record);
        let words = "5 → 6 probes per call (+20.0 %)";
        assert_eq!(changed(&comparison.outcome.cases[0]), [words]);
        let text = table::render(&comparison, None, &View { width: 200, ..View::default() });
        assert!(text.contains(&format!("\n    {words}\n")), "{text}");
        assert!(text.contains("; other costs of 1 changed (measured in "), "{text}");
        assert!(text.contains("\nSizes: machine code +6.4 % in 1 benchmark.\n"), "{text}");
        let in_full = View { width: 500, verbose: true, ..View::default() };
        let in_full = table::render(&comparison, None, &in_full);
        assert!(in_full.contains("1000 → 1064 bytes of machine code (+6.4 %), 1000 bytes of data"));
        assert!(markdown::comment(&comparison).contains("parse: 5 → 6 probes per call (+20.0 %)"));
        let json: serde_json::Value = serde_json::from_str(&json::render(&comparison)).unwrap();
        let measures = json["benchmarks"][0]["rows"][0]["measures"].as_array().unwrap();
        let names: Vec<&str> = measures.iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["Probes", "code"]);
        assert_eq!(
            (&measures[0]["exact"], &measures[0]["verdict"]),
            (&true.into(), &"more".into())
        );
        comparison.gate = Gate::parse("time,probes").unwrap();
        comparison.summary.exit_code = exit::REGRESSION;
        let said = errors(&comparison);
        assert!(said[0].starts_with("`parse` costs more than main: 5 → 6 probes"), "{said:?}");
    }

    #[test]
    fn sizes_of_many_benchmarks_are_one_sentence_and_small_ones_none() {
        let mut record = kept_record();
        let template = record.cases[0].clone();
        let sized = |news: &[u64]| {
            let case = |new: &u64| {
                let sizes = [("code", *new), ("data", 1000), ("program", 9000)];
                let sizes =
                    sizes.map(|(part, new)| CodeSize { part: part.to_owned(), base: 1000, new });
                let code = ChangedCode { sizes: sizes.to_vec(), ..ChangedCode::default() };
                ComparedCase { code: Some(code), name: format!("of {new}"), ..template.clone() }
            };
            news.iter().map(case).collect::<Vec<_>>()
        };
        let mut said = |news: &[u64]| {
            record.cases = sized(news);
            let comparison = of_record(&record);
            assert_eq!(benchmarks(&comparison), 0, "sizes are no costs of calls");
            sizes(&comparison)
        };
        let range = said(&[1000, 995, 1039, 1045]).unwrap();
        assert_eq!(range, "Sizes: machine code −0.50 % to +4.5 % in 3 benchmarks.");
        assert_eq!(said(&[1009, 1001, 991]), None);
        assert_eq!(said(&[]), None);
    }

    #[test]
    fn nothing_is_printed_where_nothing_changed_or_a_sample_differs() {
        let mut record = counted(5.0, 6.0);
        record.cases[0].blocks[1].base.metrics[0][2] += 1.0;
        for record in [counted(5.0, 5.0), record] {
            let comparison = of_record(&record);
            let case = &comparison.outcome.cases[0];
            let exact = case.rows[0].measures.iter().filter(|one| one.judgement.is_exact);
            assert!(exact.filter(|one| one.has_changed()).count() == 0);
            assert_eq!(comparison.gate.lacking(&comparison), Vec::<&str>::new());
        }
        let mut comparison = of_record(&counted(5.0, 5.0));
        assert_eq!(changed(&comparison.outcome.cases[0]), Vec::<String>::new());
        comparison.gate = Gate::parse("probes,allocations").unwrap();
        let said = lacking(&comparison).unwrap();
        assert!(said.starts_with("no benchmark has `allocations` on both sides"), "{said}");
    }
}
