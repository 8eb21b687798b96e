//! The report for programs. The schema has a number, which grows when a field changes its meaning.

use plusminus::{
    record::{Built, Dependency, LockFile, LockFiles, OutsideCrates, SkippedTarget},
    report::{case_failure, row_remarks},
    results::{Block, CaseResult, Explained, Measure, RowResult, Share, Time, WorkChange},
    text::json_escaped,
};
use plusminus_analysis::attribution::Attribution;
use plusminus_same_code::{Change, Code};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::json;

use super::{Comparison, Program, accepted, code, sentences};
use crate::changed_function::of_record;

const SCHEMA: u32 = 2;

/// Functions that the report lists for a benchmark.
const LISTED: usize = 100;

/// Writes an object, field by field: one behind `if` only where that holds.
macro_rules! object {
    ($to:ident, $($name:literal $(if $shown:expr)? => $value:expr,)*) => {{
        let mut object = $to.serialize_map(None)?;
        $($(if $shown)? { object.serialize_entry($name, &$value)?; })*
        object.end()
    }};
}

/// A part of the report.
pub(super) struct Form<T>(pub(super) T);

pub(crate) fn render(comparison: &Comparison) -> String {
    pretty(&Form(comparison))
}

/// A JSON document as a file has it: nothing hidden in it, and a line's end.
pub(crate) fn pretty(document: &impl Serialize) -> String {
    // Numbers and texts always have a JSON form.
    json_escaped(&serde_json::to_string_pretty(document).unwrap_or_default()) + "\n"
}

impl Serialize for Form<&Comparison> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let comparison = self.0;
        let Comparison { outcome, summary, names, .. } = comparison;
        let of_case = |case| Case::of(case, comparison);
        let control = outcome.control.as_ref();
        object!(to,
            "schema" => SCHEMA,
            // The version that wrote it, by which the file is recognized.
            "plusminus" => env!("CARGO_PKG_VERSION"),
            "base" => comparison.base,
            "new" => comparison.new,
            "exit_code" => summary.process_exit_code(),
            "headline" => sentences::headline(comparison),
            "scope" => sentences::scope(comparison),
            "margin" => summary.margin,
            "alpha" => summary.alpha,
            "seed" => summary.seed,
            "layouts" => summary.layouts,
            // How layouts were treated; null if the programs were given.
            "layout" => summary.layout,
            // Benchmarks that run identical machine code, and those of them whose measured time contradicts it.
            "identical_code" => comparison.codes.identical().count() + names.identical_code.len(),
            "contradicted" if !comparison.contradicted.is_empty() => comparison.contradicted,
            "verdicts" => outcome.rows,
            "out_of_time" => outcome.out_of_time,
            "measuring_seconds" => outcome.seconds,
            "pilot_seconds" => outcome.pilot_seconds,
            "window_seconds" => outcome.window_seconds,
            "preparing_seconds" => summary.preparing_seconds,
            "control" => control.map(|case| Case { code: None, ..of_case(case) }),
            "benchmarks" => benchmarks(comparison),
            // Where differences come from, with `--why`.
            "why" if !comparison.explained.is_empty() =>
                comparison.explained.iter().map(Form).collect::<Vec<_>>(),
            // Entries of `plusminus.toml`, each with what it does here.
            "accepted" if !comparison.accepted.is_empty() => accepted::json(comparison),
            "added" => names.added,
            "removed" => names.removed,
            "renamed" => names.renamed,
            "built" => Form((&comparison.built, &comparison.programs[..])),
            // The signal that ended measuring early.
            "interrupted" => outcome.interrupted,
        )
    }
}

#[derive(Serialize)]
struct Case<'a> {
    name: &'a str,
    failure: Option<String>,
    /// Null for the control.
    code: Option<Form<&'a Code>>,
    /// None where identical code was not measured.
    rows: Vec<Form<(&'a CaseResult, &'a RowResult, &'a Comparison)>>,
}

impl<'a> Case<'a> {
    fn of(case: &'a CaseResult, comparison: &'a Comparison) -> Self {
        Self {
            name: &case.name,
            failure: case_failure(case),
            code: comparison.codes.of(&case.name).map(Form),
            rows: case.rows.iter().map(|row| Form((case, row, comparison))).collect(),
        }
    }
}

