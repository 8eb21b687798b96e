//! Benchmarks that a program registers while it runs, such as those of the drop-ins for other harnesses. They run the
//! registering functions, without the functions that are called for other benchmarks only, and the functions that are
//! called for them alone. Marks in the program lead to these functions.

use std::collections::{BTreeSet, HashMap};

use object::{Object as _, ObjectSymbol as _};
use plusminus_worker::protocol::CaseDescription;

use super::{
    Code, changes,
    graph::{Entry, Graph, Index, Place},
    identity::{Closed, Pairing},
    judge,
    walk::{Stop, Walk},
};

/// Why nothing is known of a benchmark whose functions are not found.
const NOT_FOUND: &str = "which of the program's functions it is cannot be told: symbols are stripped, or it has another section";

/// Two programs whose benchmarks are registered at run time.
pub(super) struct Registered<'a> {
    graphs: [&'a Graph; 2],
    /// The functions that are called for some benchmarks only, by their place in the program.
    functions: [HashMap<u64, Index>; 2],
    /// Walks without the functions that are called for one benchmark alone. The first one is also without sections.
    walks: [Walk<'a>; 2],
}

impl<'a> Registered<'a> {
    pub(super) fn new(graphs: [&'a Graph; 2], programs: [&[u8]; 2]) -> Self {
        let [base, new] = graphs;
        let runs = |graph: &Graph| graph.runs.clone();
        let all = |graph: &Graph| &graph.runs | &graph.sections;
        Self {
            graphs,
            functions: [functions(base, programs[0]), functions(new, programs[1])],
            walks: [Walk::without(base, new, all), Walk::without(base, new, runs)],
        }
    }

    /// Judges one benchmark. `whole` excludes nothing, and has walked through the code that runs first.
    pub(super) fn judged(
        &mut self,
        base: &CaseDescription,
        new: &CaseDescription,
        (whole, begin): (&mut Walk<'a>, &[(Place, Place)]),
        pairing: &mut Pairing<'_>,
        same_windows: &mut dyn FnMut(&[Closed<'_, '_>]) -> bool,
    ) -> Code {
        let [graph, other] = self.graphs;
        let [in_base, in_new] = &self.functions;
        let found = |(place, new_place): (&u64, &u64)| {
            Some((*in_base.get(place)?, *in_new.get(new_place)?))
        };
        let run = base.run_code.as_ref().zip(new.run_code.as_ref()).and_then(found);
        let of_both = base.section_code.iter().zip(&new.section_code);
        let sections: Option<Vec<_>> = of_both.map(|both| Some(at_begin(found(both)?))).collect();
        // A section that only one side has, or that is not found, leaves it unknown.
        let sections = sections.filter(|_| base.section_code.len() == new.section_code.len());
        let set_up = match pairs(graph, other) {
            Ok(set_up) => set_up,
            Err(why) => return Code::Unknown(why),
        };
        let Some((run, sections)) = run.zip(sections) else {
            return Code::Unknown(NOT_FOUND.to_owned());
        };
        let [alone, with_sections] = &mut self.walks;
        let registers = if sections.is_empty() { with_sections } else { alone };
        let set_up = [set_up, sections].concat();
        let before = registers.compare(&set_up, pairing);
        let roots = [at_begin(run)];
        let walked = before.clone().and_then(|()| whole.compare(&roots, pairing));
        let walks = [(&*whole, begin), (registers, &*set_up), (whole, &roots)];
        let code = match before {
            Err(Stop::Differs(first)) => {
                let first = Stop::Differs(format!("before it is called: {first}"));
                let [of_base, of_new] = self.graphs.map(registering);
                judge(Err(first), || changes::between(graph, &of_base, other, &of_new))
            }
            _ => {
                let walked = walked.and_then(|()| pairing.check(&walks, base.threads > 1));
                judge(walked, || changes::between(graph, &[run.0], other, &[run.1]))
            }
        };
        // The code that runs first is the same for all benchmarks.
        code.told_apart(|| same_windows(&walks[1..])).sized([graph, other], run.into())
    }
}

/// The nodes that one benchmark runs: its own functions and the ones that register it. The second set are functions of other
/// benchmarks, to which these lead as well.
pub(super) fn begins(
    graph: &Graph,
    program: &[u8],
    case: &CaseDescription,
) -> Result<(Vec<Index>, BTreeSet<Index>), String> {
    let functions = functions(graph, program);
    let run = case.run_code.ok_or(NOT_FOUND)?;
    let own = [run].into_iter().chain(case.section_code.iter().copied());
    let own: BTreeSet<Index> = own
        .map(|place| functions.get(&place).copied().ok_or(NOT_FOUND))
        .collect::<Result<_, _>>()?;
    let others = &(&graph.runs | &graph.sections) - &own;
    Ok((registering(graph).into_iter().chain(own).collect(), others))
}

/// The nodes of the functions that register benchmarks.
fn registering(graph: &Graph) -> Vec<Index> {
    graph.entries.iter().filter(|entry| entry.registers).map(|entry| entry.root).collect()
}

fn at_begin((base, new): (Index, Index)) -> (Place, Place) {
    (Place { node: base, offset: 0 }, Place { node: new, offset: 0 })
}

/// The functions of both sides that register benchmarks, by module and name.
fn pairs(base: &Graph, new: &Graph) -> Result<Vec<(Place, Place)>, String> {
    let sorted = |graph: &'_ Graph| {
        let mut entries: Vec<Entry> =
            graph.entries.iter().filter(|entry| entry.registers).cloned().collect();
        entries.sort_by_key(|entry| (entry.module.clone(), entry.name.clone(), entry.file.clone()));
        entries
    };
    let (base, new) = (sorted(base), sorted(new));
    let name = |entry: &Entry| (entry.module.clone(), entry.name.clone());
    if !base.iter().map(name).eq(new.iter().map(name)) {
        return Err("other functions register benchmarks".to_owned());
    }
    Ok(base.iter().zip(&new).map(|(base, new)| at_begin((base.root, new.root))).collect())
}

/// The functions of a program that are called for some benchmarks only, by their distance from its begin.
fn functions(graph: &Graph, program: &[u8]) -> HashMap<u64, Index> {
    let marked: BTreeSet<Index> = &graph.runs | &graph.sections;
    let mut names: HashMap<&str, Option<Index>> = HashMap::new();
    for &index in &marked {
        for name in &graph.nodes[index as usize].names {
            // A name that two functions have identifies neither.
            names.entry(name).and_modify(|known| *known = None).or_insert(Some(index));
        }
    }
    let Ok(file) = object::File::parse(program) else { return HashMap::new() };
    let mut found: HashMap<u64, Index> = HashMap::new();
    let mut twice = BTreeSet::new();
    for symbol in file.symbols() {
        let Ok(name) = symbol.name() else { continue };
        let Some(&Some(node)) = names.get(name) else { continue };
        let place = symbol.address().wrapping_sub(file.entry());
        // Two functions at one place are one to the linker, and indistinguishable.
        if found.insert(place, node).is_some_and(|other| other != node) {
            twice.insert(place);
        }
    }
    found.retain(|place, _| !twice.contains(place));
    found
}
