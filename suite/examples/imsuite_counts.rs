//! The characterization of IMSuite's kernels (the paper's Figures 7 to 10), counted, with the paper's values.
//!
//! `cargo run --release -p plusminus-suite --example imsuite_counts -- [nodes] [places] [csv]`
//!
//! Without arguments: 64 nodes, a place per node, the paper's setting. With `csv`, one line per kernel, variant, input
//! and round (round 0 is the whole run), to be read by other programs.

use plusminus_suite::imsuite::generate::{OriginalOptions, Shape};
use plusminus_suite::imsuite::{Kernel, Original, characterise};
use plusminus_suite::places::{Counted, Counts, Execution, Style};

/// Figure 8: FA Mn, Mx; mutex Mn, Mx; FAC Mn, Mx. BY has thousands in its mutex cells, DR no FAC cells.
const FIGURE_8: [(Kernel, [&str; 6]); 12] = [
    (Kernel::Bf, ["1009", "1145", "126", "766", "568", "956"]),
    (Kernel::Dst, ["7500", "3446", "343", "1348", "5232", "2816"]),
    (Kernel::By, ["46386", "97299", "43K", "95K", "44874", "96291"]),
    (Kernel::Dr, ["20587", "16204", "0", "0", "-", "-"]),
    (Kernel::Ds, ["8020", "31118", "124", "327", "6193", "27401"]),
    (Kernel::Kc, ["5082", "12504", "2243", "9666", "4125", "11556"]),
    (Kernel::Dp, ["9996", "12703", "2625", "8472", "5649", "10624"]),
    (Kernel::Hs, ["12223", "12223", "0", "0", "8255", "8255"]),
    (Kernel::Lcr, ["25373", "25373", "0", "0", "9229", "9229"]),
    (Kernel::Mis, ["1463", "3204", "1894", "3518", "1274", "2637"]),
    (Kernel::Mst, ["8890", "19154", "497", "469", "6055", "13547"]),
    (Kernel::Vc, ["1008", "1208", "0", "0", "756", "890"]),
];

/// Figure 10: of FA and FAC, Mn and Mx each: tasks, joins, comm, mutex, barriers.
const FIGURE_10: [(Kernel, Style, [[&str; 5]; 2]); 8] = [
    (
        Kernel::Bf,
        Style::ForkJoin,
        [["252", "128", "317", "317", "-"], ["2824", "240", "2945", "2945", "-"]],
    ),
    (
        Kernel::Dst,
        Style::ForkJoin,
        [["2201", "256", "2721", "189", "-"], ["1092", "151", "2569", "1279", "-"]],
    ),
    (
        Kernel::By,
        Style::ForkJoin,
        [["73K", "36K", "74K", "109K", "-"], ["435K", "36K", "442K", "478K", "-"]],
    ),
    (
        Kernel::Dr,
        Style::ForkJoin,
        [["3476", "375", "12469", "0", "-"], ["3699", "279", "12373", "0", "-"]],
    ),
    (
        Kernel::Mst,
        Style::ForkJoin,
        [["1872", "258", "15341", "255", "-"], ["1870", "345", "16460", "255", "-"]],
    ),
    (
        Kernel::Bf,
        Style::Clocked,
        [["126", "64", "317", "317", "64"], ["1615", "140", "3371", "3371", "140"]],
    ),
    (
        Kernel::Dst,
        Style::Clocked,
        [["1689", "248", "2217", "189", "8"], ["836", "147", "2317", "1279", "4"]],
    ),
    (
        Kernel::Mst,
        Style::Clocked,
        [["528", "237", "14026", "255", "21"], ["526", "324", "15159", "255", "21"]],
    ),
];

/// The paper's two inputs of a kernel.
fn inputs(kernel: Kernel, nodes: usize) -> [Original; 2] {
    let shapes = match kernel {
        Kernel::Vc => [Shape::Chain, Shape::Star],
        _ => [Shape::SparseMinimum, Shape::SparseMaximum],
    };
    shapes.map(|shape| {
        let mut options = OriginalOptions::new(kernel, nodes, shape);
        options.committee_size = Some(3);
        options.generate()
    })
}

fn style_name(style: Style) -> &'static str {
    match style {
        Style::Serial => "serial",
        Style::ForkJoin => "FA",
        Style::Clocked => "FAC",
    }
}

/// Returns the counts of a kernel in a style on both inputs.
fn count(kernel: Kernel, style: Style, nodes: usize, places: usize) -> [Counted; 2] {
    inputs(kernel, nodes)
        .map(|input| characterise::iterative(input, &Execution::new(style, 1).on_places(places)))
}

/// Joins and barriers (Figure 7).
fn figure_7(nodes: usize, places: usize) {
    println!("\nFigure 7: joins, tasks and barriers of a run, Mn / Mx");
    println!(
        "{:4} {:>16} {:>18} {:>16} {:>18} {:>16}",
        "", "FA joins", "FA tasks", "FAC joins", "FAC tasks", "FAC barriers"
    );
    for kernel in Kernel::ALL {
        print!("{:4}", kernel.name());
        for style in [Style::ForkJoin, Style::Clocked] {
            if kernel == Kernel::Dr && style == Style::Clocked {
                continue;
            }
            let [mn, mx] = count(kernel, style, nodes, places).map(|counted| counted.total());
            print!(
                " {:>16} {:>18}",
                format!("{} / {}", mn.joins, mx.joins),
                format!("{} / {}", mn.tasks, mx.tasks)
            );
            if style == Style::Clocked {
                print!(" {:>16}", format!("{} / {}", mn.barriers, mx.barriers));
            }
        }
        println!();
    }
}

