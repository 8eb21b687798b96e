//! The messages of one process to the others at the end of a phase: one parcel for each, with everything for its
//! nodes.

use super::block::{Block, Cut};
use super::post::Letter;
use super::wire::{Wire, take, words_of};
use super::{Board, NodeProgram};

/// The message when words are not a valid message.
pub(super) const ANOTHER_PROGRAM: &str = "another rank has sent what is no message of this program: all ranks have to run \
                                          the same program on the same input";

/// Words for each process, or from each, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parcels {
    /// The words of all, one process after the other; those behind them mean nothing.
    pub words: Vec<u32>,
    /// How many of them belong to each process.
    pub lengths: Vec<usize>,
}

impl Parcels {
    /// Makes empty parcels for this number of processes.
    pub fn new(ranks: usize) -> Self {
        Self { words: Vec::new(), lengths: vec![0; ranks] }
    }

    /// The words of each process.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let mut rest = &self.words[..];
        self.lengths.iter().map(move |&length| {
            let (parcel, others) = rest.split_at(length);
            rest = others;
            parcel
        })
    }
}

/// Sorts letters into parcels and mail out of them.
///
/// A parcel that is not empty has the number of letters, the number of extra ones, both kinds of letters, and what was
/// published. Each letter is the node that it is for, and the words of the message.
pub(super) struct Sorting<M> {
    rank: usize,
    /// The first node behind those of each process.
    ends: Vec<u32>,
    cut: Cut,
    first: u32,
    pub(super) sent: Parcels,
    pub(super) received: Parcels,
    /// Where the next word for each process goes.
    cursors: Vec<usize>,
    /// The mail of each block for the next phase.
    letters: Vec<Vec<Letter<M>>>,
    extra: Vec<Vec<Letter<u32>>>,
}

impl<M: Wire + Send> Sorting<M> {
    pub(super) fn new(rank: usize, ends: Vec<u32>, cut: Cut, first: u32) -> Self {
        let (ranks, blocks) = (ends.len(), cut.blocks());
        Self {
            rank,
            ends,
            cut,
            first,
            sent: Parcels::new(ranks),
            received: Parcels::new(ranks),
            cursors: vec![0; ranks],
            letters: (0..blocks).map(|_| Vec::new()).collect(),
            extra: (0..blocks).map(|_| Vec::new()).collect(),
        }
    }

    /// Packs what the blocks have sent to other processes, and what they have published.
    pub(super) fn pack<P, C>(&mut self, blocks: &mut [Block<P, C>], news: &[[u32; 3]])
    where
        P: NodeProgram<Message = M>,
    {
        let letters = self.count(blocks.iter_mut().map(|block| &*block.pile()));
        let extra = self.count(blocks.iter_mut().map(|block| &*block.extra_pile()));
        let mut total = 0;
        for rank in 0..self.ends.len() {
            let (letters, extra) = (letters[rank], extra[rank]);
            let empty = rank == self.rank || letters + extra + news.len() == 0;
            let words = 2 + letters * (1 + words_of::<M>()) + extra * 2 + news.len() * 3;
            self.sent.lengths[rank] = if empty { 0 } else { words };
            self.cursors[rank] = total;
            total += self.sent.lengths[rank];
        }
        self.sent.words.resize(total, 0);
        if total == 0 {
            return;
        }
        for rank in 0..self.ends.len() {
            if self.sent.lengths[rank] > 0 {
                let counts = [letters[rank], extra[rank]];
                self.put(
                    rank,
                    &counts.map(|count| {
                        u32::try_from(count)
                            .unwrap_or_else(|_| panic!("{count} messages to one rank in one phase"))
                    }),
                );
            }
        }
        for block in &mut *blocks {
            self.put_letters(block.pile());
        }
        for block in blocks {
            self.put_letters(block.extra_pile());
        }
        for rank in 0..self.ends.len() {
            if self.sent.lengths[rank] > 0 {
                news.iter().for_each(|one| self.put(rank, one));
            }
        }
    }

    /// The process of a node.
    #[inline]
    fn rank_of(&self, node: u32) -> usize {
        self.ends.partition_point(|&end| end <= node)
    }

    /// Counts letters to each process.
    fn count<'l, L: 'l>(&self, piles: impl Iterator<Item = &'l Vec<Letter<L>>>) -> Vec<usize> {
        let mut counts = vec![0; self.ends.len()];
        for pile in piles {
            let mut rest = &pile[..];
            while let Some((rank, length)) = self.first_run(rest) {
                counts[rank] += length;
                rest = &rest[length..];
            }
        }
        counts
    }

