//! Counts of the kernels, as `cargo bench -- --tallies` shows them and the record keeps them.
//!
//! ```
//! use plusminus_suite::imsuite::{bf, tallies, Topology};
//! use plusminus_suite::places::Style;
//!
//! let path = Topology::from_edges(3, [(0, 1), (1, 2)]);
//! let counted = bf::counted(&path, &bf::Root::new(&path, 0), Style::ForkJoin, 3);
//! let tallies = tallies(&counted, 3);
//! assert_eq!((tallies[0].name.as_str(), tallies[0].total), ("tasks", 12.0));
//! assert_eq!(tallies[0].per_round, [6.0, 6.0]);
//! assert_eq!(tallies[5].name, "messages");
//! ```

use plusminus::Tally;

use super::placement::PLACES_VARIABLE;
use super::workload;
use crate::places::{Counted, Counts, Execution, NodeProgram, Placement, Places, Style, execute};

/// Returns the counts of a program on nodes at this number of places, with the workload that is timed.
pub(super) fn count<P: NodeProgram>(program: &P, style: Style, places: usize) -> Counted {
    // One thread is enough: iterative kernels count the same on any number.
    let how = Execution::new(style, 1).on_places(places).with_workload(workload());
    execute(program, &how).1
}

/// The places that tallies count with: one per node (the paper's UP), or the number in `PLUSMINUS_IMSUITE_PLACES`.
///
/// # Panics
/// When the variable is no number above 0.
pub(super) fn places(nodes: usize) -> usize {
    let places = match std::env::var(PLACES_VARIABLE) {
        Err(_) => nodes,
        Ok(text) => {
            let placement: Result<Placement, String> = text.parse();
            let placement = placement.unwrap_or_else(|error| panic!("{PLACES_VARIABLE}: {error}"));
            placement.places.unwrap_or(nodes)
        }
    };
    Places::new(nodes, places).count()
}

/// Returns all counters of a run on nodes at this number of places. The shifts have the number of places in their
/// names, because they depend on it.
pub fn tallies(counted: &Counted, places: usize) -> Vec<Tally> {
    let mut tallies = local_tallies(counted);
    let word = if places == 1 { "place" } else { "places" };
    let remote = column(counted, format!("remote at {places} {word}"), |counts| counts.remote);
    let control = column(counted, format!("control at {places} {word}"), |counts| counts.control);
    tallies.splice(2..2, [remote, control]);
    // Rounds of a round are no news.
    tallies.push(Tally::new("rounds", counted.total().rounds as f64));
    tallies
}

/// Returns the counts that do not depend on places: tasks, joins, barriers, messages and mutex operations.
pub fn local_tallies(counted: &Counted) -> Vec<Tally> {
    vec![
        column(counted, "tasks", |counts| counts.tasks),
        column(counted, "joins", |counts| counts.joins),
        column(counted, "barriers", |counts| counts.barriers),
        column(counted, "messages", |counts| counts.messages),
        column(counted, "mutex", |counts| counts.mutex),
    ]
}

/// One counter, per round.
fn column(counted: &Counted, name: impl Into<String>, of: fn(&Counts) -> u64) -> Tally {
    Tally::per_round(name, counted.rounds().iter().map(|counts| of(counts) as f64).collect())
}
