//! The agreement of the numbers of figure 8 with the counts here.

use super::{
    super::beside::{Found, UNEXPLAINED, fares, geometric_mean, ratio},
    RINGS,
    figure_8::{Cell, Counted},
};

fn cells(all: &[Counted]) -> impl Iterator<Item = &Cell> {
    let cells = all.iter().flat_map(|counted| &counted.cells);
    cells.filter(|cell| cell.paper.is_some() && cell.here.is_some())
}

/// Names of the kernels that have a cell of which something holds.
fn names(all: &[Counted], holds: impl Fn(&Cell) -> bool) -> String {
    let own = all.iter().filter(|counted| {
        let cells = &mut counted.cells.iter();
        cells.any(|cell| cell.paper.is_some() && cell.here.is_some() && holds(cell))
    });
    own.map(Counted::name).collect::<Vec<_>>().join(", ")
}

/// How many numbers are those of the paper, and which differ by what the suite repairs.
pub(super) fn equal(all: &[Counted]) -> Found {
    let count = cells(all).count();
    let same = cells(all).filter(|cell| cell.is_paper(cell.here)).count();
    let mut said = vec![fares(same, count, "numbers are the paper's")];
    if same < count {
        let differ = |cell: &Cell| !cell.is_paper(cell.here);
        let repaired = |cell: &Cell| differ(cell) && cell.is_paper(cell.original);
        let open = |cell: &Cell| differ(cell) && cell.original.is_some() && !repaired(cell);
        said.push(format!("Others: {}.", names(all, differ)));
        if cells(all).any(repaired) {
            said.push(format!(
                "In {} of them the original's procedure, counted in the same run, gives the paper's number: they differ by the suite's repairs ({}).",
                cells(all).filter(|cell| repaired(cell)).count(),
                names(all, repaired)
            ));
        }
        said.extend(exchanged(all));
        match cells(all).filter(|cell| open(cell)).count() {
            _ if cells(all).all(|cell| cell.original.is_none()) => said.push(UNEXPLAINED.to_owned()),
            0 => {}
            some => said.push(format!(
                "{some} are not those of the original's procedure either ({}): suite/book/imsuite.md goes through them.",
                names(all, open)
            )),
        }
    }
    let ratios = || {
        let pairs = cells(all).filter_map(|cell| cell.paper.zip(cell.here));
        pairs.filter(|(paper, here)| *paper > 0.0 && *here > 0.0).map(|(paper, here)| here / paper)
    };
    let mean = geometric_mean(&ratios().collect::<Vec<_>>());
    Found {
        here: (count > 0)
            .then(|| format!("{same} of {count} numbers of {} kernels are equal", all.len())),
        ratio: ratio(ratios()).zip(mean).map(|(range, mean)| format!("{range}; mean {mean:.2}")),
        said: said.join(" "),
    }
}

/// Whether the paper prints for one kind of ring what is counted for the other.
fn exchanged(all: &[Counted]) -> Option<String> {
    let [hs, lcr] = RINGS.map(|ring| all.iter().find(|counted| counted.kernel == ring));
    let (hs, lcr) = (hs?, lcr?);
    // Within half of a percent: both rows contain a message more or less for announcing the leader.
    let near = |paper: &Cell, here: &Cell| {
        let pair = paper.paper.zip(here.original.or(here.here));
        pair.is_some_and(|(paper, here)| (here / paper - 1.0).abs() < 0.005)
    };
    let fork_join =
        |a: &Counted, b: &Counted| (0..2).all(|column| near(&a.cells[column], &b.cells[column]));
    (fork_join(hs, lcr) && fork_join(lcr, hs)).then(|| {
        "The count of HS here is the paper's value for LCR, and the other way round: its two rows are exchanged.".to_owned()
    })
}

/// The sign of a difference of counts.
fn sign(from: Option<f64>, to: Option<f64>) -> Option<f64> {
    let (from, to) = from.zip(to)?;
    Some(if to == from { 0.0 } else { (to - from).signum() })
}

/// Whether each kernel communicates more in the input in which it does so in the paper.
pub(super) fn denser(all: &[Counted]) -> Found {
    let with_shapes: Vec<&Counted> =
        all.iter().filter(|counted| !RINGS.contains(&counted.kernel)).collect();
    let [mut same, mut of, mut others, mut less] = [const { Vec::new() }; 4];
    for counted in with_shapes {
        let [sparse, dense, ..] = &counted.cells;
        let (Some(paper), Some(here)) =
            (sign(sparse.paper, dense.paper), sign(sparse.here, dense.here))
        else {
            continue;
        };
        of.push(counted.name());
        if here < 0.0 {
            less.push(counted.name());
        }
        if paper == here {
            same.push(counted.name());
            continue;
        }
        let number = |number: Option<f64>| number.map_or("–".to_owned(), |n| format!("{n:.0}"));
        let mut words =
            format!("{} ({} and {})", counted.name(), number(sparse.here), number(dense.here));
        if sign(sparse.original, dense.original) == Some(paper) {
            words.push_str(&format!(
                ", of which the original's procedure has {} and {}, the order of the paper: it differs by what the suite repairs",
                number(sparse.original),
                number(dense.original)
            ));
        }
        others.push(words);
    }
    let mut said = fares(same.len(), of.len(), "kernels have the order of the paper");
    if !others.is_empty() {
        said.push_str(&format!(" Other ones: {}.", others.join("; ")));
    }
    let here = match &less[..] {
        [] => "Mx-In or as much for all kernels".to_owned(),
        less => format!("Mx-In or as much, but for {}", less.join(" and ")),
    };
    Found { here: (!of.is_empty()).then_some(here), ratio: None, said }
}

/// Communication of FAC over that of FA.
pub(super) fn clocked(all: &[Counted]) -> Found {
    let pairs = |of: fn(&Cell) -> Option<f64>| -> Vec<f64> {
        let both = all.iter().flat_map(|counted| {
            [(0, 4), (1, 5)].map(|(a, b)| (&counted.cells[a], &counted.cells[b]))
        });
        both.filter_map(|(fa, fac)| Some(of(fac)? / of(fa)?))
            .filter(|ratio| ratio.is_finite())
            .collect()
    };
    let (here, paper) = (pairs(|cell| cell.here), pairs(|cell| cell.paper));
    let less = here.iter().filter(|ratio| **ratio < 1.0).count();
    let means = geometric_mean(&here).zip(geometric_mean(&paper));
    Found {
        here: ratio(here.iter().copied()).map(|range| format!("comm of FAC is {range} that of FA")),
        ratio: means.and_then(|(here, paper)| ratio([here / paper])),
        said: fares(less, here.len(), "kernels and inputs communicate less in FAC"),
    }
}
