//! Graph files: DIMACS `.gr`, Matrix Market, SNAP edge lists, GAP `.sg` and `.wsg`.
//! Readers take any input without panicking and never allocate more than in proportion to what they have read.
//!
//! ```
//! use plusminus_suite::graph::io;
//!
//! let file = "c a triangle\np sp 3 3\na 1 2 5\na 2 3 1\na 3 1 2\n";
//! let edges = io::read_dimacs::<u32>(file.as_bytes()).unwrap();
//! assert_eq!(edges.edges()[0], (0, 1, 5));
//! let error = io::read_dimacs::<u32>("p sp 3 1\na 1 9 5\n".as_bytes()).unwrap_err();
//! assert_eq!(error.to_string(), "line 2: vertex 9 is not one of 1 to 3");
//! ```

mod blocks;
mod dimacs;
mod edge_list;
mod error;
mod file;
mod gap;
mod gap_check;
mod gap_write;
mod lines;
mod matrix_market;
mod progress;
mod symmetry;

pub use dimacs::{read_dimacs, write_dimacs};
pub use edge_list::{read_edge_list, write_edge_list};
pub use error::{Place, ReadError};
pub use file::{Format, RowOrder, read_file, read_file_watched, write_file};
pub use gap::read_gap;
pub use gap_write::write_gap;
pub use matrix_market::{MatrixMarket, read_matrix_market, write_matrix_market};
pub use progress::{Announcer, Progress};
