//! Shortest paths on the Abstract Graph Machine over ranks: the owner of a vertex alone has its distance, and work items
//! travel to it, aggregated per rank. Runs the suite's own [orderings](plusminus_suite::agm::Ordering).
//!
//! A rank is one place, or has one for each of several workers ([`search_on_workers`]).

use std::mem;

use plusminus_suite::agm::{Bins, Counts, Ordering, Reduction, Successor, WorkItem};
use plusminus_suite::graph::{Vertex, Weight};
use plusminus_suite::places::{Wire, take};

use crate::graph::Part;
use crate::workers::{Desk, Place, Team};
use crate::{Mail, Ranks, Word};

/// When a work item is compared with the distance that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// When it is processed, as VoV Definitions 2 and 4 have it: an item for every arc of every vertex whose distance fell.
    Literal,
    /// Before it is created, where the distance is known; and none is sent to a place that was lately sent one as good.
    Filtered,
}

/// The distances of this rank's vertices, `u32::MAX` where no path leads, and what was counted on this rank.
pub fn search<W, O>(
    ordering: &O,
    part: &Part<W>,
    source: Vertex,
    mode: Mode,
    ranks: &mut Ranks,
) -> (Vec<u32>, Counts)
where
    W: Weight,
    O: Ordering<Item: Wire + Successor>,
{
    let mail = Alone { mail: Mail::new(ranks), ranks };
    Machine::new(ordering, Place::of_rank(part), mode, mail).run(source)
}

/// The same with several places on each rank, each with a worker, which is a thread: every one of `ranks × workers` places has
/// consecutive vertices and alone touches their distances. Items between places of one rank go through its memory, those between ranks in
/// one parcel for each rank. Needs as many workers on all ranks.
///
/// # Panics
/// If there is no worker.
pub fn search_on_workers<W, O>(
    ordering: &O,
    part: &Part<W>,
    source: Vertex,
    mode: Mode,
    workers: usize,
    ranks: &mut Ranks,
) -> (Vec<u32>, Counts)
where
    W: Weight + Sync,
    O: Ordering<Item: Wire + Successor> + Sync,
{
    let team = Team::new(ranks.ranks(), ranks.rank(), workers);
    let place = |worker| Place::of_worker(part, &team, worker);
    let (mut keys, mut counts) = (Vec::with_capacity(part.own().len()), Counts::default());
    std::thread::scope(|scope| {
        let work = |worker| {
            let _released = team.released_at_panic();
            Machine::new(ordering, place(worker), mode, Desk::new(&team, worker)).run(source)
        };
        let others: Vec<_> = (1..workers).map(|worker| scope.spawn(move || work(worker))).collect();
        let mut take_in = |(own, more): (Vec<u32>, Counts)| {
            keys.extend(own);
            add(&mut counts, &more);
        };
        let _released = team.released_at_panic();
        // The thread that has begun MPI speaks for all.
        let counter = Desk::new(&team, 0).at_the_network(ranks);
        take_in(Machine::new(ordering, place(0), mode, counter).run(source));
        for other in others {
            take_in(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
    (keys, counts)
}

/// Adds the counts of a different worker. Classes and rounds are common to all.
fn add(counts: &mut Counts, more: &Counts) {
    counts.created += more.created;
    counts.useful += more.useful;
    counts.discarded += more.discarded;
    counts.relaxations += more.relaxations;
    counts.messages += more.messages;
    counts.buffers += more.buffers;
    counts.suppressed += more.suppressed;
    counts.classes = more.classes;
    counts.rounds = more.rounds;
}

/// Carries items to other places.
pub(crate) trait Post {
    /// Adds words to what is for a place.
    fn push(&mut self, place: usize, words: &[u32]);

    /// Sends everything once all have come, each with the first class that it knows of; gives the first of all.
    fn meet(&mut self, first: u64) -> u64;

    /// Reads what has come, by sender.
    fn read(&self, parcel: impl FnMut(&[u32]));
}

/// A class in two words.
pub(crate) fn halves(class: u64) -> Word {
    [class as u32, (class >> 32) as u32, 0, 0]
}

/// Returns the first class among the ranks' words.
pub(crate) fn first_of(told: &[Word]) -> u64 {
    let classes = told.iter().map(|word| u64::from(word[0]) | u64::from(word[1]) << 32);
    classes.min().unwrap_or(u64::MAX)
}

/// A rank that is one place.
struct Alone<'a> {
    mail: Mail,
    ranks: &'a mut Ranks,
}

impl Post for Alone<'_> {
    #[inline]
    fn push(&mut self, place: usize, words: &[u32]) {
        self.mail.push(place, words);
    }

    fn meet(&mut self, first: u64) -> u64 {
        first_of(&self.mail.meet(self.ranks, halves(first)))
    }

    fn read(&self, parcel: impl FnMut(&[u32])) {
        self.mail.received().for_each(parcel);
    }
}

/// One place of a search.
struct Machine<'a, W, O: Ordering, P> {
    kept: Kept<'a, W, O>,
    post: P,
    reduction: Reduction,
    /// The first class of what is sent in this round.
    least_sent: u64,
    counts: Counts,
}

/// The distances of a place and the items that wait there.
struct Kept<'a, W, O: Ordering> {
    ordering: &'a O,
    place: Place<'a, W>,
    literal: bool,
    keys: Vec<u32>,
    bins: Bins<O::Item>,
}

