//! Benches written for divan under our engine.

use plusminus_tests::Fixture;

#[test]
fn the_benchmarks_of_divan_are_listed() {
    let fixture = Fixture::new("drop-in", "divan_list");
    let outcome =
        fixture.cargo(&["bench", "--bench", "of_divan", "--", "--list", "--format", "terse"]);
    let mut names: Vec<&str> = outcome
        .exits(0)
        .stdout
        .lines()
        .filter_map(|line| line.strip_suffix(": benchmark"))
        .collect();
    names.sort_unstable();
    let mut expected = vec![
        "plain",
        "renamed",
        "computed",
        "by_value::1",
        "by_value::2",
        "by_value::3",
        "by_reference::a",
        "by_reference::bcd",
        "with_bencher::4",
        "with_bencher::16",
        "constants::4",
        "constants::16",
        "iterated::1::4",
        "iterated::1::16",
        "generic::BTreeSet<u64>::1",
        "generic::BTreeSet<u64>::2",
        "generic::HashSet<u64>::1",
        "generic::HashSet<u64>::2",
        "point::own::Set::8",
        "point::BTreeSet<u64>::8",
        "point::group::Set::8",
        "argument::x",
        "argument::\\n",
        "contended::t1",
        "contended::t2",
        "values",
        "local_values",
        "sometimes::0",
        "sometimes::4",
        "ignored",
        "bunch::inner",
    ];
    // Equal types, constants and arguments are numbered, as all of them run.
    let of_type = |set: &str, all: [&str; 6]| all.map(|end| format!("equal::{set}::{end}"));
    let once = ["16::5", "16::5 #2", "16::5 #3", "16::5 #4", "20::5", "20::5 #2"];
    let equal: Vec<String> = [
        of_type("Set", once).to_vec(),
        of_type("HashSet<u8>", once).to_vec(),
        of_type("u8", once).to_vec(),
        (5..9).map(|number| format!("equal::u8::16::5 #{number}")).collect(),
        (3..5).map(|number| format!("equal::u8::20::5 #{number}")).collect(),
    ]
    .concat();
    expected.extend(equal.iter().map(String::as_str));
    expected.sort_unstable();
    assert_eq!(names, expected);
}

#[test]
fn the_benchmarks_of_divan_run() {
    let fixture = Fixture::new("drop-in", "divan_run");
    let test = fixture.cargo(&["bench", "--bench", "of_divan", "--", "--test"]);
    test.exits(0).says(" 0 failed; 1 ignored").says("test sometimes::0 ... ignored");
    let bench = [
        "bench",
        "--bench",
        "of_divan",
        "--",
        "^with_bencher|inner|t2$|sometimes|:Set::20::5 #2$",
        "--runs",
        "2",
        "--max-time",
        "0.3",
    ];
    let measured = fixture.cargo(&bench);
    measured.exits(0).says("bytes/s").says("bunch::inner").says("items/s").says("contended::t2");
    measured.says("skipped").says("equal::Set::20::5 #2");
}
