//! Figure 7, static columns: a kernel here is a node program, whose driver has a statement for each group of phases. FA
//! has a `finish` for each phase of a group. FAC has one for each group, and a barrier between two phases.

use super::facts::{labels, with};
use crate::fact::Facts;

/// A kernel with its source, and the paper's finish statements of FA, and finish and barrier statements of FAC. Recursive
/// kernels have no phases.
type Source = (&'static str, &'static str, [Option<u32>; 3]);

macro_rules! source {
    ($kernel:literal, $file:literal, $fa:literal, $fac:expr, $bar:expr) => {
        (
            $kernel,
            include_str!(concat!("../../../suite/src/imsuite/", $file, ".rs")),
            [Some($fa), $fac, $bar],
        )
    };
}

const SOURCES: [Source; 12] = [
    source!("bf", "bf", 2, Some(1), Some(1)),
    source!("dst", "dst", 7, Some(5), Some(2)),
    source!("by", "by", 3, Some(2), Some(1)),
    source!("dr", "dr", 1, None, None),
    source!("ds", "ds", 9, Some(1), Some(8)),
    source!("kc", "kc", 10, Some(7), Some(3)),
    source!("dp", "dp", 4, Some(1), Some(3)),
    source!("hs", "hs", 5, Some(3), Some(2)),
    source!("lcr", "lcr", 3, Some(2), Some(1)),
    source!("mis", "mis", 5, Some(2), Some(3)),
    source!("mst", "mst/mod", 15, Some(8), Some(9)),
    source!("vc", "vc", 5, Some(3), Some(2)),
];

/// Lines of the kernels, and their static statements less the paper's.
pub(super) fn statements(facts: &mut Facts) {
    for (kernel, source, paper) in SOURCES {
        let own = vec![("kernel", kernel.to_uppercase())];
        facts.add("lines of code", &own, source.lines().count() as f64);
        let groups = groups(source);
        let (finishes, phases) = (groups.len() as f64, groups.iter().sum::<usize>() as f64);
        let here = [
            ("fork_join", "finish", phases),
            ("clocked", "finish", finishes),
            ("clocked", "barrier", phases - finishes),
        ];
        for ((style, statement, here), paper) in here.into_iter().zip(paper) {
            if let Some(paper) = paper {
                let labels = with(&labels(kernel, style), &[("statement", statement.to_owned())]);
                facts.add("static statements less the paper's", &labels, here - f64::from(paper));
            }
        }
    }
}

/// The number of phases in each group that a driver forks, in the order of the source.
fn groups(source: &str) -> Vec<usize> {
    let code: Vec<&str> = source.lines().map(str::trim).collect();
    let named = |name: &str| {
        let definition = format!("let {name} = [");
        let line = code.iter().find_map(|line| line.strip_prefix(&*definition));
        line.map_or(0, |list| {
            list.split(',').filter(|one| one.contains(char::is_alphabetic)).count()
        })
    };
    let group = |line: &&str| -> Option<usize> {
        // A turn is a message out and in, and its own statement is the one below it.
        if line.contains("self.turn(net,") {
            return Some(2);
        }
        if line.contains("net.phases(&[out, take])") || line.contains("Mode::Repaired => net") {
            return None;
        }
        if let Some((_, list)) = line.split_once("net.phases(&[") {
            return Some(list.split(']').next()?.split(',').count());
        }
        if let Some((_, name)) = line.split_once("net.phases(&") {
            return Some(named(name.split(')').next()?));
        }
        line.contains("net.phase(").then_some(1)
    };
    code.iter().filter(|line| !line.starts_with("//")).filter_map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_the_finish_statements_of_fa() {
        let of = |kernel: &str| {
            let (_, source, _) = SOURCES.iter().find(|(name, ..)| *name == kernel).unwrap();
            groups(source)
        };
        assert_eq!(of("bf"), [2]);
        assert_eq!(of("dst"), [2, 1, 2, 1, 1]);
        assert_eq!(of("dp"), [4]);
        assert_eq!(of("ds"), [9]);
        assert_eq!(of("mst"), [1, 2, 2, 2, 2, 5, 2, 1]);
    }
}
