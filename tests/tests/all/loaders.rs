//! Files from outside, damaged at random: an error with the file's name, or something that can be reported. The fuzz
//! targets do the same for longer.

use std::path::Path;

use plusminus::{
    engine::{Answer, Request},
    record,
    report::{View, render},
};
use proptest::prelude::*;

/// A record as the first schema has it.
const WHOLE: &str = include_str!("records/schema-1.json");

/// One change to a text.
#[derive(Debug, Clone)]
enum Damage {
    /// Everything from here on is missing.
    Cut(usize),
    /// A byte is another one.
    Byte(usize, u8),
    /// A piece is missing.
    Gap(usize, usize),
    /// A number is another one.
    Number(usize, String),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = 0..WHOLE.len();
    let number = prop_oneof![
        any::<u64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_map(|number| number.to_string()),
        Just("1e308".to_owned()),
        Just("-1".to_owned()),
        Just("4294967295".to_owned()),
        Just("null".to_owned()),
        Just("0".to_owned()),
        Just("[]".to_owned()),
    ];
    prop_oneof![
        1 => place.clone().prop_map(Damage::Cut),
        2 => (place.clone(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        2 => (place.clone(), 1..40_usize).prop_map(|(at, size)| Damage::Gap(at, size)),
        8 => (place, number).prop_map(|(at, number)| Damage::Number(at, number)),
    ]
}

fn damaged(text: &mut Vec<u8>, damage: &Damage) {
    match damage {
        Damage::Cut(at) => text.truncate(*at),
        Damage::Byte(at, byte) => {
            if let Some(place) = text.get_mut(*at) {
                *place = *byte;
            }
        }
        Damage::Gap(at, size) => {
            let from = (*at).min(text.len());
            drop(text.drain(from..(from + size).min(text.len())));
        }
        Damage::Number(at, number) => {
            // The next number after the place.
            let digit = |byte: &u8| byte.is_ascii_digit() || b".-".contains(byte);
            let Some(from) = text.iter().skip(*at).position(digit).map(|skip| at + skip) else {
                return;
            };
            let to =
                text[from..].iter().position(|byte| !digit(byte)).map_or(text.len(), |n| from + n);
            drop(text.splice(from..to, number.bytes()));
        }
    }
}

/// Reads, and reports what could be read.
fn read_and_report(text: &[u8]) {
    match record::parse(text, Path::new("the-file.json")) {
        Ok(record) => assert!(render(&record, None, None, &View::unlimited()).ends_with('\n')),
        Err(error) => assert!(error.to_string().contains("the-file.json")),
    }
}

#[test]
fn the_first_schema_is_read() {
    let record = record::parse(WHOLE.as_bytes(), Path::new("the-file.json")).unwrap();
    assert_eq!(record.schema, 1);
    let report = render(&record, None, None, &View::unlimited());
    assert!(report.contains("also_healthy") && report.contains("3 runs × 2 instances"), "{report}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_record_is_an_error_or_a_report(damages in prop::collection::vec(damage(), 1..4)) {
        let mut text = WHOLE.as_bytes().to_vec();
        for damage in &damages {
            damaged(&mut text, damage);
        }
        read_and_report(&text);
    }

    #[test]
    fn garbage_is_an_error(text in prop::collection::vec(any::<u8>(), 0..200)) {
        read_and_report(&text);
    }

    #[test]
    fn garbage_on_the_channel_is_an_error(line in "\\PC{0,100}") {
        prop_assert!(Answer::decode(&line).is_err());
        prop_assert!(Request::decode(&line).is_err());
    }

    #[test]
    fn a_damaged_answer_is_an_error_or_an_answer(at in 0..150_usize, number in any::<u64>()) {
        let whole = r#"{"sampled":{"samples":[{"wall_ns":500000,"cpu_ns":500100,"switches":0,"outside_ns":812,"windows":1}]}}"#;
        assert!(Answer::decode(whole).is_ok());
        let mut text = whole.as_bytes().to_vec();
        damaged(&mut text, &Damage::Number(at, number.to_string()));
        if let Ok(answer) = Answer::decode(&String::from_utf8(text).unwrap()) {
            let sampled = matches!(answer, Answer::Sampled { .. });
            prop_assert!(sampled);
        }
    }
}

#[test]
fn nesting_without_end_is_an_error() {
    let deep = "[".repeat(1 << 20);
    read_and_report(deep.as_bytes());
    assert!(Answer::decode(&deep).is_err());
    let inside = WHOLE.replacen("\"order\":[", &format!("\"order\":{}", "[".repeat(100_000)), 1);
    read_and_report(inside.as_bytes());
}
