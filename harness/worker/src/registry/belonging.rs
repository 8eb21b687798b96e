//! Which of the benchmarks that are linked into a program belong to it.

use std::sync::OnceLock;

use super::{Entry, PackageName, entries};
use crate::listed::Listed;

/// The arguments of `main!` in this program: its own crate, and paths.
static CHOSEN: OnceLock<(String, Vec<String>)> = OnceLock::new();

/// Notes what `main!` names, for [`chosen`].
pub(crate) fn choose(own: &str, paths: &[&str]) {
    let paths = paths.iter().map(|&path| path.to_owned()).collect();
    let _ = CHOSEN.set((own.to_owned(), paths));
}

/// The benchmarks that belong to this program; all that are linked, where nothing is noted.
pub(crate) fn chosen() -> Result<Vec<&'static Entry>, String> {
    let Some((own, paths)) = CHOSEN.get() else { return Ok(entries()) };
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let found = belonging(own, &paths)?;
    if found.is_empty() {
        return Err("no benchmark is registered: put `#[bench]` on a function, and name the crates that contain \
                    benchmarks in `plusminus::main!(…)`, or they are not linked"
            .to_owned());
    }
    Ok(found)
}

/// The benchmarks that belong to this program: its own, those of the paths that `main!` names, and all variants of
/// the problems among them.
///
/// # Errors
/// Where a named path has no benchmark: it would otherwise look like a suite without any.
fn belonging(own: &str, paths: &[&str]) -> Result<Vec<&'static Entry>, String> {
    let entries = entries();
    let paths: Vec<String> = paths.iter().map(|path| path.replace(' ', "")).listed();
    let below = |entry: &Entry, path: &str| {
        path.is_empty()
            || entry
                .module
                .strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    if let Some(missing) = paths.iter().find(|path| !entries.iter().any(|entry| below(entry, path)))
    {
        return Err(format!(
            "`plusminus::main!` names `{missing}`, but no benchmark is registered there; does it have a function \
             with `#[bench]`, and is the feature on that it may need?"
        ));
    }
    let direct = |entry: &Entry| below(entry, own) || paths.iter().any(|path| below(entry, path));
    let problems: Vec<_> =
        entries.iter().filter(|entry| direct(entry)).filter_map(|entry| entry.problem()).listed();
    let joins = |entry: &Entry| entry.problem().is_some_and(|problem| problems.contains(&problem));
    Ok(entries.into_iter().filter(|entry| direct(entry) || joins(entry)).listed())
}

/// Returns the package of a program: that of the benchmarks of its own crate, or of all benchmarks if it has none. Empty if
/// they are of several packages, or not compiled by cargo.
pub fn package_of(krate: &str) -> String {
    let entries = entries();
    let own: Vec<_> = entries.iter().filter(|entry| entry.krate() == krate).listed();
    let which = if own.is_empty() { entries.iter().listed() } else { own };
    agreed(which.into_iter().map(|entry| entry.package)).text()
}

fn agreed(mut packages: impl Iterator<Item = PackageName>) -> PackageName {
    let first = packages.next().unwrap_or_default();
    if packages.all(|other| other == first) { first } else { PackageName::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_known_if_all_benchmarks_agree() {
        const A: PackageName = PackageName(&PackageName::turned::<1>("a"));
        const B: PackageName = PackageName(&PackageName::turned::<1>("b"));
        let unknown = PackageName::default();
        let agreed = |packages: &[PackageName]| agreed(packages.iter().copied()).text();
        assert_eq!(agreed(&[A, A]), "a");
        assert_eq!(agreed(&[A, B]), "");
        assert_eq!(agreed(&[A, unknown]), "");
        assert_eq!(agreed(&[]), "");
    }
}
