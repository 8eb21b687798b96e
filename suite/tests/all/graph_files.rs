//! Graph files: a written file reads back, an error contains its place, and garbage does no harm.

use std::path::Path;
use std::sync::Mutex;

use plusminus_suite::generate::{Rmat, Seed, gnm, grid};
use plusminus_suite::graph::io::{self, Format, MatrixMarket, Place, RowOrder};
use plusminus_suite::graph::{Build, Csr, EdgeList};
use proptest::prelude::*;

fn edges() -> EdgeList<u32> {
    EdgeList::new(5, vec![(0, 1, 7), (4, 2, 0), (1, 1, 4_294_967_294), (0, 1, 7)]).unwrap()
}

fn bytes(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Vec<u8> {
    let mut buffer = Vec::new();
    write(&mut buffer).unwrap();
    buffer
}

#[test]
fn dimacs_files_read_back() {
    let text = bytes(|out| io::write_dimacs(&edges(), out));
    assert_eq!(io::read_dimacs::<u32>(&text[..]).unwrap(), edges());
    assert!(String::from_utf8(text).unwrap().starts_with("p sp 5 4\na 1 2 7\na 5 3 0\n"));
    let floats = gnm::<f32>(30, 50, 1, Seed(4));
    let text = bytes(|out| io::write_dimacs(&floats, out));
    assert_eq!(io::read_dimacs::<f32>(&text[..]).unwrap(), floats);
}

#[test]
fn matrix_market_files_read_back() {
    for symmetric in [false, true] {
        let graph = MatrixMarket { edges: edges(), symmetric };
        let text = bytes(|out| io::write_matrix_market(&graph, out));
        assert_eq!(io::read_matrix_market::<u32>(&text[..], 1).unwrap(), graph);
    }
    let pattern =
        "%%MatrixMarket Matrix Coordinate PATTERN symmetric\n% a comment\n\n3 3 2\n2 1\n3 3\n";
    let read = io::read_matrix_market::<u32>(pattern.as_bytes(), 9).unwrap();
    assert_eq!(read.edges.edges(), [(1, 0, 9), (2, 2, 9)]);
    assert!(read.symmetric);
    let real = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3.00\n";
    assert_eq!(io::read_matrix_market::<u32>(real.as_bytes(), 1).unwrap().edges.edges()[0].2, 3);
    let real = real.replace("3.00", "3.25");
    assert_eq!(
        io::read_matrix_market::<f32>(real.as_bytes(), 1.0).unwrap().edges.edges()[0].2,
        3.25
    );
}

#[test]
fn edge_lists_read_back() {
    let text = bytes(|out| io::write_edge_list(&edges(), out));
    assert_eq!(io::read_edge_list::<u32>(&text[..], 1).unwrap(), edges());
    let snap = "# Nodes: 4 Edges: 2\r\n0\t3\r\n2\t1 6\r\n";
    let read = io::read_edge_list::<u32>(snap.as_bytes(), 1).unwrap();
    assert_eq!((read.vertices(), read.edges()), (4, &[(0, 3, 1), (2, 1, 6)][..]));
    assert_eq!(io::read_edge_list::<u32>(&b""[..], 1).unwrap().vertices(), 0);
}

#[test]
fn gap_files_read_back() {
    for build in [Build::UNDIRECTED, Build::DIRECTED] {
        let graph = Csr::build(&Rmat::graph500(7, Seed(1)).weighted(255), build);
        let weighted = bytes(|out| io::write_gap(&graph, true, out));
        assert_eq!(io::read_gap(&weighted[..], None).unwrap(), graph);
        let plain = bytes(|out| io::write_gap(&graph, false, out));
        let read = io::read_gap(&plain[..], Some(3)).unwrap();
        assert_eq!(read.arcs(), graph.arcs());
        assert!((0..128).all(|v| {
            let targets: Vec<_> = read.neighbours_by_target(v).map(|(t, _)| t).collect();
            let expected: Vec<_> = graph.neighbours_by_target(v).map(|(t, _)| t).collect();
            targets == expected && read.neighbours(v).all(|(_, w)| w == 3)
        }));
    }
    let heavy = Csr::build(&EdgeList::new(2, vec![(0, 1, 1 << 31)]).unwrap(), Build::UNDIRECTED);
    assert!(io::write_gap(&heavy, true, &mut Vec::new()).is_err());
}

/// The layout that GAP's converter writes, byte for byte: two vertices, one undirected edge of weight 5.
#[test]
fn gap_files_have_the_published_layout() {
    let graph = Csr::build(&EdgeList::new(2, vec![(0, 1, 5)]).unwrap(), Build::UNDIRECTED);
    let mut expected = vec![0u8];
    for word in [2u64, 2, 0, 1, 2] {
        expected.extend(word.to_le_bytes());
    }
    for word in [1i32, 5, 0, 5] {
        expected.extend(word.to_le_bytes());
    }
    assert_eq!(bytes(|out| io::write_gap(&graph, true, out)), expected);
}

#[test]
fn readings_tell_how_far_they_are() {
    let directory = std::env::temp_dir().join(format!("plusminus-told-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let list = Rmat::graph500(13, Seed(1)).weighted(255);
    let graph = Csr::build(&list, Build::UNDIRECTED);
    for name in ["a.gr", "a.mtx", "a.wel", "a.sg", "a.wsg"] {
        let path = directory.join(name);
        io::write_file(&graph, &path).unwrap();
        let length = std::fs::metadata(&path).unwrap().len();
        let told = Mutex::new(Vec::new());
        let heard = |progress| told.lock().unwrap().push(progress);
        let read = io::read_file_watched(&path, RowOrder::LightFirst, &heard).unwrap();
        assert_eq!(read.arcs(), graph.arcs());
        let mut told: Vec<u64> = told.into_inner().unwrap().iter().map(|p| p.read).collect();
        // Threads may tell in another order.
        told.sort_unstable();
        assert_eq!(told.last(), Some(&length), "{name}");
        told.dedup();
        // Whole rows of up to 64 KiB, and half as many bytes where arcs have no weights.
        let pieces = length.div_ceil(1 << 16) as usize;
        assert!(told.len() <= 3 * pieces + 2 && 9 * told.len() >= pieces, "{name}: {told:?}");
    }
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn rows_are_read_in_either_order() {
    let directory = std::env::temp_dir().join(format!("plusminus-rows-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let graph = Csr::build(&Rmat::graph500(12, Seed(1)).weighted(255), Build::UNDIRECTED);
    // Graphs are equal in whichever order their rows stand.
    let rows = |graph: &Csr| -> Vec<Vec<(u32, u32)>> {
        (0..graph.vertices() as u32).map(|vertex| graph.neighbours(vertex).collect()).collect()
    };
    for name in ["a.wsg", "a.mtx", "a.wsg.gz"] {
        let path = directory.join(name);
        match io::write_file(&graph, &path) {
            Err(_) if name.ends_with(".gz") && !cfg!(feature = "gzip") => continue,
            written => written.unwrap(),
        }
        for order in [RowOrder::LightFirst, RowOrder::ByTarget] {
            let read = io::read_file_watched(&path, order, &|_| ()).unwrap();
            assert_eq!(read, graph, "{name}, {order:?}");
            // The weight to split at is found from a sample of the file: it can be another one.
            let expected = graph.clone().split_at(read.limit());
            assert!(rows(&read) == rows(&expected), "{name}, {order:?}");
            assert_eq!(read.limit() == u32::MAX, order == RowOrder::ByTarget, "{name}, {order:?}");
        }
    }
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn files_are_known_by_their_endings() {
    let directory = std::env::temp_dir().join(format!("plusminus-files-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let graph = Csr::build(&grid::<u32>(4, 5, 9, Seed(1)), Build::UNDIRECTED);
    for name in ["a.mtx", "a.wel", "a.wsg", "a.txt"] {
        let path = directory.join(name);
        io::write_file(&graph, &path).unwrap();
        assert_eq!(io::read_file(&path).unwrap(), graph, "{name}");
    }
    // DIMACS files list arcs, without a promise that each has its reverse.
    let path = directory.join("a.gr");
    io::write_file(&graph, &path).unwrap();
    let read = io::read_file(&path).unwrap();
    assert_eq!((read.arcs(), read.is_undirected()), (graph.arcs(), false));
    assert_eq!(Format::of(Path::new("x/y.wsg.gz")), Some(Format::GapWeighted));
    assert_eq!(Format::of(Path::new("y.gz")), None);
    assert!(io::read_file(&directory.join("a.bin")).unwrap_err().contains("ending"));
    assert!(io::read_file(&directory.join("none.gr")).unwrap_err().contains("none.gr"));
    let left: Vec<_> = std::fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    packed(&graph, &directory);
    std::fs::remove_dir_all(&directory).unwrap();
}

/// A few bytes can declare 2³² − 1 vertices, 34 GB of row starts; or fewer, that a machine might just have.
#[test]
fn graphs_of_hardly_any_edges_are_refused() {
    let directory = std::env::temp_dir().join(format!("plusminus-large-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    for (name, text) in [
        ("large.gr", "p sp 4294967295 1\na 1 2 3\n"),
        ("bytes.gr", "p sp 200000000 1\na 1 2 3\n"),
        ("large.wel", "0 4294967294 3\n"),
        (
            "large.mtx",
            "%%MatrixMarket matrix coordinate integer general\n4294967295 4294967295 1\n1 2 3\n",
        ),
    ] {
        let path = directory.join(name);
        std::fs::write(&path, text).unwrap();
        let error = io::read_file(&path).unwrap_err();
        assert!(error.contains("vertices and 1 edges: beyond 4194304 vertices"), "{error}");
    }
    let path = directory.join("isolated.gr");
    std::fs::write(&path, "p sp 100000 1\na 1 2 3\n").unwrap();
    assert_eq!(io::read_file(&path).unwrap().vertices(), 100_000);
    std::fs::remove_dir_all(&directory).unwrap();
}

/// Binary files also declare their sizes. Impossible ones fail before any memory is touched, compressed or not.
#[test]
fn binary_graphs_that_memory_cannot_hold_are_refused() {
    let directory = std::env::temp_dir().join(format!("plusminus-huge-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let mut file = vec![0u8];
    for word in [1u64 << 45, 1 << 20] {
        file.extend(word.to_le_bytes());
    }
    let path = directory.join("huge.sg");
    std::fs::write(&path, &file).unwrap();
    let error = io::read_file(&path).unwrap_err();
    let expected = "a graph of 1048576 vertices and 35184372088832 arcs takes 281474.99";
    assert!(error.contains(expected), "{error}");
    #[cfg(feature = "gzip")]
    {
        // An empty graph, packed, and then what it declares is changed: such a file costs a hostile hand nothing.
        let packed = directory.join("huge.sg.gz");
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, &file).unwrap();
        std::fs::write(&packed, encoder.finish().unwrap()).unwrap();
        let error = io::read_file(&packed).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    // One that memory would hold, but the file does not.
    file[1..9].copy_from_slice(&1_000_000u64.to_le_bytes());
    std::fs::write(&path, &file).unwrap();
    let error = io::read_file(&path).unwrap_err();
    let expected =
        "byte 17: the file ends, but 1048576 vertices and 1000000 arcs take 12388633 bytes";
    assert!(error.contains(expected), "{error}");
    std::fs::remove_dir_all(&directory).unwrap();
}

/// A file is read in pieces, in parallel. An error in a late one has its place as in an early one, and rows may be
/// longer than a piece.
#[test]
fn large_gap_files_are_checked_everywhere() {
    let directory = std::env::temp_dir().join(format!("plusminus-pieces-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("large.wsg");
    let mut list = Rmat::graph500(13, Seed(1)).weighted(255).edges().to_vec();
    list.extend((1..90_000).map(|leaf| (0, leaf, leaf % 255 + 1)));
    let graph = Csr::build(&EdgeList::new(90_000, list).unwrap(), Build::UNDIRECTED);
    io::write_file(&graph, &path).unwrap();
    let read = io::read_file(&path).unwrap();
    assert!(
        read == graph && io::read_gap(&std::fs::read(&path).unwrap()[..], None).unwrap() == graph
    );
    let whole = std::fs::read(&path).unwrap();
    let arcs = 17 + 8 * 90_001;
    for place in [arcs, arcs + 8 * 70_000, whole.len() - 8] {
        let mut broken = whole.clone();
        // Another weight than that of the reverse.
        broken[place + 4] ^= 1;
        std::fs::write(&path, &broken).unwrap();
        let error = io::read_file(&path).unwrap_err();
        assert!(error.contains("has no reverse"), "{error}");
        // Targets beyond all vertices, below and above 2³¹.
        for highest in [0x7f, 0xff] {
            broken[place + 3] = highest;
            std::fs::write(&path, &broken).unwrap();
            let error = io::read_file(&path).unwrap_err();
            assert!(error.contains("leads to none of 90000 vertices"), "{error}");
        }
    }
    std::fs::remove_dir_all(&directory).unwrap();
}

#[cfg(feature = "gzip")]
fn packed(graph: &Csr, directory: &Path) {
    for name in ["p.mtx.gz", "p.wsg.gz"] {
        let path = directory.join(name);
        io::write_file(graph, &path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap()[..2], [0x1f, 0x8b], "{name}");
        assert_eq!(io::read_file(&path).unwrap(), *graph, "{name}");
    }
    let path = directory.join("broken.mtx.gz");
    std::fs::write(&path, b"not compressed at all").unwrap();
    let error = io::read_file(&path).unwrap_err();
    assert!(error.contains("broken.mtx.gz: line 1"), "{error}");
}

#[cfg(not(feature = "gzip"))]
fn packed(graph: &Csr, directory: &Path) {
    let path = directory.join("p.mtx.gz");
    assert!(io::write_file(graph, &path).unwrap_err().contains("feature gzip"));
    std::fs::write(&path, b"").unwrap();
    assert!(io::read_file(&path).unwrap_err().contains("feature gzip"));
}

#[test]
fn malformed_text_is_named_by_line_and_reason() {
    let dimacs = |text: &str| io::read_dimacs::<u32>(text.as_bytes()).unwrap_err().to_string();
    let market = |text: &str| {
        let header = "%%MatrixMarket matrix coordinate integer general\n";
        let text = format!("{header}{text}");
        io::read_matrix_market::<u32>(text.as_bytes(), 1).unwrap_err().to_string()
    };
    let list = |text: &str| io::read_edge_list::<u32>(text.as_bytes(), 1).unwrap_err().to_string();
    for (error, expected) in [
        (dimacs(""), "no line 'p sp <vertices> <arcs>'"),
        (dimacs("a 1 2 3"), "line 1: an arc before the line 'p'"),
        (dimacs("p sp 2 1\np sp 2 1"), "line 2: a second line 'p'"),
        (dimacs("p max 2 1"), "line 1: \"max\" is not the problem 'sp'"),
        (dimacs("p sp 2"), "line 1: the number of arcs is missing"),
        (dimacs("p sp 99999999999 1"), "line 1: 99999999999 vertices; a vertex is a 32-bit number"),
        (dimacs("p sp 2 1\na 0 1 3"), "line 2: vertex 0 is not one of 1 to 2"),
        (dimacs("p sp 2 1\na 1 3 3"), "line 2: vertex 3 is not one of 1 to 2"),
        (dimacs("p sp 2 1\na 1 -3 3"), "line 2: a vertex number: \"-3\" is not one"),
        (
            dimacs("p sp 2 1\na 1 2 -3"),
            "line 2: \"-3\" is not a weight: a whole number from 0 to 4294967294",
        ),
        (
            dimacs("p sp 2 1\na 1 2 4294967295"),
            "line 2: \"4294967295\" is not a weight: a whole number from 0 to 4294967294",
        ),
        (dimacs("p sp 2 1\na 1 2 3 4"), "line 2: \"4\" is one word too many"),
        (dimacs("p sp 2 1\ne 1 2"), "line 2: \"e\" begins neither an arc nor a comment"),
        (dimacs("p sp 2 2\na 1 2 3"), "2 arcs declared, 1 found"),
        (market(""), "line 2: the size of the matrix is missing"),
        (market("2 3 1"), "line 2: 2 rows and 3 columns: not a graph"),
        (market("2 2 1\n1 2"), "line 3: a value is missing"),
        (market("2 2 1\n1 2 3\n1 1 1"), "line 4: more than the 1 entries that were declared"),
        (market("2 2 2\n1 2 3"), "2 entries declared, 1 found"),
        (list("1 2\n3"), "line 2: a vertex number below 2^32 is missing"),
        (list("1 x"), "line 1: a vertex number below 2^32: \"x\" is not one"),
        (list("1 4294967296"), "line 1: a vertex number below 2^32: \"4294967296\" is not one"),
    ] {
        assert_eq!(error, expected);
    }
    let read = |text: &[u8]| io::read_matrix_market::<u32>(text, 1).unwrap_err().to_string();
    assert_eq!(read(b""), "the file is empty");
    assert!(
        read(b"%%MatrixMarket matrix array real general\n").starts_with("line 1: not a header")
    );
    assert!(read(b"%%MatrixMarket matrix coordinate complex general\n").contains("\"complex\""));
    assert!(read(b"%%MatrixMarket matrix coordinate real hermitian\n").contains("\"hermitian\""));
    let error = io::read_edge_list::<f32>(&b"0 1 nan"[..], 1.0).unwrap_err();
    assert_eq!(error.place(), Place::Line(1));
    assert!(error.reason().contains("a finite number not below 0"), "{error}");
    let error = io::read_edge_list::<u32>(&b"0 1\n\xff\xfe"[..], 1).unwrap_err();
    assert_eq!(error.to_string(), "line 2: not UTF-8 text");
    let endless = std::io::BufReader::new(std::io::repeat(b'7'));
    let error = io::read_edge_list::<u32>(endless, 1).unwrap_err();
    assert_eq!(error.to_string(), "line 1: longer than 65536 bytes");
}

fn small_wsg() -> Vec<u8> {
    let list = EdgeList::new(4, vec![(0, 1, 5), (1, 2, 6), (0, 3, 7)]).unwrap();
    bytes(|out| io::write_gap(&Csr::build(&list, Build::UNDIRECTED), true, out))
}

#[test]
fn malformed_gap_files_are_named_by_byte_and_reason() {
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut file = small_wsg();
        change(&mut file);
        io::read_gap(&file[..], None).unwrap_err().to_string()
    };
    assert_eq!(error(&|f| f[0] = 2), "byte 0: 2 is neither 0 nor 1 (directed?)");
    assert_eq!(
        error(&|f| f[8] = 0x80),
        "byte 1: -9223372036854775802 is not a possible number of arcs"
    );
    assert!(error(&|f| f[14] = 1).starts_with("byte 9: "));
    assert!(
        error(&|f| f[8] = 1).starts_with("a graph of 4 vertices and 72057594037927942 arcs takes")
    );
    assert!(error(&|f| f[1] = 7).contains("rows do not span"));
    assert!(error(&|f| f.truncate(60)).contains("the file ends"));
    assert!(error(&|f| f.clear()).starts_with("byte 0: the file ends"));
    // Row 1 begins at 9, row 2 at 4.
    assert_eq!(error(&|f| f[25] = 9), "byte 33: row 2 begins before row 1 does");
    let arcs = 17 + 8 * 5;
    assert_eq!(error(&|f| f[arcs] = 4), "byte 57: arc (0, 4) leads to none of 4 vertices");
    assert_eq!(
        error(&|f| f[arcs + 7] = 0x80),
        "byte 57: arc (0, 1) has the negative weight -2147483643"
    );
    assert_eq!(
        error(&|f| f[arcs + 4] = 6),
        "the graph is undirected, but arc (0, 1) has no reverse"
    );
}

proptest! {
    #[test]
    fn garbage_is_refused_without_harm(garbage in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = io::read_dimacs::<u32>(&garbage[..]);
        let _ = io::read_matrix_market::<f32>(&garbage[..], 1.0);
        let _ = io::read_edge_list::<u32>(&garbage[..], 1);
        let _ = io::read_gap(&garbage[..], None);
        let _ = io::read_gap(&garbage[..], Some(1));
    }

    #[test]
    fn text_like_garbage_is_refused_without_harm(
        text in "(p sp [0-9]{1,20} [0-9]{1,20}\n)?([acp%# ]{0,2}[-0-9.e ]{0,30}\n){0,10}",
    ) {
        let _ = io::read_dimacs::<f32>(text.as_bytes());
        let _ = io::read_edge_list::<f32>(text.as_bytes(), 1.0);
        let market = format!("%%MatrixMarket matrix coordinate real general\n{text}");
        let _ = io::read_matrix_market::<u32>(market.as_bytes(), 1);
    }

    /// Any change of one byte is either refused or leaves a graph that searches can trust.
    #[test]
    fn damaged_gap_files_do_no_harm(place in 0usize..105, value: u8) {
        let mut file = small_wsg();
        prop_assume!(place < file.len());
        file[place] = value;
        if let Ok(graph) = io::read_gap(&file[..], None) {
            for vertex in 0..graph.vertices() as u32 {
                for (target, weight) in graph.neighbours(vertex) {
                    prop_assert!((target as usize) < graph.vertices());
                    prop_assert!(!graph.is_undirected()
                        || graph.neighbours(target).any(|arc| arc == (vertex, weight)));
                }
            }
        }
    }

    #[test]
    fn every_edge_list_reads_back_in_every_text_format(
        list in proptest::collection::vec((0u32..50, 0u32..50, 0u32..u32::MAX), 0..60),
        symmetric: bool,
    ) {
        let edges = EdgeList::new(50, list).unwrap();
        let text = bytes(|out| io::write_dimacs(&edges, out));
        prop_assert_eq!(&io::read_dimacs::<u32>(&text[..]).unwrap(), &edges);
        let graph = MatrixMarket { edges: edges.clone(), symmetric };
        let text = bytes(|out| io::write_matrix_market(&graph, out));
        prop_assert_eq!(&io::read_matrix_market::<u32>(&text[..], 1).unwrap(), &graph);
        let text = bytes(|out| io::write_edge_list(&edges, out));
        let read = io::read_edge_list::<u32>(&text[..], 1).unwrap();
        prop_assert_eq!(read.edges(), edges.edges());
    }
}
