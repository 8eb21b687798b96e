//! The cost of an exchange at the end of a phase, compared with the plain collectives of the same sizes: the engine
//! against one personalized all-to-all and one all-reduce. `mpi/run bench --bench phases`, with `PLUSMINUS_LAUNCHER`.

use mpi::collective::SystemOperation;
use mpi::datatype::{Partition, PartitionMut};
use mpi::topology::SimpleCommunicator;
use mpi::traits::CommunicatorCollectives;
use plusminus::{Problem, Work, bench};
use plusminus_mpi::over_ranks;
use plusminus_suite::places::{
    Driver, Ended, Engine, Execution, NodeProgram, Style, Tally, Task, Uncounted, execute_over,
};

/// Phases in a call.
const PHASES: u32 = 1_000;

/// This number of phases, in each of which every rank sends every other one a number of messages of one word.
struct Phases;

/// Messages from each rank to each other in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Messages(u32);

impl std::fmt::Display for Messages {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}-messages", self.0)
    }
}

impl Problem for Phases {
    type Point = Messages;
    type Input = Idle;
    type Instance = Messages;
    /// Messages that came.
    type Output = u64;

    fn sweep() -> impl IntoIterator<Item = Messages> {
        [0, 32, 2048].map(Messages)
    }

    fn input(point: &Messages) -> Idle {
        let ranks = over_ranks(|ranks| ranks.ranks());
        Idle { others: (0..ranks as u32).collect(), messages: point.0 }
    }

    fn instances(input: &Idle) -> Vec<Messages> {
        vec![Messages(input.messages)]
    }

    fn check(input: &Idle, _: &Messages, found: &u64) -> Result<(), String> {
        let expected =
            u64::from(PHASES - 1) * u64::from(input.messages) * (input.others.len() as u64 - 1);
        if *found == expected {
            Ok(())
        } else {
            Err(format!("{found} messages came, not {expected}"))
        }
    }

    fn work(_: &Idle, _: &Messages) -> Work {
        Work::items(u64::from(PHASES))
    }
}

/// A node on each rank that does nothing but send.
struct Idle {
    others: Vec<u32>,
    messages: u32,
}

impl NodeProgram for Idle {
    type State = u32;
    type Link = ();
    type Message = u32;
    type Phase = ();
    type Output = Vec<u32>;

    fn nodes(&self) -> usize {
        self.others.len()
    }

    fn neighbours(&self, _: u32) -> &[u32] {
        &self.others
    }

    fn state(&self, _: u32) -> u32 {
        0
    }

    fn step<C: Tally>(&self, (): (), task: &mut Task<'_, Self, C>) {
        *task.state += task.mail.len() as u32;
        for &other in &self.others {
            if other != task.id {
                (0..self.messages).for_each(|number| task.put(other, number));
            }
        }
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        for _ in 0..PHASES {
            net.phase(());
        }
    }

    fn output(&self, ended: Ended<'_, Self>) -> Vec<u32> {
        ended.map(|_, came, _| came)
    }
}

/// One all-to-all of as many words, and one all-reduce of what is heard, per phase: what MPI itself takes.
#[bench(problem = Phases, baseline, processors = [2])]
fn raw(input: &Idle, _: &Messages) -> u64 {
    over_ranks(|ranks| {
        let world = SimpleCommunicator::world();
        let number = ranks.ranks() as i32;
        // A letter is a node and a message, and a parcel begins with two numbers.
        let words = if input.messages == 0 { 0 } else { 2 + 2 * input.messages as i32 };
        let counts: Vec<i32> =
            (0..number).map(|rank| if rank == ranks.rank() as i32 { 0 } else { words }).collect();
        let starts: Vec<i32> = counts
            .iter()
            .scan(0, |end, &count| Some(std::mem::replace(end, *end + count)))
            .collect();
        let sent = vec![1_u32; ((number - 1) * words) as usize];
        let mut received = vec![0_u32; sent.len()];
        let mut heard = [0_u32; 2];
        for _ in 0..PHASES {
            let send = Partition::new(&sent[..], &counts[..], &starts[..]);
            let mut receive = PartitionMut::new(&mut received[..], &counts[..], &starts[..]);
            world.all_to_all_varcount_into(&send, &mut receive);
            world.all_reduce_into(&[1, 0], &mut heard, SystemOperation::sum());
        }
        u64::from(PHASES - 1) * u64::from(input.messages) * (number as u64 - 1)
    })
}

/// The same by the engine that runs node programs: mail is packed, told, exchanged, sorted and read.
#[bench(problem = Phases, processors = [2])]
fn engine(input: &Idle, _: &Messages) -> u64 {
    over_ranks(|ranks| {
        let how = Execution::new(Style::Clocked, 1).on_places(ranks.ranks());
        let (came, Uncounted) = execute_over(input, &how, ranks);
        u64::from(came[ranks.rank()])
    })
}

plusminus_mpi::main!();
