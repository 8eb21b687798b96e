//! The ranks of a run: how they meet, and what travels between them. The only module that calls MPI.

use std::ops::{AddAssign, Sub};
use std::time::Duration;

use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Root, Source};
use plusminus_suite::places::{Exchange, Heard, Parcels};

use crate::watch;

/// The word that every rank sends to all others at a meeting.
pub type Word = [u32; 4];

/// Up to this number of ranks, each rank learns how much each rank sends to each: one collective less per meeting.
/// The table has a row and a column for each rank, and with 64 of them fits the first-level cache.
const RANKS_OF_TABLE: usize = 64;

/// The tag of the message that wakes up the ranks that sleep, and how long they do at a time.
const DONE: i32 = 7;
const NAP: Duration = Duration::from_micros(20);

/// The tag of the length of what rank 0 has for all; how often the others look before they sleep, some ten microseconds, and
/// how long they do at most.
const COMES: i32 = 8;
const LOOKS: u32 = 100;
const LONGEST_NAP: Duration = Duration::from_millis(1);

/// The ranks that MPI has started. There is one of these in a process.
pub struct Ranks {
    world: SimpleCommunicator,
    rank: usize,
    ranks: usize,
    /// Whether the lengths of all parcels are told to everybody.
    table: bool,
    /// The words of this rank, and of all.
    row: Vec<u32>,
    rows: Vec<u32>,
    /// Counts and positions as MPI wants them.
    layout: Layout,
    traffic: Traffic,
    /// The number of words from this rank to each at each meeting, while it is kept.
    trace: Option<Vec<Vec<usize>>>,
    /// Ends MPI when it is dropped, so it comes last.
    _universe: Universe,
}

/// The traffic of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    /// Meetings of all ranks.
    pub meetings: u64,
    /// Meetings at which parcels were exchanged.
    pub exchanges: u64,
    /// Parcels that this rank has sent.
    pub parcels: u64,
    /// Words of 32 bits in them.
    pub words: u64,
    /// Words of 64 bits that this rank has shown to all others.
    pub gathered: u64,
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Self) {
        self.meetings += other.meetings;
        self.exchanges += other.exchanges;
        self.parcels += other.parcels;
        self.words += other.words;
        self.gathered += other.gathered;
    }
}

impl Sub for Traffic {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            meetings: self.meetings - earlier.meetings,
            exchanges: self.exchanges - earlier.exchanges,
            parcels: self.parcels - earlier.parcels,
            words: self.words - earlier.words,
            gathered: self.gathered - earlier.gathered,
        }
    }
}

/// Where parcels lie in the buffers of an exchange.
#[derive(Default)]
struct Layout {
    send: (Vec<i32>, Vec<i32>),
    receive: (Vec<i32>, Vec<i32>),
}

impl Ranks {
    /// Begins MPI.
    ///
    /// # Errors
    /// If MPI has begun already.
    pub fn begin() -> Result<Self, String> {
        let (universe, _) = mpi::initialize_with_threading(mpi::Threading::Funneled)
            .ok_or("MPI has begun already in this process")?;
        let world = universe.world();
        let (rank, ranks) = (world.rank() as usize, world.size() as usize);
        Ok(Self {
            world,
            rank,
            ranks,
            table: ranks <= RANKS_OF_TABLE,
            row: Vec::new(),
            rows: Vec::new(),
            layout: Layout::default(),
            traffic: Traffic::default(),
            trace: None,
            _universe: universe,
        })
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.ranks
    }

    /// The number of this one.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Whether the lengths of all parcels are told to all ranks, which is quicker for few of them; by itself it is chosen
    /// by their number.
    pub fn tell_all_lengths(&mut self, tell: bool) {
        self.table = tell;
    }

    /// Returns the words that this rank has sent so far.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Begins to keep how many words go to each rank at each meeting.
    pub fn begin_trace(&mut self) {
        self.trace = Some(Vec::new());
    }

    /// Ends that, and gives it.
    pub fn end_trace(&mut self) -> Vec<Vec<usize>> {
        self.trace.take().unwrap_or_default()
    }

    /// Returns once all ranks have come.
    pub fn barrier(&self) {
        meet_all();
    }

