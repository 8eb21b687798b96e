//! Figures 15, 17 and 18 of "IMSuite": how times change with places between which shifts take time, from records of the
//! bench `imsuite_places`.

use plusminus::record::CaseRecord;
use plusminus::results::{Pairing, Row, Time};
use plusminus::text::number::{time_with_uncertainty, with_uncertainty};
use plusminus_analysis::speedup::Kind;

use super::facts::shape_of;
use cargo_plusminus::pages::{Section, Table};

/// The kernels, in the order of the paper.
const KERNELS: [&str; 12] =
    ["bf", "dst", "by", "dr", "ds", "kc", "dp", "hs", "lcr", "mis", "mst", "vc"];

/// Styles, as the paper calls them.
const STYLES: [(&str, &str); 2] = [("fork_join", "FA"), ("clocked", "FAC")];

/// One benchmark at places: what its names say.
pub(super) struct Placed<'a> {
    pub(super) kernel: &'a str,
    pub(super) style: &'a str,
    /// The shape of its input: rings have one.
    pub(super) shape: &'static str,
    pub(super) nodes: usize,
    pub(super) places: usize,
    pub(super) processors: usize,
    pub(super) time: &'a Time,
}

/// Nodes, places and processors.
type Configuration = (usize, usize, usize);

/// Whether a point names places.
pub(super) fn is_at_places(case: &CaseRecord) -> bool {
    case.point.split('-').any(|word| matches!(word, "place" | "places"))
}

/// The benchmarks that are at places.
pub(super) fn placed<'a>(rows: &[&'a Row<'_>]) -> Vec<Placed<'a>> {
    let of_row = |row: &&'a Row<'_>| {
        let mut names = row.case.function.rsplit("::");
        let (style, kernel) = (names.next()?, names.next()?);
        // `sp-max-64-8-places-latency-2us-gap-200ns-p2`
        let words: Vec<&str> = row.case.point.split('-').collect();
        let at = words.iter().position(|word| matches!(*word, "place" | "places"))?;
        Some(Placed {
            kernel,
            style,
            shape: shape_of(kernel, &row.case.point),
            nodes: row.case.size? as usize,
            places: words.get(at.checked_sub(1)?)?.parse().ok()?,
            processors: row.case.processors,
            time: row.time.as_ref()?,
        })
    };
    rows.iter().filter_map(of_row).collect()
}

