//! A block: consecutive nodes that one thread runs at a time, with their states, links and mailboxes.

use std::hint::black_box;
use std::ops::Range;

use super::post::{Inbox, Letter, Outbox, Post};
use super::workload::Scratch;
use super::{Heard, NodeProgram, Places, Tally, Task, Workload};

/// The letters of all blocks of a run: the algorithm's and, where asked for, the extra ones of the workload.
pub(super) struct Mailroom<P: NodeProgram> {
    letters: Post<P::Message>,
    extra: Post<u32>,
}

impl<P: NodeProgram> Mailroom<P> {
    pub(super) fn new(blocks: usize) -> Self {
        Self { letters: Post::new(blocks), extra: Post::new(blocks) }
    }
}

/// How the nodes are cut into blocks: all of one size but the last, so that a division finds the block of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    nodes: usize,
    size: usize,
}

impl Cut {
    pub(super) fn new(nodes: usize, blocks: usize) -> Self {
        Self { nodes, size: nodes.div_ceil(blocks.max(1)).max(1) }
    }

    pub(super) fn blocks(&self) -> usize {
        self.nodes.div_ceil(self.size).max(1)
    }

    /// The nodes of a block, where the first one has this number.
    pub(super) fn part(&self, index: usize, first: u32) -> Range<u32> {
        let start = (index * self.size).min(self.nodes);
        let end = (start + self.size).min(self.nodes);
        first + start as u32..first + end as u32
    }

    /// The block of the node at a position.
    #[inline]
    pub(super) fn block_of(&self, position: u32) -> usize {
        position as usize / self.size
    }
}

/// Consecutive nodes and everything that only the thread that runs them touches.
pub(super) struct Block<P: NodeProgram, C> {
    index: usize,
    first: u32,
    states: Vec<P::State>,
    /// Where the links of each node end; unused where links hold nothing.
    link_ends: Vec<usize>,
    links: Vec<P::Link>,
    inbox: Inbox<P::Message>,
    outbox: Outbox<P::Message>,
    extra_inbox: Inbox<u32>,
    extra_outbox: Outbox<u32>,
    workload: Workload,
    scratch: Scratch,
    turn: usize,
    extra_turn: usize,
    pub(super) tally: C,
}

impl<P: NodeProgram, C: Tally> Block<P, C> {
    pub(super) fn new(
        program: &P,
        index: usize,
        cut: Cut,
        places: Places,
        workload: Workload,
    ) -> Self {
        let nodes = cut.part(index, 0);
        Self::of(program, index, nodes, (cut.blocks(), cut.size as u32), places, workload)
    }

    /// A block that hands over no mail by itself: what its nodes send, wherever to, stays in its [`pile`](Self::pile), and
    /// what is there when the next phase begins is their mail.
    pub(super) fn alone(
        program: &P,
        nodes: Range<u32>,
        places: Places,
        workload: Workload,
    ) -> Self {
        let size = nodes.len().max(1) as u32;
        Self::of(program, 0, nodes, (1, size), places, workload)
    }

    fn of(
        program: &P,
        index: usize,
        nodes: Range<u32>,
        (blocks, size): (usize, u32),
        places: Places,
        workload: Workload,
    ) -> Self {
        let mut link_ends = Vec::new();
        let mut total = 0;
        if size_of::<P::Link>() > 0 {
            link_ends.extend(nodes.clone().map(|node| {
                total += program.neighbours(node).len();
                total
            }));
        } else {
            total = nodes.clone().map(|node| program.neighbours(node).len()).max().unwrap_or(0);
        }
        Self {
            index,
            first: nodes.start,
            states: nodes.map(|node| program.state(node)).collect(),
            link_ends,
            links: vec![P::Link::default(); total],
            inbox: Inbox::new(blocks),
            outbox: Outbox::new(blocks, size),
            extra_inbox: Inbox::new(blocks),
            extra_outbox: Outbox::new(blocks, size),
            workload,
            scratch: Scratch::default(),
            turn: 0,
            extra_turn: 0,
            tally: C::new(places),
        }
    }

    /// Runs a phase at all nodes of the block, or at one if it is here: mail in, tasks, mail out.
    pub(super) fn run(
        &mut self,
        program: &P,
        mailroom: &Mailroom<P>,
        phase: P::Phase,
        only: Option<u32>,
    ) -> Heard {
        let (me, turn, nodes) = (self.index, self.turn, self.states.len());
        self.inbox.take_in(&mailroom.letters, &mut self.outbox, me, turn, self.first, nodes);
        let mut heard = Heard::NOBODY;
        match only {
            None => {
                for position in 0..nodes {
                    self.step(program, phase, position, &mut heard);
                    // Within the node's task, so that the next one meets the caches that it leaves.
                    self.scratch.work(self.workload, self.first + position as u32);
                }
                if matches!(self.workload, Workload::Messages(_)) {
                    self.packets(program, mailroom);
                }
            }
            Some(node) if node >= self.first && ((node - self.first) as usize) < nodes => {
                self.step(program, phase, (node - self.first) as usize, &mut heard);
            }
            Some(_) => {}
        }
        mailroom.letters.hand_over(me, turn, &mut self.outbox);
        self.turn += 1;
        self.tally.pay_gaps();
        heard
    }