    /// Calls a function on rank 0, while the others sleep and leave the processors to it. It is used to compare
    /// threads with ranks. They wake up within about 0.1 ms of its end.
    pub fn only_first<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let first = self.world.process_at_rank(0);
        if self.rank > 0 {
            watch::enter();
            while first.immediate_probe_with_tag(DONE).is_none() {
                std::thread::sleep(NAP);
            }
            let _: (u8, _) = first.receive_with_tag(DONE);
            watch::leave();
            return None;
        }
        let result = work();
        for rank in 1..self.ranks {
            self.world.process_at_rank(rank as i32).send_with_tag(&0_u8, DONE);
        }
        Some(result)
    }

    /// Hands every rank its parcel, receives the parcels for this one, and returns the words of all ranks, by
    /// ascending number.
    ///
    /// It takes one all-gather of the words and the lengths of parcels, and one personalized all-to-all of the
    /// parcels, unless all are empty. Beyond 64 ranks, the lengths have an all-to-all of their own.
    ///
    /// # Panics
    /// If more than 2³¹ − 1 words are to be sent or received at once.
    pub fn meet(&mut self, word: Word, sent: &Parcels, received: &mut Parcels) -> Vec<Word> {
        assert_eq!(sent.lengths.len(), self.ranks, "one parcel for each rank");
        self.traffic.meetings += 1;
        if let Some(trace) = &mut self.trace {
            trace.push(sent.lengths.clone());
        }
        self.row.clear();
        self.row.extend(word);
        if self.table {
            self.row.extend(sent.lengths.iter().map(|&length| words(length) as u32));
        }
        let width = self.row.len();
        self.rows.resize(width * self.ranks, 0);
        watch::enter();
        self.world.all_gather_into(&self.row[..], &mut self.rows[..]);
        watch::leave();
        let any = self.lengths(width, sent, received);
        if any {
            self.exchange(sent, received);
        }
        self.rows.chunks_exact(width).map(|row| [row[0], row[1], row[2], row[3]]).collect()
    }

    /// Learns how much comes from each rank; whether there is anything to exchange between any two.
    fn lengths(&mut self, width: usize, sent: &Parcels, received: &mut Parcels) -> bool {
        received.lengths.clear();
        if self.table {
            let table = || self.rows.chunks_exact(width).map(|row| &row[4..]);
            received.lengths.extend(table().map(|row| row[self.rank] as usize));
            return table().flatten().any(|&length| length > 0);
        }
        let mine: Vec<u32> = sent.lengths.iter().map(|&length| words(length) as u32).collect();
        let mut theirs = vec![0_u32; self.ranks];
        self.world.all_to_all_into(&mine[..], &mut theirs[..]);
        received.lengths.extend(theirs.iter().map(|&length| length as usize));
        // No rank knows of the others; all have to come.
        true
    }

    /// The personalised all-to-all.
    fn exchange(&mut self, sent: &Parcels, received: &mut Parcels) {
        self.traffic.exchanges += 1;
        self.traffic.parcels += sent.lengths.iter().filter(|&&length| length > 0).count() as u64;
        self.traffic.words += sent.words.len() as u64;
        lay_out(&sent.lengths, &mut self.layout.send);
        let total = lay_out(&received.lengths, &mut self.layout.receive);
        // Never shortened: what grows again would be filled with zeros first.
        if received.words.len() < total {
            received.words.resize(total, 0);
        }
        let send =
            Partition::new(&sent.words[..], &self.layout.send.0[..], &self.layout.send.1[..]);
        let (counts, places) = (&self.layout.receive.0[..], &self.layout.receive.1[..]);
        let mut receive = PartitionMut::new(&mut received.words[..], counts, places);
        self.world.all_to_all_varcount_into(&send, &mut receive);
    }

    /// Returns the words of all ranks.
    pub fn hear(&mut self, word: Word) -> Vec<Word> {
        self.rows.resize(word.len() * self.ranks, 0);
        watch::enter();
        self.world.all_gather_into(&word[..], &mut self.rows[..]);
        watch::leave();
        self.rows.as_chunks().0.to_vec()
    }

    /// Gives all ranks the long words of each, which has as many as its count says.
    pub fn gather_words(&mut self, mine: &[u64], counts: &[usize], all: &mut Vec<u64>) {
        let total = lay_out(counts, &mut self.layout.receive);
        all.resize(total, 0);
        self.traffic.gathered += mine.len() as u64;
        let (counts, places) = (&self.layout.receive.0[..], &self.layout.receive.1[..]);
        watch::enter();
        self.world
            .all_gather_varcount_into(mine, &mut PartitionMut::new(&mut all[..], counts, places));
        watch::leave();
    }

    /// The words of all ranks, by ascending number.
    pub fn gather(&mut self, mine: &[u32]) -> Vec<Vec<u32>> {
        let mut lengths = vec![0_u32; self.ranks];
        watch::enter();
        self.world.all_gather_into(&(words(mine.len()) as u32), &mut lengths[..]);
        watch::leave();
        let lengths: Vec<usize> = lengths.into_iter().map(|length| length as usize).collect();
        let mut layout = (Vec::new(), Vec::new());
        let mut all = Parcels { words: vec![0; lay_out(&lengths, &mut layout)], lengths };
        let mut receive = PartitionMut::new(&mut all.words[..], layout.0, layout.1);
        self.world.all_gather_varcount_into(mine, &mut receive);
        all.iter().map(<[u32]>::to_vec).collect()
    }

    /// The sum of a number over all ranks.
    pub fn sum(&mut self, mine: u64) -> u64 {
        self.each(mine).into_iter().sum()
    }

    /// The numbers of all ranks.
    pub fn each(&mut self, mine: u64) -> Vec<u64> {
        let mut all = vec![0_u64; self.ranks];
        watch::enter();
        self.world.all_gather_into(&mine, &mut all[..]);
        watch::leave();
        all
    }

    /// Fails with the first rank's complaint, if any rank has one: all get the same answer.
    ///
    /// # Errors
    /// The message of that rank, with its number.
    pub fn agree(&mut self, mine: Result<(), String>) -> Result<(), String> {
        let complaint = mine.err().unwrap_or_default();
        let words: Vec<u32> = complaint.bytes().map(u32::from).collect();
        for (rank, words) in self.gather(&words).into_iter().enumerate() {
            if !words.is_empty() {
                let bytes: Vec<u8> = words.into_iter().map(|word| word as u8).collect();
                return Err(format!("rank {rank}: {}", String::from_utf8_lossy(&bytes)));
            }
        }
        Ok(())
    }
}

