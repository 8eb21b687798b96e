//! Functions that differ between two versions, to records and back.

use plusminus::record::ChangedFunction;
use plusminus_same_code::{Change, How};

/// As a record has it.
pub(crate) fn kept(change: &Change) -> ChangedFunction {
    let (name, place) = (change.name.clone(), change.place.clone());
    ChangedFunction { how: change.how.name().to_owned(), name, place }
}

/// From a record, which has no symbols.
pub(crate) fn of_record(ChangedFunction { how, name, place }: ChangedFunction) -> Change {
    let kinds = [How::Changed, How::Added, How::Removed];
    let how = kinds.into_iter().find(|kind| kind.name() == how).unwrap_or(How::Changed);
    Change { how, name, symbol: String::new(), place }
}
