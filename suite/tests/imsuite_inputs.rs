//! The original inputs regenerated.
use std::path::{Path, PathBuf};

use plusminus_suite::imsuite::generate::{OriginalOptions, RouteWeights, Shape};
use plusminus_suite::imsuite::{Kernel, Original};

fn folder() -> PathBuf {
    std::env::var_os("IMSUITE_INPUTS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/imsuite-inputs"),
        PathBuf::from,
    )
}

fn options(name: &str) -> OriginalOptions {
    let n: usize = name.split('_').find_map(|p| p.trim_end_matches(".txt").parse().ok()).unwrap();
    let kernel = [
        ("bfsBellman", Kernel::Bf),
        ("bfsDijkstra", Kernel::Dst),
        ("byzantine", Kernel::By),
        ("dijkstraRouting", Kernel::Dr),
        ("dominatingSet", Kernel::Ds),
        ("kcommit", Kernel::Kc),
        ("elect_dp", Kernel::Dp),
        ("elect_hs", Kernel::Hs),
        ("elect_lcr", Kernel::Lcr),
        ("mis", Kernel::Mis),
        ("mst", Kernel::Mst),
        ("vertexColoring", Kernel::Vc),
    ]
    .into_iter()
    .find(|(p, _)| name.contains(p))
    .unwrap()
    .1;
    let min = name.contains("min");
    let shape = if name.contains("cplt") {
        Shape::Complete
    } else if name.contains("chain") || (kernel == Kernel::Vc && min) {
        Shape::Chain
    } else if name.contains("star") || (kernel == Kernel::Vc && name.contains("max")) {
        Shape::Star
    } else if name.contains("rn") && !name.contains("-sp") {
        if kernel == Kernel::Vc { Shape::RandomTree } else { Shape::Random }
    } else if min {
        Shape::SparseMinimum
    } else {
        Shape::SparseMaximum
    };
    let mut o = OriginalOptions::new(kernel, n, shape);
    if name.contains("-wrn") {
        o.route_weights = RouteWeights::Random;
    }
    o
}

#[test]
fn files() {
    let folder = folder();
    if !folder.exists() {
        println!("skipped");
        return;
    }
    for n in ["8", "16", "32", "64"] {
        let mut names: Vec<_> =
            std::fs::read_dir(folder.join(n)).unwrap().map(|e| e.unwrap().path()).collect();
        names.sort();
        for path in names {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let o = options(&name);
            match Original::read(o.kernel, &text) {
                Err(e) => println!("{name}: READ {e}"),
                Ok(file) => {
                    let made = o.generate();
                    let same = made.write().split_whitespace().eq(text.split_whitespace());
                    println!(
                        "{} {name} header {:?} {:?} edges {:?} {:?}",
                        if same { "ok  " } else { "DIFF" },
                        file.header,
                        made.header,
                        file.topology == made.topology,
                        file.numbers == made.numbers
                    );
                }
            }
        }
    }
}
