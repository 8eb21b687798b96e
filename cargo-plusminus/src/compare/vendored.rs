//! Vendored packages: folders of a tree that stand for a registry. Cargo does not look into them for changes.

use std::{collections::BTreeSet, fs, path::Path};

use super::second_opinion::hashed;
use crate::error::{Result, at};

/// The file in a target folder with a checksum of the vendored packages that it was built of.
pub(super) const NOTE: &str = "vendored";

/// Removes what was built in a target folder of other vendored packages than those of a tree, whose files these are by name, with
/// their checksums.
pub(super) fn renew(target: &Path, files: &[(&str, u64)]) -> Result<()> {
    let Some(now) = note(files) else { return Ok(()) };
    let path = target.join(NOTE);
    if fs::read_to_string(&path).is_ok_and(|before| before == now) {
        return Ok(());
    }
    if target.exists() {
        fs::remove_dir_all(target).map_err(at("remove", target))?;
    }
    fs::create_dir_all(target).map_err(at("create", target))?;
    fs::write(&path, now).map_err(at("write", &path))
}

/// The checksum of all files of vendored packages, if there are any.
fn note(files: &[(&str, u64)]) -> Option<String> {
    let folders: BTreeSet<&str> =
        files.iter().filter_map(|(name, _)| name.strip_suffix(".cargo-checksum.json")).collect();
    let is_vendored =
        |name: &str| name.match_indices('/').any(|(at, _)| folders.contains(&name[..=at]));
    let vendored: Vec<_> = files.iter().filter(|(name, _)| is_vendored(name)).collect();
    (!vendored.is_empty()).then(|| format!("{:016x}", hashed(vendored)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_was_built_is_left_where_a_vendored_package_changed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("slot");
        let is_left = |vendored: u64, own: u64| {
            fs::create_dir_all(&target).unwrap();
            fs::write(target.join("built"), "").unwrap();
            let checksum = ("vendor/one/.cargo-checksum.json", 1);
            renew(&target, &[checksum, ("vendor/one/src/lib.rs", vendored), ("lib.rs", own)])
                .unwrap();
            target.join("built").exists()
        };
        assert!(!is_left(1, 1), "it is not known what was built");
        assert!(is_left(1, 1));
        assert!(is_left(1, 2));
        assert!(!is_left(2, 2));
        assert!(is_left(2, 2));
        fs::remove_file(target.join(NOTE)).unwrap();
        renew(&target, &[("lib.rs", 3)]).unwrap();
        assert!(target.join("built").exists(), "nothing is vendored");
    }
}
