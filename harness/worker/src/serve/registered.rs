//! Benchmarks registered at run time: the registering function is called, and the session is lent to the registry, which
//! serves the wanted benchmark from within that call. If the runner only pauses, the next one may come later in the same call.

use std::{cell::RefCell, io, mem, rc::Rc};

use super::{
    Session,
    lookup::{Found, find, missing},
    panics::guarded,
};
use crate::{
    bencher::Host,
    protocol::{Answer, Request},
    registry::{Serve, Subject, Wanted, entries, serve},
    window::Windows,
};

struct Lent {
    session: Option<Session>,
    outcome: io::Result<()>,
    /// The benchmark that is to be served next; `None` when there is none any more.
    wanted: Option<Wanted>,
    served: usize,
}

/// Measures a benchmark, wherever it is registered, and all that the runner wants after it.
pub(super) fn run(session: &mut Session, wanted: Wanted) -> io::Result<()> {
    let own = mem::replace(session, Session::hollow());
    let lent = Lent { session: Some(own), outcome: Ok(()), wanted: Some(wanted), served: 0 };
    let lent = Rc::new(RefCell::new(lent));
    let ended = guarded(|| {
        // Each pass serves one at least, or is the last.
        let mut before = None;
        while before != Some(lent.borrow().served) {
            before = Some(lent.borrow().served);
            pass(&lent);
        }
    });
    let nothing = Lent { session: None, outcome: Ok(()), wanted: None, served: 0 };
    let Lent { session: own, outcome, wanted, .. } = lent.replace(nothing);
    // It is back after every call of the server, even where a kernel panicked.
    *session = own.ok_or_else(|| io::Error::other("a kernel kept the session"))?;
    outcome?;
    match (ended, wanted) {
        (Ok(()), None) => Ok(()),
        (Ok(()), Some(wanted)) => session.misuse(&missing(&wanted.name)),
        (Err(panic), _) => session.fail(panic),
    }
}

/// Calls the registering functions one after the other, while something is wanted.
fn pass(lent: &Rc<RefCell<Lent>>) {
    for entry in entries() {
        let Some(wanted) = lent.borrow().wanted.clone() else { return };
        if let Subject::Registered(subject) = &entry.subject {
            serve(entry, subject, wanted, server(lent));
        }
    }
}

/// Serves one benchmark with the session, and gives it back. Returns the benchmark that is wanted after it.
fn server(lent: &Rc<RefCell<Lent>>) -> Box<Serve> {
    let lent = lent.clone();
    Box::new(move |options, threads, run| {
        let mut session = lent.borrow_mut().session.take()?;
        session.windows.callers = threads;
        session.metrics = vec![options.metrics.clone()];
        session.phases = vec![options.phases.clone()];
        session.work = options.work.clone().unwrap_or_default();
        let next = session.run_function(run).and_then(|()| session.next_wanted());
        let mut lent = lent.borrow_mut();
        lent.session = Some(session);
        lent.served += 1;
        (lent.outcome, lent.wanted) = match next {
            Ok(next) => (Ok(()), next),
            Err(error) => (Err(error), None),
        };
        lent.wanted.clone()
    })
}

impl Session {
    /// If the runner has only paused, returns the benchmark that it wants next. Anything else that it wants is for the outer loop.
    fn next_wanted(&mut self) -> io::Result<Option<Wanted>> {
        if !self.paused {
            return Ok(None);
        }
        self.answer(&Answer::Finished)?;
        let request = self.next_request()?;
        if let Some(Request::Load(load)) = &request
            && let Ok(Found::Registered(wanted)) = find(load)
        {
            self.windows.held = Default::default();
            self.paused = false;
            return Ok(Some(wanted));
        }
        self.unread = Some(request);
        Ok(None)
    }

    /// Returns a session that receives nothing, and whose answers go nowhere. It replaces one that was taken away.
    pub(super) fn hollow() -> Self {
        Self {
            requests: io::BufReader::with_capacity(0, Box::new(io::empty())),
            line: String::new(),
            answers: Box::new(io::sink()),
            shared: true,
            counter: None,
            windows: Windows::default(),
            served: false,
            optional: false,
            paused: false,
            unread: None,
            place: None,
            process: std::process::id(),
            metrics: Vec::new(),
            phases: Vec::new(),
            work: crate::Work::none(),
            extras: super::Extras::default(),
        }
    }
}
