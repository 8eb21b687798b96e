//! What is read of cargo's own JSON: its metadata (`--format-version=1`) and its messages, whose formats are stable.

use std::path::PathBuf;

use serde::Deserialize;

/// A workspace, as `cargo metadata --no-deps` describes it.
#[derive(Debug, Deserialize)]
pub(super) struct Metadata {
    /// The members.
    pub(super) packages: Vec<Package>,
    /// The folder into which cargo builds.
    pub(super) target_directory: PathBuf,
}

/// A package.
#[derive(Debug, Deserialize)]
pub(super) struct Package {
    /// Its library, programs, tests and benches.
    pub(super) targets: Vec<Target>,
}

/// A target of a package.
#[derive(Debug, Deserialize)]
pub(super) struct Target {
    pub(super) name: String,
    kind: Vec<String>,
}

impl Target {
    /// Tells whether it is a bench target.
    pub(super) fn is_bench(&self) -> bool {
        self.kind.iter().any(|kind| kind == "bench")
    }
}

/// A message of a build; of most kinds only the reason is read.
#[derive(Debug, Deserialize)]
pub(super) struct Message {
    reason: String,
    target: Option<Target>,
    package_id: Option<String>,
    manifest_path: Option<PathBuf>,
    executable: Option<PathBuf>,
}

/// A program that cargo has built, or found to be fresh.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) package_id: String,
    pub(super) target: Target,
    pub(super) manifest: PathBuf,
    pub(super) binary: PathBuf,
}

impl Message {
    /// The program that it tells of; `None` for other messages.
    pub(super) fn program(self) -> Option<Program> {
        if self.reason != "compiler-artifact" {
            return None;
        }
        Some(Program {
            package_id: self.package_id?,
            target: self.target?,
            manifest: self.manifest_path?,
            binary: self.executable?,
        })
    }
}

/// The messages of a build: the lines that are JSON objects. A build script's own lines may stand between them.
pub(super) fn parse(lines: &[u8]) -> impl Iterator<Item = Result<Message, serde_json::Error>> {
    let lines = lines.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| line.starts_with(b"{")).map(serde_json::from_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_among_other_messages() {
        let lines = br#"{"reason":"compiler-artifact","package_id":"path+file:///a#b@0.1.0","manifest_path":"/a/Cargo.toml","target":{"kind":["bench"],"crate_types":["bin"],"name":"speed","src_path":"/a/speed.rs","edition":"2024","doc":false,"doctest":false,"test":false},"profile":{"opt_level":"3","debuginfo":1,"debug_assertions":false,"overflow_checks":false,"test":true},"features":[],"filenames":["/t/speed-1"],"executable":"/t/speed-1","fresh":true}
a line of something else
{"reason":"compiler-artifact","package_id":"path+file:///a#b@0.1.0","manifest_path":"/a/Cargo.toml","target":{"kind":["lib"],"name":"b"},"executable":null}
{"reason":"build-finished","success":true}
"#;
        let found: Vec<Program> =
            parse(lines).filter_map(|message| message.unwrap().program()).collect();
        assert_eq!(found.len(), 1);
        assert!(found[0].target.is_bench());
        assert_eq!(found[0].target.name, "speed");
        assert_eq!(found[0].binary, PathBuf::from("/t/speed-1"));
        assert!(parse(b"{\"reason\":").next().unwrap().is_err());
    }
}
