//! From results to plots: which values a figure shows, and on which axes.

mod apex;
mod forest;
mod instances;
mod quantiles;
mod run_wise;
mod samples;
mod scaling;
mod sequence;
mod times;

pub(crate) use apex::{ranking as apex_ranking, sweep as apex_sweep};
pub(crate) use forest::{of_comparison, of_table as forest};
pub use instances::heat_map;
pub(crate) use quantiles::{quantiles, sides};
pub(crate) use run_wise::run_wise;
pub(crate) use samples::{samples, typical_samples};
pub(crate) use scaling::scaling;
pub use scaling::span;
pub(crate) use sequence::{pairs, sequence};
pub(crate) use times::times;

use plusminus::text::visible;

/// Characters of a name in a plot; a table has the whole of it.
const NAME: usize = 44;

/// Rows in one plot; more of them make another one.
const ROWS: usize = 30;

/// How far below a value its raw values stand, so that neither hides the other.
const BELOW: f64 = 0.18;

/// Returns the height of a plot with this number of rows, which have their names above their marks.
fn height_of_rows(count: usize) -> u32 {
    (70 + 38 * count.max(2)) as u32
}

/// Returns a name as a plot shows it: its beginning and its end, which contains the point.
fn short(name: &str) -> String {
    let name = visible(name);
    let count = name.chars().count();
    if count <= NAME {
        return name;
    }
    let begin: String = name.chars().take(NAME / 3).collect();
    let end: String = name.chars().skip(count - (NAME - NAME / 3 - 1)).collect();
    format!("{begin}…{end}")
}

/// The title of the n-th of several plots of the same kind.
fn numbered(title: &str, index: usize, count: usize) -> String {
    if count > 1 { format!("{title} ({} of {count})", index + 1) } else { title.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn long_names_keep_their_ends() {
        assert_eq!(short("a::b::10"), "a::b::10");
        let long = format!("module::{}::point-4096", "x".repeat(100));
        let shown = short(&long);
        assert_eq!(shown.chars().count(), super::NAME);
        assert!(shown.starts_with("module::") && shown.ends_with("::point-4096"), "{shown}");
    }
}
