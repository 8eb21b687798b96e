//! Cases: what a benchmark becomes once points and processor counts are spelled out.

use std::{
    collections::BTreeMap,
    panic::{self, AssertUnwindSafe},
};

use super::{Entry, Point, Role, Subject};
use crate::Options;

/// One benchmark at one point with one number of processors: what a line of `--list` names.
#[derive(Clone)]
pub(crate) struct Case {
    /// The benchmark.
    pub(crate) entry: &'static Entry,
    /// The name, unique in the program: `module::function::point`, and `p2` where processors are swept.
    pub(crate) name: String,
    /// The index of the point in the sweep.
    pub(crate) point: usize,
    /// The name of the point; empty for a function without arguments.
    pub(crate) point_name: String,
    /// The size n of the point, if it has one.
    pub(crate) size: Option<f64>,
    /// Processors given to the kernel.
    pub(crate) processors: usize,
    /// What the attribute says.
    pub(crate) options: Options,
}

impl Case {
    /// What identifies the cases that are compared with each other: same problem, same point, same processors.
    pub(crate) fn same_table(&self, other: &Case) -> bool {
        self.entry.problem().is_some()
            && self.entry.problem() == other.entry.problem()
            && self.point == other.point
            && self.processors == other.processors
    }

    /// The path of the problem that it solves, if any.
    pub(crate) fn problem(&self) -> Option<String> {
        match &self.entry.subject {
            Subject::Function(_) => None,
            Subject::Variant(variant) => Some(variant.problem.path()),
        }
    }

    /// The models that a study compares for it.
    pub(crate) fn models(&self) -> &'static [&'static str] {
        match &self.entry.subject {
            Subject::Function(_) => &[],
            Subject::Variant(variant) => (variant.problem.models)(),
        }
    }

    /// Its part in comparisons.
    pub(crate) fn role(&self) -> Role {
        match &self.entry.subject {
            Subject::Function(_) => Role::Contender,
            Subject::Variant(variant) => variant.role,
        }
    }
}

/// All cases of these entries, in their order.
///
/// # Errors
/// A sentence for people, where two benchmarks have the same name.
pub(crate) fn cases(entries: &[&'static Entry]) -> Result<Vec<Case>, String> {
    let mut all = Vec::new();
    for &entry in entries {
        let options = (entry.options)();
        let points = match &entry.subject {
            Subject::Function(function) => points_of(entry, || {
                let argument = |name: String| {
                    // An argument that is a number is taken for the size of the problem.
                    let size = name.parse().ok().filter(|size: &f64| size.is_finite());
                    Point { name, size, processors: Vec::new() }
                };
                (function.points)().into_iter().map(argument).collect()
            })?,
            Subject::Variant(variant) => points_of(entry, variant.problem.points)?,
        };
        for (index, Point { name: point, size, processors: own }) in points.into_iter().enumerate()
        {
            let swept = own.is_empty() && !options.processors.is_empty();
            let counts = match (own.is_empty(), options.processors.is_empty()) {
                (false, _) => own,
                (true, false) => options.processors.clone(),
                (true, true) => vec![1],
            };
            for processors in counts {
                let mut name = entry.path();
                if !point.is_empty() {
                    name = format!("{name}::{}", printable(&point));
                }
                if swept {
                    name = format!("{name}::p{processors}");
                }
                all.push(Case {
                    entry,
                    name,
                    point: index,
                    point_name: point.clone(),
                    size,
                    processors,
                    options: options.clone(),
                });
            }
        }
    }
    unique(&all)?;
    Ok(all)
}

/// The points of a benchmark, or why the code that lists them panicked.
fn points_of(entry: &Entry, list: impl FnOnce() -> Vec<Point>) -> Result<Vec<Point>, String> {
    // Unwind safety: nothing of the list is used after a panic, and the program ends.
    panic::catch_unwind(AssertUnwindSafe(list)).map_err(|payload| {
        let message = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("a panic without a message");
        format!(
            "the points of `{}` cannot be listed ({}:{}): {message}",
            entry.path(),
            entry.file,
            entry.line
        )
    })
}

/// A name on one line without control characters, so that a hostile one breaks no listing.
fn printable(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        if character.is_control() {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    text
}

fn unique(cases: &[Case]) -> Result<(), String> {
    let mut seen: BTreeMap<&str, &Case> = BTreeMap::new();
    for case in cases {
        if let Some(first) = seen.insert(&case.name, case) {
            return Err(format!(
                "two benchmarks are named `{}`: {}:{} and {}:{}; give one of them a name of its own with \
                 `name = \"…\"`, or make the points differ when displayed",
                case.name, first.entry.file, first.entry.line, case.entry.file, case.entry.line
            ));
        }
    }
    Ok(())
}
