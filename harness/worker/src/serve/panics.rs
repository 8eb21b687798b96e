//! Panics of kernels: caught where possible, with message and place for the report.

use std::{
    any::Any,
    panic::{self, AssertUnwindSafe},
    sync::{Mutex, MutexGuard, PoisonError},
    thread::{self, ThreadId},
};

use crate::protocol::Failed;

/// Panics that are remembered of one guarded call: more follow from the first ones.
const KEPT: usize = 16;

const LONGEST_MESSAGE_CHARS: usize = 2_000;

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

/// The part of a kernel's message that is sent.
pub(super) fn bounded(whole: &str) -> String {
    match whole.char_indices().nth(LONGEST_MESSAGE_CHARS) {
        None => whole.to_owned(),
        Some((end, _)) => {
            format!("{}… ({} bytes in all)", whole.get(..end).unwrap_or(""), whole.len())
        }
    }
}

/// Adds a panic; of too many, the first and the last ones stay.
fn remember(all: &mut Vec<Noted>, one: Noted) {
    if all.len() >= KEPT {
        // The first and the last ones explain the end; those between do not.
        all.remove(KEPT / 2);
    }
    all.push(one);
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
        remember(&mut noted(), one);
        usual(info);
    }));
}

fn message_of(payload: &dyn Any) -> String {
    let whole = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a value that is not a text");
    bounded(whole)
}

/// Runs foreign code and turns a panic into an answer. It returns the panic that ended the call, because others may
/// have been caught.
pub(super) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Failed> {
    noted().clear();
    // Unwind safety: after a panic the process answers and ends, so that nothing it left behind is used.
    panic::catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let fatal = message_of(payload.as_ref());
        Failed::Panicked { message: explain(&noted(), &fatal, thread::current().id()) }
    })
}

/// The fatal panic of thread `here` with its place, and the first one of another thread that may have been its cause.
fn explain(all: &[Noted], fatal: &str, here: ThreadId) -> String {
    let place = all.iter().rev().find(|one| one.message == fatal);
    let mut text = format!("{fatal}{}", place.map_or("", |one| one.place.as_str()));
    let elsewhere = |one: &&Noted| one.thread != here && one.message != fatal;
    if let Some(first) = all.iter().find(elsewhere) {
        text +=
            &format!("; before that, another thread panicked: {}{}", first.message, first.place);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    // On panics as the hook notes them: it sees those of all tests of this program. `faults` runs it in workers.

    fn noted_on(thread: ThreadId, message: &str) -> Noted {
        Noted { thread, message: message.to_owned(), place: format!(" at {message}.rs:1") }
    }

    fn here_and_elsewhere() -> (ThreadId, ThreadId) {
        let elsewhere = thread::spawn(|| thread::current().id()).join();
        (thread::current().id(), elsewhere.unwrap())
    }

    #[test]
    fn the_fatal_panic_is_named_with_what_it_followed_from_in_another_thread() {
        let (here, elsewhere) = here_and_elsewhere();
        let all = [noted_on(here, "caught"), noted_on(here, "fatal")];
        assert_eq!(explain(&all, "fatal", here), "fatal at fatal.rs:1");
        assert_eq!(explain(&[], "resumed", here), "resumed", "no hook has seen it");
        let all =
            [noted_on(elsewhere, "cause"), noted_on(elsewhere, "later"), noted_on(here, "unwrap")];
        assert_eq!(
            explain(&all, "unwrap", here),
            "unwrap at unwrap.rs:1; before that, another thread panicked: cause at cause.rs:1"
        );
        // Carried on from the thread where it happened.
        assert_eq!(explain(&all[..1], "cause", here), "cause at cause.rs:1");
    }

    #[test]
    fn the_first_and_the_last_panics_are_remembered() {
        let (here, elsewhere) = here_and_elsewhere();
        let mut all = Vec::new();
        remember(&mut all, noted_on(elsewhere, "cause"));
        for number in 0..10 * KEPT {
            remember(&mut all, noted_on(here, &format!("caught {number}")));
        }
        remember(&mut all, noted_on(here, "fatal"));
        assert_eq!(all.len(), KEPT);
        let told = explain(&all, "fatal", here);
        assert!(told.contains("fatal.rs:1") && told.contains("cause.rs:1"), "{told}");
    }

    #[test]
    fn a_panic_becomes_an_answer() {
        let Err(Failed::Panicked { message }) = guarded(|| panic::resume_unwind(Box::new("quiet")))
        else {
            panic!("no panic")
        };
        assert!(message.starts_with("quiet"), "{message}");
        assert!(matches!(guarded(|| 3), Ok(3)));
    }

    #[test]
    fn messages_are_bounded() {
        let message = message_of(&"é".repeat(10_000_000));
        assert!(message.len() < 3 * LONGEST_MESSAGE_CHARS, "{}", message.len());
        assert!(message.contains("20000000 bytes in all"), "{message}");
    }
}
