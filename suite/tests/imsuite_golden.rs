//! scratch
use plusminus_suite::imsuite::generate::{OriginalOptions, Shape};
use plusminus_suite::imsuite::*;
use plusminus_suite::places::*;

fn original(kernel: Kernel, n: usize, input: &str) -> Original {
    let shape = match input {
        "spmin" | "spmin-weq" => Shape::SparseMinimum,
        "chain" => Shape::Chain,
        "star" => Shape::Star,
        "rn" => Shape::RandomTree,
        _ => Shape::SparseMaximum,
    };
    let mut o = OriginalOptions::new(kernel, n, shape);
    if kernel == Kernel::Kc {
        o.committee_size = Some(3);
    }
    o.generate()
}

fn count<P: NodeProgram>(p: &P, how: &Execution) -> (P::Output, Counts) {
    let (o, c): (P::Output, Counted) = execute(p, how);
    (o, c.total())
}

#[test]
fn golden() {
    let path = std::env::var("GOLDEN").unwrap();
    let mut bad = std::collections::BTreeMap::<String, (u32, u32)>::new();
    for line in std::fs::read_to_string(path).unwrap().lines().skip(1) {
        let f: Vec<&str> = line.split(',').collect();
        let n: usize = f[1].parse().unwrap();
        let style = if f[5] == "FA" { Style::ForkJoin } else { Style::Clocked };
        let how = Execution::new(style, 1).on_places(f[2].parse().unwrap());
        let kernel = *Kernel::ALL.iter().find(|k| k.name() == f[0]).unwrap();
        let file = original(kernel, n, f[3]);
        let m = Mode::Faithful;
        let c = match kernel {
            Kernel::Bf => {
                let t = file.topology.unwrap();
                let r = bf::Root::new(&t, file.header.unwrap());
                let (o, c) = count(&bf::BellmanFord::new(&t, &r), &how);
                bf::check(&t, &r, &o).unwrap();
                c
            }
            Kernel::Lcr => {
                let r = Ring::new(file.numbers);
                let (o, c) = count(&lcr::ChangRoberts::new(&r), &how);
                lcr::check(&r, &o).unwrap();
                c
            }
            Kernel::Hs => {
                let r = Ring::new(file.numbers);
                let (o, c) = count(&hs::HirschbergSinclair::new(&r, m), &how);
                hs::check(&r, &o).unwrap();
                c
            }
            Kernel::Vc => {
                let r = RootedTree::new(0, file.numbers);
                let (o, c) = count(&vc::ColeVishkin::new(&r, m), &how);
                vc::check(&r, &o).unwrap();
                c
            }
            Kernel::Mis => {
                let t = file.topology.unwrap();
                let (o, c) = count(&mis::Luby::new(&t, &Seed(1), m), &how);
                mis::check(&t, &o).unwrap();
                c
            }
            Kernel::Dst => {
                let t = file.topology.unwrap();
                let r = bf::Root::new(&t, file.header.unwrap());
                let (o, c) = count(&dst::SearchTree::new(&t, &r), &how);
                dst::check(&t, &r, &o).unwrap();
                c
            }
            Kernel::Dp => {
                let t = Identified { topology: file.topology.unwrap(), identifiers: file.numbers };
                let (o, c) = count(&dp::Peleg::new(&t), &how);
                dp::check(&t, &o).unwrap();
                c
            }
            Kernel::Kc => {
                let t = Identified { topology: file.topology.unwrap(), identifiers: file.numbers };
                let k = kc::CommitteeSize(3);
                let (_, c) = count(&kc_faithful::FloodedCommittees::new(&t, &k), &how);
                let (o, _) = count(&kc::Committees::new(&t, &k), &how);
                kc::check(&t, &k, &o).unwrap();
                c
            }
            Kernel::Ds => {
                let t = file.topology.unwrap();
                let (o, c) = count(&ds::LocalGreedy::new(&t, &Seed(1), m), &how);
                ds::dominates(&t, &o).unwrap();
                let (o, _) = count(&ds::LocalGreedy::new(&t, &Seed(1), Mode::Repaired), &how);
                ds::check(&t, &o).unwrap();
                c
            }
            Kernel::By => {
                let v = by::Voters::new(file.topology.unwrap(), file.numbers, &file.traitors);
                let (o, c) = count(&by::Agreement::new(&v, &Seed(1), m), &how);
                let perm = o.iter().zip(&v.traitor).filter(|(d, t)| d.is_some() && !**t).count();
                if !line.contains(&format!("permanent={perm}")) {
                    println!("{line} perm {perm}");
                }
                let (o, _) = count(&by::Agreement::new(&v, &Seed(1), Mode::Repaired), &how);
                by::check(&v, &o).unwrap();
                c
            }
            Kernel::Dr => {
                let n = file.nodes;
                let w = Weighted::new(file.topology.unwrap(), |a, b| {
                    file.numbers[a as usize * n + b as usize]
                });
                let (_, c) = count(&dr::Routing::new(&w, m), &how);
                let (o, _) = count(&dr::Routing::new(&w, Mode::Repaired), &how);
                dr::check(&w, &o).unwrap();
                c
            }
            Kernel::Mst => {
                let n = file.nodes;
                let w = Weighted::new(file.topology.unwrap(), |a, b| {
                    file.numbers[a as usize * n + b as usize]
                });
                let (o, c) = count(&mst::Fragments::new(&w), &how);
                mst::check(&w, &o).unwrap();
                let phases: u64 = f[11].split(' ').next().unwrap()[7..].parse().unwrap();
                let inner: u64 = f[11].split(' ').nth(1).unwrap()[6..].parse().unwrap();
                let per = Places::new(n, f[2].parse().unwrap()).remote(0..n as u32);
                let want = f[6].parse::<i64>().unwrap()
                    - (if f[5] == "FA" { phases * 10 + inner * 3 } else { phases * 5 + inner * 2 }
                        * per) as i64;
                if f[5] == "FA" && n as u64 * 0 + per > 0 {
                    println!(
                        "{line} || diff {} remote {} want {want} mutex {} messages {}",
                        want - c.remote as i64,
                        c.remote,
                        c.mutex,
                        c.messages
                    );
                }
                c
            }
        };
        let got = [c.comm(), c.mutex, c.joins, c.barriers, c.messages];
        let want: Vec<Option<u64>> = f[6..11].iter().map(|x| x.parse().ok()).collect();
        let ok = got.iter().zip(&want).all(|(g, w)| w.is_none_or(|w| w == *g));
        let e = bad.entry(f[0].to_owned()).or_default();
        if ok {
            e.0 += 1
        } else {
            e.1 += 1;
            if e.1 < 8 {
                println!("{line}\n   got {got:?} {c:?}");
            }
        }
    }
    println!("{bad:?}");
}
