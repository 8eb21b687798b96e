//! What is said where no benchmark matches the filters.

use crate::{
    registry::{Case, Filter},
    text::{nearest, visible},
};

/// Says which filters match nothing, and what they may have meant.
pub(super) fn no_match(all: &[Case], filter: &Filter) -> String {
    let asked: Vec<String> =
        filter.wanted.iter().map(|name| format!("`{}`", visible(name))).collect();
    let asked = if asked.is_empty() { "what is selected".to_owned() } else { asked.join(" or ") };
    let near: Vec<String> = filter
        .wanted
        .iter()
        .filter_map(|wanted| near(all, wanted))
        .map(|name| format!("`{}`", visible(name)))
        .collect();
    let cure = if near.is_empty() {
        format!("`--list` shows all {}", all.len())
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    format!("no benchmark of this target matches {asked}; {cure}")
}

/// The name that is nearest to a filter: whole names, or single parts of them, as a filter may be any part.
fn near<'a>(all: &'a [Case], wanted: &str) -> Option<&'a str> {
    let names = || all.iter().map(|case| case.name.as_str());
    // Marks of regular expressions, which other harnesses take, are no letters.
    let word = wanted.trim_matches(['^', '$', '*', '.']);
    let contains = |name: &&str| !word.is_empty() && name.contains(word);
    let part = || nearest(word, names().flat_map(|name| name.split("::")));
    nearest(word, names()).or_else(|| names().find(contains)).or_else(part)
}
