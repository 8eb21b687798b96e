//! The program starts as cargo starts it, and rejects unknown arguments. Its behavior is tested in `tests/`, whose
//! programs are built together with this one: cargo builds a program only for tests in its own package.

use std::process::{Command, Output};

fn plusminus(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_cargo-plusminus");
    Command::new(program).args(arguments).output().expect("the program is there")
}

#[test]
fn the_version_is_that_of_the_package() {
    let output = plusminus(&["plusminus", "--version"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(env!("CARGO_PKG_VERSION")), "{text}");
}

#[test]
fn what_is_not_understood_is_named() {
    let output = plusminus(&["plusminus", "compute"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("compute"), "{text}");
}
