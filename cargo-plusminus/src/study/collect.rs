//! From records to series: for each variant one time per run of every configuration (point, n, p).

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use plusminus::{
    record::{CaseRecord, Record, Role},
    results::{self, Against, Placed, Row, Time},
};

/// A record and its source.
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) record: Record,
    /// The name of the new version, where the record is that of a comparison.
    pub(super) side: Option<String>,
    /// The name of the measured system, if several are studied.
    pub(super) system: Option<String>,
}

impl Source {
    /// The name of a variant, with the system where several are studied: the same variant on another one is another.
    pub(super) fn variant(&self, function: &str) -> String {
        self.system.as_ref().map_or_else(|| function.to_owned(), |on| format!("{function} @ {on}"))
    }
}

/// A problem and the variants that solve it; a function on its own is its only variant.
pub(super) struct Problem {
    pub(super) name: String,
    pub(super) variants: Vec<Variant>,
}

/// One variant with everything that was measured of it.
pub(super) struct Variant {
    pub(super) function: String,
    pub(super) role: Role,
    /// Names of the models to compare; none means all that the data allow.
    pub(super) models: Vec<String>,
    pub(super) configurations: Vec<Configuration>,
    /// Unusable measurements, and why.
    pub(super) left_out: Vec<String>,
}

/// One measured configuration.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Configuration {
    pub(super) point: String,
    /// Size n: the problem's value, or the point itself if it is a number.
    pub(super) n: Option<f64>,
    pub(super) p: usize,
    /// Whether it is marked as the sequential reference, which uses one of the processors whatever p is.
    pub(super) sequential: bool,
    /// Time of one call, averaged over the instances.
    pub(super) time: Time,
    /// Speedups against the best sequential variant and against one processor.
    pub(super) against: Against,
    /// The record, and its table: the same processes measured only configurations of one table.
    pub(super) record: usize,
    pub(super) table: usize,
    /// Unit and mean amount of the first kind of work of one call.
    pub(super) work: Option<(String, f64)>,
}

