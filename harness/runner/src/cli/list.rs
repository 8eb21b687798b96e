//! `--list`: the names of benchmarks, one a line. Nothing is built or started for it.

use super::arguments::{Arguments, Format};
use crate::{output::print, report, text::number::counted};
use plusminus_worker::{exit, protocol::CaseDescription};

/// Lists the selected benchmarks. Ignored benchmarks are part of the list, and make up all of it under `--ignored`.
pub(super) fn list(all: &[CaseDescription], arguments: &Arguments) -> Result<i32, String> {
    let only_ignored = arguments.ignored == super::arguments::Ignored::Only;
    let mut text = String::new();
    let mut count = 0;
    for case in all {
        let listed = !only_ignored || case.ignore.is_some();
        if listed && arguments.filter.passes(&case.krate, &case.name) {
            match arguments.format {
                Format::Json => {
                    text.push_str(&report::json_test("bench", "discovered", &case.name, None));
                }
                _ => text.push_str(&format!("{}: benchmark\n", case.name)),
            }
            count += 1;
        }
    }
    if arguments.format == Format::Pretty {
        text.push_str(&format!("\n0 tests, {}\n", counted(count, "benchmark")));
    }
    print(&text).map(|()| exit::FINE)
}