impl Exchange for Ranks {
    fn ranks(&self) -> usize {
        self.ranks
    }

    fn rank(&self) -> usize {
        self.rank
    }

    fn end_phase(&mut self, sent: &Parcels, received: &mut Parcels, heard: Heard) -> Heard {
        let told = self.meet([heard.raised, heard.first, 0, 0], sent, received);
        told.into_iter()
            .fold(Heard::NOBODY, |all, [raised, first, ..]| all.and(Heard { raised, first }))
    }

    fn gather(&mut self, words: &[u32]) -> Vec<Vec<u32>> {
        self.gather(words)
    }
}

/// Ends all ranks at a panic of this one, after saying which it is: the others would wait for it forever.
pub fn end_all_at_panic() {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        told(panic);
        end_all("has panicked");
    }));
}

/// Ends all ranks and prints why.
pub(crate) fn end_all(why: &str) -> ! {
    let world = SimpleCommunicator::world();
    eprintln!("plusminus-mpi: rank {} of {} {why}: all ranks end", world.rank(), world.size());
    world.abort(1)
}

/// Returns once all ranks have come, even while [`Ranks`] is in use.
pub(crate) fn meet_all() {
    watch::enter();
    SimpleCommunicator::world().barrier();
    watch::leave();
}

/// Gives all ranks the bytes of rank 0. It may wait for them for long, and the others sleep meanwhile: what else is
/// measured on their processors, such as the other side of a comparison, has these to itself.
pub(crate) fn broadcast(bytes: &mut Vec<u8>) {
    let world = SimpleCommunicator::world();
    let first = world.process_at_rank(0);
    let mut length = words(bytes.len());
    if world.rank() == 0 {
        for rank in 1..world.size() {
            world.process_at_rank(rank).send_with_tag(&length, COMES);
        }
    } else {
        let (mut looks, mut nap) = (0, NAP);
        while first.immediate_probe_with_tag(COMES).is_none() {
            if looks < LOOKS {
                looks += 1;
                std::hint::spin_loop();
            } else {
                std::thread::sleep(nap);
                nap = (2 * nap).min(LONGEST_NAP);
            }
        }
        length = first.receive_with_tag(COMES).0;
    }
    bytes.resize(length as usize, 0);
    first.broadcast_into(&mut bytes[..]);
}

/// The bytes of all ranks, by ascending number.
pub(crate) fn gather_bytes(mine: &[u8]) -> Vec<Vec<u8>> {
    let world = SimpleCommunicator::world();
    let mut lengths = vec![0_i32; world.size() as usize];
    watch::enter();
    world.all_gather_into(&words(mine.len()), &mut lengths[..]);
    watch::leave();
    let lengths: Vec<usize> = lengths.into_iter().map(|length| length as usize).collect();
    let mut layout = (Vec::new(), Vec::new());
    let mut all = vec![0; lay_out(&lengths, &mut layout)];
    world.all_gather_varcount_into(mine, &mut PartitionMut::new(&mut all[..], layout.0, layout.1));
    let mut rest = &all[..];
    lengths.iter().map(|&length| rest.split_off(..length).unwrap_or_default().to_vec()).collect()
}

/// A length that MPI can take.
fn words(length: usize) -> i32 {
    i32::try_from(length).unwrap_or_else(|_| panic!("{length} words at once; MPI takes 2^31 - 1"))
}

/// Writes counts and positions of parcels that lie one after the other, and gives the end of the last.
fn lay_out(lengths: &[usize], (counts, starts): &mut (Vec<i32>, Vec<i32>)) -> usize {
    counts.clear();
    starts.clear();
    let mut end = 0;
    for &length in lengths {
        counts.push(words(length));
        starts.push(words(end));
        end += length;
    }
    words(end);
    end
}
