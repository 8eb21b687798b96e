//! Links programs again for each round of the measurement, if wanted and possible.

use std::{collections::BTreeSet, fs, path::Path, rc::Rc, thread};

use plusminus::{
    engine::{Program, Subject},
    record::SkippedTarget,
};

use super::{arguments::Layout, sides::Prepared};
use crate::{
    error::{Result, error},
    relink::{Origin, Recipe, Relinked},
};

/// Gives layouts to the subjects that are measured. `wanted` is the user's request. Without one, targets
/// that cannot have several layouts have one, and are returned.
pub(super) fn begin(
    subjects: &mut [Subject],
    prepared: &Prepared,
    wanted: Option<Layout>,
    seed: u64,
) -> Result<Vec<SkippedTarget>> {
    if !matches!(wanted, None | Some(Layout::Sampled)) {
        return Ok(Vec::new());
    }
    let mut one_layout = Vec::new();
    for (subject, (target, both)) in subjects.iter_mut().zip(prepared.both()) {
        let Some(linked) = both.linked.as_ref().filter(|_| !subject.common.is_empty()) else {
            continue;
        };
        match relinked(subject, linked.each_ref().map(|path| path.as_path()), seed) {
            Ok(layouts) => subject.layouts = Some(Rc::new(layouts)),
            Err(why) if wanted.is_some() => {
                return error(format!(
                    "{target}: {why}; the linker lld can, and `--layout aligned` measures one layout of each side"
                ));
            }
            Err(why) => one_layout.push(SkippedTarget { target: target.clone(), why }),
        }
    }
    Ok(one_layout)
}

fn relinked(
    subject: &Subject,
    linked: [&Path; 2],
    seed: u64,
) -> std::result::Result<Relinked, String> {
    let origin = |program: &Program, linked: &Path| {
        let recipe = Recipe::of(linked).ok_or("it is not known how it was linked")?;
        Ok::<_, String>(Origin { program: program.clone(), recipe })
    };
    let versions = &subject.versions;
    let (base, new) = (origin(&versions.base, linked[0])?, origin(&versions.new, linked[1])?);
    let is_parallel =
        subject.common.iter().any(|case| case.new.processors.max(case.new.threads) > 1)
            || subject.common.iter().any(|case| case.new.launcher.is_some())
            || !versions.new.launcher.is_empty();
    let ahead = !is_parallel && has_several_cores();
    // In the folder of the programs, where each finds those of its package.
    let stems = [versions.base.binary.clone(), versions.new.binary.clone()];
    Relinked::begin(base, new, stems, seed, ahead)
}

/// Whether a linker has a core on which nothing is measured: two processors may be the halves of one. Where the system does not tell,
/// each is taken for a core of its own.
fn has_several_cores() -> bool {
    let siblings = |processor: usize| {
        let path = format!("/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list");
        fs::read_to_string(path).unwrap_or_else(|_| processor.to_string())
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    (0..processors).map(siblings).collect::<BTreeSet<String>>().len() > 1
}
