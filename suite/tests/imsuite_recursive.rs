//! scratch
use plusminus_suite::imsuite::generate::{OriginalOptions, Shape};
use plusminus_suite::imsuite::recursive::{self, counted};
use plusminus_suite::imsuite::*;
use plusminus_suite::places::*;

#[test]
fn figure_10() {
    for shape in [Shape::SparseMinimum, Shape::SparseMaximum] {
        let file = |k| OriginalOptions::new(k, 64, shape).generate();
        for style in [Style::Serial, Style::ForkJoin, Style::Clocked] {
            let f = file(Kernel::Bf);
            let t = f.topology.unwrap();
            let r = bf::Root::new(&t, f.header.unwrap());
            let (o, c) = counted(64, 64, |l| recursive::bf::search(&t, &r, style, l));
            bf::check(&t, &r, &o).unwrap();
            let c = c.total();
            println!(
                "BF {style:?} async {} fin {} comm {} mut {} bar {}",
                c.tasks,
                c.joins,
                c.comm(),
                c.mutex,
                c.barriers
            );
            let (o, c) = counted(64, 64, |l| recursive::dst::search(&t, &r, style, l));
            dst::check(&t, &r, &o).unwrap();
            let c = c.total();
            println!(
                "DST {style:?} async {} fin {} comm {} mut {} bar {}",
                c.tasks,
                c.joins,
                c.comm(),
                c.mutex,
                c.barriers
            );
            let f = file(Kernel::Mst);
            let w =
                Weighted::new(f.topology.unwrap(), |a, b| f.numbers[a as usize * 64 + b as usize]);
            let (o, c) = counted(64, 64, |l| recursive::mst::span(&w, &Whole, style, l));
            mst::check(&w, &o).unwrap();
            let c = c.total();
            println!(
                "MST {style:?} async {} fin {} comm {} mut {} bar {}",
                c.tasks,
                c.joins,
                c.comm(),
                c.mutex,
                c.barriers
            );
            if style == Style::Clocked {
                continue;
            }
            let f = file(Kernel::Dr);
            let w =
                Weighted::new(f.topology.unwrap(), |a, b| f.numbers[a as usize * 64 + b as usize]);
            let (_, c) = counted(64, 64, |l| recursive::dr::route(&w, Mode::Faithful, style, l));
            let c = c.total();
            println!(
                "DR {style:?} async {} fin {} comm {} mut {} bar {}",
                c.tasks,
                c.joins,
                c.comm(),
                c.mutex,
                c.barriers
            );
            let o = recursive::dr::route(&w, Mode::Repaired, style, &());
            dr::check(&w, &o).unwrap();
            let f = file(Kernel::By);
            let v = by::Voters::new(f.topology.unwrap(), f.numbers, &f.traitors);
            let (_, c) =
                counted(64, 64, |l| recursive::by::agree(&v, &Seed(1), Mode::Faithful, style, l));
            let c = c.total();
            println!(
                "BY {style:?} async {} fin {} comm {} mut {} bar {}",
                c.tasks,
                c.joins,
                c.comm(),
                c.mutex,
                c.barriers
            );
            let o = recursive::by::agree(&v, &Seed(1), Mode::Repaired, style, &());
            by::check(&v, &o).unwrap();
        }
    }
}
