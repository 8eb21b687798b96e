//! The message when no benchmark matches the filters, and whether that is an error.

use std::{
    env,
    fs::{self, DirEntry},
    path::Path,
};

use super::arguments::{Arguments, Filter, Ignored};
use crate::text::{nearest, visible};
use plusminus_worker::{processor_request, protocol::CaseDescription};

/// Why nothing is selected, if all that the filters match is ignored.
pub(super) fn all_ignored(all: &[CaseDescription], arguments: &Arguments) -> Option<String> {
    let matching = |case: &&CaseDescription| arguments.filter.passes(&case.krate, &case.name);
    let mut found = all.iter().filter(matching);
    let first = found.next().filter(|_| arguments.ignored == Ignored::LeftOut)?;
    let reason = first.ignore.as_deref().filter(|reason| !reason.is_empty());
    let reason = reason.map_or_else(String::new, |reason| format!(" ({})", visible(reason)));
    let more = match found.count() {
        0 => String::new(),
        more => format!(", and so are {more} more"),
    };
    Some(format!(
        "`{}` is ignored{reason}{more}; `--ignored` measures what is ignored",
        visible(&first.name)
    ))
}

/// Describes a filter that is not a regular expression, and does not stand in a name either.
pub(super) fn faulty(all: &[CaseDescription], filter: &Filter) -> Option<String> {
    filter.wanted.iter().find_map(|pattern| {
        let reason = visible(pattern.fault()?);
        let selects = |case: &CaseDescription| pattern.selects(&case.krate, &case.name);
        let text = visible(pattern.text());
        (!all.iter().any(selects)).then(|| {
            format!("the filter `{text}` is not a regular expression, and not a part of a name: {reason}")
        })
    })
}

/// Describes the filters that match nothing, with suggestions.
pub(super) fn no_match(all: &[CaseDescription], filter: &Filter) -> String {
    let wanted: Vec<String> =
        filter.wanted.iter().map(|pattern| format!("`{}`", visible(pattern.text()))).collect();
    let wanted =
        if wanted.is_empty() { "what is selected".to_owned() } else { wanted.join(" or ") };
    let near: Vec<String> = filter
        .wanted
        .iter()
        .filter_map(|wanted| near(all, wanted.text()))
        .map(|name| format!("`{}`", visible(name)))
        .collect();
    let cure = if near.is_empty() {
        format!("`--list` shows all {}", all.len())
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    let processors = processor_request::asked_processor_counts()
        .map(|counts| format!(" on processors {}", processor_request::listing(counts)))
        .unwrap_or_default();
    format!("no benchmark of this target matches {wanted}{processors}; {cure}")
}

/// The name that is nearest to a filter: whole names, or single parts of them, as a filter may be any part.
fn near<'a>(all: &'a [CaseDescription], wanted: &str) -> Option<&'a str> {
    let names = || all.iter().map(|case| case.name.as_str());
    // Marks of regular expressions are no letters.
    let word = wanted.trim_matches(['^', '$', '*', '.']);
    let contains = |name: &&str| !word.is_empty() && name.contains(word);
    let part = || nearest(word, names().flat_map(|name| name.split("::")));
    nearest(word, names()).or_else(|| names().find(contains)).or_else(part)
}

/// Returns whether cargo has started this program, and may start others with the same filters. Cargo stops at the
/// first that fails, so a filter that is meant for a different target must not fail in this one.
pub(super) fn may_be_meant_for_others() -> bool {
    let folder = env::var_os("CARGO_MANIFEST_DIR").filter(|_| env::var_os("CARGO").is_some());
    folder.is_some_and(|folder| !has_one_bench(Path::new(&folder)))
}

/// Returns whether a package has one bench target and belongs to no workspace with others, as far as can be seen
/// without reading manifests as cargo does; in doubt it has several.
fn has_one_bench(package: &Path) -> bool {
    let manifest = |folder: &Path| fs::read_to_string(folder.join("Cargo.toml"));
    let Ok(own) = manifest(package) else { return false };
    let has =
        |text: &str, begin: &str| text.lines().any(|line| line.trim_start().starts_with(begin));
    let is_root = has(&own, "[workspace");
    if is_root && has(&own, "members") {
        return false;
    }
    let around = |folder: &Path| manifest(folder).is_ok_and(|text| has(&text, "[workspace"));
    if !is_root && package.ancestors().skip(1).any(around) {
        return false;
    }
    let named = own.lines().filter(|line| line.trim() == "[[bench]]").count();
    let is_target = |entry: &DirEntry| {
        let path = entry.path();
        path.extension().is_some_and(|extension| extension == "rs") || path.join("main.rs").exists()
    };
    let found = fs::read_dir(package.join("benches"))
        .map_or(0, |entries| entries.flatten().filter(is_target).count());
    named.max(found) == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Scratch;

    #[test]
    fn only_a_lone_bench_target_is_alone() {
        let folder = Scratch::new("one-bench");
        let package = folder.join("package");
        fs::create_dir_all(package.join("benches")).unwrap();
        let bench = "[[bench]]\nname = \"a\"\n";
        let with = |manifest: &str| {
            fs::write(package.join("Cargo.toml"), manifest).unwrap();
            has_one_bench(&package)
        };
        assert!(!with(""));
        assert!(with(bench) && with(&format!("[workspace]\n{bench}")));
        assert!(!with(&format!("{bench}{bench}")));
        assert!(!with(&format!("[workspace]\nmembers = [\"b\"]\n{bench}")));
        fs::write(package.join("benches/a.rs"), "").unwrap();
        assert!(with(bench) && with(""));
        fs::write(folder.join("Cargo.toml"), "[workspace]").unwrap();
        assert!(!with(bench));
        fs::remove_file(folder.join("Cargo.toml")).unwrap();
        fs::write(package.join("benches/b.rs"), "").unwrap();
        assert!(!with(bench));
    }
}
