//! Tests of the two sides of a comparison.

use super::*;

#[test]
fn versions_that_differ_are_found() {
    let package = |name: &str, version: &str, source: &str| Package {
        name: name.to_owned(),
        version: version.to_owned(),
        source: (!source.is_empty()).then(|| source.to_owned()),
        folder: PathBuf::new(),
    };
    let base = BTreeSet::from([
        package("own", "0.1.0", ""),
        package("same", "1.0.0", "registry+x"),
        package("old", "1.0.0", "registry+x"),
        package("old", "2.0.0", "registry+x"),
        package("git", "1.0.0", "git+x?branch=main#0123456789abcdef"),
    ]);
    let new = BTreeSet::from([
        package("own", "0.2.0", ""),
        package("same", "1.0.0", "registry+x"),
        package("old", "2.0.0", "registry+x"),
        package("git", "1.0.0", "git+x?branch=main#fedcba9876543210"),
    ]);
    let found: Vec<String> = differences(&base, &new)
        .into_iter()
        .map(|d| format!("{} {} → {}", d.name, d.base.join(" "), d.new.join(" ")))
        .collect();
    assert_eq!(
        found,
        ["git 1.0.0 (0123456789ab) → 1.0.0 (fedcba987654)", "old 1.0.0 2.0.0 → 2.0.0"]
    );
}
