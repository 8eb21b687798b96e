//! Cases: what a benchmark becomes once points and processor counts are spelled out.

use std::{
    panic::{self, AssertUnwindSafe},
    time::Duration,
};

use super::{
    Entry, Point, RegisteredSubject, Subject, name,
    run_time::{Registered, RegisteredCode, registered},
};
use crate::{
    Options,
    listed::Listed,
    options::Ignore,
    order::order,
    processor_request,
    protocol::{CaseDescription, MetricRecord, Role, Wishes},
    text::visible,
};

/// One benchmark at one point with one number of processors: what a line of `--list` names.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) entry: &'static Entry,
    pub(crate) options: Options,
    /// The addresses of what it alone runs, if it was registered at run time.
    pub(crate) code: RegisteredCode,
    /// Its description for runners, without its table and the places of its code.
    pub(crate) told: CaseDescription,
}

impl Case {
    /// Completes a description: `told` has its names, its place in the source, its point, and the numbers of processors and
    /// threads.
    fn of(
        entry: &'static Entry,
        options: &Options,
        asked: Option<&[usize]>,
        told: CaseDescription,
    ) -> Self {
        let variant = match &entry.subject {
            Subject::Function(_) | Subject::Registered(_) => None,
            Subject::Variant(variant) => Some(variant),
        };
        let confined = confined((told.processors, told.threads), told.names_processors, asked);
        let models = variant.map_or(&[][..], |variant| (variant.problem.models)());
        let metrics = options.metrics.0.iter().map(|metric| MetricRecord {
            name: metric.name().to_owned(),
            unit: metric.unit().to_owned(),
            kind: metric.kind(),
        });
        let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
        let told = CaseDescription {
            krate: entry.krate().to_owned(),
            problem: variant.map(|variant| variant.problem.path()),
            models: models.iter().map(|&name| name.to_owned()).collect(),
            role: variant.map_or(Role::Contender, |variant| variant.role),
            confined,
            whole_machine: options.whole_machine && !told.names_processors && !confined,
            metrics: metrics.collect(),
            phases: options.phases.iter().map(|&name| name.to_owned()).collect(),
            has_tally: variant.is_some_and(|variant| variant.tally.is_some()),
            wishes: Wishes {
                samples: options.samples,
                iterations: options.iterations,
                least_seconds: seconds(options.min_time),
                seconds: seconds(options.sample_time),
                warm_up_seconds: seconds(options.warm_up),
            },
            runs: options.runs,
            margin: options.margin,
            timeout: seconds(options.timeout),
            launcher: options.launcher.map(str::to_owned),
            ignore: match options.ignore {
                Some(Ignore::Because(why)) => Some(why.to_owned()),
                Some(Ignore::No) | None => None,
            },
            ..told
        };
        Self { entry, options: options.clone(), code: RegisteredCode::default(), told }
    }

    /// Returns whether both are compared with each other: same problem, point, processors, threads and launcher.
    pub(crate) fn same_table(&self, other: &Case) -> bool {
        self.entry.problem().is_some()
            && self.entry.problem() == other.entry.problem()
            && self.told.point_index == other.told.point_index
            && self.told.processors == other.told.processors
            && self.told.threads == other.told.threads
            && self.told.launcher == other.told.launcher
    }
}

/// All cases of these entries, in their order. Processors that the command line asks for take the place of those in
/// attributes, and leave out points that belong to others.
pub(crate) fn cases(entries: &[&'static Entry]) -> Result<Vec<Case>, String> {
    let asked = processor_request::asked_processor_counts();
    let mut all = Vec::new();
    for &entry in entries {
        let of_entry = match &entry.subject {
            Subject::Registered(subject) => registered_cases(entry, subject, asked)?,
            Subject::Function(_) | Subject::Variant(_) => cases_at_points(entry, asked)?,
        };
        all.extend(of_entry);
    }
    number_equal_names(&mut all);
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
            let told = CaseDescription {
                name,
                function: entry.path(),
                file: entry.file.to_owned(),
                line: entry.line,
                point: point_name.clone(),
                combination: entry.combination,
                point_index: index,
                size: point.size,
                processors,
                names_processors,
                threads,
                ..CaseDescription::default()
            };
            all.push(Case::of(entry, &options, asked, told));
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
        let Registered { name, options, place, sections, code } = registered;
        possible(entry, &name, &options)?;
        let names_processors = !options.processors.is_empty();
        for (processors, threads, suffix) in counts(&[], &options, asked) {
            let told = CaseDescription {
                name: suffix.into_iter().fold(name.clone(), |all, part| all + "::" + &part),
                function: name.clone(),
                file: place.file().to_owned(),
                line: place.line(),
                processors,
                names_processors,
                threads,
                sections: sections.clone(),
                ..CaseDescription::default()
            };
            all.push(Case { code: code.clone(), ..Case::of(entry, &options, asked, told) });
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

/// Numbers equal names within each function whose attribute allows them. The cases of a function stand together, and a process
/// that has one of them has all.
fn number_equal_names(cases: &mut [Case]) {
    let source =
        |case: &Case| (case.entry.module, case.entry.name, case.entry.line, case.entry.column);
    for of_function in cases.chunk_by_mut(|a, b| source(a) == source(b)) {
        if of_function.iter().all(|case| case.options.equal_names) {
            let mut names = of_function.iter().map(|case| case.told.name.clone()).listed();
            name::apart(&mut names, |number| format!(" #{number}"));
            of_function.iter_mut().zip(names).for_each(|(case, name)| case.told.name = name);
        }
    }
}

fn unique(cases: &[Case]) -> Result<(), String> {
    let by_name = order(cases.len(), &|a, b| cases[a].told.name.cmp(&cases[b].told.name));
    for pair in by_name.windows(2) {
        let (first, case) = (&cases[pair[0]].told, &cases[pair[1]].told);
        if first.name == case.name {
            return Err(format!(
                "two benchmarks have the name `{}`: {}:{} and {}:{}; give one of them a different name with \
                 `name = \"…\"`, or make the points differ when displayed",
                case.name, first.file, first.line, case.file, case.line
            ));
        }
    }
    Ok(())
}

/// Rejects two baselines in one table: speedups would be against either.
fn one_baseline(cases: &[Case]) -> Result<(), String> {
    let baselines = cases.iter().filter(|case| case.told.role == Role::Baseline).listed();
    for (index, second) in baselines.iter().enumerate() {
        let first = baselines[..index].iter().find(|first| first.same_table(second));
        if let Some(first) = first {
            let (first, second) = (&first.told, &second.told);
            return Err(format!(
                "two variants of `{}` are its `baseline`: `{}` ({}:{}) and `{}` ({}:{}); leave the word out of one of \
                 them",
                second.problem.as_deref().unwrap_or_default(),
                first.function,
                first.file,
                first.line,
                second.function,
                second.file,
                second.line
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