/// Returns the measured benchmarks, and then the ones that need no measurement.
fn benchmarks(comparison: &Comparison) -> Vec<Case<'_>> {
    let measured = &comparison.outcome.cases;
    let others = code::without_measurement(comparison).map(|case| Case {
        name: &case.name,
        failure: None,
        code: Some(Form(&case.code)),
        rows: Vec::new(),
    });
    // A record has only their names.
    let identical = comparison.names.identical_code.iter().map(|name| Case {
        name,
        failure: None,
        code: Some(Form(&Code::Identical)),
        rows: Vec::new(),
    });
    measured.iter().map(|case| Case::of(case, comparison)).chain(others).chain(identical).collect()
}

impl Serialize for Form<&Code> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (verdict, reason, functions, unlisted): (_, _, &[Change], _) = match self.0 {
            Code::Identical => ("identical_code", None, &[], 0),
            Code::Differs { first, changes, unlisted, .. } => {
                ("differs", Some(first), changes, *unlisted)
            }
            Code::Unknown(why) => ("unknown", Some(why), &[], 0),
        };
        object!(to,
            "verdict" => verdict,
            // Why it is unknown, or the first difference.
            "reason" => reason,
            // Whether all that may run in timed windows is the same.
            "only_set_up" => matches!(self.0, Code::Differs { only_set_up: true, .. }),
            // The functions that differ, and how many of them there are; the list may be shorter.
            "functions" => functions[..functions.len().min(LISTED)],
            "functions_in_all" => functions.len() + unlisted,
        )
    }
}

/// An explanation of a difference: changes are new/base − 1.
impl Serialize for Form<&Explained> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Explained { whole, split, .. } = self.0;
        let rest = split.as_ref().map(|split| split.rest);
        object!(to,
            "benchmark" => self.0.benchmark,
            // Why it is not divided.
            "reason" => self.0.reason,
            // Whether the benchmark checks what the programs compute.
            "checked" => self.0.is_checked,
            "change" => whole.map(|whole| whole.value),
            "sigma" => whole.and_then(|whole| whole.u),
            "parts" => self.0.parts.iter().map(Form).collect::<Vec<_>>(),
            // The change without those of the parts; null if one has none.
            "rest" => rest.map(|rest| rest.value),
            "rest_sigma" => rest.and_then(|rest| rest.u),
            "adds_up" => split.as_ref().map(Attribution::agrees),
            "seconds" => self.0.seconds,
        )
    }
}

impl Serialize for Form<&Share> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Share { part, change, interval, .. } = self.0;
        let (low, high) = interval.unzip();
        object!(to,
            "functions" => part.functions.iter().cloned().map(of_record).collect::<Vec<_>>(),
            "functions_in_all" => part.functions_in_all,
            "refused" => part.refused,
            "change" => change.map(|change| change.value),
            "sigma" => change.and_then(|change| change.u),
            "change_low" => low,
            "change_high" => high,
            "proven" => self.0.is_proven,
        )
    }
}

/// A row: changes are new/base − 1, S is base/new, times are nanoseconds per call.
impl Serialize for Form<(&CaseResult, &RowResult, &Comparison)> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (case, row, comparison) = self.0;
        let judgement = &row.judgement;
        let (low, high) = row.change_interval().unzip();
        let (low_alone, high_alone) = row.change_interval_alone().unzip();
        let (base, new) = row.times.as_ref().map(|[base, new]| (Form(base), Form(new))).unzip();
        let value = |time: &Option<Form<&Time>>| time.as_ref().map(|time| time.0.estimate.value);
        let verdict = match comparison.codes.is_identical(&case.name) {
            true => "identical_code",
            false => judgement.verdict.id(),
        };
        object!(to,
            // Null where there is only one, and for all of them together.
            "instance" => row.instance,
            "verdict" => verdict,
            "reliable" => row.doubts.is_empty(),
            "change" => row.change(),
            "change_low" => low,
            "change_high" => high,
            // The interval without allowing for the other rows, which decides nothing.
            "change_low_alone" => low_alone,
            "change_high_alone" => high_alone,
            "speedup" => row.speedup,
            "speedup_sigma" => row.sigma,
            "at_least" => judgement.at_least,
            "beyond_margin" => judgement.beyond_margin,
            "real_but_within_margin" => judgement.real_but_within_margin,
            "minimum_detectable_effect" => judgement.minimum_detectable_effect,
            // Work of a call, where base and new do not do the same.
            "work" if row.work.is_some() => row.work.as_ref().map(Form),
            // Costs besides time that changed.
            "measures" if changed(row).next().is_some() => changed(row).map(Form).collect::<Vec<_>>(),
            "p_value" => row.p_value,
            "blocks_needed" => row.blocks_needed,
            "margin" => row.margin,
            "base_ns" => value(&base),
            "new_ns" => value(&new),
            "base" => base,
            "new" => new,
            "remarks" => row_remarks(row),
            "sentence" => sentences::sentence(case, row, comparison),
            "blocks" => row.blocks.iter().map(Form).collect::<Vec<_>>(),
        )
    }
}

