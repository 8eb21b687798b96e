//! The distributed memory: parts, ranks, addresses, and the queues between ranks.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::super::access::Access;
use super::super::data::element;
use super::super::drand48::Drand48;
use super::super::locality::ALPHAS;
use super::super::parameters::MAX_INDICES;
use super::super::stream::{Blocks, IndexStream};
use super::PerProcessor;

/// The messages between ranks.
#[derive(Debug)]
pub(super) enum Message {
    /// Copy the words from `first`, counted within the receiver's part, into the buffer, and send it back.
    Ask { from: usize, first: usize, words: usize, buffer: Vec<f64> },
    /// The words that were asked for.
    Answer(Vec<f64>),
    /// The sender will ask no more in this call.
    Finished,
}

/// The state that only one rank may touch.
#[derive(Debug)]
pub(super) struct Private {
    /// Holds one block: a copy, or what travels with a message.
    pub(super) buffer: Vec<f64>,
    /// Messages to this rank.
    pub(super) inbox: Receiver<Message>,
}

/// M words in p parts, each written first by the thread of the rank that owns it; and the threads.
#[derive(Debug)]
pub struct DistributedMemory {
    point: PerProcessor,
    parts: Vec<Vec<f64>>,
    shift: u32,
    /// Addresses: for each rank, for each α.
    streams: Vec<Vec<IndexStream>>,
    private: Vec<Mutex<Private>>,
    inboxes: Vec<Sender<Message>>,
    threads: ThreadPool,
}

impl DistributedMemory {
    pub(super) fn new(point: PerProcessor) -> Self {
        let (p, part_words) = (point.processors(), point.part_words());
        let threads = ThreadPoolBuilder::new()
            .num_threads(p)
            .thread_name(|rank| format!("apex-map-{rank}"))
            .build()
            .unwrap_or_else(|error| panic!("cannot start {p} threads: {error}"));
        let parts = threads.broadcast(|rank| {
            let first = rank.index() * part_words;
            (first..first + part_words).map(|word| f64::from(element(0, word))).collect()
        });
        let mut random = Drand48::new(point.seed());
        let mut streams = |_| {
            let draw =
                |alpha: &f64| IndexStream::new(*alpha, p * part_words, MAX_INDICES, &mut random);
            ALPHAS.iter().map(draw).collect()
        };
        let streams = (0..p).map(&mut streams).collect();
        let (inboxes, private) = (0..p)
            .map(|_| {
                let (sender, inbox) = channel();
                (sender, Mutex::new(Private { buffer: Vec::new(), inbox }))
            })
            .unzip();
        let shift = part_words.trailing_zeros();
        Self { point, parts, shift, streams, private, inboxes, threads }
    }

    /// The point that it was built for.
    pub fn point(&self) -> PerProcessor {
        self.point
    }

    /// Words of all parts together.
    pub fn words(&self) -> usize {
        self.parts.len() << self.shift
    }

    /// The rank that owns a word.
    #[inline]
    pub fn owner(&self, word: usize) -> usize {
        word >> self.shift
    }

    /// The number of a word within its owner's part.
    #[inline]
    pub fn within_part(&self, word: usize) -> usize {
        word & ((1 << self.shift) - 1)
    }

    /// The part of a rank.
    #[inline]
    pub fn part(&self, rank: usize) -> &[f64] {
        &self.parts[rank]
    }

    /// The blocks that a rank visits in a call: first words, already moved to the rank's own part.
    #[inline]
    pub fn starts<'a>(
        &'a self,
        access: &Access,
        call: u64,
        rank: usize,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let block_words = access.locality().block_words;
        let stream = &self.streams[rank][access.stream()];
        let blocks: Blocks<'a> = stream.blocks(call, self.point.blocks(block_words), block_words);
        let (words, centre) = (self.words(), rank << self.shift);
        blocks.starts().map(move |start| {
            let moved = start + centre;
            if moved < words { moved } else { moved - words }
        })
    }

    /// Returns the private state of a rank, for the length of a call.
    ///
    /// # Panics
    /// When another call is running on this memory.
    pub(super) fn private(&self, rank: usize) -> MutexGuard<'_, Private> {
        self.private[rank].try_lock().expect(
            "the ranks of parallel Apex-MAP belong to one call at a time: \
             measure it without the option `threads`",
        )
    }

    /// Sends a message to a rank.
    pub(super) fn send(&self, to: usize, message: Message) {
        // The receiver lives as long as this memory does.
        self.inboxes[to].send(message).expect("every rank keeps its inbox");
    }

    /// Runs the body once on each rank, at the same time, and collects what they return. One rank alone runs on the
    /// calling thread, so that p = 1 pays for no thread.
    pub(super) fn on_all_ranks(&self, body: impl Fn(usize) -> f64 + Sync) -> Vec<f64> {
        if self.parts.len() == 1 {
            vec![body(0)]
        } else {
            self.threads.broadcast(|rank| body(rank.index()))
        }
    }

    pub(super) fn check(&self, access: &Access, visited: &Visited) -> Result<(), String> {
        let p = self.parts.len();
        if visited.sums.len() != p {
            return Err(format!("{} sums for {p} ranks", visited.sums.len()));
        }
        let block_words = access.locality().block_words;
        for (rank, found) in visited.sums.iter().enumerate() {
            let expected: u64 = self
                .starts(access, visited.call, rank)
                .flat_map(|start| start..start + block_words)
                .map(|word| u64::from(element(0, word)))
                .sum();
            if *found != expected as f64 {
                return Err(format!(
                    "call {}: rank {rank} found the sum {found}, but must find {expected}",
                    visited.call
                ));
            }
        }
        Ok(())
    }
}

/// The result of a call: its number within its instance, and the sum that each rank has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Visited {
    /// The number of the call, from 0: it decides which blocks were visited.
    pub call: u64,
    /// The sum over the words that each rank has visited.
    pub sums: Vec<f64>,
}
