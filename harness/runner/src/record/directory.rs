//! The folder of the records of a bench binary: below cargo's target folder, never in the source tree.

use std::{
    env,
    path::{Path, PathBuf},
};

use super::Manifest;

/// The folders of a bench target. Their names contain the package and the target: two packages of a workspace, or two
/// projects that share a target directory, may each have a bench target of the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Home {
    /// The package; empty if it is not known.
    pub(crate) package: String,
    pub(crate) target: String,
    /// The folder of all records, which several bench targets share.
    pub(crate) root: PathBuf,
}

impl Home {
    /// Returns the folders of a bench binary: `target/plusminus/<package>/<bench target>`.
    ///
    /// `PLUSMINUS_OUTPUT` names another folder than `target/plusminus`. The target directory is found as the ancestor
    /// of the binary that cargo marks with `CACHEDIR.TAG`; a binary that was moved out of it uses `target` below the
    /// current directory.
    pub(crate) fn of(binary: &Path, package: &str) -> Self {
        let root = match env::var_os("PLUSMINUS_OUTPUT") {
            Some(root) => PathBuf::from(root),
            None => target_directory(binary).unwrap_or(Path::new("target")).join("plusminus"),
        };
        Self {
            package: package.to_owned(),
            target: plusminus_worker::hand_over::target_name(binary),
            root,
        }
    }

    pub(crate) fn folder(&self) -> PathBuf {
        match self.package.as_str() {
            "" => self.root.join(&self.target),
            // A folder of this name has the builds of comparisons; no package has a dot in its name.
            "compare" => self.root.join("compare.package").join(&self.target),
            package => self.root.join(package).join(&self.target),
        }
    }

    /// Returns the folder that versions used which named folders by the target alone.
    pub(crate) fn older(&self) -> Option<PathBuf> {
        (!self.package.is_empty()).then(|| self.root.join(&self.target))
    }

    /// Returns the package of a record that is not of this one; `None` for one that does not say its package.
    pub(crate) fn stranger<'a>(&self, manifest: &'a Manifest) -> Option<&'a str> {
        let package = manifest.package.as_deref()?;
        (!self.package.is_empty() && package != self.package).then_some(package)
    }

    pub(crate) fn name(&self) -> String {
        match self.package.as_str() {
            "" => self.target.clone(),
            package => format!("{package}/{}", self.target),
        }
    }
}

/// Returns the ancestor of a binary that cargo marks as its target directory.
pub(super) fn target_directory(binary: &Path) -> Option<&Path> {
    binary.ancestors().skip(1).find(|folder| folder.join("CACHEDIR.TAG").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_packages_with_a_target_of_one_name_share_no_folder() {
        let home = |package: &str| Home {
            package: package.to_owned(),
            target: "build".to_owned(),
            root: PathBuf::from("/t/plusminus"),
        };
        assert_eq!(home("a").folder(), Path::new("/t/plusminus/a/build"));
        assert_ne!(home("a").folder(), home("b").folder());
        assert_eq!(home("").folder(), Path::new("/t/plusminus/build"));
        assert_eq!(home("").older(), None);
        let builds_of_comparisons = Path::new("/t/plusminus/compare");
        assert!(!home("compare").folder().starts_with(builds_of_comparisons));
    }
}
