//! The memory of the nodes: the sizes that the documentation states, and that the serial executor allocates nothing
//! per message.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use plusminus_suite::imsuite::bf::Root;
use plusminus_suite::imsuite::generate::{self, Shape};
use plusminus_suite::imsuite::kc::CommitteeSize;
use plusminus_suite::imsuite::{
    Identified, Mode, Ring, Seed, Topology, bf, by, dp, dr, ds, dst, hs, kc, lcr, mis, mst, vc,
};
use plusminus_suite::places::{
    Counted, Driver, Ended, Engine, Execution, NodeProgram, Tally, Task, Uncounted, execute,
};

/// The system's allocator, counting the calls of each thread: other tests of this program do not disturb.
struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator unchanged; the counter is thread-local, needs no memory and
// has no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.with(|calls| calls.set(calls.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block comes from `alloc` or `realloc` above, that is from the system's allocator.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.with(|calls| calls.set(calls.get() + 1));
        // SAFETY: the block comes from `alloc` or `realloc` above, that is from the system's allocator.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often something allocates.
fn allocations<T>(run: impl FnOnce() -> T) -> u64 {
    let before = CALLS.with(Cell::get);
    drop(run());
    CALLS.with(Cell::get) - before
}

/// A program in which every node tells all its neighbors something in every round.
struct Chatter(Topology, u32);

impl NodeProgram for Chatter {
    type State = u32;
    type Link = u8;
    type Message = u32;
    type Phase = ();
    type Output = u32;

    fn nodes(&self) -> usize {
        self.0.nodes()
    }
    fn neighbours(&self, node: u32) -> &[u32] {
        self.0.neighbours(node)
    }
    fn state(&self, node: u32) -> u32 {
        node
    }
    fn step<C: Tally>(&self, (): (), task: &mut Task<'_, Self, C>) {
        *task.state = task.mail.iter().fold(*task.state, |sum, word| sum.wrapping_add(*word));
        for &other in self.neighbours(task.id) {
            task.send(other, *task.state);
        }
    }
    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        for _ in 0..self.1 {
            net.phase(());
        }
    }
    fn output(&self, ended: Ended<'_, Self>) -> u32 {
        let mut sum = 0_u32;
        ended.for_each(|_, state, _| sum = sum.wrapping_add(state));
        sum
    }
}

#[test]
fn rounds_after_the_first_allocate_nothing() {
    let network = generate::network(Shape::SparseMaximum, 300, 1);
    let count = |rounds| {
        let program = Chatter(network.clone(), rounds);
        allocations(|| execute::<_, Uncounted>(&program, &Execution::serial()).0)
    };
    // Mail of the first round is sorted in the second: two rounds touch all there is.
    assert_eq!(count(2), count(500));
}

/// Runs a program serially: how often it allocates, and how many messages it sends.
fn cost<P: NodeProgram>(program: impl Fn() -> P) -> (u64, u64) {
    let (_, counted): (_, Counted) = execute(&program(), &Execution::serial());
    let program = program();
    let calls = allocations(|| execute::<_, Uncounted>(&program, &Execution::serial()).0);
    (calls, counted.total().messages)
}

#[test]
fn serial_kernels_allocate_a_few_times_in_all() {
    let graph = generate::network(Shape::SparseMaximum, 1_000, 3);
    let ring = Ring::new(generate::identifiers(200, 3));
    let network =
        Identified { topology: graph.clone(), identifiers: generate::identifiers(1_000, 3) };
    let weighted = generate::distinct_weights(graph.clone(), 3);
    let tree = generate::tree(Shape::RandomTree, 1_000, Some(4), 3);
    let root = Root::new(&graph, 5);
    let seed = Seed(1);
    let costs = [
        ("BF", cost(|| bf::BellmanFord::new(&graph, &root))),
        ("DST", cost(|| dst::SearchTree::new(&graph, &root))),
        ("DS", cost(|| ds::LocalGreedy::new(&graph, &seed, Mode::Repaired))),
        ("KC", cost(|| kc::Committees::new(&network, &CommitteeSize(3)))),
        ("DP", cost(|| dp::Peleg::new(&network))),
        ("HS", cost(|| hs::HirschbergSinclair::new(&ring, Mode::Repaired))),
        ("LCR", cost(|| lcr::ChangRoberts::new(&ring))),
        ("MIS", cost(|| mis::Luby::new(&graph, &seed, Mode::Repaired))),
        ("MST", cost(|| mst::Fragments::new(&weighted))),
        ("VC", cost(|| vc::ColeVishkin::new(&tree, Mode::Repaired))),
    ];
    for (kernel, (calls, messages)) in costs {
        // Buffers double until they fit, and the answer is collected: some tens of calls for thousands of messages.
        assert!(calls < 120, "{kernel} allocates {calls} times for {messages} messages");
        assert!(messages > 1_000, "{kernel} sends only {messages} messages");
    }
}

/// The bytes per node that the documentation of the kernels states.
#[test]
fn states_are_as_large_as_documented() {
    let state = |kernel: &str, found: usize, documented: usize| {
        assert_eq!(found, documented, "the state of {kernel}");
    };
    state("BF", size_of::<bf::State>(), 8);
    state("DST", size_of::<dst::State>(), 16);
    state("BY", size_of::<by::State>(), 104);
    state("DR", size_of::<dr::Route>(), 16);
    state("DS", size_of::<ds::State>(), 48);
    state("KC", size_of::<kc::State>(), 44);
    state("DP", size_of::<dp::State>(), 40);
    state("HS", size_of::<hs::State>(), 36);
    state("LCR", size_of::<lcr::State>(), 16);
    state("MIS", size_of::<mis::State>(), 32);
    state("MST", size_of::<mst::State>(), 44);
    let message = |kernel: &str, found: usize, documented: usize| {
        assert_eq!(found, documented, "a message of {kernel}");
    };
    message("DST", size_of::<dst::Message>(), 8);
    message("BY", size_of::<by::Vote>(), 8);
    message("DS", size_of::<ds::Message>(), 8);
    message("KC", size_of::<kc::Message>(), 16);
    message("DP", size_of::<dp::Message>(), 12);
    message("HS", size_of::<hs::Message>(), 12);
    message("MIS", size_of::<mis::Message>(), 8);
    message("MST", size_of::<mst::Message>(), 16);
}
