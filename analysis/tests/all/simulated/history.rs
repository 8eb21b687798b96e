//! Steps on simulated series whose truth is known.

use plusminus_analysis::{
    history::{Link, Point, steps},
    random::Random,
};

/// A series: sessions differ by `between`, points by σ from 0.2 % to 2 %, and levels as given.
fn series(random: &mut Random, levels: &[(usize, f64)], between: f64) -> Vec<Point> {
    let mut points = Vec::new();
    for (count, level) in levels {
        for _ in 0..*count {
            let u = 0.002 + 0.018 * random.uniform();
            let log_time = level + between * random.normal() + u * random.normal();
            points.push(Point { position: points.len(), log_time, u: Some(u) });
        }
    }
    points
}

/// Returns in how many of `series` series without a step something is found at any look while they grow.
fn false_alarms(
    series_count: u64,
    length: usize,
    make: impl Fn(&mut Random) -> Vec<Point>,
) -> usize {
    let alarm = |seed: &u64| {
        let points = make(&mut Random::new(*seed));
        (2..=length).any(|n| !steps(&points[..n], &[], 0.2).unwrap().steps.is_empty())
    };
    (0..series_count).filter(alarm).count()
}

#[test]
fn a_series_without_a_step_raises_no_more_alarms_than_stated() {
    for between in [0.0, 0.03] {
        let found = false_alarms(200, 30, |random| series(random, &[(30, 1.0)], between));
        assert!(found <= 40, "{found} of 200 at α = 0.2, between {between}");
    }
}

#[test]
fn sittings_that_resemble_their_neighbours_raise_no_more_alarms_than_stated() {
    // AR(1) with ρ = 0.5: a machine that is slow for some days.
    let wandering = |random: &mut Random| {
        let mut state = random.normal();
        let point = |position: usize| {
            state = 0.5 * state + 0.75_f64.sqrt() * random.normal();
            Point { position, log_time: 0.03 * state, u: Some(0.005) }
        };
        (0..30).map(point).collect()
    };
    let found = false_alarms(200, 30, wandering);
    assert!(found <= 40, "{found} of 200 at α = 0.2");
}

#[test]
fn a_step_is_found_where_it_is() {
    let mut near = 0;
    for seed in 0..40 {
        let points = series(&mut Random::new(seed), &[(20, 1.0), (20, 1.1)], 0.02);
        let found = steps(&points, &[], 0.05).unwrap();
        assert!(found.steps.len() <= 1, "{:?}", found.steps);
        for step in &found.steps {
            near += usize::from(step.position.abs_diff(20) <= 2);
            assert!(
                step.interval.low > 0.0
                    && step.interval.contains(step.log_change)
                    && step.p <= 0.05
            );
        }
    }
    assert!(near >= 38, "{near} of 40");
}

#[test]
fn a_level_that_did_not_last_is_two_steps() {
    let mut both = 0;
    for seed in 0..30 {
        let levels = [(20, 1.0), (10, 1.15), (20, 1.0)];
        let points = series(&mut Random::new(seed), &levels, 0.01);
        let found = steps(&points, &[], 0.05).unwrap();
        let places: Vec<usize> = found.steps.iter().map(|step| step.position).collect();
        both += usize::from(places == [20, 30]);
        let level = |at: usize| found.levels[at];
        if places == [20, 30] {
            assert!((level(25) - level(5) - 0.15).abs() < 0.03, "{:?}", found.levels);
        }
    }
    assert!(both >= 25, "{both} of 30");
}

#[test]
fn one_odd_sitting_is_no_step() {
    let mut points = series(&mut Random::new(5), &[(30, 1.0)], 0.005);
    points[29].log_time += 0.5;
    assert!(steps(&points, &[], 0.05).unwrap().steps.is_empty());
    points[15].log_time += 0.5;
    assert!(steps(&points, &[], 0.05).unwrap().steps.is_empty());
}

#[test]
fn what_is_known_of_the_spread_between_sittings_is_near_the_truth() {
    let points = series(&mut Random::new(11), &[(200, 1.0)], 0.03);
    let between = steps(&points, &[], 0.05).unwrap().between.unwrap();
    assert!((between - 0.03).abs() < 0.006, "{between}");
    let points = series(&mut Random::new(11), &[(200, 1.0)], 0.0);
    let between = steps(&points, &[], 0.05).unwrap().between.unwrap();
    assert!(between < 0.004, "{between}");
}

