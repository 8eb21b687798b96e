//! Which benchmarks need no measuring, because both programs execute the same machine code for them.

use std::{fs, path::Path};

use plusminus::engine::{CaseDescription, Subject};

use super::{arguments::Which, sides::Prepared};
use crate::{
    error::{Result, at},
    report::{CodeOf, Codes},
    same_code::{self, Code},
};

/// Looks at the code of all benchmarks, and takes those that are the same out of what is measured, unless all are wanted.
///
/// A benchmark may read a file in which the versions differ while it runs.
pub(super) fn look(subjects: &mut [Subject], prepared: &Prepared, which: Which) -> Result<Codes> {
    let mut codes = Codes { all_measured: which == Which::All, cases: Vec::new() };
    let read = prepared.changed.iter().find(|file| may_be_read(file));
    for subject in subjects {
        if subject.common.is_empty() {
            continue;
        }
        let versions = &subject.versions;
        let program = |path: &Path| fs::read(path).map_err(at("read", path));
        let (base, new) = (program(&versions.base.binary)?, program(&versions.new.binary)?);
        let cases: Vec<(&CaseDescription, &CaseDescription)> =
            subject.common.iter().map(|case| (&case.base, &case.new)).collect();
        let mut found = same_code::compare(&base, &new, &cases, &prepared.folders);
        for code in found.iter_mut().filter(|code| **code == Code::Unchanged) {
            if let Some(file) = read {
                let why = format!("{file} changed, which a benchmark may read while it runs");
                *code = Code::Unknown(why);
            }
        }
        let mut open = Vec::new();
        for (case, code) in std::mem::take(&mut subject.common).into_iter().zip(found) {
            let name = match subject.name.as_str() {
                "" => case.new.name.clone(),
                target => format!("{target}: {}", case.new.name),
            };
            let wanted = match which {
                Which::Changed => code != Code::Unchanged,
                Which::All => true,
                Which::None => false,
            };
            if wanted {
                open.push(case);
            }
            codes.cases.push(CodeOf { name, code });
        }
        subject.common = open;
    }
    Ok(codes)
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
