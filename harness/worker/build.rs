//! Records with which settings the crate is built, for the manifest of records. Only a build script can read them.

use std::{env, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = Command::new(compiler).arg("--version").output().ok();
    let version =
        version.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    println!("cargo:rustc-env=PLUSMINUS_BUILD_RUSTC={}", version.trim());
    let of = |name: &str| env::var(name).unwrap_or_default();
    println!("cargo:rustc-env=PLUSMINUS_BUILD_TARGET={}", of("TARGET"));
    println!("cargo:rustc-env=PLUSMINUS_BUILD_OPT_LEVEL={}", of("OPT_LEVEL"));
    println!(
        "cargo:rustc-env=PLUSMINUS_BUILD_FLAGS={}",
        of("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ")
    );
}
