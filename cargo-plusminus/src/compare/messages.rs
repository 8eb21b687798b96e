//! The parts of cargo's messages that are read, whose format is stable.

use std::path::{Path, PathBuf};

use serde::Deserialize;

pub(super) use crate::cargo::{Metadata, Package, Target};

/// A message of a build; of most kinds only the reason is read.
#[derive(Debug, Deserialize)]
pub(super) struct Message {
    reason: String,
    target: Option<Target>,
    package_id: Option<String>,
    manifest_path: Option<PathBuf>,
    executable: Option<PathBuf>,
    fresh: Option<bool>,
    /// The folders of libraries that a build script names.
    linked_paths: Option<Vec<PathBuf>>,
    /// The folder into which a build script writes.
    out_dir: Option<PathBuf>,
    /// The variables that it sets.
    env: Option<Vec<(String, String)>>,
}

/// A target that cargo has built, or found to be fresh.
#[derive(Debug)]
pub(super) struct Artifact {
    pub(super) package_id: String,
    pub(super) target: Target,
    pub(super) manifest: PathBuf,
    /// The program, if it is one.
    pub(super) binary: Option<PathBuf>,
    pub(super) fresh: bool,
}

/// A build script that was run.
#[derive(Debug, PartialEq)]
pub(super) struct Ran<'a> {
    pub(super) package_id: &'a str,
    /// The folder into which it writes.
    pub(super) output: &'a Path,
    /// The variables that it sets.
    pub(super) variables: &'a [(String, String)],
}

impl Message {
    /// Returns the folders of libraries that a build script names, each with its kind in front as it was printed; none for
    /// other messages.
    pub(super) fn linked_paths(&self) -> &[PathBuf] {
        match (self.reason.as_str(), &self.linked_paths) {
            ("build-script-executed", Some(paths)) => paths,
            _ => &[],
        }
    }

    /// Returns the build script that was run; `None` for other messages.
    pub(super) fn script(&self) -> Option<Ran<'_>> {
        if self.reason != "build-script-executed" {
            return None;
        }
        Some(Ran {
            package_id: self.package_id.as_deref()?,
            output: self.out_dir.as_deref()?,
            variables: self.env.as_deref().unwrap_or_default(),
        })
    }

    /// Returns the target of the message; `None` for other messages.
    pub(super) fn artifact(self) -> Option<Artifact> {
        if self.reason != "compiler-artifact" {
            return None;
        }
        Some(Artifact {
            package_id: self.package_id?,
            target: self.target?,
            manifest: self.manifest_path?,
            binary: self.executable,
            fresh: self.fresh.unwrap_or(false),
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
    fn targets_are_found_among_other_messages() {
        let lines = br#"{"reason":"compiler-artifact","package_id":"path+file:///a#b@0.1.0","manifest_path":"/a/Cargo.toml","target":{"kind":["bench"],"crate_types":["bin"],"name":"speed","src_path":"/a/speed.rs","edition":"2024","doc":false,"doctest":false,"test":false},"profile":{"opt_level":"3","debuginfo":1,"debug_assertions":false,"overflow_checks":false,"test":true},"features":[],"filenames":["/t/speed-1"],"executable":"/t/speed-1","fresh":true}
a line of something else
{"reason":"compiler-artifact","package_id":"path+file:///a#b@0.1.0","manifest_path":"/a/Cargo.toml","target":{"kind":["lib"],"name":"b"},"executable":null}
{"reason":"build-script-executed","package_id":"path+file:///a#b@0.1.0","linked_libs":["dylib=x"],"linked_paths":["native=/t/out"],"cfgs":[],"env":[["N","1"]],"out_dir":"/t/out"}
{"reason":"build-finished","success":true}
"#;
        let paths: Vec<PathBuf> =
            parse(lines).flat_map(|message| message.unwrap().linked_paths().to_vec()).collect();
        assert_eq!(paths, [PathBuf::from("native=/t/out")]);
        let messages: Vec<Message> = parse(lines).map(Result::unwrap).collect();
        let scripts: Vec<_> = messages.iter().filter_map(Message::script).collect();
        let variables = &[("N".to_owned(), "1".to_owned())][..];
        let (package_id, output) = ("path+file:///a#b@0.1.0", Path::new("/t/out"));
        assert_eq!(scripts, [Ran { package_id, output, variables }]);
        let found: Vec<Artifact> =
            parse(lines).filter_map(|message| message.unwrap().artifact()).collect();
        assert_eq!(found.len(), 2);
        assert!(found[0].target.is("bench") && found[0].fresh);
        assert_eq!(found[0].target.name, "speed");
        assert_eq!(found[0].binary, Some(PathBuf::from("/t/speed-1")));
        assert!(!found[1].target.is("bench") && found[1].binary.is_none());
        assert!(parse(b"{\"reason\":").next().unwrap().is_err());
    }
}
