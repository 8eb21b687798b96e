//! The progress of a comparison, on simulated machines: names, and an end that comes nearer.

use std::time::Duration;

use plusminus::{
    engine::{
        CommonCase, ComparisonPosition, ComparisonWatcher, Program, Subject, Versions,
        compare_until_decided, list,
        simulated::{Kernel, Noise, SimulatedMachine},
    },
    record::{ComparisonRecord, ComparisonSettings, Manifest, SideRecord},
    text::{Standing, width},
};

/// Everything that was said, as terminals of 30 and of 100 columns show it.
#[derive(Default)]
struct Heard {
    narrow: Vec<String>,
    wide: Vec<String>,
    /// Round, decided, benchmarks, spent and left.
    numbers: Vec<(u32, usize, usize, Duration, Option<Duration>)>,
}

impl ComparisonWatcher for Heard {
    fn begin(&mut self, position: ComparisonPosition<'_>) {
        let ComparisonPosition { name, round, decided, benchmarks, spent, left } = position;
        let part = position.part();
        let standing = Standing { spent, left, about: "at most", part: &part, name };
        self.narrow.push(standing.line(30));
        self.wide.push(standing.line(100));
        self.numbers.push((round, decided, benchmarks, spent, left));
    }
}

/// Compares three kernels, of which one is slower, within a budget.
fn heard(max_seconds: Option<f64>) -> Heard {
    let [base, new, control] = ["base", "new", "control"].map(|name| Program::of(name.as_ref()));
    let kernels = |slower: f64| {
        let times = [("hash\u{1b}[2J", 3e4 * slower), ("sort", 2e5), ("parse", 90.0)];
        times.map(|(name, ns)| Kernel::new(name, ns).with_noise(Noise::quiet())).to_vec()
    };
    let machine = SimulatedMachine::new(7)
        .with_program(&base, kernels(1.0))
        .with_program(&new, kernels(1.2))
        .with_program(&control, kernels(1.0));
    let common =
        |case| CommonCase { base: Clone::clone(&case), new: case, margin: 0.02, later: false };
    let subject = Subject {
        name: String::new(),
        common: list(&machine, &base).unwrap().into_iter().map(common).collect(),
        versions: Versions { base, new, control: Some(control) },
        layouts: None,
    };
    let settings =
        ComparisonSettings { seed: 7, max_seconds, ..ComparisonSettings::of_blocks(None) };
    let side = |name: &str| SideRecord { name: name.to_owned(), manifest: Manifest::of_machine() };
    let record = ComparisonRecord::new(settings, side("base"), side("new"));
    let mut heard = Heard::default();
    let _ = compare_until_decided(&machine, &[subject], record, &mut heard);
    heard
}

#[test]
fn a_comparison_says_where_it_stands_in_one_line_of_any_terminal() {
    let heard = heard(Some(600.0));
    assert!(heard.narrow.iter().all(|line| width(line) < 30), "{:?}", heard.narrow);
    assert!(heard.wide.iter().all(|line| width(line) < 100 && !line.contains('\u{1b}')));
    assert!(heard.wide[0].contains("finding sizes: "), "{}", heard.wide[0]);
    assert!(
        heard
            .wide
            .iter()
            .any(|line| line.contains("at most ") && line.contains(" decided, round "))
    );
    for name in ["hash", "sort", "parse"] {
        assert!(heard.wide.iter().any(|line| line.contains(&format!(": {name}"))), "{name}");
    }
    let decided: Vec<usize> = heard.numbers.iter().map(|numbers| numbers.1).collect();
    assert!(decided.is_sorted() && decided.last() > Some(&0), "{decided:?}");
    assert!(heard.numbers.iter().all(|(_, decided, of, ..)| *of == 3 && decided <= of));
}

#[test]
fn what_is_left_is_within_the_budget_and_is_the_blocks_where_there_is_none() {
    for (.., spent, left) in heard(Some(30.0)).numbers {
        assert!(spent + left.unwrap() <= Duration::from_secs(30), "{spent:?} and {left:?}");
    }
    let free = heard(None).numbers;
    let (first, last) = (free.first().unwrap(), free.last().unwrap());
    assert!(first.4.is_none() && last.4.is_some(), "{first:?}, {last:?}");
}
