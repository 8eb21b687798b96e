//! Threads, and queues between them, for few messages outside of every window.
//! The standard library compiles its queue in three kinds for each type that goes through, at every user's; this one is
//! a list under a lock.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Starts a thread that is not waited for.
///
/// # Errors
/// Where the system allows no more threads.
pub fn spawn(run: Box<dyn FnOnce() + Send>) -> io::Result<()> {
    thread::Builder::new().spawn(run).map(drop)
}

/// A queue with both of its ends.
pub fn queue<T>() -> (Sender<T>, Receiver<T>) {
    let state = State { waiting: VecDeque::new(), senders: 1, has_receiver: true };
    let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
    (Sender(shared.clone()), Receiver(shared))
}

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    waiting: VecDeque<T>,
    senders: usize,
    has_receiver: bool,
}

impl<T> Shared<T> {
    /// Nothing that can panic is done under the lock.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where messages are put.
pub struct Sender<T>(Arc<Shared<T>>);

impl<T> Sender<T> {
    /// Puts a message into the queue; true if a receiver is left that could take it.
    pub fn send(&self, message: T) -> bool {
        let mut state = self.0.lock();
        if state.has_receiver {
            state.waiting.push_back(message);
            self.0.changed.notify_one();
        }
        state.has_receiver
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        self.0.lock().senders += 1;
        Self(self.0.clone())
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.0.lock().senders -= 1;
        self.0.changed.notify_one();
    }
}

/// Where messages are taken.
pub struct Receiver<T>(Arc<Shared<T>>);

impl<T> Receiver<T> {
    /// Waits for the next message and takes it; `None` once the queue is empty and the last sender is gone.
    pub fn receive(&self) -> Option<T> {
        let mut state = self.0.lock();
        loop {
            if let Some(message) = state.waiting.pop_front() {
                return Some(message);
            }
            if state.senders == 0 {
                return None;
            }
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.has_receiver = false;
        // Jobs that nobody will take are dropped now, but not under the lock.
        let left = std::mem::take(&mut state.waiting);
        drop(state);
        drop(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_in_order_and_the_end_is_noticed() {
        let (sender, receiver) = queue();
        let second = sender.clone();
        spawn(Box::new(move || {
            for number in 0..1000 {
                assert!(sender.send(number));
            }
        }))
        .unwrap();
        for number in 0..1000 {
            assert_eq!(receiver.receive(), Some(number));
        }
        assert!(second.send(7));
        drop(second);
        assert_eq!(receiver.receive(), Some(7));
        assert_eq!(receiver.receive(), None);
    }

    #[test]
    fn a_sender_is_told_that_no_receiver_is_left() {
        let (sender, receiver) = queue();
        let kept = Arc::new(());
        assert!(sender.send(kept.clone()));
        drop(receiver);
        assert_eq!(Arc::strong_count(&kept), 1, "what was not taken is dropped");
        assert!(!sender.send(kept.clone()));
        assert_eq!(Arc::strong_count(&kept), 1);
    }

    #[test]
    fn one_who_waits_is_woken_by_the_end() {
        let (sender, receiver) = queue::<u8>();
        let (ended, end) = queue();
        spawn(Box::new(move || {
            ended.send(receiver.receive());
        }))
        .unwrap();
        drop(sender);
        assert_eq!(end.receive(), Some(None));
    }
}
