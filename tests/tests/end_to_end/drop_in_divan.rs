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
        "contended::t1",
        "contended::t2",
        "values",
        "local_values",
        "sometimes::0",
        "sometimes::4",
        "ignored",
        "bunch::inner",
    ];
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
        "^with_bencher|inner|t2$|sometimes",
        "--runs",
        "2",
        "--max-time",
        "0.3",
    ];
    let measured = fixture.cargo(&bench);
    measured.exits(0).says("bytes/s").says("bunch::inner").says("items/s").says("contended::t2");
    measured.says("skipped");
}
