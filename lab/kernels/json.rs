//! Over the crates serde, serde_json, itoa and ryu.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Serialize, Deserialize, Clone, PartialEq)]
struct Person {
    name: String,
    age: u32,
    tags: Vec<String>,
    place: Option<(f64, f64)>,
}

fn people(n: u64) -> Vec<Person> {
    let one = |i: u64| Person {
        name: format!("name {i}"),
        age: i as u32 % 90,
        tags: vec!["a".to_owned(), "bc".repeat(i as usize % 4)],
        place: (i % 2 == 0).then_some((i as f64 / 3.0, 1.5)),
    };
    (0..n / 64).map(one).collect()
}

fn text(n: u64) -> String {
    serde_json::to_string(&people(n)).unwrap()
}

/// Records as text.
pub fn written(n: u64) -> u64 {
    text(n).len() as u64
}

/// Text as records.
pub fn read(n: u64) -> u64 {
    let people: Vec<Person> = serde_json::from_str(&text(n)).unwrap();
    people.iter().map(|person| u64::from(person.age)).sum()
}

/// Text as a tree.
pub fn trees(n: u64) -> u64 {
    let value: Value = serde_json::from_str(&text(n)).unwrap();
    value.as_array().map_or(0, |all| all.iter().filter(|one| one["place"].is_null()).count() as u64)
}

/// A tree as text with line breaks.
pub fn pretty(n: u64) -> u64 {
    let all: Vec<Value> = (0..n / 64).map(|i| json!({"i": i, "half": i as f64 / 2.0, "list": [i, i + 1]})).collect();
    serde_json::to_string_pretty(&all).unwrap().len() as u64
}

/// Records as bytes, and back.
pub fn round(n: u64) -> u64 {
    let people = people(n / 2);
    let bytes = serde_json::to_vec(&people).unwrap();
    u64::from(serde_json::from_slice::<Vec<Person>>(&bytes).unwrap() == people)
}

/// Integers as text.
pub fn integers(n: u64) -> u64 {
    let mut buffer = itoa::Buffer::new();
    (0..n / 4).map(|i| buffer.format(i * i * 977).len() as u64).sum()
}

/// Fractions as text.
pub fn reals(n: u64) -> u64 {
    let mut buffer = ryu::Buffer::new();
    (1..n / 8).map(|i| buffer.format(1.0 / i as f64).len() as u64).sum()
}

/// Mistakes that are found.
pub fn mistakes(n: u64) -> u64 {
    (0..n / 64).filter(|i| serde_json::from_str::<Person>(&format!("{{\"age\": {i}}}")).is_err()).count() as u64
}

/// Numbers of a list.
pub fn numbers(n: u64) -> u64 {
    let text = serde_json::to_string(&(0..n / 8).map(|i| i as f64 * 0.37).collect::<Vec<f64>>()).unwrap();
    serde_json::from_str::<Vec<f64>>(&text).unwrap().iter().sum::<f64>() as u64
}

/// No kernel calls this.
pub fn spare_keys(value: &Value) -> Vec<String> {
    value.as_object().map_or(Vec::new(), |object| object.keys().cloned().collect())
}

/// No kernel calls this either.
pub fn spare_numbers(text: &str) -> Vec<u64> {
    serde_json::from_str(text).unwrap_or_default()
}
