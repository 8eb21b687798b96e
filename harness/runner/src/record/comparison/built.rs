//! The sources of both builds of a comparison besides their commits: verdicts are about all of this.

use plusminus_worker::json::json_object;

json_object! {
    /// The sources of both sides besides their commits. Paths begin in the repository.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Built {
        /// The lock files of both.
        pub locks: Option<LockFiles> [unless_none],
        /// Published packages whose versions differ between the sides.
        pub dependencies: Vec<Dependency> [unless_empty],
        /// Crates outside of the repository, which both sides use in their present state.
        pub outside: Vec<OutsideCrates> [unless_empty],
        /// A changed file that asks for another compiler.
        pub toolchain_file: Option<String> [unless_none],
        /// A changed file with other profiles.
        pub profile_file: Option<String> [unless_none],
        /// Bench targets that were not built, or are not measured.
        pub left_out: Vec<SkippedTarget> [unless_empty],
        /// Bench targets that were measured in one layout of each side, although several were wanted.
        pub one_layout: Vec<SkippedTarget> [unless_empty],
        /// Manifests of base that asked for a different harness, and got that of new.
        pub harness_of_new: Vec<String> [unless_empty],
        /// Files and folders of the working tree that git ignores, so that trees of commits do not have them. A record keeps them
        /// for a benchmark that failed.
        pub ignored: Vec<String> [unless_empty],
    }
}

json_object! {
    /// The lock files of both sides.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LockFiles {
        /// That of base.
        pub base: LockFile,
        /// That of new.
        pub new: LockFile,
    }
}

json_object! {
    /// The lock file that a side was built with.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LockFile {
        /// Whose it is.
        pub origin: String,
        /// Cargo had to change it to fit the manifests.
        pub adjusted: bool,
        /// It is the one that was committed, or lies in the work tree.
        pub own: bool,
    }
}

json_object! {
    /// A package in different versions; several versions can take part in one build, or none.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Dependency {
        /// The package.
        pub name: String,
        /// Its versions in base.
        pub base: Vec<String>,
        /// Its versions in new.
        pub new: Vec<String>,
    }
}

json_object! {
    /// A repository, or a folder without one, whose crates are depended on by path.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OutsideCrates {
        /// The folder, from the repository that is compared.
        pub folder: String,
        /// The names of the crates.
        pub crates: Vec<String>,
        /// Whether it is a repository.
        pub in_git: bool,
        /// Its commit; `None` without a repository, or before the first commit.
        pub commit: Option<String>,
        /// Whether it differs from its commit.
        pub dirty: bool,
        /// A source that was written while the versions were built, so that they may have different states of it.
        pub edited: Option<String> [unless_none],
    }
}

json_object! {
    /// A bench target that was not measured as wanted.
    #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
    pub struct SkippedTarget {
        /// The target.
        pub target: String,
        /// The reason.
        pub why: String,
    }
}