#[test]
fn a_link_takes_the_place_of_times() {
    let points = series(&mut Random::new(3), &[(15, 1.0), (15, 1.2)], 0.01);
    assert_eq!(steps(&points, &[], 0.05).unwrap().steps.len(), 1);
    // The pair proves that it was the code: nothing is left to be found, and the level has the step all the same.
    let link = |log_change| Link { after: 14, log_change, u: 0.003 };
    let found = steps(&points, &[link(0.2)], 0.05).unwrap();
    assert_eq!(found.steps, []);
    assert!((found.levels[20] - found.levels[10] - 0.2).abs() < 1e-9, "{:?}", found.levels);
    // The pair proves that the code is the same: the change is the machine's, and none is reported at that place.
    let found = steps(&points, &[link(0.0)], 0.05).unwrap();
    assert!(found.steps.iter().all(|step| step.position != 15), "{:?}", found.steps);
    // Links all along leave nothing to the times.
    let links: Vec<Link> = (0..29).map(|after| Link { after, log_change: 0.0, u: 0.01 }).collect();
    assert_eq!(steps(&points, &links, 0.05).unwrap().steps, []);
}

#[test]
fn a_link_that_says_little_makes_what_is_around_it_less_certain() {
    let points = series(&mut Random::new(3), &[(15, 1.0), (15, 1.2)], 0.01);
    let link = |u| Link { after: 20, log_change: 0.0, u };
    let width = |u| {
        let found = steps(&points, &[link(u)], 0.05).unwrap().steps;
        found.first().map_or(f64::INFINITY, |step| step.interval.width())
    };
    assert!(width(0.0) < width(0.02), "{} {}", width(0.0), width(0.02));
}

#[test]
fn few_odd_and_impossible_numbers() {
    assert_eq!(steps(&[], &[], 0.05).unwrap().levels, [0.0; 0]);
    let equal: Vec<Point> =
        (0..20).map(|position| Point { position, log_time: 2.0, u: None }).collect();
    let found = steps(&equal, &[], 0.05).unwrap();
    assert_eq!((found.steps.len(), found.levels[7]), (0, 2.0));
    // Levels without any noise.
    let exact: Vec<Point> = (0..20)
        .map(|position| Point { position, log_time: f64::from(u8::from(position >= 8)), u: None })
        .collect();
    assert_eq!(steps(&exact, &[], 0.05).unwrap().steps[0].position, 8);
    // All of one place: there is nowhere to change.
    let same: Vec<Point> = exact.iter().map(|point| Point { position: 0, ..*point }).collect();
    assert!(steps(&same, &[], 0.05).unwrap().steps.is_empty());
    let wrong = Point { position: 0, log_time: f64::NAN, u: None };
    assert!(steps(&[wrong], &[], 0.05).is_err());
    assert!(steps(&[equal[1], equal[0]], &[], 0.05).is_err());
    assert!(steps(&[Point { u: Some(-1.0), ..equal[0] }], &[], 0.05).is_err());
    assert!(steps(&equal, &[], 1.0).is_err());
}

#[test]
fn a_long_series_is_searched_at_its_end() {
    let points = series(&mut Random::new(1), &[(600, 1.0), (20, 1.3)], 0.01);
    let found = steps(&points, &[], 0.05).unwrap();
    assert_eq!(found.levels.len(), 620);
    assert_eq!(found.steps.last().map(|step| step.position), Some(600));
}

/// Returns the median number of points after which a step is found that comes after thirty points, in units of the
/// difference between sessions. Nothing within sixty is sixty.
fn points_until_found(size: f64) -> usize {
    let until = |seed: u64| {
        let mut random = Random::new(seed);
        let point = |position: usize| {
            let level = if position < 30 { 0.0 } else { 0.02 * size };
            let log_time = level + 0.02 * random.normal() + 0.005 * random.normal();
            Point { position, log_time, u: Some(0.005) }
        };
        let points: Vec<Point> = (0..90).map(point).collect();
        let is_found = |count: &usize| {
            steps(&points[..30 + count], &[], 0.05)
                .unwrap()
                .steps
                .iter()
                .any(|s| s.log_change > 0.0)
        };
        (1..60).find(is_found).unwrap_or(60)
    };
    let mut found: Vec<usize> = (0..21).map(until).collect();
    found.sort_unstable();
    found[10]
}

#[test]
fn a_large_step_is_found_within_a_few_points() {
    let found = [5.0, 3.0, 2.0].map(points_until_found);
    // docs/how-to/history.md quotes these.
    assert_eq!(found, [3, 9, 22]);
}
