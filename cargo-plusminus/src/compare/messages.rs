//! The parts of cargo's messages that are read, whose format is stable.

use std::path::PathBuf;

use serde::Deserialize;

use crate::cargo::Target;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "reason")]
pub(crate) enum Message {
    /// A target that cargo has built, or found to be fresh.
    #[serde(rename = "compiler-artifact")]
    Artifact {
        package_id: String,
        target: Target,
        manifest_path: PathBuf,
        /// The program, if it is one.
        executable: Option<PathBuf>,
        #[serde(default)]
        fresh: bool,
    },
    #[serde(rename = "build-script-executed")]
    Script {
        package_id: String,
        /// The folders of libraries that it names, each with its kind in front as it was printed.
        #[serde(default)]
        linked_paths: Vec<PathBuf>,
        out_dir: PathBuf,
        #[serde(default)]
        env: Vec<(String, String)>,
    },
    #[serde(other)]
    Other,
}

/// The messages of a build: the lines that are JSON objects. A build script's own lines may stand between them.
pub(crate) fn parse(lines: &[u8]) -> impl Iterator<Item = Result<Message, serde_json::Error>> {
    let lines = lines.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| line.starts_with(b"{")).map(serde_json::from_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_and_scripts_are_found_among_other_messages() {
        let lines = br#"{"reason":"compiler-artifact","package_id":"path+file:///a#b@0.1.0","manifest_path":"/a/Cargo.toml","target":{"kind":["bench"],"crate_types":["bin"],"name":"speed","src_path":"/a/speed.rs","edition":"2024","doc":false,"doctest":false,"test":false},"profile":{"opt_level":"3","debuginfo":1,"debug_assertions":false,"overflow_checks":false,"test":true},"features":[],"filenames":["/t/speed-1"],"executable":"/t/speed-1","fresh":true}
a line of something else
{"reason":"compiler-artifact","package_id":"path+file:///a#b@0.1.0","manifest_path":"/a/Cargo.toml","target":{"kind":["lib"],"name":"b"},"executable":null}
{"reason":"build-script-executed","package_id":"path+file:///a#b@0.1.0","linked_libs":["dylib=x"],"linked_paths":["native=/t/out"],"cfgs":[],"env":[["N","1"]],"out_dir":"/t/out"}
{"reason":"build-finished","success":true}
"#;
        let found: Vec<Message> = parse(lines).map(Result::unwrap).collect();
        let [bench, library, script, other] = &found[..] else { panic!("{found:?}") };
        let Message::Artifact { target, executable, fresh, .. } = bench else {
            panic!("{bench:?}")
        };
        assert!(target.is("bench") && target.name == "speed" && *fresh);
        assert_eq!(*executable, Some(PathBuf::from("/t/speed-1")));
        let Message::Artifact { target, executable, fresh, .. } = library else {
            panic!("{library:?}")
        };
        assert!(!target.is("bench") && executable.is_none() && !fresh);
        let expected = Message::Script {
            package_id: "path+file:///a#b@0.1.0".to_owned(),
            linked_paths: vec!["native=/t/out".into()],
            out_dir: "/t/out".into(),
            env: vec![("N".to_owned(), "1".to_owned())],
        };
        assert_eq!((script, other), (&expected, &Message::Other));
        assert!(parse(b"{\"reason\":").next().unwrap().is_err());
        assert!(parse(b"{\"of a script\": 1}").next().unwrap().is_err());
    }
}
