//! The record of a comparison before it is measured.

use plusminus::{
    record::{ComparedTarget, ComparisonRecord, ComparisonSettings, Manifest, SideRecord},
    text::quantity::fresh_seed,
};

use super::{MARGIN, arguments::Arguments, programs::Target, sides::Prepared};
use crate::report::{Identity, Names};

/// The record of a comparison of these versions, in which nothing is measured yet.
pub(super) fn unmeasured(
    prepared: &Prepared,
    names: Names,
    arguments: &Arguments,
) -> ComparisonRecord {
    let mut record = ComparisonRecord {
        targets: targets(prepared),
        added: names.added,
        removed: names.removed,
        renamed: names.renamed,
        identical_code: names.identical_code,
        accepted: prepared.accepted.clone(),
        built: prepared.built.clone(),
        ..empty_record([&prepared.base, &prepared.new], arguments)
    };
    record.settings.least_samples = arguments.output.gate.least_samples();
    record.settings.least_blocks = arguments.output.gate.least_blocks();
    record
}

/// The record of a comparison in which nothing is measured yet.
pub(super) fn empty_record(sides: [&Identity; 2], arguments: &Arguments) -> ComparisonRecord {
    let measure = &arguments.measure;
    let settings = ComparisonSettings {
        seed: measure.seed.unwrap_or_else(fresh_seed),
        margin: measure.margin.unwrap_or(MARGIN),
        alpha: measure.alpha,
        max_seconds: Some(measure.max_time.as_secs_f64()),
        layout: arguments.binaries.is_none().then(|| arguments.build.layout().name().to_owned()),
        ..ComparisonSettings::of_blocks(measure.max_blocks)
    };
    let side = |identity: &Identity| SideRecord {
        name: identity.name.clone(),
        manifest: Manifest {
            commit: identity.commit.clone(),
            subject: identity.subject.clone(),
            dirty: Some(identity.dirty),
            ..Manifest::of_machine()
        },
    };
    let [base, new] = sides.map(side);
    let options = arguments.options();
    ComparisonRecord { options, ..ComparisonRecord::new(settings, base, new) }
}

fn targets(prepared: &Prepared) -> Vec<ComparedTarget> {
    let several = prepared.targets.len() > 1;
    let named = |target: &Target| {
        let (package, bench) = target.key.clone()?;
        let prefix = if several { target.name.clone() } else { String::new() };
        Some(ComparedTarget { prefix, package, bench })
    };
    prepared.targets.iter().filter_map(named).collect()
}
