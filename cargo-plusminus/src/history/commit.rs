//! The place of a commit in git's order of commits.

use std::path::Path;

use crate::{compare, error::Result};

/// A commit with its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dated {
    pub(super) hash: String,
    /// When it was committed, in UTC.
    pub(super) committed: Option<String>,
    /// How many commits it is made from, itself included.
    pub(super) ancestors: Option<u64>,
}

/// Asks the repository around this folder; `None` where there is none, or it does not know the commit.
pub(super) fn dated(name: &str) -> Result<Option<Dated>> {
    let Some((hash, told)) = compare::describe_commit(Path::new("."), name)? else {
        return Ok(None);
    };
    let (committed, ancestors) = told.split_once(' ').unwrap_or((&told, ""));
    Ok(Some(Dated {
        hash,
        committed: Some(committed.to_owned()).filter(|time| !time.is_empty()),
        ancestors: ancestors.parse().ok(),
    }))
}
