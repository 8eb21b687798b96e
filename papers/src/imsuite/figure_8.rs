//! Figure 8: the paper's numbers, the suite's counts, and the counts of the original's procedure.

use plusminus::record::Tally;

use super::{COMM, Known, ORIGINAL_COMM, ORIGINAL_MUTEX, of};
use cargo_plusminus::pages::Table;

/// Figure 8 of the paper, 64 nodes and places: communication of FA in Mn-In and Mx-In, mutex operations, communication of FAC.
pub(crate) const FIGURE_8: [(&str, [&str; 6]); 12] = [
    ("bf", ["1009", "1145", "126", "766", "568", "956"]),
    ("dst", ["7500", "3446", "343", "1348", "5232", "2816"]),
    ("by", ["46386", "97299", "43K", "95K", "44874", "96291"]),
    ("dr", ["20587", "16204", "0", "0", "-", "-"]),
    ("ds", ["8020", "31118", "124", "327", "6193", "27401"]),
    ("kc", ["5082", "12504", "2243", "9666", "4125", "11556"]),
    ("dp", ["9996", "12703", "2625", "8472", "5649", "10624"]),
    ("hs", ["12223", "12223", "0", "0", "8255", "8255"]),
    ("lcr", ["25373", "25373", "0", "0", "9229", "9229"]),
    ("mis", ["1463", "3204", "1894", "3518", "1274", "2637"]),
    ("mst", ["8890", "19154", "497", "469", "6055", "13547"]),
    ("vc", ["1008", "1208", "0", "0", "756", "890"]),
];

/// The columns of figure 8: the style, whether it is Mn-In, the suite's tally and the original's.
const COLUMNS: [(&str, bool, &str, &str); 6] = [
    ("fork_join", true, COMM, ORIGINAL_COMM),
    ("fork_join", false, COMM, ORIGINAL_COMM),
    ("fork_join", true, "mutex", ORIGINAL_MUTEX),
    ("fork_join", false, "mutex", ORIGINAL_MUTEX),
    ("clocked", true, COMM, ORIGINAL_COMM),
    ("clocked", false, COMM, ORIGINAL_COMM),
];

/// The titles of the columns.
pub(super) const COLUMN_NAMES: [&str; 6] = [
    "comm FA, Mn-In",
    "comm FA, Mx-In",
    "mutex, Mn-In",
    "mutex, Mx-In",
    "comm FAC, Mn-In",
    "comm FAC, Mx-In",
];

/// A number of figure 8.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    /// The paper's value. BY's mutex operations are printed in thousands.
    pub(super) paper: Option<f64>,
    pub(super) here: Option<f64>,
    /// The count of the original's procedure on the paper's input.
    pub(super) original: Option<f64>,
    /// Half of the last digit that is printed.
    pub(super) rounding: f64,
}

impl Cell {
    /// Whether a number is what the paper prints, as far as it prints it.
    pub(super) fn is_paper(&self, number: Option<f64>) -> bool {
        self.paper
            .zip(number)
            .is_some_and(|(paper, number)| (paper - number).abs() <= self.rounding)
    }
}

/// A kernel of figure 8.
pub(super) struct Counted {
    pub(super) kernel: &'static str,
    pub(super) cells: [Cell; 6],
}

impl Counted {
    pub(super) fn name(&self) -> String {
        self.kernel.to_uppercase()
    }
}

/// A number of the paper, with half of its last digit where it is printed in thousands.
pub(super) fn printed(text: &str) -> (Option<f64>, f64) {
    match text.strip_suffix('K') {
        Some(thousands) => (thousands.parse().ok().map(|k: f64| 1000.0 * k), 500.0),
        None => (text.parse().ok(), 0.0),
    }
}

/// The kernels of which the records count something.
pub(super) fn cells(cases: &[Known<'_>]) -> Vec<Counted> {
    let counted = |(kernel, paper): &(&'static str, [&str; 6])| {
        let mut cells = [Cell::default(); 6];
        for ((cell, paper), (style, sparse, tally, original)) in
            cells.iter_mut().zip(paper).zip(COLUMNS)
        {
            let total = |name: &str| {
                of(cases, kernel, style, sparse, name).map(|tally: &Tally| tally.total)
            };
            let (paper, rounding) = printed(paper);
            *cell = Cell { paper, here: total(tally), original: total(original), rounding };
        }
        cells.iter().any(|cell| cell.here.is_some()).then_some(Counted { kernel, cells })
    };
    FIGURE_8.iter().filter_map(counted).collect()
}

/// Figure 8 as a table.
pub(super) fn table(all: &[Counted]) -> Option<Table> {
    let with_original = all.iter().flat_map(|one| &one.cells).any(|cell| cell.original.is_some());
    let said =
        |number: Option<f64>| number.map_or("–".to_owned(), |number| format!("{number:.0}"));
    let rows = all.iter().map(|counted| {
        let paper = FIGURE_8.iter().find(|(kernel, _)| *kernel == counted.kernel);
        let printed = paper.map_or([""; 6], |(_, cells)| *cells);
        let cells = counted.cells.iter().zip(printed).map(|(cell, printed)| {
            let middle =
                if with_original { format!(" | {}", said(cell.original)) } else { String::new() };
            format!("{printed}{middle} | {}", said(cell.here))
        });
        std::iter::once(counted.name()).chain(cells).collect()
    });
    let titles = std::iter::once("kernel").chain(COLUMN_NAMES);
    let middle = if with_original { " | the original's procedure, counted here" } else { "" };
    (!all.is_empty()).then(|| Table {
        caption: format!("Paper{middle} | the suite's kernel; 64 nodes, a place for each"),
        titles: titles.map(str::to_owned).collect(),
        rows: rows.collect(),
    })
}
