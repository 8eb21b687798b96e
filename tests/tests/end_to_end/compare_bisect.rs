//! `git bisect run cargo plusminus compare` finds the commit that made a benchmark slow.

use crate::repository::{Repository, program};

#[test]
fn bisect_finds_the_slow_commit_and_skips_what_does_not_build() {
    let repository = Repository::new("bisected");
    let mut slow = String::new();
    for step in 0..7 {
        match step {
            // Neither good nor bad: it does not build.
            2 => repository.write("benches/speed.rs", "fn main() { broken }\n"),
            _ => repository.benches(&[("one", if step >= 4 { 15_000 } else { 5_000 })]),
        }
        repository.write("step", &step.to_string());
        let hash = repository.commit(&format!("step {step}"));
        if step == 0 {
            repository.git(&["tag", "good"]);
        }
        if step == 4 {
            slow = hash;
        }
    }
    repository.git(&["bisect", "start", "HEAD", "good"]);
    let mut bisect = repository.command("git");
    bisect.args(["bisect", "run", program().to_str().unwrap(), "compare", "good", "--bisect"]);
    let outcome =
        bisect.args(["--quiet", "--margin", "10", "--layout", "aligned"]).output().unwrap();
    let outcome = plusminus_tests::Outcome::of(&outcome);
    outcome.exits(0).says(&format!("{slow} is the first bad commit"));
    let skipped = repository.git(&["bisect", "log"]);
    assert!(!skipped.stdout.contains(&format!("good: [{slow}]")), "{}", skipped.both());
    repository.git(&["bisect", "reset"]);
    repository.is_tidy();
    // A commit without a verdict is skipped, not good or bad.
    repository.git(&["checkout", "--quiet", "good~0"]);
    repository.write("benches/speed.rs", "fn main() { broken }\n");
    repository.compare(&["good", "--bisect"]).exits(125);
}
