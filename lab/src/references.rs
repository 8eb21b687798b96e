//! Whether real speedups of records are against the best sequential program: nothing that was measured on one processor may
//! be faster than the reference at its point. Reads records of bench targets; measures nothing.

use std::path::PathBuf;

use cargo_plusminus::error::{Error, Result, error};
use plusminus::{
    analysis::Confidence,
    exit,
    record::{self, AnyRecord, Record, Side},
    results::{self, RealSpeedup, Row, TableResults},
    text::visible,
};

/// The arguments of the command.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Records of `cargo bench`.
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
}

/// The findings in a record.
#[derive(Debug, Default, PartialEq)]
struct Found {
    /// Tables that have real speedups.
    tables: usize,
    /// Real speedups of variants on one processor, and of all.
    on_one: usize,
    all: usize,
    /// The largest real speedup on one processor, and whose it is.
    largest: Option<(f64, String)>,
    /// A sentence for each that should not be.
    wrong: Vec<String>,
}

/// Prints a line for each record and one for each speedup that should not be; fails where there is one.
///
/// # Errors
/// When a record cannot be read, or has no real speedup on one processor: that would prove nothing.
pub(crate) fn run(arguments: &Arguments) -> Result<i32> {
    let mut wrong = false;
    for path in &arguments.records {
        let read = record::read_any(path).map_err(|error| Error::Message(error.to_string()))?;
        let record = match read {
            AnyRecord::Measurement(record) => *record,
            AnyRecord::Comparison(record) => record.side(Side::New),
        };
        let found = check(&record);
        let shown = visible(&path.display().to_string());
        let Some((largest, whose)) = &found.largest else {
            return error(format!(
                "{shown}: no real speedup of a variant on one processor; measure a problem that has a reference, with \
                 `--processors 1`"
            ));
        };
        println!(
            "{shown}: {} tables, {} real speedups, {} on one processor; the largest there is {largest:.4}, of {}; {}",
            found.tables,
            found.all,
            found.on_one,
            visible(whose),
            if found.wrong.is_empty() { "none is above 1" } else { "WRONG:" }
        );
        for sentence in &found.wrong {
            println!("  {}", visible(sentence));
        }
        wrong |= !found.wrong.is_empty();
    }
    Ok(if wrong { exit::REGRESSION } else { exit::FINE })
}

/// Goes through all tables of a record.
fn check(record: &Record) -> Found {
    let mut found = Found::default();
    for table in results::tables(record) {
        let before = found.all;
        for row in &table.rows {
            if let Some(real) = &row.real {
                one(&mut found, &table, row, real);
            }
        }
        found.tables += usize::from(found.all > before);
    }
    found
}

/// Looks at the real speedup of one row.
fn one(found: &mut Found, table: &TableResults<'_>, row: &Row<'_>, real: &RealSpeedup) {
    found.all += 1;
    let (name, speedup) = (&row.case.name, real.speedup.speedup);
    if row.case.runs_on_one() {
        found.on_one += 1;
        if found.largest.as_ref().is_none_or(|(largest, _)| speedup > *largest) {
            found.largest = Some((speedup, name.clone()));
        }
        // Without an interval, as from a single run, the number itself is all there is.
        let interval = real.speedup.log_interval(Confidence::P95);
        if interval.map_or(speedup, |interval| interval.low) > 1.0 {
            found.wrong.push(format!(
                "{name}: real S is {speedup:.4} against {} on one processor",
                real.reference
            ));
        }
    }
    let reference = real.reference_ns.value;
    for other in table.rows.iter().filter(|other| other.case.runs_on_one()) {
        if other.time.as_ref().is_some_and(|time| time.estimate.value < reference) {
            found.wrong.push(format!(
                "{name}: its reference {} is not the fastest on one processor, which is {}",
                real.reference, other.case.name
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use plusminus::analysis::{
        Estimate,
        speedup::{Kind, Speedup},
    };

    use super::*;

    fn study() -> Record {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/records/imsuite-study.json");
        record::read(&path).expect("a record of the tests")
    }

    #[test]
    fn a_measured_study_has_nothing_above_its_references() {
        let found = check(&study());
        assert_eq!(found.wrong, Vec::<String>::new());
        assert!(found.on_one > 0 && found.all >= found.on_one && found.tables > 0, "{found:?}");
        assert!(found.largest.is_some_and(|(largest, _)| largest <= 1.0));
    }

    #[test]
    fn a_speedup_above_one_and_a_slow_reference_are_found() {
        let record = study();
        let tables = results::tables(&record);
        let rows = tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
        let on_one = rows.filter(|(_, row)| row.case.runs_on_one());
        let (table, row, real) =
            on_one.filter_map(|(table, row)| Some((table, row, row.real.clone()?))).next().unwrap();

        let exact = |value| Estimate { value, u: Some(0.001 * value), degrees_of_freedom: None };
        let speedup = Speedup::from_estimates(exact(2.0), exact(1.0), Kind::Real).unwrap();
        let mut found = Found::default();
        one(&mut found, table, row, &RealSpeedup { speedup, ..real.clone() });
        assert!(found.wrong[0].contains("real S is 2.0000"), "{:?}", found.wrong);

        let slow = Estimate { value: 1e15, ..real.reference_ns };
        let mut found = Found::default();
        one(&mut found, table, row, &RealSpeedup { reference_ns: slow, ..real });
        assert!(
            found.wrong[0].contains("is not the fastest on one processor"),
            "{:?}",
            found.wrong
        );
    }

    #[test]
    fn a_record_without_references_proves_nothing() {
        let mut record = study();
        record.cases.clear();
        record.order.clear();
        assert_eq!(check(&record), Found::default());
    }
}
