//! Runs over several processes, played by threads that share nothing but words: the same answers and the same counts as
//! on threads with the same places, for every iterative kernel.

use std::sync::{Barrier, Mutex};

use plusminus_suite::imsuite::bf::Root;
use plusminus_suite::imsuite::by::Voters;
use plusminus_suite::imsuite::generate::{self, Shape};
use plusminus_suite::imsuite::kc::CommitteeSize;
use plusminus_suite::imsuite::{
    Identified, Ring, Seed, Whole, bf, by, dp, dr, ds, dst, hs, kc, lcr, mis, mst, vc,
};
use plusminus_suite::places::{
    Counted, Exchange, Execution, Heard, Parcels, Style, Uncounted, Workload,
};

/// A table at which all meet: what each has for each, and what each has heard.
struct Table {
    barrier: Barrier,
    seats: Vec<Mutex<(Vec<Vec<u32>>, Heard)>>,
}

struct Seat<'a> {
    table: &'a Table,
    rank: usize,
}

impl Seat<'_> {
    /// Lays words for each on the table, and takes those of each for this one.
    fn meet(&self, words: Vec<Vec<u32>>, heard: Heard) -> (Vec<Vec<u32>>, Heard) {
        *self.table.seats[self.rank].lock().unwrap() = (words, heard);
        self.table.barrier.wait();
        let (mut mine, mut all) = (Vec::new(), Heard::NOBODY);
        for seat in &self.table.seats {
            let (words, heard) = &*seat.lock().unwrap();
            mine.push(words[self.rank].clone());
            all = all.and(*heard);
        }
        self.table.barrier.wait();
        (mine, all)
    }
}

impl Exchange for Seat<'_> {
    fn ranks(&self) -> usize {
        self.table.seats.len()
    }

    fn rank(&self) -> usize {
        self.rank
    }

    fn end_phase(&mut self, sent: &Parcels, received: &mut Parcels, heard: Heard) -> Heard {
        let (parcels, heard) = self.meet(sent.iter().map(<[u32]>::to_vec).collect(), heard);
        received.lengths = parcels.iter().map(Vec::len).collect();
        received.words = parcels.concat();
        heard
    }

    fn gather(&mut self, words: &[u32]) -> Vec<Vec<u32>> {
        self.meet(vec![words.to_vec(); self.ranks()], Heard::NOBODY).0
    }
}

/// Returns the results of a call on each of some processes.
fn over<T: Send>(ranks: usize, call: impl Fn(&mut Seat<'_>) -> T + Sync) -> Vec<T> {
    let seats = (0..ranks).map(|_| Mutex::new((vec![Vec::new(); ranks], Heard::NOBODY))).collect();
    let table = Table { barrier: Barrier::new(ranks), seats };
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..ranks)
            .map(|rank| {
                let (call, table) = (&call, &table);
                scope.spawn(move || call(&mut Seat { table, rank }))
            })
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    })
}

/// Checks that a kernel solves its input over some numbers of processes, with the counts of threads.
macro_rules! same {
    ($kernel:ident, $input:expr, $instance:expr) => {
        let (input, instance) = (&$input, &$instance);
        let expected = $kernel::serial(input, instance);
        for (ranks, places, threads) in [(1, 1, 1), (2, 2, 1), (3, 7, 1), (2, 50, 3), (5, 4, 2)] {
            for style in [Style::ForkJoin, Style::Clocked] {
                let how = Execution::new(style, threads).on_places(places);
                let counts = $kernel::counted(input, instance, style, places);
                let runs =
                    over(ranks, |seat| $kernel::over::<Counted, _>(input, instance, &how, seat));
                for (output, counted) in runs {
                    let name = stringify!($kernel);
                    assert!(
                        output == expected,
                        "{name} on {ranks} ranks, {places} places: another answer"
                    );
                    assert_eq!(
                        counted.rounds(),
                        counts.rounds(),
                        "{name} on {ranks} ranks, {places} places"
                    );
                }
            }
        }
    };
}

#[test]
fn every_kernel_answers_and_counts_as_on_threads() {
    for (shape, nodes) in [(Shape::SparseMaximum, 50), (Shape::Star, 41)] {
        let topology = generate::network(shape, nodes, 7);
        let connected = generate::network(Shape::SparseMinimum, nodes, 7);
        let (votes, traitors) = generate::votes_and_traitors(nodes, 7);
        let root = Root::new(&topology, 3);
        let identifiers = generate::identifiers(nodes, 8);
        let identified =
            Identified { topology: topology.clone(), identifiers: identifiers.clone() };
        let ring = Ring::new(identifiers);
        same!(bf, topology, root);
        same!(dst, topology, root);
        same!(by, Voters::new(connected, votes, &traitors), Seed(1));
        same!(dr, generate::random_weights(topology.clone(), 20, 7), Whole);
        same!(ds, topology, Seed(2));
        same!(kc, identified, CommitteeSize(3));
        same!(dp, identified, Whole);
        same!(hs, ring, Whole);
        same!(lcr, ring, Whole);
        same!(mis, topology, Seed(3));
        same!(mst, generate::distinct_weights(topology.clone(), 7), Whole);
        same!(vc, generate::tree(Shape::RandomTree, nodes, Some(3), 7), Whole);
    }
}

#[test]
fn a_workload_travels_too() {
    let topology = generate::network(Shape::SparseMaximum, 30, 1);
    let root = Root::new(&topology, 0);
    for (workload, more) in [(Workload::Messages(3), true), (Workload::Arithmetic(9), false)] {
        let how = Execution::new(Style::Clocked, 1).on_places(4).with_workload(workload);
        let plain = bf::counted(&topology, &root, Style::Clocked, 4).total();
        let runs = over(3, |seat| bf::over::<Counted, _>(&topology, &root, &how, seat));
        for (output, counted) in &runs {
            assert_eq!(*output, bf::serial(&topology, &root));
            assert_eq!(counted.total().messages > plain.messages, more);
            assert_eq!(counted.total(), runs[0].1.total());
        }
    }
}

#[test]
fn what_is_no_message_is_refused() {
    struct Garbled<'a>(Seat<'a>);
    impl Exchange for Garbled<'_> {
        fn ranks(&self) -> usize {
            2
        }
        fn rank(&self) -> usize {
            self.0.rank
        }
        fn end_phase(&mut self, sent: &Parcels, received: &mut Parcels, heard: Heard) -> Heard {
            let heard = self.0.end_phase(sent, received, heard);
            // One letter is announced, to a node that lives elsewhere.
            received.lengths = vec![0, 4];
            received.words = vec![1, 0, 29, 7];
            heard
        }
        fn gather(&mut self, _: &[u32]) -> Vec<Vec<u32>> {
            Vec::new()
        }
    }
    let topology = generate::network(Shape::SparseMaximum, 30, 1);
    let root = Root::new(&topology, 0);
    let seats = (0..2).map(|_| Mutex::new((vec![Vec::new(); 2], Heard::NOBODY))).collect();
    let table = Table { barrier: Barrier::new(1), seats };
    let how = Execution::new(Style::Clocked, 1).on_places(2);
    let run = std::panic::AssertUnwindSafe(|| {
        bf::over::<Uncounted, _>(
            &topology,
            &root,
            &how,
            &mut Garbled(Seat { table: &table, rank: 0 }),
        )
    });
    let panic = std::panic::catch_unwind(run).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert!(message.contains("no message of this program"), "{message}");
}
