//! Benchmarks registered at run time: the registering function is called, and the session is lent to the registry, which
//! serves the wanted benchmark from within that call.

use std::{cell::RefCell, io, mem, rc::Rc};

use super::{Session, lookup::missing, panics::guarded};
use crate::{
    bencher::Host,
    protocol::Failed,
    registry::{Serve, Subject, entries, serve},
    window::Windows,
};

/// A session that someone else may hold for a while.
struct Lent {
    session: Option<Session>,
    outcome: io::Result<()>,
}

/// Measures the benchmark of this name, wherever it is registered, by the section that is enough if there is one.
pub(super) fn run(session: &mut Session, name: &str, section: Option<u32>) -> io::Result<()> {
    let lent = Lent { session: Some(mem::replace(session, Session::hollow())), outcome: Ok(()) };
    let lent = Rc::new(RefCell::new(lent));
    let ended = guarded(|| {
        entries().into_iter().any(|entry| match &entry.subject {
            Subject::Registered(subject) => serve(entry, subject, (name, section), server(&lent)),
            Subject::Function(_) | Subject::Variant(_) => false,
        })
    });
    let Lent { session: own, outcome } = lent.replace(Lent { session: None, outcome: Ok(()) });
    // It is back after every call of the server, even where a kernel panicked.
    *session = own.ok_or_else(|| io::Error::other("a kernel kept the session"))?;
    outcome?;
    match ended {
        Ok(true) => Ok(()),
        Ok(false) => session.fail(Failed::Misuse { message: missing(name) }),
        Err(panic) => session.fail(panic),
    }
}

/// Serves one benchmark with the session, and gives it back.
fn server(lent: &Rc<RefCell<Lent>>) -> Box<Serve> {
    let lent = lent.clone();
    Box::new(move |options, threads, run| {
        let Some(mut session) = lent.borrow_mut().session.take() else { return };
        session.windows.callers = threads;
        session.metrics = vec![options.metrics.clone()];
        session.phases = vec![options.phases.clone()];
        session.work = options.work.clone().unwrap_or_default();
        let outcome = session.run_function(run);
        *lent.borrow_mut() = Lent { session: Some(session), outcome };
    })
}

impl Session {
    /// Replaces a session that was taken away: it receives nothing, and its answers go nowhere.
    fn hollow() -> Self {
        Self {
            requests: io::BufReader::new(Box::new(io::empty())),
            answers: Box::new(io::sink()),
            shared: true,
            counter: None,
            windows: Windows::default(),
            served: false,
            optional: false,
            place: None,
            process: std::process::id(),
            metrics: Vec::new(),
            phases: Vec::new(),
            work: crate::Work::none(),
            extras: super::Extras::default(),
        }
    }
}
