//! Finds which harness the benchmarks of a package use.

use std::{fs, path::Path};

use crate::cargo::{Package, Target};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Harness {
    /// plusminus, or a drop-in of it.
    Own,
    /// A harness that there is a drop-in for: `criterion` or `divan`.
    DropIn(&'static str),
    /// `#[bench]` of the compiler's `test`, in these bench targets.
    Libtest(Vec<Target>),
    /// A harness that stays, by the name of its package.
    Other(String),
}

/// Packages that are harnesses, and stay.
const OTHERS: [&str; 7] = [
    "codspeed-criterion-compat",
    "codspeed-divan-compat",
    "codspeed-bencher-compat",
    "gungraun",
    "iai-callgrind",
    "iai",
    "tango-bench",
];

pub(super) fn all(package: &Package) -> Vec<Harness> {
    let mut found = Vec::new();
    for dependency in &package.dependencies {
        let harness = match dependency.name.as_str() {
            "plusminus" | "plusminus-criterion" | "plusminus-divan" => Harness::Own,
            "criterion" => Harness::DropIn("criterion"),
            "divan" => Harness::DropIn("divan"),
            name if OTHERS.contains(&name) => Harness::Other(name.to_owned()),
            _ => continue,
        };
        if !found.contains(&harness) {
            found.push(harness);
        }
    }
    let is_libtest =
        |path: &Path| fs::read_to_string(path).is_ok_and(|text| text.lines().any(is_crate_test));
    let benches = package.targets.iter().filter(|target| target.is("bench"));
    let libtest: Vec<Target> =
        benches.clone().filter(|bench| is_libtest(&bench.src_path)).cloned().collect();
    if !libtest.is_empty() {
        found.push(Harness::Libtest(libtest));
    }
    if found.is_empty() && benches.count() > 0 {
        found.push(Harness::Other("its own harness".to_owned()));
    }
    found
}

fn is_crate_test(line: &str) -> bool {
    line.trim() == "extern crate test;"
}

/// Returns the source of a libtest benchmark as one of plusminus, as docs/how-to/from-libtest-or-hyperfine.md has it.
pub(super) fn from_libtest(source: &str) -> String {
    let mut new = String::new();
    for line in source.lines() {
        match line.trim() {
            "#![feature(test)]" => continue,
            _ if is_crate_test(line) => {
                new.push_str("use plusminus::{bench, libtest as test};\n");
            }
            _ => {
                new.push_str(line);
                new.push('\n');
            }
        }
    }
    new.trim_start_matches('\n').to_owned() + "\nplusminus::main!();\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_benchmark_of_libtest_changes_at_its_ends() {
        let old = "#![feature(test)]\n\nextern crate test;\n\nuse test::Bencher;\n\n#[bench]\nfn f(b: &mut Bencher) {\n    b.iter(|| 1);\n}\n";
        let new = "use plusminus::{bench, libtest as test};\n\nuse test::Bencher;\n\n#[bench]\nfn f(b: &mut Bencher) {\n    b.iter(|| 1);\n}\n\nplusminus::main!();\n";
        assert_eq!(from_libtest(old), new);
    }
}