/// Everything that the records measured, problem by problem in their order.
///
/// # Errors
/// When two records measured the same configuration of the same variant: which one is meant is not known.
pub(super) fn collect(sources: &[Source]) -> Result<Vec<Problem>, String> {
    let all: Vec<_> = sources.iter().map(|source| results::tables(&source.record)).collect();
    let rows: Vec<(usize, usize, &Row<'_>)> = all
        .iter()
        .enumerate()
        .flat_map(|(record, tables)| {
            tables.iter().enumerate().map(move |(t, table)| (record, t, table))
        })
        .flat_map(|(record, t, table)| table.rows.iter().map(move |row| (record, t, row)))
        .collect();
    let across = across_on_each_system(sources, &rows);
    let mut problems: Vec<Problem> = Vec::new();
    let mut known = Known::default();
    for ((record, table, row), against) in rows.into_iter().zip(across) {
        let function = sources[record].variant(&row.case.function);
        let (problem, variant) = known.place(&mut problems, row.case, &function);
        let variant_of = &mut problems[problem].variants[variant];
        let found = match configuration(row, against, record, table) {
            Err(reason) => {
                variant_of.left_out.push(reason);
                continue;
            }
            Ok(found) => found,
        };
        match known.configurations.insert((problem, variant, found.point.clone(), found.p), record)
        {
            None => variant_of.configurations.push(found),
            // They differ in something that no model here knows, such as concurrent callers.
            Some(other) if other == record => variant_of.left_out.push(format!(
                "{} is skipped: a different configuration has the same point and p",
                row.case.name
            )),
            Some(other) => {
                return Err(format!(
                    "`{}` was measured in {} and in {}; give only one of them, or call the systems that they were \
                     measured on by different names: NAME=RECORD",
                    row.case.name,
                    sources[other].path.display(),
                    sources[record].path.display()
                ));
            }
        }
    }
    Ok(problems)
}

/// Real and relative speedups of all rows, each against measurements on the same system.
fn across_on_each_system(sources: &[Source], rows: &[(usize, usize, &Row<'_>)]) -> Vec<Against> {
    let mut found = vec![Against::default(); rows.len()];
    let systems: BTreeSet<Option<&String>> =
        sources.iter().map(|source| source.system.as_ref()).collect();
    for system in systems {
        let of_system = |&at: &usize| sources[rows[at].0].system.as_ref() == system;
        let own: Vec<usize> = (0..rows.len()).filter(of_system).collect();
        let placed = |&at: &usize| {
            let (record, table, row) = rows[at];
            Placed { case: row.case, time: row.time.as_ref(), record, table }
        };
        let placed: Vec<Placed<'_>> = own.iter().map(placed).collect();
        for (at, against) in own.into_iter().zip(results::across(&placed)) {
            found[at] = against;
        }
    }
    found
}

/// Where everything is that was collected so far.
#[derive(Default)]
struct Known {
    problems: BTreeMap<String, usize>,
    variants: BTreeMap<(usize, String), usize>,
    /// The record of each point and p of each variant.
    configurations: BTreeMap<(usize, usize, String, usize), usize>,
}

impl Known {
    /// Returns the problem and variant of a case, added at the end if they are new.
    fn place(
        &mut self,
        problems: &mut Vec<Problem>,
        case: &CaseRecord,
        function: &str,
    ) -> (usize, usize) {
        let name = case.problem.as_deref().unwrap_or(&case.function);
        let problem = *self.problems.entry(name.to_owned()).or_insert_with(|| {
            problems.push(Problem { name: name.to_owned(), variants: Vec::new() });
            problems.len() - 1
        });
        let variants = &mut problems[problem].variants;
        let variant = *self.variants.entry((problem, function.to_owned())).or_insert_with(|| {
            variants.push(Variant::new(case, function));
            variants.len() - 1
        });
        (problem, variant)
    }
}

impl Variant {
    fn new(case: &CaseRecord, function: &str) -> Self {
        Self {
            function: function.to_owned(),
            role: case.role,
            models: case.models.clone(),
            configurations: Vec::new(),
            left_out: Vec::new(),
        }
    }
}

/// Returns one configuration from a row of a report, or why it cannot be used.
fn configuration(
    row: &Row<'_>,
    against: Against,
    record: usize,
    table: usize,
) -> Result<Configuration, String> {
    let case = row.case;
    if let Some(failure) = case.failures.first() {
        return Err(format!("{} is skipped: {}", case.name, failure.cause));
    }
    let Some(time) = row.time.clone() else {
        let reason = match row.cells.is_empty() {
            true => "no run of it is complete",
            false => "the clock cannot tell its time from nothing",
        };
        return Err(format!("{} is skipped: {reason}", case.name));
    };
    let amounts: Vec<f64> =
        case.instances.iter().filter_map(|instance| Some(instance.work.first()?.1)).collect();
    let unit = case.instances.first().and_then(|instance| instance.work.first());
    let work = unit
        .filter(|_| amounts.len() == case.instances.len())
        .map(|(unit, _)| (unit.clone(), amounts.iter().sum::<f64>() / amounts.len() as f64));
    Ok(Configuration {
        point: case.point.clone(),
        n: case.size.or_else(|| number(&case.point)).filter(|n| n.is_finite() && *n >= 1.0),
        p: case.processors.max(1),
        sequential: case.role == Role::Reference,
        time,
        against,
        record,
        table,
        work: work.filter(|(_, amount)| amount.is_finite() && *amount > 0.0),
    })
}

/// A point that is nothing but a whole number, as arguments of functions often are.
fn number(point: &str) -> Option<f64> {
    point.parse::<u64>().ok().map(|n| n as f64)
}

/// Configurations that differ in n and p only, in the order of n and then p: one series of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Family {
    /// Distinguishes it from the others; `None` if there is only one.
    pub(super) label: Option<String>,
    pub(super) configurations: Vec<Configuration>,
}

/// Splits a sweep over more than n and p (weights, say) into families: the first configurations of each (n, p) belong
/// together, then the second ones, and so on. Without sizes only the same point on other processors is comparable.
///
/// # Errors
/// When the pairs do not occur equally often, so that what belongs together is not known.
pub(super) fn families(configurations: &[Configuration]) -> Result<Vec<Family>, String> {
    if configurations.is_empty() {
        return Ok(Vec::new());
    }
    let mut families: Vec<Vec<Configuration>> = Vec::new();
    let without_size = configurations.iter().any(|c| c.n.is_none());
    let points: BTreeSet<&str> = configurations.iter().map(|c| c.point.as_str()).collect();
    // The family of each point, or how many configurations of each n and p there have been.
    let mut of_points: BTreeMap<&str, usize> = BTreeMap::new();
    let mut seen: BTreeMap<(Option<u64>, usize), usize> = BTreeMap::new();
    for configuration in configurations {
        let family = if without_size && points.len() == configurations.len() {
            0
        } else if without_size {
            *of_points.entry(&configuration.point).or_insert(families.len())
        } else {
            let count =
                seen.entry((configuration.n.map(f64::to_bits), configuration.p)).or_insert(0);
            *count += 1;
            *count - 1
        };
        if family == families.len() {
            families.push(Vec::new());
        }
        families[family].push(configuration.clone());
    }
    if !without_size
        && let Some(odd) = families.iter().find(|family| family.len() != families[0].len())
    {
        return Err(format!(
            "several points have the same n and p (such as `{}` and `{}`), but not all of them equally often: what \
             belongs to one sweep is not known",
            families[0][0].point, odd[0].point
        ));
    }
    let alone = families.len() == 1;
    if !without_size {
        let n = |c: &Configuration| c.n.unwrap_or(0.0);
        for family in &mut families {
            family.sort_by(|a, b| n(a).total_cmp(&n(b)).then(a.p.cmp(&b.p)));
        }
    }
    Ok(families
        .into_iter()
        .map(|configurations| Family {
            label: (!alone).then(|| label(&configurations)),
            configurations,
        })
        .collect())
}

/// The first point and the last one.
fn label(configurations: &[Configuration]) -> String {
    let (first, last) = (&configurations[0].point, &configurations[configurations.len() - 1].point);
    if first == last { first.clone() } else { format!("{first} … {last}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configuration(point: &str, n: Option<f64>, p: usize) -> Configuration {
        let time = Time::of_runs(&[1.0], 0.0).unwrap();
        let point = point.to_owned();
        Configuration {
            point,
            n,
            p,
            sequential: false,
            time,
            against: Against::default(),
            record: 0,
            table: 0,
            work: None,
        }
    }

    fn points(families: &[Family]) -> Vec<Vec<&str>> {
        let of = |family: &Family| -> Vec<usize> { (0..family.configurations.len()).collect() };
        families
            .iter()
            .map(|f| of(f).into_iter().map(|i| f.configurations[i].point.as_str()).collect())
            .collect()
    }

    #[test]
    fn a_third_parameter_makes_families() {
        let sweep = [
            configuration("14-w255", Some(1.0), 1),
            configuration("15-w255", Some(2.0), 2),
            configuration("14-w100", Some(1.0), 1),
            configuration("15-w100", Some(2.0), 2),
        ];
        let found = families(&sweep).unwrap();
        assert_eq!(points(&found), [["14-w255", "15-w255"], ["14-w100", "15-w100"]]);
        assert_eq!(found[1].label.as_deref(), Some("14-w100 … 15-w100"));
        let error = families(&sweep[..3]).unwrap_err();
        assert!(error.contains("14-w255") && error.contains("14-w100"), "{error}");
        assert_eq!(families(&sweep[..2]).unwrap()[0].label, None);
    }

    #[test]
    fn without_sizes_a_point_on_several_processors_is_by_itself() {
        let sweep =
            [configuration("a", None, 1), configuration("b", None, 1), configuration("a", None, 2)];
        assert_eq!(points(&families(&sweep).unwrap()), [vec!["a", "a"], vec!["b"]]);
        assert_eq!(points(&families(&sweep[..2]).unwrap()), [vec!["a", "b"]]);
    }

    #[test]
    fn points_that_are_numbers_are_sizes() {
        assert_eq!(number("1000"), Some(1000.0));
        assert_eq!(number("rmat-14"), None);
        assert_eq!(number("-3"), None);
    }
}
