//! Work on texts.

fn text(n: u64) -> String {
    (0..n / 8).map(|i| format!("word{} ", i * 37 % 101)).collect()
}

/// Numbers written in decimal.
pub fn decimal(n: u64) -> u64 {
    (0..n / 16).map(|i| format!("{i}:{:x}", i * n).len() as u64).sum()
}

/// Words of a text that are numbers when their front is cut off.
pub fn parsed(n: u64) -> u64 {
    text(n).split_whitespace().filter_map(|word| word[4..].parse::<u64>().ok()).sum()
}

/// Words in reverse order.
pub fn reversed(n: u64) -> u64 {
    let text = text(n);
    let words: Vec<&str> = text.split(' ').rev().collect();
    words.join("-").len() as u64
}

/// Capitals of every word.
pub fn capitals(n: u64) -> u64 {
    text(n).to_uppercase().bytes().map(u64::from).sum()
}

/// Places at which a text contains another.
pub fn places(n: u64) -> u64 {
    text(n).match_indices("rd3").map(|(at, _)| at as u64).sum()
}

/// A text with parts replaced.
pub fn replaced(n: u64) -> u64 {
    text(n).replace("word1", "phrase ").len() as u64
}

/// Characters that are vowels.
pub fn vowels(n: u64) -> u64 {
    text(n).chars().filter(|c| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u')).count() as u64
}

/// Words sorted by length and text.
pub fn ordered(n: u64) -> u64 {
    let text = text(n);
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_by_key(|word| (word.len(), *word));
    words.iter().step_by(3).map(|word| word.len() as u64).sum()
}

/// Lines with numbers and fractions.
pub fn fractions(n: u64) -> u64 {
    use std::fmt::Write;
    let mut text = String::new();
    for i in 0..n / 32 {
        writeln!(text, "{i:>5} {:.3}", i as f64 / 7.0).unwrap();
    }
    text.len() as u64
}

/// No kernel calls this.
pub fn spare_initials(text: &str) -> String {
    text.split(' ').filter_map(|word| word.chars().next()).collect()
}

/// No kernel calls this either.
pub fn spare_columns(rows: &[Vec<String>]) -> Vec<usize> {
    (0..rows.len()).map(|i| rows.iter().map(|row| row[i].len()).max().unwrap_or(0)).collect()
}
