//! Over the crates regex, memchr and aho-corasick.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

fn text(n: u64) -> String {
    (0..n / 8).map(|i| if i % 9 == 0 { format!("key{i}=value{i}\n") } else { format!("some {} ", i % 7) }).collect()
}

static PAIRS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)key(\d+)=(\w+)$").unwrap());
static WORDS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b[a-z]{4}\b").unwrap());
static MANY: LazyLock<AhoCorasick> = LazyLock::new(|| AhoCorasick::new(["some 3", "key", "value1", "5 so"]).unwrap());

/// Pairs that a pattern captures.
pub fn pairs(n: u64) -> u64 {
    PAIRS.captures_iter(&text(n / 2)).map(|found| found[1].len() as u64).sum()
}

/// Words that a pattern finds.
pub fn words(n: u64) -> u64 {
    WORDS.find_iter(&text(n / 2)).map(|found| found.start() as u64).sum()
}

/// A text in which a pattern is replaced.
pub fn replaced(n: u64) -> u64 {
    PAIRS.replace_all(&text(n / 2), "$2:$1").len() as u64
}

/// Whether a pattern matches parts.
pub fn matched(n: u64) -> u64 {
    text(n).split('\n').filter(|line| WORDS.is_match(line)).count() as u64
}

/// Several words at once.
pub fn several(n: u64) -> u64 {
    MANY.find_iter(&text(n)).map(|found| found.end() as u64).sum()
}

/// One byte.
pub fn byte(n: u64) -> u64 {
    memchr::memchr_iter(b'\n', text(n).as_bytes()).map(|at| at as u64).sum()
}

/// One of three bytes, from the end.
pub fn three(n: u64) -> u64 {
    memchr::memrchr3(b'k', b'=', b'z', text(n).as_bytes()).unwrap_or(0) as u64
}

/// A text in a text.
pub fn within(n: u64) -> u64 {
    memchr::memmem::find_iter(text(n).as_bytes(), b"value").count() as u64
}

/// Parts between matches.
pub fn parts(n: u64) -> u64 {
    WORDS.split(&text(n / 2)).map(|part| part.len() as u64 % 5).sum()
}

/// No kernel calls this.
pub fn spare_count(text: &str, byte: u8) -> usize {
    memchr::memchr_iter(byte, text.as_bytes()).count()
}

/// No kernel calls this either.
pub fn spare_escaped(text: &str) -> String {
    regex::escape(text)
}
