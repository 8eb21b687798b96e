//! IMSuite: counts, rounds and times of all kernels.

use plusminus::record::{InstanceTally, Record, Role, Tally};

use super::{Made, each_can_agree_and_differ, facts, outcomes, record_of};
use crate::{
    Paper,
    imsuite::{FIGURE_8, FIGURE_10},
    sentence::Outcome,
};

/// Figure 8's columns of a style: communication in Mn-In and Mx-In; mutex operations are those of the third and fourth.
fn column(style: &str, sparse: bool) -> Option<usize> {
    match (style, sparse) {
        ("fork_join", true) => Some(0),
        ("fork_join", false) => Some(1),
        ("clocked", true) => Some(4),
        ("clocked", false) => Some(5),
        _ => None,
    }
}

fn printed(text: &str) -> Option<f64> {
    match text.strip_suffix('K') {
        Some(thousands) => thousands.parse().ok().map(|k: f64| 1000.0 * k),
        None => text.parse().ok(),
    }
}

/// Kernels that need fewer rounds in Mx-In.
const FEWER: [&str; 5] = ["bf", "dst", "dr", "ds", "dp"];

/// Programs that are faster at two places than at one.
const EXCEPTIONS: [(&str, &str); 8] = [
    ("by", "fork_join"),
    ("dr", "fork_join"),
    ("vc", "clocked"),
    ("mst", "clocked"),
    ("lcr", "clocked"),
    ("kc", "clocked"),
    ("by", "clocked"),
    ("dst", "clocked"),
];

/// The part of a name that has places between which shifts take time.
const COSTLY: &str = "-64-places-latency-2us-gap-200ns";

/// A record in which the sentences of the paper hold, or none does.
fn record(holds: bool) -> Record {
    let mut cases = Vec::new();
    for (kernel, cells) in FIGURE_8 {
        let ring = ["hs", "lcr"].contains(&kernel);
        for sparse in [false, true] {
            let shape = match (kernel, sparse) {
                _ if ring => "ring",
                ("vc", true) => "chain",
                ("vc", false) => "star",
                (_, true) => "sp-min",
                _ => "sp-max",
            };
            if ring && sparse {
                continue;
            }
            let mut points: Vec<(f64, usize, Option<usize>)> =
                vec![(64.0, 2, None), (64.0, 2, Some(64))];
            if !sparse {
                points.extend([(8.0, 2, None), (32.0, 2, None), (64.0, 1, None), (128.0, 2, None)]);
                points.extend([1, 2, 8].map(|places| (64.0, 2, Some(places))));
                points.extend([(8.0, 2, Some(8)), (32.0, 2, Some(8)), (64.0, 1, Some(64))]);
                points.push((128.0, 2, Some(128)));
            }
            for (size, p, places) in points {
                let mut styles = vec!["fork_join", "serial"];
                if kernel != "dr" {
                    styles.push("clocked");
                }
                if ["by", "mst"].contains(&kernel) && places.is_none() && size == 64.0 && p == 2 {
                    styles.push("recursive_fork_join");
                }
                for style in styles {
                    let time = time(holds, kernel, style, sparse, size, p, places);
                    let at = places.map_or(String::new(), |places| {
                        let word = if places == 1 { "place" } else { "places" };
                        format!("-{places}-{word}-latency-2us-gap-200ns")
                    });
                    let mut case = Made {
                        function: &format!("{kernel}::{style}"),
                        problem: &format!("{kernel}::Problem"),
                        point: format!("{shape}-{size}{at}-p{p}"),
                        size: Some(size),
                        role: if style == "serial" { Role::Reference } else { Role::Contender },
                        processors: p,
                        models: &[],
                        instances: vec![("only".to_owned(), Vec::new())],
                        times: [0.999, 1.0, 1.001].map(|by| vec![by * time]).into(),
                    }
                    .case();
                    if size == 64.0 && places.is_none() {
                        let tallies = tallies(holds, kernel, style, sparse, &cells);
                        case.tallies = vec![InstanceTally { instance: 0, tallies }];
                    }
                    cases.push(case);
                }
            }
        }
    }
    for (p, places) in [(1, ""), (2, ""), (1, COSTLY), (2, COSTLY)] {
        for style in ["serial", "fork_join"] {
            let two = if holds { 1.6 } else { 0.8 };
            let time = if p == 2 && style != "serial" { 1e6 / two } else { 1e6 };
            cases.push(
                Made {
                    function: &format!("recursive_bf::{style}"),
                    problem: "recursive_bf::Bf",
                    point: format!("sp-max-64{places}-p{p}-arithmetic:1000"),
                    size: Some(64.0),
                    role: if style == "serial" { Role::Reference } else { Role::Contender },
                    processors: p,
                    models: &[],
                    instances: vec![("only".to_owned(), Vec::new())],
                    times: vec![vec![time]; 3],
                }
                .case(),
            );
        }
    }
    record_of(cases)
}

