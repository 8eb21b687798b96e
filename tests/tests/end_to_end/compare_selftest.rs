//! The output of the self-test.

use crate::repository::Repository;
use plusminus_tests::Outcome;

#[test]
fn the_selftest_prints_false_alarms_power_and_a_margin() {
    let repository = Repository::new("selftest");
    let mut command = repository.plusminus(&["selftest", "--max-time", "6", "--quiet"]);
    let outcome = Outcome::of(&command.output().unwrap());
    // A machine on which verdicts cannot be relied on is an answer as well.
    assert!(matches!(outcome.code, Some(0 | 3)), "{}", outcome.both());
    outcome.says("false alarms on identical code: ").says("recommended");
    for slowdown in ["+1.0 %", "+2.0 %", "+3.0 %", "+5.0 %", "+10.0 %"] {
        let line = outcome.stdout.lines().find(|line| line.trim_start().starts_with(slowdown));
        assert!(line.is_some(), "no line for {slowdown}: {}", outcome.both());
    }
}
