use super::*;

/// A record of a machine on which the first benchmark changed by a factor.
fn record(cpu: &str, factor: f64) -> ComparisonRecord {
    let mut record = report::kept_record();
    record.new.manifest.cpu = Some(cpu.to_owned());
    record.new.manifest.dirty = Some(false);
    record.base.manifest.dirty = Some(false);
    record.cases.truncate(1);
    for block in &mut record.cases[0].blocks {
        let (base, new) = (&block.base, &mut block.new);
        (new.calls, new.windows) = (base.calls, base.windows);
        new.wall_ns = base.wall_ns.iter().map(|ns| (*ns as f64 * factor) as u64).collect();
        new.cpu_ns = new.wall_ns.clone();
    }
    record
}

#[test]
fn machines_that_disagree_are_one_verdict_and_a_sentence() {
    let fleet = Fleet::of(vec![record("A", 1.1), record("B", 1.1), record("C", 1.0)], 0.05);
    let row = &fleet.rows[0];
    assert_eq!((row.verdict, fleet.exit_code(FailOn::Slower)), (Verdict::Slower, 1));
    assert_eq!(fleet.exit_code(FailOn::Never), 0);
    let text = fleet.text(1);
    let said = "by kind of processor: slower by 10.0 % on 2 of 3 (A; B), within ±2 % on 1 of 3 (C)";
    assert!(text.contains(said), "{text}");
    assert!(text.contains("1 slower, 1 identical code on 3 machines\n"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&fleet.json(1)).unwrap();
    assert_eq!(json["benchmarks"][0]["verdict"], "slower");
    assert_eq!(json["benchmarks"][0]["machines"][2]["verdict"], "within_margin");
    assert_eq!(json["benchmarks"][1]["verdict"], "identical_code");
}

#[test]
fn records_that_stopped_early_are_listed_with_what_to_do() {
    let mut exact = record("A", 1.0);
    exact.settings.alpha = 0.012;
    let mut early = record("B", 1.0);
    early.settings.alpha = 0.05;
    let fleet = Fleet::of(vec![exact, early], 0.05);
    let said = "warning: records 2 stopped too early";
    assert!(fleet.text(0).contains(said), "{}", fleet.text(0));
    assert!(fleet.text(0).contains("`--alpha 0.0125`"), "{}", fleet.text(0));
}

#[test]
fn a_record_that_is_given_twice_is_not_two_machines() {
    let (mut first, mut second) = (record("A", 1.0), record("A", 1.0));
    first.settings.seed = 1;
    assert!(check(&[first.clone(), second.clone()]).is_ok());
    second.settings.seed = 1;
    let refused = check(&[first, second]);
    let Err(Error::Message(message)) = refused else { panic!("{refused:?}") };
    assert!(message.contains("given twice"), "{message}");
}

#[test]
fn machines_that_agree_need_no_sentence() {
    let fleet = Fleet::of(vec![record("A", 1.0), record("A", 1.0)], 0.05);
    assert_eq!(fleet.rows[0].verdict, Verdict::WithinMargin);
    assert_eq!(fleet.exit_code(FailOn::Inconclusive), 0);
    assert!(!fleet.text(0).contains("by kind"), "{}", fleet.text(0));
}

#[test]
fn an_accepted_slowdown_is_accepted_on_all_machines_or_not_at_all() {
    let accepting = |cpu, factor, up_to| {
        let mut record = record(cpu, factor);
        let benchmark = record.cases[0].name.clone();
        record.accepted =
            vec![plusminus::record::AcceptedSlowdown { benchmark, up_to, ..Default::default() }];
        record
    };
    let fleet = Fleet::of(vec![accepting("A", 1.1, 0.2), accepting("B", 1.1, 0.2)], 0.05);
    assert_eq!(fleet.exit_code(FailOn::Slower), 0, "{}", fleet.text(0));
    let fleet = Fleet::of(vec![accepting("A", 1.1, 0.2), accepting("B", 1.5, 0.2)], 0.05);
    assert_eq!(fleet.exit_code(FailOn::Slower), 1, "{}", fleet.text(1));
}

#[test]
fn only_the_same_versions_are_joined() {
    let mut other = record("B", 1.0);
    other.new.manifest.commit = Some("f".repeat(40));
    assert!(check(&[record("A", 1.0), other]).is_err());
    let mut dirty = record("B", 1.0);
    dirty.new.manifest.dirty = Some(true);
    assert!(check(&[record("A", 1.0), dirty]).unwrap_err().to_string().contains("uncommitted"));
    let mut unknown = record("B", 1.0);
    unknown.base.manifest.commit = None;
    assert!(check(&[unknown]).is_err());
    assert!(check(&[record("A", 1.0), record("B", 1.0)]).is_ok());
}

#[test]
fn hostile_names_stay_words() {
    let mut hostile = record("a\n::error::x\u{1b}[2J", 1.1);
    "```\n<b>@all".clone_into(&mut hostile.cases[0].name);
    let mut other = record("C", 1.0);
    other.cases[0].name.clone_from(&hostile.cases[0].name);
    let fleet = Fleet::of(vec![hostile, other], 0.05);
    let text = fleet.text(1);
    assert!(!text.contains('\u{1b}') && !text.lines().any(|line| line.starts_with("::")), "{text}");
    let comment = report::markdown::of_text(&fleet.headline(), &text);
    assert_eq!(comment.matches("```").count(), 2, "{comment}");
}
