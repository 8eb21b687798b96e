//! Panics of kernels: caught where possible, with message and place for the report.

use std::{
    panic::{self, AssertUnwindSafe},
    sync::Mutex,
};

use super::protocol::Failed;
use crate::text::shortened;

/// Message and place of the latest panic, on whatever thread it happened.
static LATEST: Mutex<Option<String>> = Mutex::new(None);

/// Characters of a message that are sent and recorded; the whole is on standard error.
const LONGEST_MESSAGE: usize = 4_000;

/// The part of a kernel's message that is sent.
pub(super) fn bounded(message: &str) -> String {
    shortened(message, LONGEST_MESSAGE)
}

/// Notes every panic besides printing it as usual.
pub(super) fn note_panics() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("a value that is not a text");
        let place = info.location().map(|place| format!(" at {}:{}", place.file(), place.line()));
        if let Ok(mut latest) = LATEST.lock() {
            // The first panic is the cause; later ones, in other threads or in drops, follow from it.
            let message = bounded(message);
            latest.get_or_insert(format!("{message}{}", place.unwrap_or_default()));
        }
        usual(info);
    }));
}

/// Runs foreign code; a panic becomes an answer.
pub(super) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Failed> {
    // Unwind safety: after a panic the process answers and ends, so that nobody sees what it left behind.
    panic::catch_unwind(AssertUnwindSafe(run)).map_err(|_| {
        let noted = LATEST.lock().ok().and_then(|mut latest| latest.take());
        Failed::Panicked {
            message: noted.unwrap_or_else(|| "a panic without a message".to_owned()),
        }
    })
}
