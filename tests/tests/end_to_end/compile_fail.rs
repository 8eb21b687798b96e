//! The compiler's messages about attributes. A mistake is reported at the wrong word with the right one. A correct
//! attribute causes no message, whatever lints are on.

use std::{collections::BTreeMap, fs};

use plusminus_tests::{Fixture, workspace};
use serde_json::Value;

/// Returns a message without what changes while no attribute does: places in other files, their indentation, and the
/// sources of the standard library, which need not be installed.
fn stable(message: &str) -> String {
    let own = workspace().display().to_string();
    let (mut is_foreign, mut is_std) = (false, false);
    let mut text = String::new();
    for line in message.lines().map(str::trim_start) {
        let (number, code) =
            line.split_at(line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len());
        if let Some((arrow, place)) =
            line.split_once(' ').filter(|(arrow, _)| ["-->", ":::"].contains(arrow))
        {
            is_foreign = !place.starts_with("src/bin/");
            let path = place.split(':').next().unwrap_or(place);
            let inner = path.split_once("/library/").map(|(_, inner)| format!("RUST/{inner}"));
            is_std = inner.is_some();
            let path = inner.unwrap_or_else(|| path.replace(&own, "WORKSPACE"));
            let place = if is_foreign { &path } else { place };
            text += &format!("{arrow} {place}\n");
        } else if is_foreign && code.trim_start().starts_with('|') {
            if !is_std {
                text += &format!("{}\n", code.trim_start());
            }
        } else {
            text += &format!("{number}{code}\n");
        }
    }
    text
}

#[test]
fn mistakes_are_explained_where_they_are() {
    let fixture = Fixture::new("mistakes", "mistakes");
    let check = ["check", "--bins", "--keep-going", "--quiet", "--message-format=json"];
    let outcome = fixture.cargo(&check);
    let mut told: BTreeMap<String, String> = BTreeMap::new();
    for line in outcome.exits(101).stdout.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let message = &line["message"];
        // The last message counts those before it.
        if message["spans"].as_array().is_some_and(|spans| !spans.is_empty()) {
            let program = line["target"]["name"].as_str().unwrap().to_owned();
            *told.entry(program).or_default() += &stable(message["rendered"].as_str().unwrap());
        }
    }
    let programs = fs::read_dir(fixture.folder.join("src/bin")).unwrap().count();
    assert_eq!(told.len(), programs, "{}", outcome.both());
    for (program, messages) in told {
        insta::assert_snapshot!(format!("mistakes_{program}"), messages);
    }
}

#[test]
fn strict_lints_stay_quiet() {
    let fixture = Fixture::new("attributes", "strict_lints");
    // Its own lints are errors: all that is generated passes them.
    let outcome = fixture.cargo(&["clippy", "--bench", "quiet", "--bench", "forms"]);
    outcome.exits(0);
    fixture.cargo(&["test", "--bench", "quiet"]).exits(0).says("test group::other ... ok");
}
