//! Whether the nodes that a benchmark reaches in base and in new correspond one to one: two variables are never one.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use object::{Object as _, ObjectSymbol as _, elf::SHF_TLS};

use super::{
    graph::{ENTRY, Entry, Graph, Index, Node, Place, Target, readable},
    walk::{Pair, Stop, Walk},
};

/// Bytes that processors hand to one another at once.
const LINE: u64 = 64;

/// Crates whose variables are not those of a kernel, if they have no benchmarks.
pub(super) const HARNESS: [&str; 6] =
    ["plusminus", "plusminus_worker", "plusminus_runner", "plusminus_compat", "criterion", "divan"];

/// The function of the harness that starts threads, which is never inlined.
const CALLERS: &str = "plusminus_starts_callers";

/// How functions begin that start threads: of the system, and of compilers for OpenMP.
const THREADS: [&str; 6] = ["pthread_create", "thrd_create", "clone", "GOMP_", "__kmpc_", "__cilk"];

/// Which node of new stands for which node of base, over all benchmarks that were found to be the same.
pub(super) struct Pairing<'a> {
    one_to_one: OneToOne,
    /// Some node stands for two others.
    ambiguous: bool,
    /// Variables that threads of a kernel may write.
    shared: BTreeSet<Pair>,
    programs: [&'a [u8]; 2],
    addresses: [OnceCell<Addresses<'a>>; 2],
}

/// Where a linked program has what it names; `None` for a name that two things have.
type Addresses<'a> = HashMap<&'a str, Option<u64>>;

/// A walk that has closed, and where it began.
pub(super) type Closed<'w, 'a> = (&'w Walk<'a>, &'w [(Place, Place)]);

#[derive(Default)]
struct OneToOne {
    of_base: HashMap<Index, Index>,
    of_new: HashMap<Index, Index>,
}

impl OneToOne {
    /// Enters a pair, or returns one that contradicts it.
    fn enter(&mut self, pair: Pair) -> Result<(), Pair> {
        let new = *self.of_base.entry(pair.0).or_insert(pair.1);
        let base = *self.of_new.entry(pair.1).or_insert(pair.0);
        if new != pair.1 {
            return Err((pair.0, new));
        }
        if base == pair.0 { Ok(()) } else { Err((base, pair.1)) }
    }
}

impl<'a> Pairing<'a> {
    /// Nothing is paired yet. `programs` are the linked ones of base and new.
    pub(super) fn of(programs: [&'a [u8]; 2]) -> Self {
        Self {
            one_to_one: OneToOne::default(),
            ambiguous: false,
            shared: BTreeSet::new(),
            programs,
            addresses: [const { OnceCell::new() }; 2],
        }
    }

    /// Enters a pair of nodes of these graphs that are the same.
    pub(super) fn add(&mut self, pair: Pair, graphs: [&Graph; 2]) {
        let [base, new] = [graphs[0].node(pair.0), graphs[1].node(pair.1)];
        if graphs[0].may_be_shared(base) || graphs[1].may_be_shared(new) {
            self.shared.insert(pair);
        }
        if base.has_identity() || new.has_identity() {
            self.ambiguous |= self.one_to_one.enter(pair).is_err();
        }
    }

    /// Decides over everything that one benchmark runs, from several walks: nodes stand for each other one to one, and
    /// variables of several threads share cache lines in the same way. Several threads call it where `by_threads`.
    ///
    /// # Errors
    /// Which variable stands for two, or why it is not known which ones share a cache line.
    pub(super) fn check(&self, walks: &[Closed<'_, '_>], by_threads: bool) -> Result<(), Stop> {
        let Some(&(walk, _)) = walks.first() else { return Ok(()) };
        // A condition that holds for all benchmarks together holds for each.
        let apart = self.same_lines(walk, &self.shared).is_ok();
        if !self.ambiguous && apart {
            return Ok(());
        }
        let reached: BTreeSet<Pair> =
            walks.iter().flat_map(|(walk, roots)| walk.reached(roots)).collect();
        if self.ambiguous {
            one_to_one(walk, &reached)?;
        }
        let shared: BTreeSet<Pair> = self.shared.intersection(&reached).copied().collect();
        match self.same_lines(walk, &shared) {
            Err(why) if by_threads || starts_threads(walk.base, walks, &reached) => {
                Err(Stop::Unknown(why))
            }
            _ => Ok(()),
        }
    }

    /// Whether variables share cache lines with the same others in both programs.
    fn same_lines(&self, walk: &Walk<'_>, shared: &BTreeSet<Pair>) -> Result<(), String> {
        if shared.len() < 2 {
            return Ok(());
        }
        let nodes = shared.iter().map(|&pair| walk.nodes(pair));
        let base = neighbors(self.addresses(0), nodes.clone().map(|(base, _)| base));
        let new = neighbors(self.addresses(1), nodes.map(|(_, new)| new));
        match (base, new) {
            (Some(base), Some(new)) if base == new => Ok(()),
            (Some(_), Some(_)) => Err("its threads may write variables that share a cache line in one version only".to_owned()),
            _ => Err("which variables of its threads share a cache line cannot be told: symbols are stripped".to_owned()),
        }
    }

    fn addresses(&self, side: usize) -> &Addresses<'a> {
        self.addresses[side].get_or_init(|| {
            let mut addresses = Addresses::new();
            let Ok(file) = object::File::parse(self.programs[side]) else { return addresses };
            for symbol in file.symbols().filter(|symbol| symbol.is_definition()) {
                let Ok(name) = symbol.name() else { continue };
                let known = addresses.entry(name).or_insert(Some(symbol.address()));
                *known = known.filter(|known| *known == symbol.address());
            }
            addresses
        })
    }
}

fn one_to_one(walk: &Walk<'_>, reached: &BTreeSet<Pair>) -> Result<(), Stop> {
    let mut pairing = OneToOne::default();
    for &pair in reached {
        let (base, new) = walk.nodes(pair);
        if !(base.has_identity() || new.has_identity()) {
            continue;
        }
        if let Err(other) = pairing.enter(pair) {
            let (old, fresh) = walk.nodes(other);
            return Err(Stop::Differs(if other.1 == pair.1 {
                format!("{} and {} of base are one: {}", old.shown(), base.shown(), new.shown())
            } else {
                format!("{} of base is now {} and {}", base.shown(), fresh.shown(), new.shown())
            }));
        }
    }
    Ok(())
}

/// Whether what starts threads is reached from a window, or from a function of the kernel and not by way of the harness.
fn starts_threads(graph: &Graph, walks: &[Closed<'_, '_>], reached: &BTreeSet<Pair>) -> bool {
    let begins = |&index: &Index| {
        graph.node(index).edges.iter().any(|edge| match &edge.target {
            Target::Name { name, .. } => THREADS.iter().any(|start| name.starts_with(start)),
            _ => false,
        })
    };
    if !graph.nodes.iter().any(|node| node.of_harness) {
        // After link-time optimization only names are left, and a function with a name of the harness may have closures of the
        // user in it. So all code counts, except the function of the harness that starts threads.
        let reached: BTreeSet<Index> = reached.iter().map(|pair| pair.0).collect();
        let others = |(index, node): &(Index, &Node)| {
            !reached.contains(index) || node.names.iter().any(|name| name.contains(CALLERS))
        };
        let others = (0..).zip(&graph.nodes).filter(others).map(|(index, _)| index).collect();
        let roots = walks.iter().flat_map(|(_, roots)| roots.iter()).map(|(base, _)| base.node);
        return graph.reached_without(roots, &others).iter().any(begins);
    }
    let code = reached.iter().map(|pair| pair.0).filter(|&index| graph.node(index).is_code());
    let (windows, others): (Vec<Index>, Vec<Index>) =
        code.partition(|&index| graph.node(index).is_window());
    // In an object of the user, code with a name of the harness may have closures of the user in it.
    let is_kernel = |node: &Node| !node.of_harness && !node.of_standard;
    let kernels = others.into_iter().filter(|&index| is_kernel(graph.node(index)));
    let harness = (0..).zip(&graph.nodes).filter(|(_, node)| node.of_harness);
    let harness = harness.map(|(index, _)| index).collect();
    graph.reached_without(windows, &BTreeSet::new()).iter().any(begins)
        || graph.reached_without(kernels, &harness).iter().any(begins)
}

/// The pairs of variables that share a cache line, by their numbers; `None` if the place of one is unknown.
fn neighbors<'n>(
    addresses: &Addresses<'_>,
    nodes: impl Iterator<Item = &'n Node>,
) -> Option<BTreeSet<(usize, usize)>> {
    let mut of_line: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
    for (number, node) in nodes.enumerate() {
        let places = node.names.iter().map(|name| addresses.get(name.as_str()).copied().flatten());
        let begin = places.flatten().min()?;
        // A variable may lie in more lines than its first and its last: nothing else does.
        for line in [begin / LINE, (begin + node.size.max(1) - 1) / LINE] {
            of_line.entry(line).or_default().insert(number);
        }
    }
    let pairs = of_line.values().flat_map(|numbers| {
        numbers.iter().flat_map(move |a| numbers.iter().map(move |b| (*a, *b)))
    });
    Some(pairs.filter(|(a, b)| a < b).collect())
}

impl Node {
    /// Whether it is another thing than its twin: two variables with the same bytes are two. Records for unwinding belong to
    /// their function.
    fn has_identity(&self) -> bool {
        !self.is_merged() && self.section != ".eh_frame"
    }
}

impl Graph {
    fn node(&self, index: Index) -> &Node {
        &self.nodes[index as usize]
    }

    /// Returns whether threads of a kernel may write to a node in turns with something else.
    fn may_be_shared(&self, node: &Node) -> bool {
        let has_own_lines = node.align >= LINE && node.size.is_multiple_of(LINE);
        // The place of a benchmark in the registry is written before benchmarks run.
        let of_kernel = node.is_variable()
            && node.section != ENTRY
            && !node.of_standard
            && !self.is_of_harness(node);
        of_kernel && node.flags & SHF_TLS.0 == 0 && !has_own_lines
    }

    /// Whether a node has the name of something in a crate of the harness. One that has benchmarks is none of them: users give
    /// their benches such names.
    fn is_of_harness(&self, node: &Node) -> bool {
        let Some(name) = node.names.first() else { return false };
        let shown = readable(name);
        let krate = shown.trim_start_matches('<').split("::").next().unwrap_or("");
        let has_benchmarks = |entry: &Entry| entry.module.split("::").next() == Some(krate);
        HARNESS.contains(&krate) && !self.entries.iter().any(has_benchmarks)
    }
}