fn time(
    holds: bool,
    kernel: &str,
    style: &str,
    sparse: bool,
    size: f64,
    p: usize,
    places: Option<usize>,
) -> f64 {
    let by = if kernel == "by" { 3.0 } else { 1.5 };
    let of_size = size.powf(if holds { by } else { -by });
    let of_style = match (style, holds) {
        ("serial", true) => 0.2,
        ("serial", false) => 5.0,
        _ => 1.0,
    };
    let of_processors = match (p, holds) {
        (2, true) if style != "serial" => 0.55,
        _ => 1.0,
    };
    let odd = EXCEPTIONS.contains(&(kernel, style));
    let of_places = match (places, holds) {
        (None, _) => 1.0,
        (Some(1), true) if odd => 2.1,
        (Some(1), false) if odd => 0.1,
        (Some(places), true) => 1.0 + places as f64 / 2.0,
        (Some(places), false) => 1.0 / (1.0 + places as f64),
    };
    // BY: a longer diameter decides at one place, communication at many.
    let of_shape = match (kernel, sparse, places.is_some(), holds) {
        ("by", true, costly, _) => {
            if costly == holds {
                0.5
            } else {
                2.0
            }
        }
        _ => 1.0,
    };
    let unit = if holds { 1e3 } else { 1e9 };
    unit * of_size * of_style * of_processors * of_places * of_shape
}

fn tallies(holds: bool, kernel: &str, style: &str, sparse: bool, cells: &[&str; 6]) -> Vec<Tally> {
    let factor = |name: &str| match (holds, sparse, name) {
        (true, ..) => 1.0,
        // All orders are reversed.
        (false, true, _) if ["dst", "dr"].contains(&kernel) => 0.1,
        (false, true, _) => 10.0,
        (false, false, _) => 1.5,
    };
    let clocked = if holds || style != "clocked" { 1.0 } else { 20.0 };
    let comm = column(style, sparse).and_then(|at| printed(cells[at])).unwrap_or(100.0);
    let comm = comm * factor("comm") * clocked;
    let few = FEWER.contains(&kernel) != sparse;
    let rounds = if few == holds { 4 } else { 8 };
    let mut each = vec![comm / rounds as f64; rounds];
    if !holds {
        each[0] += comm / 10.0;
        each[1] -= comm / 10.0;
    }
    let recursive = style.starts_with("recursive_");
    let mutex = match (recursive, holds) {
        (true, true) => return of_figure_10(kernel, style, sparse),
        (true, false) => {
            if sparse {
                10.0
            } else {
                20.0
            }
        }
        (_, false) if kernel == "mis" => 0.5 * comm,
        _ => printed(cells[if sparse { 2 } else { 3 }]).unwrap_or(0.0) * factor("mutex"),
    };
    let [joins, barriers] = operations(holds, kernel, style, sparse);
    let mut found = vec![
        Tally::per_round("comm at 64 places", each),
        Tally::new("mutex", mutex),
        Tally::new("joins", joins),
        Tally::new("tasks", if holds { 64.0 * joins } else { joins }),
        Tally::new("barriers", barriers),
    ];
    if !recursive {
        for (places, share) in [(1, 0.0), (2, 0.4), (8, if holds { 0.6 } else { 0.1 })] {
            let word = if places == 1 { "place" } else { "places" };
            found.push(Tally::new(format!("comm at {places} {word}"), share * comm));
        }
        found.push(Tally::new("original's comm at 64 places", comm));
        found.push(Tally::new("original's mutex", mutex));
        for (name, value) in [("diameter", 4.0), ("largest degree", 16.0), ("edges", 256.0)] {
            found.push(Tally::new(name, value));
        }
    }
    found
}

