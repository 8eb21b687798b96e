//! Which two versions are compared, as the user writes it.

use crate::error::{Result, error};

/// The two ends of a comparison as the user names them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Range {
    pub(super) base: String,
    /// `None` is the working tree.
    pub(super) head: Option<String>,
    /// Compare with the merge base of the two.
    pub(super) merge_base: bool,
}

impl Range {
    /// Reads BASE, BASE..HEAD or BASE...HEAD; `of_merge_base` makes the first two mean the third. Git allows no `..` within a
    /// name, so this cannot split one.
    ///
    /// # Errors
    /// Where nothing is written, as by a variable that is not set: HEAD against itself would always pass.
    pub(crate) fn parse(text: &str, of_merge_base: bool) -> Result<Self> {
        if text.trim().is_empty() {
            return error("the base is empty. Name a branch, a tag or a commit, such as `main`");
        }
        let (base, head, merge_base) = match (text.split_once("..."), text.split_once("..")) {
            (Some((base, head)), _) => (base, Some(head), true),
            (None, Some((base, head))) => (base, Some(head), false),
            (None, None) => (text, None, false),
        };
        // As for git, a name that is missing before or behind the dots is HEAD.
        let named = |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
        let merge_base = merge_base || of_merge_base;
        Ok(Self { base: named(base), head: head.map(named), merge_base })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_git_reads_them() {
        let range = |text| Range::parse(text, false).unwrap();
        let of = |base: &str, head: Option<&str>, merge_base| Range {
            base: base.to_owned(),
            head: head.map(str::to_owned),
            merge_base,
        };
        assert_eq!(range("main"), of("main", None, false));
        assert_eq!(range("main..topic"), of("main", Some("topic"), false));
        assert_eq!(range("main...topic"), of("main", Some("topic"), true));
        assert_eq!(range("main.."), of("main", Some("HEAD"), false));
        assert_eq!(range("v1.0"), of("v1.0", None, false));
        assert_eq!(range("..x"), of("HEAD", Some("x"), false));
        assert!(Range::parse("", false).is_err() && Range::parse(" ", true).is_err());
    }
}
