//! Which benchmarks need no measuring, because both programs execute the same machine code for them.

use std::{fs, path::Path};

use plusminus::engine::{CaseDescription, Subject};

use super::{arguments::Which, second_opinion, sides::Prepared};
use crate::{
    error::{Result, at},
    report::{CodeOf, Codes},
    same_code::{self, Code},
};

/// Looks at the code of all benchmarks, and takes those that are the same out of what is measured, unless all are wanted, or
/// they serve as a check.
///
/// A benchmark may read a file in which the versions differ while it runs.
pub(super) fn look(
    subjects: &mut [Subject],
    prepared: &Prepared,
    which: Which,
    seed: u64,
) -> Result<Codes> {
    let mut codes = Codes::default();
    for subject in subjects.iter().filter(|subject| !subject.common.is_empty()) {
        let found = of_subject(subject, prepared)?;
        let names = subject.common.iter().map(|case| name_in(&subject.name, &case.new.name));
        codes.cases.extend(names.zip(found).map(|(name, code)| CodeOf { name, code }));
    }
    let identical: Vec<String> = codes.unchanged().map(|case| case.name.clone()).collect();
    codes.checked = match which {
        Which::All => identical,
        Which::Changed => {
            let measured = codes.cases.len() - identical.len();
            second_opinion::chosen(&identical, measured, seed)
        }
        Which::None => Vec::new(),
    };
    for subject in subjects {
        let target = subject.name.clone();
        subject.common.retain(|case| {
            let name = name_in(&target, &case.new.name);
            which != Which::None && (!codes.is_unchanged(&name) || codes.checked.contains(&name))
        });
    }
    Ok(codes)
}

/// What is known of the code of the benchmarks of one target, in their order.
fn of_subject(subject: &Subject, prepared: &Prepared) -> Result<Vec<Code>> {
    let program = |path: &Path| fs::read(path).map_err(at("read", path));
    let versions = &subject.versions;
    let (base, new) = (program(&versions.base.binary)?, program(&versions.new.binary)?);
    let cases: Vec<(&CaseDescription, &CaseDescription)> =
        subject.common.iter().map(|case| (&case.base, &case.new)).collect();
    let mut found = same_code::compare(&base, &new, &cases, &prepared.folders);
    if let Some(file) = prepared.changed.iter().find(|file| may_be_read(file)) {
        let why = format!("{file} changed, which a benchmark may read while it runs");
        for code in found.iter_mut().filter(|code| **code == Code::Unchanged) {
            *code = Code::Unknown(why.clone());
        }
    }
    Ok(found)
}

/// The name of a benchmark in reports, with its target in front where there are several.
pub(super) fn name_in(target: &str, case: &str) -> String {
    if target.is_empty() { case.to_owned() } else { format!("{target}: {case}") }
}

/// Whether a file of the repository may be an input of a running benchmark. What a build turns into code has been looked
/// at in the program.
fn may_be_read(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let stem = name.split('.').next().unwrap_or(name).to_uppercase();
    let built = ["rs", "c", "cc", "cpp", "h", "hpp", "s", "S", "asm", "proto", "md", "lock"];
    let about = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "README", "AUTHORS", "NOTICE"];
    let tools = ["Cargo.toml", "rustfmt.toml", "clippy.toml", "deny.toml", "rust-toolchain.toml"];
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    !(file.split('/').any(|part| part.starts_with('.'))
        || built.contains(&extension)
        || tools.contains(&name)
        || about.iter().any(|word| stem.starts_with(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_may_be_read_and_sources_are_built() {
        for file in ["data/graph.gr", "benches/words.txt", "config.toml", "a b.json", "Makefile"] {
            assert!(may_be_read(file), "{file}");
        }
        for file in
            ["src/lib.rs", "Cargo.toml", "Cargo.lock", ".github/workflows/x.yml", "LICENSE-MIT"]
        {
            assert!(!may_be_read(file), "{file}");
        }
    }
}
