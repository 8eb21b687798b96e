//! Cases: what a benchmark becomes once points and processor counts are spelled out.

use std::panic::{self, AssertUnwindSafe};

use super::{
    Entry, Point, RegisteredSubject, Subject, name,
    run_time::{Registered, RegisteredCode, registered},
};
use crate::{
    Options, listed::Listed, options::Ignore, order::order, processor_request, protocol::Role,
    text::visible,
};

/// One benchmark at one point with one number of processors: what a line of `--list` names.
#[derive(Clone)]
pub(crate) struct Case {
    /// The benchmark.
    pub(crate) entry: &'static Entry,
    /// The name, unique in the program: `module::function::point`, and `p2` where processors are swept.
    pub(crate) name: String,
    /// `module::function`; of a benchmark registered at run time, its name.
    pub(crate) function: String,
    /// File and line at which it stands in the source.
    pub(crate) place: (&'static str, u32),
    /// The index of the point in the sweep.
    pub(crate) point: usize,
    /// The name of the point; empty for a function without arguments.
    pub(crate) point_name: String,
    /// The size n of the point, if it has one.
    pub(crate) size: Option<f64>,
    /// Processors given to the kernel.
    pub(crate) processors: usize,
    /// Whether the attribute or the point names them; where neither does, there is one.
    pub(crate) names_processors: bool,
    /// Whether an attribute or the command line keeps it on its one processor.
    pub(crate) confined: bool,
    /// Callers of the kernel at once.
    pub(crate) threads: usize,
    /// The settings of its attribute.
    pub(crate) options: Options,
    /// The section of its registering function that is enough to measure it, if there is one.
    pub(crate) section: Option<u32>,
    /// The addresses of what it alone runs, if it was registered at run time.
    pub(crate) code: RegisteredCode,
}

impl Case {
    /// Returns whether both are compared with each other: same problem, point, processors, threads and launcher.
    pub(crate) fn same_table(&self, other: &Case) -> bool {
        self.entry.problem().is_some()
            && self.entry.problem() == other.entry.problem()
            && self.point == other.point
            && self.processors == other.processors
            && self.threads == other.threads
            && self.options.launcher == other.options.launcher
    }

    /// The reason for which it is skipped unless asked for.
    pub(crate) fn ignored(&self) -> Option<&'static str> {
        match self.options.ignore {
            Some(Ignore::Because(why)) => Some(why),
            Some(Ignore::No) | None => None,
        }
    }

    /// Whether it can count what one solution does.
    pub(crate) fn has_tally(&self) -> bool {
        matches!(&self.entry.subject, Subject::Variant(variant) if variant.tally.is_some())
    }

    /// The path of the problem that it solves, if any.
    pub(crate) fn problem(&self) -> Option<String> {
        match &self.entry.subject {
            Subject::Function(_) | Subject::Registered(_) => None,
            Subject::Variant(variant) => Some(variant.problem.path()),
        }
    }

    /// The models that a study compares for it.
    pub(crate) fn models(&self) -> &'static [&'static str] {
        match &self.entry.subject {
            Subject::Function(_) | Subject::Registered(_) => &[],
            Subject::Variant(variant) => (variant.problem.models)(),
        }
    }

    /// Its part in comparisons.
    pub(crate) fn role(&self) -> Role {
        match &self.entry.subject {
            Subject::Function(_) | Subject::Registered(_) => Role::Contender,
            Subject::Variant(variant) => variant.role,
        }
    }
}