/// The variable of a figure.
struct Figure {
    title: &'static str,
    of: fn(&Placed<'_>) -> bool,
    column: fn(&Configuration) -> String,
}

/// The three figures.
const FIGURES: [Figure; 3] = [
    Figure {
        title: "Figure 15: 64 nodes at several places, over the same at one place",
        of: |placed| placed.nodes == 64 && placed.processors > 1,
        column: |&(_, places, _)| format!("{places} place{}", if places == 1 { "" } else { "s" }),
    },
    Figure {
        title: "Figure 17 (Vn): n nodes at n places on the same processors, over the fewest",
        of: |placed| placed.nodes == placed.places && placed.processors > 1,
        column: |&(nodes, ..)| format!("V{nodes}"),
    },
    Figure {
        title: "Figure 18 (Wn): n nodes at n places, 64 nodes for each processor, over one processor",
        of: |placed| placed.nodes == placed.places && placed.nodes == 64 * placed.processors,
        column: |&(nodes, ..)| format!("W{nodes}"),
    },
];

impl Figure {
    /// Every kernel and style with its time at the first configuration, and the others over that.
    fn table(&self, all: &[Placed<'_>], sparse: bool) -> Option<Table> {
        let is_own =
            |placed: &&Placed<'_>| (self.of)(placed) && (placed.shape == "Mn-In") == sparse;
        let own: Vec<&Placed<'_>> = all.iter().filter(is_own).collect();
        let mut columns: Vec<Configuration> =
            own.iter().map(|placed| (placed.nodes, placed.places, placed.processors)).collect();
        columns.sort_unstable();
        columns.dedup();
        let (first, others) = columns.split_first().filter(|(_, others)| !others.is_empty())?;
        let time = |kernel: &str, style: &str, wanted: &Configuration| {
            let found = own.iter().find(|placed| {
                (placed.kernel, placed.style) == (kernel, style)
                    && (placed.nodes, placed.places, placed.processors) == *wanted
            });
            found.map(|placed| placed.time)
        };
        let mut rows = Vec::new();
        for kernel in KERNELS {
            for (style, name) in STYLES {
                let Some(base) = time(kernel, style, first) else { continue };
                let mut cells = vec![format!("{} {name}", kernel.to_uppercase())];
                cells.push(time_with_uncertainty(base.estimate.value, base.estimate.u));
                // A time over the base is the base's speedup over it.
                cells.extend(others.iter().map(|other| {
                    let ratio = time(kernel, style, other).and_then(|time| {
                        base.speedup_over(time, Kind::BetweenVariants, Pairing::Apart)
                    });
                    ratio.map_or("–".to_owned(), |s| with_uncertainty(s.speedup, s.sigma))
                }));
                rows.push(cells);
            }
        }
        let mut titles = vec!["kernel".to_owned(), format!("{}: time", (self.column)(first))];
        titles.extend(others.iter().map(self.column));
        let input = if sparse { "Mn-In" } else { "Mx-In" };
        let caption = format!("{} ({input})", self.title);
        (!rows.is_empty()).then_some(Table { caption, titles, rows })
    }
}

/// The tables; none without such records.
pub(super) fn section(all: &[Placed<'_>]) -> Option<Section> {
    let both = |figure: &Figure| [false, true].map(|sparse| figure.table(all, sparse));
    let tables: Vec<Table> = FIGURES.iter().flat_map(both).flatten().collect();
    (!tables.is_empty()).then(|| Section {
        title: "Places between which shifts take time, compared with figures 15, 17 and 18"
            .to_owned(),
        tables,
        ..Section::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(ns: f64) -> Time {
        Time::of_runs(&[0.99 * ns, ns, 1.01 * ns], 0.0).unwrap()
    }

    #[test]
    fn times_are_set_against_the_first_configuration() {
        let times = [100.0, 250.0, 300.0, 40.0].map(time);
        let at = |nodes, places, processors, time| Placed {
            kernel: "bf",
            style: "clocked",
            shape: "Mx-In",
            nodes,
            places,
            processors,
            time,
        };
        let all = [
            at(64, 64, 2, &times[2]),
            at(64, 1, 2, &times[0]),
            at(64, 2, 2, &times[1]),
            at(8, 8, 2, &times[3]),
        ];
        let found = section(&all).unwrap();
        assert_eq!(found.tables.len(), 2, "one processor was not measured, so not figure 18");
        assert_eq!(found.tables[0].titles, ["kernel", "1 place: time", "2 places", "64 places"]);
        let cells = &found.tables[0].rows[0];
        assert_eq!(cells[0], "BF FAC");
        assert!(cells[2].starts_with("2.500 ±") && cells[3].starts_with("3.000 ±"), "{cells:?}");
        assert!(found.tables[1].rows[0][2].starts_with("7.50"), "{:?}", found.tables[1].rows);
        // The same kernel in the sparser input is a table of its own.
        let sparse = Placed { shape: "Mn-In", ..at(64, 2, 2, &times[0]) };
        let other = Placed { shape: "Mn-In", ..at(64, 1, 2, &times[0]) };
        let both: Vec<Placed<'_>> = all.into_iter().chain([sparse, other]).collect();
        let found = section(&both).unwrap();
        assert_eq!(found.tables.len(), 3);
        assert!(found.tables[1].caption.contains("Mn-In"), "{}", found.tables[1].caption);
        assert!(found.tables[1].rows[0][2].starts_with("1.0000 ±"), "{:?}", found.tables[1].rows);
        assert!(found.tables[0].rows[0][2].starts_with("2.500 ±"), "{:?}", found.tables[0].rows);
        assert!(section(&[]).is_none());
    }
}
