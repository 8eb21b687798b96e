//! Shortest paths on the Abstract Graph Machine over ranks: the owner of a vertex alone has its distance, and work items
//! travel to it, aggregated per rank. Runs the suite's own [orderings](plusminus_suite::agm::Ordering).

use plusminus_suite::agm::{Bins, Counts, Ordering, Reduction, Successor, WorkItem};
use plusminus_suite::graph::{Vertex, Weight};
use plusminus_suite::places::{Wire, take};

use crate::graph::Part;
use crate::{Mail, Ranks};

/// When a work item is compared with the distance that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// When it is processed, as VoV Definitions 2 and 4 have it: an item for every arc of every vertex whose distance fell.
    Literal,
    /// Before it is created, where the distance is known; and none is sent to a rank that was lately sent one as good.
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
    assert!(u64::from(source) < part.vertices(), "source {source} of {} vertices", part.vertices());
    let mut machine = Machine {
        ordering,
        part,
        literal: mode == Mode::Literal,
        keys: vec![u32::MAX; part.own().len()],
        bins: Bins::new(),
        reduction: Reduction::new(),
        mail: Mail::new(ranks),
        least_sent: u64::MAX,
        counts: Counts::default(),
    };
    machine.run(source, ranks);
    (machine.keys, machine.counts)
}

struct Machine<'a, W, O: Ordering> {
    ordering: &'a O,
    part: &'a Part<W>,
    literal: bool,
    keys: Vec<u32>,
    bins: Bins<O::Item>,
    reduction: Reduction,
    mail: Mail,
    /// The first class of what is sent in this round.
    least_sent: u64,
    counts: Counts,
}

impl<W: Weight, O: Ordering<Item: Wire + Successor>> Machine<'_, W, O> {
    /// Rounds, each of which ends with a meeting at which all learn the first class that has an item anywhere.
    fn run(&mut self, source: Vertex, ranks: &mut Ranks) {
        let start = O::Item::first(source, 0);
        let mut class = self.ordering.class(&start);
        if self.part.position(source).is_some() {
            self.counts.created = 1;
            self.arrive(start);
        }
        let mut items = Vec::new();
        self.counts.classes = 1;
        loop {
            self.counts.rounds += 1;
            self.least_sent = u64::MAX;
            self.bins.take_current(&mut items);
            items.drain(..).for_each(|item| self.process(item));
            let first = self.bins.first_class().unwrap_or(u64::MAX).min(self.least_sent);
            let told = self.mail.meet(ranks, [first as u32, (first >> 32) as u32, 0, 0]);
            let classes = told.iter().map(|word| u64::from(word[0]) | u64::from(word[1]) << 32);
            let next = classes.min().unwrap_or(u64::MAX);
            if next == u64::MAX {
                return;
            }
            if next != class {
                self.bins.advance(next);
                self.counts.classes += 1;
                class = next;
            }
            let received = self.mail.take_received();
            for mut words in received.iter() {
                self.counts.buffers += u64::from(!words.is_empty());
                while !words.is_empty() {
                    self.arrive(take(&mut words).expect("items, from the same program"));
                }
            }
            self.mail.give_back(received);
        }
    }

    /// Keeps an item that is for a vertex of this rank.
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
        let position =
            self.part.position(item.vertex()).expect("items go to the owner of their vertex");
        let lower = item.value() < self.keys[position];
        if lower {
            self.keys[position] = item.value();
        }
        lower
    }

    /// The processing function (VoV Definitions 2 and 4): relaxes the arcs of an item's vertex, if the item brought the
    /// best distance to it.
    fn process(&mut self, item: O::Item) {
        let position =
            self.part.position(item.vertex()).expect("items are kept by the owner of their vertex");
        let useful =
            if self.literal { self.lower(&item) } else { self.keys[position] == item.value() };
        self.counts.useful += u64::from(useful);
        self.counts.discarded += u64::from(!useful);
        if !useful {
            return;
        }
        let part = self.part;
        let arcs = part.arcs(position);
        self.counts.relaxations += arcs.len() as u64;
        for &(neighbour, weight) in arcs {
            let next = item.next(neighbour, weight.extend(item.value()));
            if part.position(neighbour).is_some() {
                if self.literal || self.lower(&next) {
                    self.counts.created += 1;
                    self.bins.push(self.ordering.class(&next), next);
                }
            } else if self.literal || self.reduction.admits(next, |value, known| value < known) {
                self.counts.created += 1;
                self.counts.messages += 1;
                self.least_sent = self.least_sent.min(self.ordering.class(&next));
                self.mail.push(part.owner(neighbour), next.pack().as_ref());
            } else {
                self.counts.suppressed += 1;
            }
        }
    }
}