/// The paper's counts of a recursive kernel.
fn of_figure_10(kernel: &str, style: &str, sparse: bool) -> Vec<Tally> {
    let row = FIGURE_10.iter().find(|row| (row.0, row.1) == (kernel, style));
    let (.., inputs) = row.expect("a recursion of the figure");
    let cells = inputs[usize::from(!sparse)].iter();
    let counts =
        ["tasks", "joins", "comm at 64 places", "mutex", "barriers"].into_iter().zip(cells);
    counts.filter_map(|(name, cell)| Some(Tally::new(name, printed(cell)?))).collect()
}

/// Finish operations and barriers: those of the paper's formulas for a diameter of 4, and others in the paper's proportions.
fn operations(holds: bool, kernel: &str, style: &str, sparse: bool) -> [f64; 2] {
    let all = if sparse == holds { 200.0 } else { 100.0 };
    let of_style = |fa: f64, [finishes, barriers]: [f64; 2]| {
        let more = if sparse { 2.0 } else { 1.0 };
        match style {
            "clocked" => [more * finishes, more * barriers],
            _ => [more * fa, 0.0],
        }
    };
    if !holds {
        return of_style(all, [2.0 * all, all]);
    }
    match kernel {
        "bf" => of_style(8.0, [4.0, 4.0]),
        "dst" => of_style(42.0, [28.0, 14.0]),
        "by" => of_style(81.0, [45.0, 36.0]),
        "dr" => [1.0, 0.0],
        "kc" => of_style(45.0, [27.0, 36.0]),
        "dp" => of_style(32.0, [8.0, 24.0]),
        "lcr" => of_style(129.0, [65.0, 65.0]),
        "hs" => of_style(2311.0, [775.0, 1536.0]),
        "vc" => of_style(15.0, [9.0, 6.0]),
        _ => of_style(all, [0.25 * all, 0.75 * all]),
    }
}

#[test]
fn each_sentence_can_agree_and_differ() {
    each_can_agree_and_differ(Paper::Imsuite, "imsuite", &[record(true), record(false)]);
}

/// Sentences about 64 places are not tested where places cost nothing.
#[test]
fn free_places_are_not_64() {
    let mut free = record(true);
    free.cases.retain(|case| !case.point.contains("place"));
    let found = outcomes(Paper::Imsuite, "imsuite_free", &free);
    assert_eq!(found["fig-19-one-place"], Outcome::Agrees);
    for name in ["fig-19-places", "fig-15-exceptions", "fig-15-others", "fig-17"] {
        assert_eq!(found[name], Outcome::Untested, "{name}");
    }
}

/// Eight programs are faster at two places than at one. A record in which all are slower differs, however regular it is.
#[test]
fn places_that_always_cost_differ_from_the_paper() {
    let mut slower = record(true);
    let at_one = |name: &str| name.contains("-1-place-");
    for case in slower.cases.iter_mut().filter(|case| at_one(&case.name)) {
        let times = case.measurements.iter_mut().flat_map(|one| &mut one.wall_ns);
        times.for_each(|time| *time /= 10);
    }
    let found = outcomes(Paper::Imsuite, "imsuite_slower", &slower);
    assert_eq!(found["fig-15-others"], Outcome::Agrees);
    assert_eq!(found["fig-15-exceptions"], Outcome::Differs);
}

/// Speedups are over the program that is called serial, also where a different one is faster on one processor, and those of
/// a recursion over the serial recursion.
#[test]
fn speedups_are_over_the_serial_program() {
    let mut fast = record(true);
    let is_by = |name: &str| name == "by::fork_join::sp-max-64-p1";
    for case in fast.cases.iter_mut().filter(|case| is_by(&case.name)) {
        let times = case.measurements.iter_mut().flat_map(|one| &mut one.wall_ns);
        times.for_each(|time| *time /= 10);
    }
    let found = facts(Paper::Imsuite, "imsuite_serial", &fast);
    let of = |program: &str| -> Vec<f64> {
        let own = |fact: &&crate::fact::Fact| {
            fact.label("program") == Some(program)
                && fact.label("p") == Some("1")
                && fact.label("places") == Some("free")
        };
        found.of("S over the serial program").filter(own).map(|fact| fact.value).collect()
    };
    let (by, recursive) = (of("BY FA"), of("BF recursive FA"));
    assert!(by.len() == 1 && (by[0] / 2.0 - 1.0).abs() < 0.01, "{by:?}");
    assert!(recursive.len() == 1 && (recursive[0] - 1.0).abs() < 0.01, "{recursive:?}");
    assert!(of("BY recursive FA").is_empty(), "its problem has no serial recursion");
}
