//! From records to series: for each variant one time per run of every configuration (point, n, p).

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use plusminus::{
    record::{CaseRecord, Record, Role},
    results::{self, Against, Placed, Row, Time},
};

use super::grouped;

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

pub(super) struct Variant {
    pub(super) function: String,
    pub(super) role: Role,
    /// Names of the models to compare; none means all that the data allow.
    pub(super) models: Vec<String>,
    pub(super) configurations: Vec<Configuration>,
    /// Unusable measurements, and why.
    pub(super) left_out: Vec<String>,
}

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

#[cfg(test)]
impl Configuration {
    /// Returns a configuration of one run that took this long.
    pub(super) fn for_test(point: &str, n: Option<f64>, p: usize, ns: f64) -> Self {
        let (point, time) = (point.to_owned(), Time::of_runs(&[ns], 0.0).unwrap());
        let (sequential, against, work) = (false, Against::default(), None);
        Self { point, n, p, sequential, time, against, record: 0, table: 0, work }
    }
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
            variants.push(Variant {
                function: function.to_owned(),
                role: case.role,
                models: case.models.clone(),
                configurations: Vec::new(),
                left_out: Vec::new(),
            });
            variants.len() - 1
        });
        (problem, variant)
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

/// Splits a sweep over more than n and p (weights or shapes, say) into families, by the parts of the points' names that n
/// and p do not decide. A family may be shorter than others. If names tell nothing, the order of the points does: the first
/// configurations of each (n, p) belong together, then the second ones. Without sizes only the same point on other
/// processors is comparable.
pub(super) fn families(configurations: &[Configuration]) -> Vec<Family> {
    let without_size = configurations.iter().any(|c| c.n.is_none());
    let keys = if without_size { by_point(configurations) } else { by_names(configurations) };
    let families = grouped(keys.iter().zip(configurations.iter().cloned()));
    let alone = families.len() == 1;
    let finished = families.into_iter().map(|(_, mut configurations)| {
        if !without_size {
            let n = |c: &Configuration| c.n.unwrap_or(0.0);
            configurations.sort_by(|a, b| n(a).total_cmp(&n(b)).then(a.p.cmp(&b.p)));
        }
        Family { label: (!alone).then(|| label(&configurations)), configurations }
    });
    finished.collect()
}

/// A key for each configuration without a size: its point, unless each point was measured once.
fn by_point(configurations: &[Configuration]) -> Vec<String> {
    let points: BTreeSet<&str> = configurations.iter().map(|c| c.point.as_str()).collect();
    let once = points.len() == configurations.len();
    let key = |c: &Configuration| if once { String::new() } else { c.point.clone() };
    configurations.iter().map(key).collect()
}

/// A size and processors, as what decides a part of a name.
fn of_sweep(c: &Configuration) -> (Option<u64>, usize) {
    (c.n.map(f64::to_bits), c.p)
}

/// A key for each configuration with a size: the parts of its name that differ where n and p are the same.
fn by_names(configurations: &[Configuration]) -> Vec<String> {
    let mut occur: BTreeMap<(Option<u64>, usize), usize> = BTreeMap::new();
    let positions: Vec<usize> = configurations
        .iter()
        .map(|c| {
            let count = occur.entry(of_sweep(c)).or_insert(0);
            *count += 1;
            *count
        })
        .collect();
    let most = occur.values().copied().max().unwrap_or(0);
    if most < 2 {
        return vec![String::new(); configurations.len()];
    }
    let parts: Vec<Vec<&str>> = configurations.iter().map(|c| parts(&c.point)).collect();
    // Texts, with a gap for each number.
    let texts: Vec<String> = parts
        .iter()
        .map(|parts| parts.iter().map(|part| if is_number(part) { "#" } else { *part }).collect())
        .collect();
    let mut values: BTreeMap<(&str, usize, Option<u64>, usize), BTreeSet<&str>> = BTreeMap::new();
    for ((c, text), parts) in configurations.iter().zip(&texts).zip(&parts) {
        let (n, p) = of_sweep(c);
        for (at, part) in parts.iter().enumerate() {
            values.entry((text, at, n, p)).or_default().insert(part);
        }
    }
    let several: BTreeSet<(&str, usize)> = values
        .iter()
        .filter(|(_, values)| values.len() > 1)
        .map(|((text, at, ..), _)| (*text, *at))
        .collect();
    let keys: Vec<String> = texts
        .iter()
        .zip(&parts)
        .map(|(text, parts)| {
            let free = parts.iter().enumerate().filter(|(at, _)| several.contains(&(text, *at)));
            free.fold(text.clone(), |key, (_, part)| format!("{key} {part}"))
        })
        .collect();
    let different: BTreeSet<&String> = keys.iter().collect();
    if different.len() == configurations.len() && occur.values().all(|count| *count == most) {
        return positions.iter().map(ToString::to_string).collect();
    }
    keys
}

