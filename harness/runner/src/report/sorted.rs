//! The order of a group's lines, where the reader wants another one than that of the source.

use std::cmp::Ordering;

use super::terminal::speedup_of;
use crate::{
    results::{BaselineComparison, Row, TableResults},
    text::Sort,
};

pub(super) fn sort(
    tables: &mut [TableResults<'_>],
    by: Sort,
    baseline: Option<&BaselineComparison>,
) {
    if by == Sort::Source {
        return;
    }
    tables.iter_mut().for_each(|table| table.rows.sort_by(|a, b| compare(a, b, by, baseline)));
}

fn compare(a: &Row<'_>, b: &Row<'_>, by: Sort, baseline: Option<&BaselineComparison>) -> Ordering {
    let key = |row: &Row<'_>| match by {
        Sort::Source | Sort::Name => None,
        Sort::Time => row.estimate().map(|time| time.value),
        // The largest first. A baseline variant is 1 against itself.
        Sort::Speedup => speedup_of(row, baseline).map(|speedup| -speedup),
    };
    if by == Sort::Name {
        return a.label.cmp(b.label);
    }
    let (a, b) = (key(a), key(b));
    a.is_none().cmp(&b.is_none()).then(a.unwrap_or(0.0).total_cmp(&b.unwrap_or(0.0)))
}
