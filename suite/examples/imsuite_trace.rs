//! Every shift between two nodes of an IMSuite kernel, as comma-separated values: for simulators of networks, and for
//! mapping nodes to places (§7 of the paper).
//!
//! `cargo run --release -p plusminus-suite --example imsuite_trace -- KERNEL SHAPE NODES [PLACES] > trace.csv`, or
//! `… -- KERNEL FILE [PLACES]` for an input in the original's format.
//!
//! Each line has the round of the algorithm from 1 (0: before the first), and both nodes of the shift with their
//! places. Then come the bytes of the message in memory, or of the result of a read (0: a call), and whether it is a
//! message of the algorithm. The programs are the original's, by fork and join. Shifts between the driver and nodes
//! are counted by the example `imsuite_counts`.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use plusminus_suite::imsuite::generate::{OriginalOptions, Shape};
use plusminus_suite::imsuite::{Kernel, Original, characterise};
use plusminus_suite::places::{Execution, Places, Style};

const USAGE: &str = "usage: imsuite_trace KERNEL (SHAPE NODES | FILE) [PLACES]\n\
    KERNEL: bf dst by dr ds kc dp hs lcr mis mst vc\n\
    SHAPE: complete random sp-min sp-max; chain star tree for vc; ring for hs and lcr";

/// The shapes by name; rings have no other.
const SHAPES: [(&str, Shape); 8] = [
    ("complete", Shape::Complete),
    ("random", Shape::Random),
    ("sp-min", Shape::SparseMinimum),
    ("sp-max", Shape::SparseMaximum),
    ("chain", Shape::Chain),
    ("star", Shape::Star),
    ("tree", Shape::RandomTree),
    ("ring", Shape::Ring),
];

/// The most nodes: the original's generators take n² steps.
const MOST_NODES: usize = 1 << 12;

/// The input and the number of places that the arguments ask for.
fn understand(arguments: &[String]) -> Result<(Original, usize), String> {
    let (Some(kernel), Some(what)) = (arguments.first(), arguments.get(1)) else {
        return Err(USAGE.to_owned());
    };
    let named = |known: &Kernel| known.name().eq_ignore_ascii_case(kernel);
    let kernel = Kernel::ALL
        .into_iter()
        .find(named)
        .ok_or_else(|| format!("{kernel:?} is no kernel\n{USAGE}"))?;
    let number = |text: &String, most: usize| match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("{text:?} is no number from 1 to {most}\n{USAGE}")),
    };
    let (input, rest) = if let Some((_, shape)) = SHAPES.iter().find(|(name, _)| name == what) {
        let nodes = number(arguments.get(2).ok_or(USAGE)?, MOST_NODES)?;
        let of_trees = matches!(shape, Shape::Chain | Shape::Star | Shape::RandomTree);
        let ring = matches!(kernel, Kernel::Hs | Kernel::Lcr);
        if nodes < 2 || (what == "ring") != ring || (!ring && of_trees != (kernel == Kernel::Vc)) {
            return Err(format!("{kernel} has no input `{what}` of {nodes} nodes\n{USAGE}"));
        }
        let mut options = OriginalOptions::new(kernel, nodes, *shape);
        options.committee_size = Some(3);
        (options.generate(), &arguments[3..])
    } else {
        let path = Path::new(what);
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{what:?} is neither a shape nor a file: {error}\n{USAGE}"))?;
        let input = Original::read(kernel, &text)
            .map_err(|error| format!("{} is no input of {kernel}: {error}", path.display()))?;
        (input, &arguments[2..])
    };
    match rest {
        [] => {
            let places = input.nodes;
            Ok((input, places))
        }
        [places] => Ok((input, number(places, usize::MAX)?)),
        _ => Err(USAGE.to_owned()),
    }
}

/// Writes the trace.
fn write(input: Original, places: usize, out: &mut impl Write) -> io::Result<()> {
    let of = Places::new(input.nodes, places);
    let how = Execution::new(Style::ForkJoin, 1).on_places(places).traced();
    writeln!(out, "round,source,destination,source_place,destination_place,bytes,kind")?;
    for shift in characterise::iterative(input, &how).trace() {
        let kind = match (shift.message, shift.bytes) {
            (true, _) => "message",
            (false, 0) => "call",
            (false, _) => "read",
        };
        let (from, to) = (of.of(shift.source), of.of(shift.destination));
        let (source, destination) = (shift.source, shift.destination);
        writeln!(out, "{},{source},{destination},{from},{to},{},{kind}", shift.round, shift.bytes)?;
    }
    out.flush()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (input, places) = match understand(&arguments) {
        Ok(understood) => understood,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    match write(input, places, &mut BufWriter::new(io::stdout().lock())) {
        // The reader has enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the trace cannot be written: {error}");
            ExitCode::from(2)
        }
        Ok(()) => ExitCode::SUCCESS,
    }
}