impl<W: Weight, O: Ordering<Item: Wire + Successor>> Kept<'_, W, O> {
    /// Keeps an item that is for a vertex of this place.
    #[inline]
    fn arrive(&mut self, item: O::Item) {
        if !self.literal && !self.lower(&item) {
            return;
        }
        self.bins.push(self.ordering.class(&item), item);
    }

    /// Notes the distance of an item, if it is lower than the one that is known.
    #[inline]
    fn lower(&mut self, item: &O::Item) -> bool {
        let position = self.position(item);
        let lower = item.value() < self.keys[position];
        if lower {
            self.keys[position] = item.value();
        }
        lower
    }

    /// The position of the vertex of an item that is here.
    #[inline]
    fn position(&self, item: &O::Item) -> usize {
        self.place.position(item.vertex()).expect("items go to the owner of their vertex")
    }
}

impl<'a, W: Weight, O: Ordering<Item: Wire + Successor>, P: Post> Machine<'a, W, O, P> {
    fn new(ordering: &'a O, place: Place<'a, W>, mode: Mode, post: P) -> Self {
        let keys = vec![u32::MAX; place.vertices()];
        let literal = mode == Mode::Literal;
        Self {
            kept: Kept { ordering, place, literal, keys, bins: Bins::new() },
            post,
            reduction: Reduction::new(),
            least_sent: u64::MAX,
            counts: Counts::default(),
        }
    }

    /// Rounds, each of which ends with a meeting at which all learn the first class that has an item anywhere; gives the
    /// distances of this place and what was counted here.
    fn run(mut self, source: Vertex) -> (Vec<u32>, Counts) {
        let whole = self.kept.place.all_vertices();
        assert!(u64::from(source) < whole, "source {source} of {whole} vertices");
        let start = O::Item::first(source, 0);
        let mut class = self.kept.ordering.class(&start);
        if self.kept.place.position(source).is_some() {
            self.counts.created = 1;
            self.kept.arrive(start);
        }
        let mut items = Vec::new();
        self.counts.classes = 1;
        loop {
            self.counts.rounds += 1;
            self.least_sent = u64::MAX;
            self.kept.bins.take_current(&mut items);
            items.drain(..).for_each(|item| self.process(item));
            let first = self.kept.bins.first_class().unwrap_or(u64::MAX).min(self.least_sent);
            let next = self.post.meet(first);
            if next == u64::MAX {
                return (mem::take(&mut self.kept.keys), self.counts);
            }
            if next != class {
                self.kept.bins.advance(next);
                self.counts.classes += 1;
                class = next;
            }
            let Self { kept, post, counts, .. } = &mut self;
            post.read(|mut words| {
                counts.buffers += u64::from(!words.is_empty());
                while !words.is_empty() {
                    kept.arrive(take(&mut words).expect("items, from the same program"));
                }
            });
        }
    }

    /// The processing function (VoV Definitions 2 and 4): relaxes the arcs of an item's vertex, if the item brought the
    /// best distance to it.
    fn process(&mut self, item: O::Item) {
        let Self { kept, post, reduction, least_sent, counts } = self;
        let position = kept.position(&item);
        let useful =
            if kept.literal { kept.lower(&item) } else { kept.keys[position] == item.value() };
        counts.useful += u64::from(useful);
        counts.discarded += u64::from(!useful);
        if !useful {
            return;
        }
        let arcs = kept.place.arcs(position);
        counts.relaxations += arcs.len() as u64;
        for &(neighbour, weight) in arcs {
            let next = item.next(neighbour, weight.extend(item.value()));
            if kept.place.position(neighbour).is_some() {
                if kept.literal || kept.lower(&next) {
                    counts.created += 1;
                    kept.bins.push(kept.ordering.class(&next), next);
                }
            } else if kept.literal || reduction.admits(next, |value, known| value < known) {
                counts.created += 1;
                counts.messages += 1;
                *least_sent = (*least_sent).min(kept.ordering.class(&next));
                post.push(kept.place.of(neighbour), next.pack().as_ref());
            } else {
                counts.suppressed += 1;
            }
        }
    }
}