fn changed(row: &RowResult) -> impl Iterator<Item = &Measure> {
    row.measures.iter().filter(|measure| measure.has_changed())
}

impl Serialize for Form<&Measure> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Measure { name, unit, judgement, .. } = self.0;
        let change = Some(judgement.change()).filter(|change| change.is_finite());
        object!(to,
            "name" => name,
            "unit" => unit,
            "verdict" => judgement.verdict.id(),
            "exact" => judgement.is_exact,
            "base" => judgement.base,
            "new" => judgement.new,
            // Null if base has none of it.
            "change" => change,
            "change_low" => judgement.ratio.map(|ratio| ratio.low - 1.0),
            "change_high" => judgement.ratio.map(|ratio| ratio.high - 1.0),
        )
    }
}

impl Serialize for Form<&WorkChange> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let WorkChange { unit, base, new } = self.0;
        object!(to, "unit" => unit, "base" => base, "new" => new,)
    }
}

/// The time of a call of one side, with its standard uncertainty and 95 % interval.
impl Serialize for Form<&Time> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (estimate, interval) = (self.0.estimate, self.0.interval());
        object!(to,
            "mean_ns" => estimate.value,
            "u_ns" => estimate.u,
            "degrees_of_freedom" => estimate.degrees_of_freedom,
            "low_95_ns" => interval.map(|interval| interval.low),
            "high_95_ns" => interval.map(|interval| interval.high),
        )
    }
}

/// The sources of both builds, and the programs that were built.
impl Serialize for Form<(&Built, &[Program])> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (built, programs) = self.0;
        let form = |one: &SkippedTarget| json!({ "target": one.target, "why": one.why });
        let forms = |targets: &[SkippedTarget]| targets.iter().map(form).collect::<Vec<_>>();
        let lock = |LockFile { origin, adjusted, own }: &LockFile| json!({ "origin": origin, "adjusted": adjusted, "own": own });
        let locks =
            |locks: &LockFiles| json!({ "base": lock(&locks.base), "new": lock(&locks.new) });
        object!(to,
            "locks" => built.locks.as_ref().map(locks),
            "dependencies" => built.dependencies.iter().map(Form).collect::<Vec<_>>(),
            "outside" => built.outside.iter().map(Form).collect::<Vec<_>>(),
            "toolchain_file" if built.toolchain_file.is_some() => built.toolchain_file,
            "profile_file" if built.profile_file.is_some() => built.profile_file,
            "left_out" => forms(&built.left_out),
            "one_layout" => forms(&built.one_layout),
            "harness_of_new" => built.harness_of_new,
            "ignored" => built.ignored,
            "programs" => programs,
        )
    }
}

impl Serialize for Form<&Dependency> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Dependency { name, base, new } = self.0;
        object!(to, "name" => name, "base" => base, "new" => new,)
    }
}

impl Serialize for Form<&OutsideCrates> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let OutsideCrates { folder, crates, in_git, commit, dirty, edited } = self.0;
        object!(to,
            "folder" => folder,
            "crates" => crates,
            "in_git" => in_git,
            "commit" => commit,
            "dirty" => dirty,
            "edited" if edited.is_some() => edited,
        )
    }
}

/// The result of one block: log-ratios are ln(new/base), times nanoseconds per call.
impl Serialize for Form<&Block> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let block = self.0;
        object!(to,
            "round" => block.round,
            "layout" => block.layout,
            "log_ratio" => block.log_ratio,
            "cpu_log_ratio" => block.cpu_log_ratio,
            "mean_log_ratio" => block.mean_log_ratio,
            "clean" => block.clean,
            "clean_only" => block.clean_only,
            "base_ns" => block.base_ns,
            "new_ns" => block.new_ns,
            // How the times of base and of new changed while their processes ran: ln of the last third over the first.
            "ageing" => block.ageing,
        )
    }
}
