//! The two worst faults of an explanation: to blame a function that changes nothing, and to miss the one that does.

use plusminus_analysis::{
    Estimate,
    attribution::attribute,
    random::Random,
    verdict::{Conclusion, Margin, Rule, SequentialVerdict, Verdict},
};

/// The blocks of a program whose true change this is, measured until decided, as the engine does it.
fn measured(random: &mut Random, change: f64, margin: f64, programs: usize) -> Conclusion {
    let rule = Rule {
        margin: Margin::new(margin).unwrap(),
        alpha: 0.001,
        benchmarks: programs,
        ..Rule::default()
    };
    let mut verdict = SequentialVerdict::new(rule).unwrap();
    for _ in 0..60 {
        verdict.push(change.ln_1p() + 0.008 * random.normal()).unwrap();
        if verdict.decision().is_some() {
            break;
        }
    }
    verdict.conclude()
}

/// The relative change, as reports have it.
fn change(conclusion: &Conclusion) -> Estimate {
    let (speedup, sigma) = (conclusion.speedup.unwrap(), conclusion.sigma.unwrap());
    Estimate::known(1.0 / speedup - 1.0, sigma / (speedup * speedup))
}

fn is_blamed(conclusion: &Conclusion) -> bool {
    matches!(conclusion.judgement.verdict, Verdict::Slower | Verdict::Faster)
}

#[test]
fn no_function_is_blamed_for_a_change_that_it_does_not_make() {
    let mut random = Random::new(45);
    let blamed: usize = (0..400)
        .map(|_| (0..6).filter(|_| is_blamed(&measured(&mut random, 0.0, 0.01, 7))).count())
        .sum();
    // 2400 parts in 400 explanations, of which 0.4 may blame any.
    assert!(blamed <= 2, "{blamed}");
}

#[test]
fn the_culprit_is_found_with_its_share_and_the_parts_add_up() {
    let mut random = Random::new(46);
    let (mut found, mut inside, mut agree, tries) = (0, 0, 0, 300);
    for _ in 0..tries {
        let truths = [0.041, 0.008, 0.0, 0.0];
        let whole = change(&measured(&mut random, truths.iter().sum(), 0.01, 5));
        let parts = truths.map(|truth| measured(&mut random, truth, 0.01, 5));
        let changes = parts.each_ref().map(change);
        let split = attribute(whole, &changes).unwrap();
        let largest = (0..4).max_by(|&a, &b| changes[a].value.total_cmp(&changes[b].value));
        found += usize::from(largest == Some(0) && is_blamed(&parts[0]));
        let interval = parts[0].judgement.interval.unwrap();
        inside += usize::from((interval.low..interval.high).contains(&(1.0 / 1.041)));
        agree += usize::from(split.agrees());
        let fractions = split.fractions.unwrap();
        let sum: f64 = fractions.iter().map(|one| one.value).sum();
        assert!((sum - 1.0 + split.rest.value / whole.value).abs() < 1e-9);
    }
    assert_eq!(found, tries);
    assert!(inside >= tries - 2, "{inside}");
    // Two standard uncertainties hold 95 %, and those of a few blocks fewer.
    assert!(agree >= tries * 85 / 100, "{agree}");
}

#[test]
fn what_only_several_parts_cause_together_is_left() {
    let parts = [0.01, 0.02].map(|value| Estimate::known(value, 0.002));
    let split = attribute(Estimate::known(0.10, 0.003), &parts).unwrap();
    assert!((split.rest.value - 0.07).abs() < 1e-12 && !split.agrees());
    assert!(attribute(Estimate::known(0.1, f64::NAN), &parts).is_err());
    assert!(attribute(Estimate::exact(0.0), &parts).unwrap().fractions.is_none());
}
