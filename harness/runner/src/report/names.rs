//! Common parts of names, which are printed once above them.

/// Separators at which a name may be divided: after modules, groups and targets.
const PARTS: [&str; 3] = ["::", "/", ": "];

/// Returns the longest beginning that all names share and that ends between two parts of them; empty for a single name.
pub fn shared_prefix(names: &[&str]) -> String {
    let Some((first, others)) = names.split_first().filter(|(_, others)| !others.is_empty()) else {
        return String::new();
    };
    let mut shared = *first;
    for name in others {
        let same = shared.chars().zip(name.chars()).take_while(|(a, b)| a == b);
        shared = &shared[..same.map(|(a, _)| a.len_utf8()).sum()];
    }
    let ends = PARTS.iter().filter_map(|part| shared.rfind(part).map(|at| at + part.len()));
    let end = ends.max().unwrap_or(0);
    let prefix = &shared[..end];
    // Arguments are not parted, and nothing may be left without a name.
    let is_argument = prefix.replace(": ", "").contains([' ', '"', '(', '[']);
    match !is_argument && names.iter().all(|name| name.len() > end) {
        true => prefix.to_owned(),
        false => String::new(),
    }
}

/// Returns a prefix as a heading, without the separator at its end.
pub fn prefix_heading(prefix: &str) -> String {
    prefix.trim_end_matches(['/', ':', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_that_all_share_are_taken_off() {
        for (names, expected) in [
            (vec!["a::b::c", "a::b::d"], "a::b::"),
            (vec!["a::bc", "a::bd"], "a::"),
            (vec!["group/a/1", "group/a/2"], "group/a/"),
            (vec!["sort: a::x", "sort: a::y"], "sort: a::"),
            (vec!["a", "b"], ""),
            (vec!["a::b"], ""),
            (vec!["a::", "a::b"], ""),
            (vec!["read \"/usr/a\"", "read \"/usr/b\""], ""),
            (vec![], ""),
        ] {
            assert_eq!(shared_prefix(&names), expected, "{names:?}");
        }
        assert_eq!(prefix_heading("sort: a::"), "sort: a");
    }
}
