//! The original inputs, regenerated token by token: against hashes of the files always, against the files where they are.

use std::path::{Path, PathBuf};

use super::imsuite_common::shape;
use plusminus_suite::imsuite::generate::{OriginalOptions, RouteWeights, Shape};
use plusminus_suite::imsuite::{Kernel, Original};

/// One line per file: its name below the folder, kernel, nodes, shape, options, and the hash of its tokens.
const FILES: &str = include_str!("../data/imsuite_inputs.txt");

/// Files of the original that are damaged, and how.
const DAMAGED: [(&str, &str); 4] = [
    ("64/inputdijkstraRouting_64_-spmax.txt", "its network has no edges"),
    ("64/inputmst_64_-spmin.txt", "a copy of the file for sp-max"),
    ("64/inputdominatingSet_64_-cplt.txt", "no line end after the number of nodes"),
    ("64/inputdominatingSet_64_-rn.txt", "no line end after the number of nodes"),
];

/// The folder with the originals.
fn folder() -> PathBuf {
    std::env::var_os("IMSUITE_INPUTS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/imsuite-inputs"),
        PathBuf::from,
    )
}

/// FNV-1a of 64 bits over all tokens, each followed by a line end.
fn hash(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for token in text.split_ascii_whitespace() {
        for byte in token.bytes().chain([b'\n']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

/// A file of the table.
struct File {
    name: String,
    options: OriginalOptions,
    hash: u64,
}

fn files() -> Vec<File> {
    let mut files = Vec::new();
    for line in FILES.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split(' ').collect();
        let kernel =
            *Kernel::ALL.iter().find(|kernel| kernel.name() == cells[1]).expect("a kernel");
        let nodes = cells[2].parse().expect("nodes");
        let mut options = OriginalOptions::new(kernel, nodes, shape(cells[3]));
        for option in cells[4].split(',') {
            match option {
                "wrn" => options.route_weights = RouteWeights::Random,
                "k3" => options.committee_size = Some(3),
                _ => assert_eq!(option, "-"),
            }
        }
        let hash = u64::from_str_radix(cells[5], 16).expect("a hash");
        files.push(File { name: cells[0].to_owned(), options, hash });
    }
    files
}

#[test]
fn all_files_have_the_known_hashes() {
    let files = files();
    assert_eq!(files.len(), 103);
    for file in files {
        assert_eq!(hash(&file.options.generate().write()), file.hash, "{}", file.name);
    }
}

#[test]
fn all_files_are_equal_where_they_are() {
    let folder = folder();
    if !folder.is_dir() {
        eprintln!(
            "skipped: no original inputs in {}; IMSUITE_INPUTS names another folder",
            folder.display()
        );
        return;
    }
    for file in files() {
        let text = std::fs::read_to_string(folder.join(&file.name)).expect("a readable file");
        let made = file.options.generate();
        assert!(made.write().split_whitespace().eq(text.split_whitespace()), "{}", file.name);
        assert_eq!(Original::read(file.options.kernel, &text).as_ref(), Ok(&made), "{}", file.name);
    }
    for (name, damage) in DAMAGED {
        assert!(folder.join(name).is_file(), "{name} ({damage}) is not where the others are");
        assert!(files().iter().all(|file| file.name != name));
    }
}

#[test]
fn what_is_written_is_read_again() {
    for kernel in Kernel::ALL {
        for nodes in [2, 9, 24] {
            let shape = if kernel == Kernel::Vc { Shape::RandomTree } else { Shape::SparseMaximum };
            let nodes = if shape == Shape::SparseMaximum { nodes.max(8) } else { nodes };
            let mut options = OriginalOptions::new(kernel, nodes, shape);
            options.seed = 7;
            let file = options.generate();
            assert_eq!(Original::read(kernel, &file.write()), Ok(file));
        }
    }
}

#[test]
fn what_is_wrong_in_a_text_is_named() {
    let error = |kernel, text| Original::read(kernel, text).unwrap_err().to_string();
    assert_eq!(error(Kernel::Mis, ""), "token 1: the number of nodes is missing");
    assert_eq!(error(Kernel::Mis, "x"), r#"token 1: "x" is not a whole number below 2^32"#);
    assert_eq!(error(Kernel::Mis, "2\n01\n00"), "token 3: the network is not symmetric");
    assert_eq!(error(Kernel::Mis, "2\n11\n10"), "token 2: node 0 is its own neighbor");
    assert_eq!(
        error(Kernel::Mis, "2\n012\n100"),
        "token 2: is not a row of as many 0 and 1 as there are nodes"
    );
    assert_eq!(error(Kernel::Mis, "2\n01\n10\n7"), "token 4: is left over");
    assert_eq!(error(Kernel::By, "2\n01\n10\n012"), "token 4: is not one vote per node");
    assert_eq!(error(Kernel::Kc, "2"), "token 2: K is missing");
    assert_eq!(error(Kernel::Hs, "2 1"), "token 3: a number after the network is missing");
}

/// The sparse maximum contains the sparse minimum, for any seed.
#[test]
fn sparse_families_are_nested() {
    for seed in 0..20 {
        let of = |shape| {
            let mut options = OriginalOptions::new(Kernel::Mis, 40, shape);
            options.seed = seed;
            options.generate().topology.expect("a network")
        };
        let (least, most) = (of(Shape::SparseMinimum), of(Shape::SparseMaximum));
        assert_eq!((least.edges(), most.edges()), (39, 40 * 5 - 1));
        for node in 0..40 {
            assert!(least.neighbours(node).iter().all(|&other| most.has_edge(node, other)));
        }
    }
}
