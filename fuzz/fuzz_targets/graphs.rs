//! Graph files: the first byte selects the format. A reader reports the place of an error, and never takes memory out
//! of proportion.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plusminus_suite::graph::io::{
    ReadError, read_dimacs, read_edge_list, read_gap, read_matrix_market,
};

fuzz_target!(|data: &[u8]| {
    let [format, rest @ ..] = data else { return };
    let read: Result<(), ReadError> = match format % 5 {
        0 => read_dimacs::<u32>(rest).map(drop),
        1 => read_edge_list::<u32>(rest, 1).map(drop),
        2 => read_matrix_market::<u32>(rest, 1).map(drop),
        3 => read_gap(rest, Some(1)).map(drop),
        _ => read_gap(rest, None).map(drop),
    };
    if let Err(error) = read {
        assert!(!error.reason().is_empty());
    }
});
