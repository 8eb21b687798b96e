//! Panics of kernels: caught where possible, with message and place for the report.

use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
    sync::{Mutex, MutexGuard, PoisonError},
    thread::{self, ThreadId},
};

use super::protocol::Failed;

/// Panics that are remembered of one guarded call: more follow from the first ones.
const KEPT: usize = 16;

/// The longest message that is reported.
const LONGEST_MESSAGE_CHARS: usize = 2_000;

/// A panic as the hook has seen it.
struct Noted {
    thread: ThreadId,
    message: String,
    place: String,
}

/// The panics since the last guarded call began, on whatever thread they happened.
static NOTED: Mutex<Vec<Noted>> = Mutex::new(Vec::new());

fn noted() -> MutexGuard<'static, Vec<Noted>> {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes every panic besides printing it as usual.
pub(super) fn note_panics() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let place = info.location();
        let place = place.map(|place| format!(" at {}:{}", place.file(), place.line()));
        let one = Noted {
            thread: thread::current().id(),
            message: message_of(info.payload()),
            place: place.unwrap_or_default(),
        };
        let mut all = noted();
        if all.len() >= KEPT {
            // The first and the last ones explain the end; those between do not.
            all.remove(KEPT / 2);
        }
        all.push(one);
        drop(all);
        usual(info);
    }));
}

/// The message of a panic, of bounded length.
fn message_of(payload: &dyn Any) -> String {
    let whole = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a value that is not a text");
    match whole.char_indices().nth(LONGEST_MESSAGE_CHARS) {
        None => whole.to_owned(),
        Some((end, _)) => {
            format!("{}… ({} bytes in all)", whole.get(..end).unwrap_or(""), whole.len())
        }
    }
}

/// Runs foreign code; a panic becomes an answer. The one that ended the call is named: others may have been caught.
pub(super) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Failed> {
    noted().clear();
    // Unwind safety: after a panic the process answers and ends, so that nothing it left behind is used.
    panic::catch_unwind(AssertUnwindSafe(run))
        .map_err(|payload| Failed::Panicked { message: explain(&message_of(payload.as_ref())) })
}

/// The fatal panic with its place, and the first one of another thread that may have been its cause.
fn explain(fatal: &str) -> String {
    let all = noted();
    let place = all.iter().rev().find(|one| one.message == fatal);
    let mut text = format!("{fatal}{}", place.map_or("", |one| one.place.as_str()));
    let elsewhere = |one: &&Noted| one.thread != thread::current().id() && one.message != fatal;
    if let Some(first) = all.iter().find(elsewhere) {
        text +=
            &format!("; before that, another thread panicked: {}{}", first.message, first.place);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(run: impl FnOnce()) -> String {
        static HOOKED: std::sync::Once = std::sync::Once::new();
        static ALONE: Mutex<()> = Mutex::new(());
        HOOKED.call_once(note_panics);
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        match guarded(run) {
            Err(Failed::Panicked { message }) => message,
            other => panic!("no panic: {other:?}"),
        }
    }

    #[test]
    fn the_fatal_panic_is_named_and_not_a_caught_one() {
        let message = failure(|| {
            let _ = panic::catch_unwind(|| panic!("caught"));
            panic!("fatal")
        });
        assert!(message.starts_with("fatal at "), "{message}");
        assert!(!message.contains("caught"), "{message}");
        let message = failure(|| panic!("of the second call"));
        assert!(message.starts_with("of the second call at "), "{message}");
    }

    #[test]
    fn a_panic_of_another_thread_is_named_beside_what_followed_from_it() {
        let message = failure(|| thread::spawn(|| panic!("the cause")).join().unwrap());
        assert!(message.contains("unwrap()") && message.contains("the cause at "), "{message}");
        let message =
            failure(|| panic::resume_unwind(thread::spawn(|| panic!("inner")).join().unwrap_err()));
        assert!(message.starts_with("inner at "), "{message}");
    }

    #[test]
    fn messages_are_bounded() {
        let message = failure(|| panic!("{}", "é".repeat(10_000_000)));
        assert!(message.len() < 3 * LONGEST_MESSAGE_CHARS, "{}", message.len());
        assert!(message.contains("20000000 bytes in all"), "{message}");
    }
}