/// Communication and mutex operations (Figure 8).
fn figure_8(nodes: usize, places: usize) {
    println!(
        "\nFigure 8: communication and mutex operations, counted (the paper, for 64 nodes and places)"
    );
    println!(
        "The paper has the rows of HS and LCR exchanged; its inputs for BY are not the published ones."
    );
    println!(
        "{:4} {:>16} {:>16} {:>16} {:>16} {:>16} {:>16}",
        "", "FA Mn", "FA Mx", "mutex Mn", "mutex Mx", "FAC Mn", "FAC Mx"
    );
    for (kernel, paper) in FIGURE_8 {
        let fa = count(kernel, Style::ForkJoin, nodes, places).map(|counted| counted.total());
        let mut cells: Vec<String> = fa.iter().map(|counts| counts.comm().to_string()).collect();
        cells.extend(fa.iter().map(|counts| counts.mutex.to_string()));
        if kernel == Kernel::Dr {
            cells.extend(["-".to_owned(), "-".to_owned()]);
        } else {
            let fac = count(kernel, Style::Clocked, nodes, places).map(|counted| counted.total());
            cells.extend(fac.iter().map(|counts| counts.comm().to_string()));
        }
        print!("{:4}", kernel.name());
        for (cell, paper) in cells.iter().zip(paper) {
            print!(" {:>16}", format!("{cell} ({paper})"));
        }
        println!();
    }
}

/// Communication per round (Figure 9).
fn figure_9(nodes: usize, places: usize) {
    println!("\nFigure 9: communication per round, FAC (DR: FA)");
    for kernel in Kernel::ALL {
        let style = if kernel == Kernel::Dr { Style::ForkJoin } else { Style::Clocked };
        for (name, counted) in ["Mn", "Mx"].iter().zip(count(kernel, style, nodes, places)) {
            let rounds: Vec<String> =
                counted.rounds().iter().map(|round| round.comm().to_string()).collect();
            println!("{:4} {name} {}", kernel.name(), rounds.join(" "));
        }
    }
}

/// Recursive kernels (Figure 10).
fn figure_10(nodes: usize, places: usize) {
    println!("\nFigure 10: recursive kernels, counted (the paper, for 64 nodes and places)");
    println!("BF on Mx depends on the order of tasks.");
    println!(
        "{:8} {:>2} {:>18} {:>18} {:>18} {:>18} {:>18}",
        "", "", "tasks", "joins", "comm", "mutex", "barriers"
    );
    for (kernel, style, paper) in FIGURE_10 {
        for ((input, name), paper) in inputs(kernel, nodes).into_iter().zip(["Mn", "Mx"]).zip(paper)
        {
            let Some(counted) = characterise::recursive(input, style, places) else { continue };
            let counts = counted.total();
            let found = [counts.tasks, counts.joins, counts.comm(), counts.mutex, counts.barriers];
            print!("{:4} {:3} {name:>2}", kernel.name(), style_name(style));
            for (found, paper) in found.iter().zip(paper) {
                print!(" {:>18}", format!("{found} ({paper})"));
            }
            println!();
        }
    }
}

/// Everything as lines of comma-separated values.
fn csv(nodes: usize, places: usize) {
    println!(
        "kernel,variant,style,input,nodes,places,round,tasks,joins,remote,control,messages,mutex,barriers,rounds"
    );
    let print = |kernel: Kernel, variant: &str, style: Style, input: &str, counted: &Counted| {
        let total = counted.total();
        for (round, c) in std::iter::once(&total).chain(counted.rounds()).enumerate() {
            let Counts { tasks, joins, remote, control, messages, mutex, barriers, rounds } = *c;
            println!(
                "{kernel},{variant},{},{input},{nodes},{places},{round},{tasks},{joins},{remote},{control},{messages},{mutex},{barriers},{rounds}",
                style_name(style)
            );
        }
    };
    for kernel in Kernel::ALL {
        for style in [Style::Serial, Style::ForkJoin, Style::Clocked] {
            for (input, file) in ["mn", "mx"].into_iter().zip(inputs(kernel, nodes)) {
                if kernel != Kernel::Dr || style != Style::Clocked {
                    let how = Execution::new(style, 1).on_places(places);
                    print(
                        kernel,
                        "iterative",
                        style,
                        input,
                        &characterise::iterative(file.clone(), &how),
                    );
                }
                if let Some(counted) = characterise::recursive(file, style, places) {
                    print(kernel, "recursive", style, input, &counted);
                }
            }
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let mut number = |default: usize| match arguments.peek().and_then(|word| word.parse().ok()) {
        Some(number) => {
            arguments.next();
            number
        }
        None => default,
    };
    let nodes = number(64);
    let places = number(nodes);
    match arguments.next().as_deref() {
        Some("csv") => csv(nodes, places),
        None => {
            println!(
                "{nodes} nodes, {places} places, seed 101; Mn-In: SP-Min (VC: chain), Mx-In: SP-Max (VC: star)"
            );
            figure_7(nodes, places);
            figure_8(nodes, places);
            figure_9(nodes, places);
            figure_10(nodes, places);
        }
        Some(other) => {
            eprintln!(
                "{other:?} is neither a number nor csv; usage: imsuite_counts [nodes] [places] [csv]"
            );
            std::process::exit(2);
        }
    }
}
