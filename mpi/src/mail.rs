//! Messages that a rank collects for others, and hands over at a meeting.

use plusminus_suite::places::Parcels;

use crate::{Ranks, Word};

/// The messages to each rank, aggregated, and the messages from each.
pub struct Mail {
    piles: Vec<Vec<u32>>,
    sent: Parcels,
    received: Parcels,
}

impl Mail {
    /// Nothing yet.
    pub fn new(ranks: &Ranks) -> Self {
        let number = ranks.ranks();
        Self {
            piles: vec![Vec::new(); number],
            sent: Parcels::new(number),
            received: Parcels::new(number),
        }
    }

    /// Adds words to what is for a rank.
    #[inline]
    pub fn push(&mut self, rank: usize, words: &[u32]) {
        self.piles[rank].extend_from_slice(words);
    }

    /// Adds this number of words without meaning, to be timed.
    pub fn push_zeros(&mut self, rank: usize, words: usize) {
        let pile = &mut self.piles[rank];
        pile.resize(pile.len() + words, 0);
    }

    /// Sends everything and takes in what has come; gives what all ranks tell.
    pub fn meet(&mut self, ranks: &mut Ranks, word: Word) -> Vec<Word> {
        self.sent.words.clear();
        for (pile, length) in self.piles.iter_mut().zip(&mut self.sent.lengths) {
            *length = pile.len();
            self.sent.words.append(pile);
        }
        ranks.meet(word, &self.sent, &mut self.received)
    }

    /// Takes out what has come, so that more can be sent while it is read.
    pub(crate) fn take_received(&mut self) -> Parcels {
        std::mem::take(&mut self.received)
    }

    /// Gives back the memory of what has come.
    pub(crate) fn give_back(&mut self, received: Parcels) {
        self.received = received;
    }

    /// Returns the received messages, by ascending sender.
    pub fn received(&self) -> impl Iterator<Item = &[u32]> {
        self.received.iter()
    }
}