    /// The process of the first letter, and how many letters in turn are for it: a node often sends to its neighbors by
    /// ascending number.
    fn first_run<L>(&self, letters: &[Letter<L>]) -> Option<(usize, usize)> {
        let rank = self.rank_of(letters.first()?.to);
        let own = if rank == 0 { 0 } else { self.ends[rank - 1] }..self.ends[rank];
        let length = letters.iter().position(|letter| !own.contains(&letter.to));
        Some((rank, length.unwrap_or(letters.len())))
    }

    /// Puts letters to other processes into parcels.
    fn put_letters<L: Wire>(&mut self, pile: &[Letter<L>]) {
        let width = 1 + words_of::<L>();
        let mut rest = pile;
        while let Some((rank, length)) = self.first_run(rest) {
            let (run, others) = rest.split_at(length);
            rest = others;
            if rank == self.rank {
                continue;
            }
            let start = self.cursors[rank];
            self.cursors[rank] += run.len() * width;
            let words = &mut self.sent.words[start..self.cursors[rank]];
            for (words, letter) in words.chunks_exact_mut(width).zip(run) {
                words[0] = letter.to;
                words[1..].copy_from_slice(letter.message.pack().as_ref());
            }
        }
    }

    /// Appends words to a parcel.
    fn put(&mut self, rank: usize, words: &[u32]) {
        let start = self.cursors[rank];
        self.cursors[rank] += words.len();
        self.sent.words[start..self.cursors[rank]].copy_from_slice(words);
    }

    /// Hands out what has come: mail to the blocks, by ascending sender, and what was published to the boards.
    pub(super) fn unpack<P, C>(&mut self, blocks: &mut [Block<P, C>], boards: &[&Board])
    where
        P: NodeProgram<Message = M>,
    {
        let remote = self.received.lengths.iter().any(|&length| length > 0);
        if !remote && self.sent.words.is_empty() && blocks.len() == 1 {
            // All mail stays in the one block that it is in.
            return;
        }
        let received = std::mem::take(&mut self.received);
        for (rank, parcel) in received.iter().enumerate() {
            if rank == self.rank {
                self.keep_own(blocks);
            } else if !parcel.is_empty() && self.take_parcel(parcel, boards).is_none() {
                panic!("{ANOTHER_PROGRAM}");
            }
        }
        self.received = received;
        for (index, block) in blocks.iter_mut().enumerate() {
            std::mem::swap(block.pile(), &mut self.letters[index]);
            std::mem::swap(block.extra_pile(), &mut self.extra[index]);
            self.letters[index].clear();
            self.extra[index].clear();
        }
    }

    /// Keeps what the blocks have sent to each other and to themselves.
    fn keep_own<P, C>(&mut self, blocks: &mut [Block<P, C>])
    where
        P: NodeProgram<Message = M>,
    {
        let (first, end) = (self.first, self.ends[self.rank]);
        let cut = self.cut;
        for block in blocks {
            for letter in block.pile().iter().filter(|letter| (first..end).contains(&letter.to)) {
                self.letters[cut.block_of(letter.to - first)].push(*letter);
            }
            for letter in
                block.extra_pile().iter().filter(|letter| (first..end).contains(&letter.to))
            {
                self.extra[cut.block_of(letter.to - first)].push(*letter);
            }
        }
    }

    /// Opens a parcel.
    fn take_parcel(&mut self, mut words: &[u32], boards: &[&Board]) -> Option<()> {
        let (letters, extra) = take::<(u32, u32)>(&mut words)?;
        let width = 1 + words_of::<M>();
        let (packed, rest) = words.split_at_checked(letters as usize * width)?;
        words = rest;
        if let [pile] = &mut self.letters[..] {
            pile.reserve(letters as usize);
        }
        for mut letter in packed.chunks_exact(width) {
            let to = take::<u32>(&mut letter)?;
            let message = take(&mut letter)?;
            let block = self.block_of(to)?;
            self.letters[block].push(Letter { to, message });
        }
        for _ in 0..extra {
            let (to, message) = take::<(u32, u32)>(&mut words)?;
            let block = self.block_of(to)?;
            self.extra[block].push(Letter { to, message });
        }
        while !words.is_empty() {
            let number = take::<u32>(&mut words)?;
            let (node, value) = take::<(u32, u32)>(&mut words)?;
            boards.get(number as usize)?.set(node, value);
        }
        Some(())
    }

    /// The block of a node, if it is one of this process.
    fn block_of(&self, node: u32) -> Option<usize> {
        let here = (self.first..self.ends[self.rank]).contains(&node);
        here.then(|| self.cut.block_of(node - self.first))
    }
}
