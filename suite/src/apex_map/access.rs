//! One thing to measure: accesses with given localities.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use super::locality::{ALPHAS, Locality};

/// One measurement: visits with these localities, each call further along the stream of addresses.
///
/// It counts its calls, so that no call repeats addresses that the previous one has brought into the cache; an output
/// names the call it belongs to, and can so be checked.
#[derive(Debug)]
pub struct Access {
    locality: Locality,
    stream: usize,
    calls: AtomicU64,
}

impl Access {
    /// Accesses that follow the stream with this number.
    pub(super) fn new(locality: Locality, stream: usize) -> Self {
        Self { locality, stream, calls: AtomicU64::new(0) }
    }

    /// The paper's sweep, with one stream for each α.
    pub(super) fn sweep() -> Vec<Self> {
        Locality::sweep()
            .map(|locality| {
                let stream = ALPHAS.iter().position(|alpha| *alpha == locality.alpha);
                Self::new(locality, stream.expect("the sweep uses ALPHAS"))
            })
            .collect()
    }

    /// Its localities.
    pub fn locality(&self) -> Locality {
        self.locality
    }

    /// Which of the streams it follows.
    pub(super) fn stream(&self) -> usize {
        self.stream
    }

    /// The number of the next call, from 0.
    #[inline]
    pub(super) fn next_call(&self) -> u64 {
        self.calls.fetch_add(1, Ordering::Relaxed)
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.locality.fmt(f)
    }
}
