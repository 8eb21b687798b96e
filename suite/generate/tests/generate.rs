//! Files that `plusminus-generate` writes, read by the suite's readers.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use plusminus_suite::{
    generate::{Rmat, Seed},
    graph::{Build, Csr, io},
    imsuite::{
        Kernel, Original,
        generate::{OriginalOptions, RouteWeights, Shape},
    },
};

/// An empty folder for a test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the program in a folder.
fn generate(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plusminus-generate"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

/// Runs the program, which has to succeed, and returns what it printed.
#[track_caller]
fn made(folder: &Path, arguments: &[&str]) -> String {
    let output = generate(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the program, which has to refuse with this reason.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str], reason: &str) {
    let output = generate(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    assert!(said.contains(reason), "{arguments:?}: {said}");
}

#[test]
fn every_format_is_read_as_the_graph_that_was_drawn() {
    let folder = folder("generate_formats");
    let expected = Csr::build(&Rmat::graph500(7, Seed(5)).weighted(9), Build::UNDIRECTED);
    for ending in ["gr", "mtx", "el", "wel", "txt", "edges", "wsg", "gr.gz", "wsg.gz", "mtx.gz"] {
        let name = format!("graph.{ending}");
        let arguments =
            ["graph500", "--scale", "7", "--seed", "5", "--max-weight", "9", "-o", &name];
        let said = made(&folder, &arguments);
        assert!(said.contains(&format!("{name}: 128 vertices")), "{said}");
        let found = io::read_file(&folder.join(&name)).unwrap();
        // Edge lists do not tell isolated vertices at the end.
        let last = expected.vertices().min(found.vertices()) as u32;
        assert_eq!(found.arcs(), expected.arcs(), "{ending}");
        for vertex in 0..last {
            let row = |graph: &Csr<u32>| graph.neighbours_by_target(vertex).collect::<Vec<_>>();
            assert_eq!(row(&found), row(&expected), "{ending}: vertex {vertex}");
        }
    }
    made(&folder, &["graph500", "--scale", "7", "-o", "graph.sg"]);
    let found = io::read_file(&folder.join("graph.sg")).unwrap();
    assert!((0..128).flat_map(|v| found.neighbours(v).collect::<Vec<_>>()).all(|(_, w)| w == 1));
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, 11, "nothing but the files is left");
}

#[test]
fn the_other_families() {
    let folder = folder("generate_families");
    let cases: [(&[&str], &str); 5] = [
        (&["random", "--vertices", "50", "--edges", "90"], "50 vertices"),
        (&["grid", "--rows", "3", "--columns", "4"], "12 vertices, 34 arcs"),
        (&["path", "--vertices", "5"], "5 vertices, 8 arcs"),
        (&["star", "--vertices", "5", "--directed"], "5 vertices, 4 arcs"),
        (
            &[
                "random",
                "--vertices",
                "3",
                "--edges",
                "90",
                "--directed",
                "--keep-self-loops",
                "--keep-parallel-edges",
            ],
            "3 vertices, 90 arcs",
        ),
    ];
    for (options, said) in cases {
        let arguments = [options, &["-o", "graph.gr", "--force"]].concat();
        let printed = made(&folder, &arguments);
        assert!(printed.contains(said), "{printed}");
        io::read_file(&folder.join("graph.gr")).unwrap();
    }
}

#[test]
fn nothing_is_overwritten_unasked() {
    let folder = folder("generate_force");
    std::fs::write(folder.join("graph.gr"), "precious").unwrap();
    let arguments = ["path", "--vertices", "3", "-o", "graph.gr"];
    refused(&folder, &arguments, "--force");
    assert_eq!(std::fs::read(folder.join("graph.gr")).unwrap(), b"precious");
    let arguments = [&arguments[..], &["--force"]].concat();
    made(&folder, &arguments);
    assert_eq!(io::read_file(&folder.join("graph.gr")).unwrap().vertices(), 3);
    let missing = ["path", "--vertices", "3", "-o", "missing/graph.gr"];
    made(&folder, &missing);
    let below_file = ["path", "--vertices", "3", "-o", "graph.gr/x.gr"];
    refused(&folder, &below_file, "graph.gr/x.gr");
}

#[test]
fn options_that_make_no_sense_are_refused_with_the_reason() {
    let folder = folder("generate_refused");
    let cases: [(&[&str], &str); 12] = [
        (&["graph500", "--scale", "7", "-o", "graph.png"], ".mtx"),
        (&["graph500", "--scale", "32", "-o", "graph.gr"], "1..=31"),
        (&["graph500", "--scale", "31", "-o", "graph.gr"], "smaller scale"),
        (&["graph500", "--scale", "5", "--max-weight", "0", "-o", "graph.gr"], "--max-weight"),
        (&["grid", "--rows", "65536", "--columns", "65536", "-o", "graph.gr"], "2^31"),
        (&["imsuite", "XX", "-o", "x"], "the kernels are BF, DST"),
        (&["imsuite", "BF", "-k", "3", "-o", "x"], "option of KC only"),
        (&["imsuite", "KC", "-k", "17", "-o", "x"], "more than the 16 nodes"),
        (&["imsuite", "LCR", "--shape", "random", "-o", "x"], "ring"),
        (&["imsuite", "VC", "--shape", "sp-max", "-o", "x"], "tree"),
        (&["imsuite", "BF", "--shape", "sp-max", "-n", "4", "-o", "x"], "no room"),
        (&["imsuite", "BF", "-n", "1", "-o", "x"], "from 2 to"),
    ];
    for (options, reason) in cases {
        refused(&folder, options, reason);
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn imsuite_inputs_are_those_of_the_original_generators() {
    let folder = folder("generate_imsuite");
    let all = [
        ("complete", Shape::Complete),
        ("random", Shape::Random),
        ("sp-min", Shape::SparseMinimum),
        ("sp-max", Shape::SparseMaximum),
    ];
    let trees = [("chain", Shape::Chain), ("star", Shape::Star), ("random", Shape::RandomTree)];
    for kernel in Kernel::ALL {
        let shapes: &[(&str, Shape)] = match kernel {
            Kernel::Hs | Kernel::Lcr => &[("", Shape::Random)],
            Kernel::Vc => &trees,
            _ => &all,
        };
        for (name, shape) in shapes {
            let mut arguments =
                vec!["imsuite", kernel.name(), "-n", "24", "--force", "-o", "input"];
            let mut options = OriginalOptions::new(kernel, 24, *shape);
            if !name.is_empty() {
                arguments.extend(["--shape", name]);
            }
            match kernel {
                Kernel::Kc => {
                    arguments.extend(["-k", "5"]);
                    options.committee_size = Some(5);
                }
                Kernel::Dr => {
                    arguments.extend(["--weights", "random", "--seed", "7"]);
                    (options.route_weights, options.seed) = (RouteWeights::Random, 7);
                }
                _ => {}
            }
            if *name == "sp-min" {
                arguments.extend(["--max-children", "3"]);
                options.max_children = Some(3);
            }
            made(&folder, &arguments);
            let text = std::fs::read_to_string(folder.join("input")).unwrap();
            assert_eq!(
                Original::read(kernel, &text).unwrap(),
                options.generate(),
                "{kernel} {name}"
            );
        }
    }
}
