//! Buffers on their way between threads, and how all find out that none is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crossbeam_utils::CachePadded;

/// Messages that travel together.
pub(super) const COALESCED: usize = 512;

/// One mailbox per thread, and the credits that tell when a class has ended.
///
/// Termination: a thread that works holds a credit, and so does every buffer from before it is posted until its receiver
/// has done all that follows from it and posted what follows for others. No credits left means that nobody works and
/// nothing is under way; and since only work makes work, that stays so.
pub(super) struct Mail<I> {
    boxes: Vec<CachePadded<Mailbox<I>>>,
    credits: CachePadded<AtomicUsize>,
}

struct Mailbox<I> {
    buffers: Mutex<Vec<Vec<I>>>,
    /// How many buffers there are, to be looked at without the lock.
    waiting: AtomicUsize,
}

impl<I> Mail<I> {
    pub(super) fn new(threads: usize) -> Self {
        let mailbox = || Mailbox { buffers: Mutex::new(Vec::new()), waiting: AtomicUsize::new(0) };
        Self {
            boxes: (0..threads).map(|_| CachePadded::new(mailbox())).collect(),
            credits: CachePadded::new(AtomicUsize::new(0)),
        }
    }

    /// Takes a credit before working.
    pub(super) fn begin(&self) {
        self.credits.fetch_add(1, Ordering::AcqRel);
    }

    /// Gives back a thread's own credit and those of the buffers that it has dealt with.
    pub(super) fn end(&self, buffers: usize) {
        self.credits.fetch_sub(1 + buffers, Ordering::AcqRel);
    }

    /// Is nobody working, and nothing under way?
    pub(super) fn is_quiet(&self) -> bool {
        self.credits.load(Ordering::Acquire) == 0
    }

    /// Sends a buffer, together with a credit for it.
    pub(super) fn post(&self, to: usize, buffer: Vec<I>) {
        self.credits.fetch_add(1, Ordering::AcqRel);
        let mailbox = &self.boxes[to];
        let mut buffers = mailbox.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        buffers.push(buffer);
        mailbox.waiting.store(buffers.len(), Ordering::Release);
    }

    /// Has anything arrived?
    pub(super) fn has_mail(&self, owner: usize) -> bool {
        self.boxes[owner].waiting.load(Ordering::Acquire) > 0
    }

    /// Takes all that has arrived; `taken` has to be empty.
    pub(super) fn collect(&self, owner: usize, taken: &mut Vec<Vec<I>>) {
        let mailbox = &self.boxes[owner];
        let mut buffers = mailbox.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut *buffers, taken);
        mailbox.waiting.store(0, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_quiet_only_when_every_buffer_is_dealt_with() {
        let mail = Mail::new(2);
        mail.begin();
        mail.post(1, vec![7]);
        mail.end(0);
        assert!(!mail.is_quiet(), "a buffer is under way");
        assert!(mail.has_mail(1) && !mail.has_mail(0));
        mail.begin();
        let mut taken = Vec::new();
        mail.collect(1, &mut taken);
        assert_eq!(taken, [[7]]);
        assert!(!mail.has_mail(1) && !mail.is_quiet(), "its receiver works");
        mail.post(0, vec![8]);
        mail.end(taken.len());
        assert!(!mail.is_quiet(), "what followed is under way");
        mail.begin();
        taken.clear();
        mail.collect(0, &mut taken);
        mail.end(1);
        assert!(mail.is_quiet());
    }
}