/// A name as numbers and the texts between them.
fn parts(name: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let of_kind = |c: char| c.is_ascii_digit() == first.is_ascii_digit();
        let end = rest.find(|c| !of_kind(c)).unwrap_or(rest.len());
        parts.push(&rest[..end]);
        rest = &rest[end..];
    }
    parts
}

fn is_number(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_digit())
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
        Configuration::for_test(point, n, p, 1.0)
    }

    fn points(families: &[Family]) -> Vec<Vec<&str>> {
        let all = families.iter().map(|family| &family.configurations);
        all.map(|own| own.iter().map(|one| one.point.as_str()).collect()).collect()
    }

    #[test]
    fn a_third_parameter_makes_families() {
        let sweep = [
            configuration("14-w255", Some(1.0), 1),
            configuration("15-w255", Some(2.0), 2),
            configuration("14-w100", Some(1.0), 1),
            configuration("15-w100", Some(2.0), 2),
        ];
        let found = families(&sweep);
        assert_eq!(points(&found), [["14-w255", "15-w255"], ["14-w100", "15-w100"]]);
        assert_eq!(found[1].label.as_deref(), Some("14-w100 … 15-w100"));
        let short = families(&sweep[..3]);
        assert_eq!(
            points(&short),
            [vec!["14-w255", "15-w255"], vec!["14-w100"]],
            "one is incomplete"
        );
        assert_eq!(families(&sweep[..2])[0].label, None);
        assert!(families(&[]).is_empty());
    }

    /// The default record of IMSuite: sizes of one shape, and one point of another.
    #[test]
    fn a_shape_that_was_measured_once_is_a_family_by_itself() {
        let sweep = [
            configuration("sp-max-8-p2", Some(8.0), 2),
            configuration("sp-max-64-p1", Some(64.0), 1),
            configuration("sp-max-64-p2", Some(64.0), 2),
            configuration("sp-max-128-p2", Some(128.0), 2),
            configuration("sp-min-64-p2", Some(64.0), 2),
        ];
        let found = families(&sweep);
        let dense = vec!["sp-max-8-p2", "sp-max-64-p1", "sp-max-64-p2", "sp-max-128-p2"];
        assert_eq!(points(&found), [dense, vec!["sp-min-64-p2"]]);
    }

    #[test]
    fn the_order_decides_where_names_tell_nothing() {
        let of = |point: &str, n: f64| configuration(point, Some(n), 1);
        let sweep = [of("a", 1.0), of("b", 2.0), of("c", 1.0), of("d", 2.0)];
        assert_eq!(points(&families(&sweep)), [["a", "b"], ["c", "d"]]);
    }

    #[test]
    fn without_sizes_a_point_on_several_processors_is_by_itself() {
        let sweep =
            [configuration("a", None, 1), configuration("b", None, 1), configuration("a", None, 2)];
        assert_eq!(points(&families(&sweep)), [vec!["a", "a"], vec!["b"]]);
        assert_eq!(points(&families(&sweep[..2])), [vec!["a", "b"]]);
    }

    #[test]
    fn points_that_are_numbers_are_sizes() {
        assert_eq!(number("1000"), Some(1000.0));
        assert_eq!(number("rmat-14"), None);
        assert_eq!(number("-3"), None);
    }
}
