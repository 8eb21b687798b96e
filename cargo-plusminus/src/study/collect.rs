//! From records to series: for each variant one time per run of every configuration (point, n, p).

use std::path::PathBuf;

use plusminus::{
    record::{CaseRecord, Record, Role},
    report::{self, Row},
};

/// A record and where it came from.
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) record: Record,
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
    /// What could not be used, and why.
    pub(super) left_out: Vec<String>,
}

/// One measured configuration.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Configuration {
    pub(super) point: String,
    /// Size n: what the problem says, or the point itself where that is a number.
    pub(super) n: Option<f64>,
    pub(super) p: usize,
    /// Mean time of one call over the instances, in nanoseconds, for each complete run.
    pub(super) times_ns: Vec<f64>,
    /// The number of each run in its record; only runs of one record with the same number are pairs.
    pub(super) runs: Vec<u32>,
    pub(super) record: usize,
    /// Unit and mean amount of the first kind of work of one call.
    pub(super) work: Option<(String, f64)>,
}

/// Everything that the records measured, problem by problem in their order.
///
/// # Errors
/// When two records measured the same configuration of the same variant: which one is meant is not known.
pub(super) fn collect(sources: &[Source]) -> Result<Vec<Problem>, String> {
    let mut problems: Vec<Problem> = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let tables = report::tables(&source.record);
        for row in tables.iter().flat_map(|table| &table.rows) {
            let case = row.case;
            let name = case.problem.as_deref().unwrap_or(&case.function);
            let problem = entry(&mut problems, |p| p.name == name, || Problem::new(name));
            let variant = entry(
                &mut problem.variants,
                |v| v.function == case.function,
                || Variant::new(case),
            );
            match configuration(row, index) {
                Err(reason) => variant.left_out.push(reason),
                Ok(found) => {
                    let twice = |c: &&Configuration| c.point == found.point && c.p == found.p;
                    if let Some(other) = variant.configurations.iter().find(twice) {
                        if other.record == index {
                            // They differ in something that no model here knows, such as concurrent callers.
                            variant.left_out.push(format!(
                                "{} is left out: another configuration has the same point and p",
                                case.name
                            ));
                            continue;
                        }
                        return Err(format!(
                            "`{}` was measured in {} and in {}; give only one of them",
                            case.name,
                            sources[other.record].path.display(),
                            source.path.display()
                        ));
                    }
                    variant.configurations.push(found);
                }
            }
        }
    }
    Ok(problems)
}

/// The element that is wanted, put at the end where there is none yet.
fn entry<T>(list: &mut Vec<T>, is: impl FnMut(&T) -> bool, new: impl FnOnce() -> T) -> &mut T {
    let at = list.iter().position(is).unwrap_or_else(|| {
        list.push(new());
        list.len() - 1
    });
    &mut list[at]
}

impl Problem {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), variants: Vec::new() }
    }

    /// Run means of the sequential reference at a point, but for the reference itself.
    pub(super) fn sequential(&self, point: &str, variant: &Variant) -> Option<&[f64]> {
        let reference = self.variants.iter().find(|v| v.role == Role::Reference)?;
        if reference.function == variant.function {
            return None;
        }
        let at_point = || reference.configurations.iter().filter(|c| c.point == point);
        let found = at_point().find(|c| c.p == 1).or_else(|| at_point().next())?;
        Some(&found.times_ns)
    }
}

impl Variant {
    fn new(case: &CaseRecord) -> Self {
        Self {
            function: case.function.clone(),
            role: case.role,
            models: case.models.clone(),
            configurations: Vec::new(),
            left_out: Vec::new(),
        }
    }
}

/// What a row of a report says about one configuration, or why it cannot be used.
fn configuration(row: &Row<'_>, record: usize) -> Result<Configuration, String> {
    let case = row.case;
    if let Some(failure) = case.failures.first() {
        return Err(format!("{} is left out: {}", case.name, failure.cause));
    }
    if row.cells.is_empty() {
        return Err(format!("{} is left out: no run of it is complete", case.name));
    }
    let mean = |run: &Vec<f64>| run.iter().sum::<f64>() / run.len() as f64;
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
        times_ns: row.cells.iter().map(mean).collect(),
        runs: row.runs.clone(),
        record,
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
    /// What tells it from the others; `None` where there is only one.
    pub(super) label: Option<String>,
    pub(super) configurations: Vec<Configuration>,
}

/// Splits a sweep over more than n and p (weights, say) into families: the first configurations of each (n, p) belong
/// together, then the second ones, and so on. Without sizes only the same point on other processors is comparable.
///
/// # Errors
/// When the pairs do not occur equally often, so that nobody knows what belongs together.
pub(super) fn families(configurations: &[Configuration]) -> Result<Vec<Family>, String> {
    if configurations.is_empty() {
        return Ok(Vec::new());
    }
    let key = |c: &Configuration| (c.n.map(f64::to_bits), c.p);
    let mut families: Vec<Vec<Configuration>> = Vec::new();
    let without_size = configurations.iter().any(|c| c.n.is_none());
    let repeated =
        |c: &Configuration| configurations.iter().filter(|d| d.point == c.point).count() > 1;
    if without_size && !configurations.iter().any(repeated) {
        families.push(configurations.to_vec());
    } else if without_size {
        for configuration in configurations {
            let same = |family: &Vec<Configuration>| family[0].point == configuration.point;
            entry(&mut families, same, Vec::new).push(configuration.clone());
        }
    } else {
        for configuration in configurations {
            let free = |family: &Vec<Configuration>| {
                family.iter().all(|other| key(other) != key(configuration))
            };
            entry(&mut families, free, Vec::new).push(configuration.clone());
        }
        if let Some(odd) = families.iter().find(|family| family.len() != families[0].len()) {
            return Err(format!(
                "several points have the same n and p (such as `{}` and `{}`), but not all of them equally often: \
                 what belongs to one sweep is not known",
                families[0][0].point, odd[0].point
            ));
        }
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
        let (times_ns, runs) = (vec![1.0], vec![0]);
        Configuration { point: point.to_owned(), n, p, times_ns, runs, record: 0, work: None }
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