    /// Runs the task of one node.
    #[inline]
    fn step(&mut self, program: &P, phase: P::Phase, position: usize, heard: &mut Heard) {
        let id = self.first + position as u32;
        let links = if size_of::<P::Link>() > 0 {
            let start = if position == 0 { 0 } else { self.link_ends[position - 1] };
            &mut self.links[start..self.link_ends[position]]
        } else {
            &mut self.links[..program.neighbours(id).len()]
        };
        let mut task = Task {
            id,
            state: &mut self.states[position],
            links,
            mail: self.inbox.mail(position),
            outbox: &mut self.outbox,
            heard,
            tally: &mut self.tally,
        };
        program.step(phase, &mut task);
    }

    /// Reads and sends the injected packets of all tasks of a phase.
    fn packets(&mut self, program: &P, mailroom: &Mailroom<P>) {
        let (me, nodes) = (self.index, self.states.len());
        let Workload::Messages(packets) = self.workload else { return };
        let post = &mailroom.extra;
        self.extra_inbox.take_in(
            post,
            &mut self.extra_outbox,
            me,
            self.extra_turn,
            self.first,
            nodes,
        );
        black_box(self.extra_inbox.all().iter().fold(0_u32, |sum, word| sum.wrapping_add(*word)));
        for node in self.first..self.first + nodes as u32 {
            let to = program.neighbours(node).iter().cycle();
            for (packet, &to) in to.take(packets as usize).enumerate() {
                self.tally.message(node, to, size_of::<u32>());
                self.extra_outbox.push(to, packet as u32);
            }
        }
        post.hand_over(me, self.extra_turn, &mut self.extra_outbox);
        self.extra_turn += 1;
    }
}

impl<P: NodeProgram, C> Block<P, C> {
    /// Returns the messages that the nodes of a block that is [alone](Self::alone) have sent, and their mail for the
    /// next phase.
    pub(super) fn pile(&mut self) -> &mut Vec<Letter<P::Message>> {
        self.outbox.only_pile()
    }

    /// Returns the same for the extra packets.
    pub(super) fn extra_pile(&mut self) -> &mut Vec<Letter<u32>> {
        self.extra_outbox.only_pile()
    }
}

/// The states of the nodes when the algorithm has ended.
pub struct Ended<'a, P: NodeProgram> {
    first: u32,
    visit: Vec<Visit<'a, P>>,
}

/// The states, link ends and links of a block.
type Visit<'a, P> =
    (Vec<<P as NodeProgram>::State>, Vec<usize>, Vec<<P as NodeProgram>::Link>, &'a P);

impl<'a, P: NodeProgram> Ended<'a, P> {
    /// Of nodes that are in no blocks: their states, where the links of each end, and the links.
    pub(super) fn of_nodes(
        program: &'a P,
        states: Vec<P::State>,
        link_ends: Vec<usize>,
        links: Vec<P::Link>,
    ) -> Self {
        Self { first: 0, visit: vec![(states, link_ends, links, program)] }
    }

    pub(super) fn new<C: Tally>(program: &'a P, blocks: Vec<Block<P, C>>) -> (Self, C) {
        let mut visit = Vec::with_capacity(blocks.len());
        let first = blocks.first().map_or(0, |block| block.first);
        let mut counted: Option<C> = None;
        for block in blocks {
            match &mut counted {
                None => counted = Some(block.tally),
                Some(counted) => counted.merge(block.tally),
            }
            visit.push((block.states, block.link_ends, block.links, program));
        }
        let counted = counted.unwrap_or_else(|| C::new(Places::new(0, 1)));
        (Self { first, visit }, counted)
    }

    /// Calls a function with every node of this process, what it knows, and what it knows about its neighbors, by ascending node.
    pub fn for_each(self, mut each: impl FnMut(u32, P::State, &[P::Link])) {
        let mut node = self.first;
        for (states, link_ends, links, program) in self.visit {
            let mut start = 0;
            for (position, state) in states.into_iter().enumerate() {
                let degree = program.neighbours(node).len();
                if size_of::<P::Link>() > 0 {
                    each(node, state, &links[start..link_ends[position]]);
                    start = link_ends[position];
                } else {
                    each(node, state, &links[..degree]);
                }
                node += 1;
            }
        }
    }

    /// One value per node.
    pub fn map<T>(self, mut value: impl FnMut(u32, P::State, &[P::Link]) -> T) -> Vec<T> {
        let mut values = Vec::new();
        self.for_each(|node, state, links| values.push(value(node, state, links)));
        values
    }
}
