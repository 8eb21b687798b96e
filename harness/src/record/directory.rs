//! Where a bench binary keeps its records: beside what cargo builds, never in the source tree.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The folder of a bench binary: `target/plusminus/<bench target>`.
///
/// `PLUSMINUS_OUTPUT` names another folder than `target/plusminus`. The target directory is found as the ancestor
/// of the binary that cargo marks with `CACHEDIR.TAG`; a binary that was moved out of it uses `target` below the
/// current directory.
pub fn output_directory(binary: &Path) -> PathBuf {
    let root = match env::var_os("PLUSMINUS_OUTPUT") {
        Some(root) => PathBuf::from(root),
        None => {
            let marked =
                binary.ancestors().skip(1).find(|folder| folder.join("CACHEDIR.TAG").is_file());
            marked.map_or_else(|| PathBuf::from("target"), Path::to_owned).join("plusminus")
        }
    };
    root.join(target_name(binary))
}

/// The name of the bench target: the file's name without the hash that cargo appends.
fn target_name(binary: &Path) -> String {
    let stem = binary
        .file_stem()
        .map_or_else(|| "bench".into(), |stem| stem.to_string_lossy().into_owned());
    match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()) => {
            name.to_owned()
        }
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_not_part_of_the_name() {
        assert_eq!(target_name(Path::new("/t/release/deps/sort-0123456789abcdef")), "sort");
        assert_eq!(
            target_name(Path::new("/t/release/deps/quick-sort-0123456789abcdef")),
            "quick-sort"
        );
        assert_eq!(target_name(Path::new("sort")), "sort");
        assert_eq!(target_name(Path::new("quick-sort")), "quick-sort");
    }
}
