//! The words in the columns of a page, with the definitions of the harness's reports.

use plusminus::report::explain;

/// Words that only pages of studies have.
const OWN: [(&str, &str); 3] = [
    ("efficiency", "Speedup divided by the number of processors; never cut off at 1."),
    (
        "overhead",
        "T_o = p·T − ω: the time of all processors together beyond that of the sequential program. Below 0 where the speedup \
         is more than p.",
    ),
    (
        "PC_a",
        "Performance Complexity: the mean absolute error of a fitted model on the logarithmic scale, as a factor less 1. 0 \
         means that the model tells the performance exactly.",
    ),
];

/// The words that every page explains, in their order.
const WORDS: [&str; 17] = [
    "time",
    "±",
    "interval",
    "change",
    "speedup",
    "slower",
    "faster",
    "within",
    "inconclusive",
    "margin",
    "run",
    "block",
    "spread",
    "RSU",
    "rate",
    "real S",
    "relative S",
];

/// Returns each word of a page with its meaning.
pub(super) fn all() -> Vec<(&'static str, String)> {
    let meaning = |word: &'static str| {
        let told = explain(word).ok()?;
        Some((word, told.split_once(": ")?.1.trim_end().to_owned()))
    };
    let own = OWN.iter().map(|(word, text)| (*word, (*text).to_owned()));
    WORDS.into_iter().filter_map(meaning).chain(own).collect()
}

/// Returns the place of the word that the title of a column uses among [`all`].
pub(super) fn of(title: &str) -> Option<usize> {
    let word = match title {
        "S ± σ" | "speedup S ± σ" | "speedup" => "speedup",
        "time ± σ" | "base ± σ" | "new ± σ" => "time",
        "95 % interval" | "95 % interval of S" => "interval",
        "runs" => "run",
        "blocks" => "block",
        title if title.ends_with("/s") => "rate",
        title => title,
    };
    all().iter().position(|(known, _)| *known == word)
}
