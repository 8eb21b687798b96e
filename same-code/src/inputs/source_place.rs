//! Separates the places in the source that panics contain from other constants.

use object::elf::SHF_ALLOC;

use crate::graph::{Graph, Index, Target};

/// The size of a `core::panic::Location`: a text with its length, a line and a column.
const SIZE: usize = 24;

/// Returns whether a node is a `core::panic::Location`: data without a name that hold the path of a Rust file, a line
/// and a column.
///
/// A constant `("src/lib.rs", 3, 7)` of a program has the same fields. They differ in one byte: the compiler ends the
/// path of a `Location` with a zero beyond its length, so that it can be handed to C. A text of Rust has no such
/// zero. Older compilers do not write it, so every place is a constant there.
pub(super) fn is_source_place(graph: &Graph, index: Index) -> bool {
    let node = &graph.nodes[index as usize];
    let [edge] = node.edges.as_slice() else { return false };
    let Target::Node(place) = &edge.target else { return false };
    if node.data.len() != SIZE || node.is_code() || !node.names.is_empty() || edge.at != 0 {
        return false;
    }
    if node.flags & SHF_ALLOC.0 == 0 || !node.section.starts_with(".data.rel.ro") {
        return false;
    }
    let number = |at: usize, bytes: usize| {
        node.data[at..at + bytes].iter().rev().fold(0_u64, |all, byte| all << 8 | u64::from(*byte))
    };
    let (length, line, column) = (number(8, 8), number(16, 4), number(20, 4));
    let begins = place.offset.checked_add_signed(edge.addend) == Some(0);
    let text = &graph.nodes[place.node as usize].data;
    let path = text.strip_suffix(b"\0").filter(|path| begins && path.len() as u64 == length);
    let sensible = |number: u64| (1..1 << 24).contains(&number);
    path.is_some_and(|path| path.ends_with(b".rs") && !path.contains(&0))
        && sensible(line)
        && sensible(column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Edge, Node, Place};

    /// A graph of a constant with a text, a number of bytes of it, a line and a column.
    fn constant(text: &[u8], length: u64, line: u32, column: u32) -> Graph {
        let fields = [&length.to_le_bytes()[..], &line.to_le_bytes(), &column.to_le_bytes()];
        let target = Target::Node(Place { node: 1, offset: 0 });
        let place = Node {
            section: ".data.rel.ro..Lanon.1".to_owned(),
            flags: SHF_ALLOC.0,
            data: [&[0; 8][..], &fields.concat()].concat(),
            edges: vec![Edge { at: 0, kind: 1, addend: 0, target }],
            ..Node::default()
        };
        let path = Node { data: text.to_vec(), ..Node::default() };
        Graph { nodes: vec![place, path], ..Graph::default() }
    }

    #[test]
    fn only_a_path_with_a_zero_behind_it_belongs_to_a_place() {
        assert!(is_source_place(&constant(b"src/lib.rs\0", 10, 3, 7), 0));
        for (why, other) in [
            ("a text of the program", constant(b"src/lib.rs", 10, 3, 7)),
            ("a text that holds the zero", constant(b"src/lib.rs\0", 11, 3, 7)),
            ("another length", constant(b"src/lib.rs\0", 9, 3, 7)),
            ("no path", constant(b"some\0", 4, 3, 7)),
            ("two texts", constant(b"a\0b.rs\0", 6, 3, 7)),
            ("no line", constant(b"src/lib.rs\0", 10, 0, 7)),
            ("no column", constant(b"src/lib.rs\0", 10, 3, 1 << 30)),
        ] {
            assert!(!is_source_place(&other, 0), "{why}");
        }
    }
}