/// All cases of these entries, in their order, on the processors that the command line asks for.
///
/// # Errors
/// A sentence for people, if benchmarks have the same name or an attribute asks for the impossible.
pub(crate) fn cases(entries: &[&'static Entry]) -> Result<Vec<Case>, String> {
    cases_on(processor_request::requested(), entries)
}

/// All cases of these entries, in their order. Processors that are asked for take the place of those in attributes, and
/// leave out points that belong to others.
fn cases_on(asked: Option<&[usize]>, entries: &[&'static Entry]) -> Result<Vec<Case>, String> {
    let mut all = Vec::new();
    for &entry in entries {
        let of_entry = match &entry.subject {
            Subject::Registered(subject) => registered_cases(entry, subject, asked)?,
            Subject::Function(_) | Subject::Variant(_) => cases_at_points(entry, asked)?,
        };
        all.extend(of_entry);
    }
    unique(&all)?;
    one_baseline(&all)?;
    Ok(all)
}

/// The cases of an attribute: one for each point, and number of processors and threads.
fn cases_at_points(entry: &'static Entry, asked: Option<&[usize]>) -> Result<Vec<Case>, String> {
    let options = entry.settings();
    possible(entry, &entry.path(), &options)?;
    let points = match &entry.subject {
        Subject::Function(function) => listed(entry, "points", || {
            let argument = |names: Vec<String>| {
                // An argument that is a number is taken for the size of the problem.
                let size = names.last().and_then(|name| name.parse().ok());
                let size = size.filter(|size: &f64| size.is_finite());
                Point { names, size, processors: Vec::new() }
            };
            (function.points)().into_iter().map(argument).collect()
        })?,
        Subject::Variant(variant) => listed(entry, "points", variant.problem.points)?,
        Subject::Registered(_) => Vec::new(),
    };
    let mut all = Vec::new();
    for (index, point) in points.iter().enumerate() {
        let shown: Vec<String> = point.names.iter().map(|name| visible(name)).listed();
        let point_name = shown.join("::");
        let names_processors = !point.processors.is_empty() || !options.processors.is_empty();
        for (processors, threads, suffix) in counts(&point.processors, &options, asked) {
            let mut name = entry.path();
            for part in point.names.iter().map(|text| name::part(text)).chain(suffix) {
                name = format!("{name}::{part}");
            }
            all.push(Case {
                entry,
                name,
                function: entry.path(),
                place: (entry.file, entry.line),
                point: index,
                point_name: point_name.clone(),
                size: point.size,
                processors,
                names_processors,
                confined: confined((processors, threads), names_processors, asked),
                threads,
                options: options.clone(),
                section: None,
                code: RegisteredCode::default(),
            });
        }
    }
    Ok(all)
}

/// The cases that a function registers: one for each benchmark, and number of processors and threads.
fn registered_cases(
    entry: &'static Entry,
    subject: &RegisteredSubject,
    asked: Option<&[usize]>,
) -> Result<Vec<Case>, String> {
    let mut all = Vec::new();
    for registered in listed(entry, "benchmarks", || registered(entry, subject))? {
        let Registered { name, options, place, section, code } = registered;
        possible(entry, &name, &options)?;
        let names_processors = !options.processors.is_empty();
        for (processors, threads, suffix) in counts(&[], &options, asked) {
            all.push(Case {
                entry,
                name: suffix.into_iter().fold(name.clone(), |all, part| all + "::" + &part),
                function: name.clone(),
                place: (place.file(), place.line()),
                point: 0,
                point_name: String::new(),
                size: None,
                processors,
                names_processors,
                confined: confined((processors, threads), names_processors, asked),
                threads,
                options: options.clone(),
                section,
                code,
            });
        }
    }
    Ok(all)
}

/// Returns whether a case of this number of processors and threads may use its one processor only. A kernel without a
/// stated number may use all of them: only its clocks show whether it does.
fn confined(counts: (usize, usize), named: bool, asked: Option<&[usize]>) -> bool {
    counts == (1, 1) && (named || asked == Some(&[1]))
}

/// Processors and threads of the cases at a point that has these processors of its own, with the parts of the name that
/// tell the cases apart.
pub(super) fn counts(
    own: &[usize],
    options: &Options,
    asked: Option<&[usize]>,
) -> Vec<(usize, usize, Vec<String>)> {
    let swept = |counts: &[usize], letter: char| -> Vec<(usize, Option<String>)> {
        let name = |count: usize| match count {
            // The machine's number of processors must not be part of a name.
            0 => format!("{letter}max"),
            count => format!("{letter}{count}"),
        };
        match counts {
            [] => vec![(1, None)],
            counts => counts.iter().map(|&count| (count, Some(name(count)))).collect(),
        }
    };
    let available = |count: usize| match count {
        0 => processor_request::of_machine(),
        count => count,
    };
    // The processors that belong to a point are part of it already.
    let processors = match own {
        [] if options.processors.is_empty() => swept(&[], 'p'),
        [] => swept(asked.unwrap_or(&options.processors), 'p'),
        own => {
            let wanted = |count: &&usize| asked.is_none_or(|asked| asked.contains(count));
            own.iter().filter(wanted).map(|&count| (count, None)).listed()
        }
    };
    let threads = swept(&options.threads, 't');
    let mut all = Vec::new();
    for (p, p_name) in &processors {
        for (t, t_name) in &threads {
            let names = p_name.iter().chain(t_name).cloned().collect();
            all.push((available(*p), available(*t), names));
        }
    }
    all
}

/// Rejects options that no measurement can have.
fn possible(entry: &Entry, path: &str, options: &Options) -> Result<(), String> {
    let refuse = |what: &str| Err(format!("{what} ({}:{})", entry.file, entry.line));
    if let Subject::Variant(variant) = &entry.subject
        && !variant.shared
        && options.threads.iter().any(|&threads| threads != 1)
    {
        return refuse(&format!(
            "`{path}` takes `threads` from its group, but a variant says itself that several threads may call it: \
             write `threads = …` in its own attribute"
        ));
    }
    for (option, zero) in [
        ("runs", options.runs == Some(0)),
        ("samples", options.samples == Some(0)),
        ("iterations", options.iterations == Some(0)),
    ] {
        if zero {
            return refuse(&format!("`{option} = 0` leaves nothing to measure of `{path}`"));
        }
    }
    Ok(())
}

/// Returns the list that a user's code makes, or why it panicked.
fn listed<T>(entry: &Entry, what: &str, list: impl FnOnce() -> Vec<T>) -> Result<Vec<T>, String> {
    // Unwind safety: nothing of the list is used after a panic, and the program ends.
    panic::catch_unwind(AssertUnwindSafe(list)).map_err(|payload| {
        let message = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("a panic without a message");
        format!(
            "the {what} of `{}` cannot be listed ({}:{}): {message}",
            entry.path(),
            entry.file,
            entry.line
        )
    })
}

fn unique(cases: &[Case]) -> Result<(), String> {
    let by_name = order(cases.len(), &|a, b| cases[a].name.cmp(&cases[b].name));
    for pair in by_name.windows(2) {
        let (first, case) = (&cases[pair[0]], &cases[pair[1]]);
        if first.name == case.name {
            return Err(format!(
                "two benchmarks have the name `{}`: {}:{} and {}:{}; give one of them a different name with \
                 `name = \"…\"`, or make the points differ when displayed",
                case.name, first.place.0, first.place.1, case.place.0, case.place.1
            ));
        }
    }
    Ok(())
}

/// Rejects two baselines in one table: speedups would be against either.
fn one_baseline(cases: &[Case]) -> Result<(), String> {
    let baselines = cases.iter().filter(|case| case.role() == Role::Baseline).listed();
    for (index, second) in baselines.iter().enumerate() {
        let first = baselines[..index].iter().find(|first| first.same_table(second));
        if let Some(first) = first {
            return Err(format!(
                "two variants of `{}` are its `baseline`: `{}` ({}:{}) and `{}` ({}:{}); leave the word out of one of \
                 them",
                second.problem().unwrap_or_default(),
                first.function,
                first.place.0,
                first.place.1,
                second.function,
                second.place.0,
                second.place.1
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Processors and the parts of the names for them.
    fn processors(
        own: &[usize],
        attribute: &[usize],
        asked: Option<&[usize]>,
    ) -> Vec<(usize, String)> {
        let options = Options { processors: attribute.to_vec(), ..Options::default() };
        let all = counts(own, &options, asked).into_iter();
        all.map(|(count, _, suffix)| (count, suffix.join("::"))).listed()
    }

    #[test]
    fn a_case_is_kept_on_one_processor_where_somebody_has_said_so() {
        assert!(!confined((1, 1), false, None) && !confined((1, 1), false, Some(&[1, 2])));
        assert!(confined((1, 1), true, None) && confined((1, 1), false, Some(&[1])));
        assert!(!confined((2, 1), true, None) && !confined((1, 2), true, Some(&[1])));
    }

    #[test]
    fn what_is_asked_for_takes_the_place_of_an_attribute_and_leaves_out_points() {
        let named = |all: &[usize]| all.iter().map(|p| (*p, format!("p{p}"))).listed();
        assert_eq!(processors(&[], &[1, 2], None), named(&[1, 2]));
        assert_eq!(processors(&[], &[1, 2], Some(&[1, 2, 4])), named(&[1, 2, 4]));
        // A benchmark without counts has one, whatever the command line has.
        assert_eq!(processors(&[], &[], Some(&[2, 4])), [(1, String::new())]);
        // Points keep the counts that belong to them, and their names.
        assert_eq!(processors(&[2], &[8], Some(&[1, 2])), [(2, String::new())]);
        assert_eq!(processors(&[2], &[1, 4], Some(&[1, 4])), []);
    }
}
