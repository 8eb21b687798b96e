//! Runs over several processes: each has the nodes of its places, and at the end of a phase all of them exchange mail.
//!
//! Nothing here knows how words get from one process to another: that is an [`Exchange`], of which the package `mpi/`
//! has one over MPI. As with clocked threads, every process runs its own copy of the driver. Data that all nodes only
//! read, such as the network, is in every process. States, links and mailboxes are in one.

use super::block::{Block, Ended, Mailroom};
use super::fork_join::run_all;
use super::parcels::{Parcels, Sorting};
use super::wire::{Parts, Wire, pack_u64, take_u64};
use super::{Driver, Engine, Execution, Heard, NodeProgram, Places, Tally};

/// Connects the processes of a run. They are numbered, and all make the same calls in the same order.
pub trait Exchange {
    /// How many processes there are.
    fn ranks(&self) -> usize;

    /// The number of this one.
    fn rank(&self) -> usize;

    /// Ends a phase: hands every process what is for it, takes in what is for this one, and gives what was heard in all.
    fn end_phase(&mut self, sent: &Parcels, received: &mut Parcels, heard: Heard) -> Heard;

    /// Gives all processes what each has, by ascending number.
    fn gather(&mut self, words: &[u32]) -> Vec<Vec<u32>>;
}

/// The nodes of each process: whole places, consecutive, the first processes one place more where it does not divide.
///
/// ```
/// use plusminus_suite::places::{Places, nodes_of_rank};
///
/// let places = Places::new(10, 4);
/// assert_eq!([0, 1, 2].map(|rank| nodes_of_rank(places, 3, rank)), [0..6, 6..8, 8..10]);
/// assert_eq!(nodes_of_rank(places, 9, 8), 10..10);
/// ```
pub fn nodes_of_rank(places: Places, ranks: usize, rank: usize) -> std::ops::Range<u32> {
    let of_ranks = Places::new(places.count(), ranks);
    let end = places.nodes(places.count() - 1).end;
    if rank >= of_ranks.count() {
        return end..end;
    }
    let mine = of_ranks.nodes(rank);
    places.nodes(mine.start as usize).start..places.nodes(mine.end as usize - 1).end
}

/// This process's part of a run.
struct Ranked<'a, P: NodeProgram, C, X> {
    program: &'a P,
    exchange: &'a mut X,
    /// The nodes of this process, in a block for each thread that runs them.
    blocks: Vec<Block<P, C>>,
    /// Nothing is handed over in it: every block seems to be alone, and its mail is sorted in between.
    mailroom: Mailroom<P>,
    sorting: Sorting<P::Message>,
    /// The published values of each board of the program, for the nodes of this process.
    published: Vec<Vec<u32>>,
    first: u32,
    /// The counts of the driver, which are the same in all processes; those of the first are kept.
    driver_tally: C,
}

impl<P, C, X> Engine<P> for Ranked<'_, P, C, X>
where
    P: NodeProgram<Message: Wire>,
    C: Tally,
    X: Exchange,
{
    type Tally = C;

    fn execute(&mut self, phase: P::Phase, only: Option<u32>) -> Heard {
        let (program, mailroom) = (self.program, &self.mailroom);
        let heard = run_all(&mut self.blocks, &|block| block.run(program, mailroom, phase, only));
        let news = self.news();
        self.sorting.pack(&mut self.blocks, &news);
        let heard = self.exchange.end_phase(&self.sorting.sent, &mut self.sorting.received, heard);
        self.sorting.unpack(&mut self.blocks, &program.boards());
        heard
    }

    fn tally(&mut self) -> &mut C {
        &mut self.driver_tally
    }

    fn round(&mut self) {
        self.driver_tally.round();
        self.blocks.iter_mut().for_each(|block| block.tally.round());
    }
}

impl<P: NodeProgram, C, X> Ranked<'_, P, C, X> {
    /// Returns the values that the nodes of this process have published in this phase: the board, the node, and the
    /// number.
    fn news(&mut self) -> Vec<[u32; 3]> {
        let mut news = Vec::new();
        for (number, (board, known)) in
            self.program.boards().iter().zip(&mut self.published).enumerate()
        {
            for (position, known) in known.iter_mut().enumerate() {
                let node = self.first + position as u32;
                let value = board.get(node);
                if value != *known {
                    *known = value;
                    news.push([number as u32, node, value]);
                }
            }
        }
        news
    }
}

/// Runs a program together with other processes, each of which makes this call with the same program: gives the whole
/// output, and what all have counted.
///
/// The threads of the execution are those of this process; its style decides about the counts, and how tasks would be
/// forked and joined. Nodes live as long as the run in all styles.
///
/// # Panics
/// If other processes send an invalid message.
pub fn execute_over<P, C, X>(program: &P, how: &Execution, exchange: &mut X) -> (P::Output, C)
where
    P: NodeProgram<Message: Wire, Output: Parts>,
    C: Tally,
    X: Exchange,
{
    let nodes = program.nodes();
    let places = Places::new(nodes, how.places);
    let (ranks, rank) = (exchange.ranks(), exchange.rank());
    let mine = nodes_of_rank(places, ranks, rank);
    let ends = (0..ranks).map(|rank| nodes_of_rank(places, ranks, rank).end).collect();
    let cut = super::block::Cut::new(mine.len(), how.processors);
    let blocks: Vec<Block<P, C>> = (0..cut.blocks())
        .map(|block| Block::alone(program, cut.part(block, mine.start), places, how.workload))
        .collect();
    let boards = program.boards();
    let mut engine = Ranked {
        program,
        published: boards
            .iter()
            .map(|board| mine.clone().map(|node| board.get(node)).collect())
            .collect(),
        sorting: Sorting::new(rank, ends, cut, mine.start),
        blocks,
        exchange,
        mailroom: Mailroom::new(1),
        first: mine.start,
        driver_tally: C::new(places),
    };
    program.drive(&mut Driver::new(&mut engine, how.style, nodes, places));
    let Ranked { blocks, driver_tally, exchange, .. } = engine;
    let (ended, mut counted) = Ended::new(program, blocks);
    if rank == 0 {
        counted.merge(driver_tally);
    }
    all_parts(&program.output(ended), &counted, places, exchange)
}

/// The parts of all processes together.
fn all_parts<O: Parts, C: Tally, X: Exchange>(
    output: &O,
    counted: &C,
    places: Places,
    exchange: &mut X,
) -> (O, C) {
    let mut words = Vec::new();
    output.pack(&mut words);
    let mut counts = Vec::new();
    counted.pack(&mut counts);
    counts.into_iter().for_each(|count| words.extend(pack_u64(count)));
    let (mut whole, mut total) = (O::default(), C::new(places));
    for words in exchange.gather(&words) {
        let mut words = &words[..];
        let counted = whole.take_in(&mut words).and_then(|()| {
            let mut counts = Vec::new();
            while !words.is_empty() {
                counts.push(take_u64(&mut words)?);
            }
            Some(C::unpack(places, &counts))
        });
        total.merge(counted.unwrap_or_else(|| panic!("{}", super::parcels::ANOTHER_PROGRAM)));
    }
    (whole, total)
}
