//! The micro-kernels: every variant passes its check, every check can fail, and work is counted rightly.

use plusminus::Problem;
use plusminus_suite::Bytes;
use plusminus_suite::micro::*;

/// Runs every variant on every instance of a point several times and checks each output.
fn all_pass<P: Problem>(point: &P::Point, variants: &[(&str, Variant<P>)]) {
    let input = P::input(point);
    for (name, variant) in variants {
        for instance in P::instances(&input) {
            for _ in 0..3 {
                let output = variant(&input, &instance);
                P::check(&input, &instance, &output)
                    .unwrap_or_else(|error| panic!("{name} {point} {instance}: {error}"));
            }
        }
    }
}

type Variant<P> = fn(&<P as Problem>::Input, &<P as Problem>::Instance) -> <P as Problem>::Output;

#[test]
fn streaming_is_right_on_one_and_on_all_processors() {
    // The last size is no multiple of the number of threads.
    for size in [8, 256 << 10, 8 * 1001] {
        all_pass::<Bandwidth>(
            &Bytes(size),
            &[("one", stream_on_one), ("all", stream_on_all_processors)],
        );
    }
}

#[test]
fn a_wrong_word_and_a_wrong_sum_are_found() {
    let arrays = Bandwidth::input(&Bytes(8192));
    let streamed = stream_on_one(&arrays, &Operation::Triad);
    arrays.written()[1023] += 1.0;
    let error = Bandwidth::check(&arrays, &Operation::Triad, &streamed).unwrap_err();
    assert!(error.contains("triad: word 1023"), "{error}");
    assert!(Bandwidth::check(&arrays, &Operation::Sum, &Streamed::Sum(1.0)).is_err());
    assert!(Bandwidth::check(&arrays, &Operation::Sum, &Streamed::Written).is_err());
    // The output of one operation does not pass for that of a different one.
    stream_on_one(&arrays, &Operation::Add);
    assert!(Bandwidth::check(&arrays, &Operation::Triad, &Streamed::Written).is_err());
}

#[test]
fn streaming_counts_the_bytes_that_the_operation_names() {
    let arrays = Bandwidth::input(&Bytes(4096));
    let bytes: Vec<f64> = Bandwidth::instances(&arrays)
        .iter()
        .map(|operation| Bandwidth::work(&arrays, operation).counts()[0].1)
        .collect();
    assert_eq!(bytes, [4096.0, 8192.0, 8192.0, 12288.0, 12288.0]);
}

#[test]
fn random_reads_are_right_for_sets_smaller_and_larger_than_a_call() {
    for size in [128, 16 << 10, 4 << 20] {
        all_pass::<RandomReads>(&Bytes(size), &[("random_reads", random_reads)]);
    }
}

/// A chase that stayed in a short cycle would measure a cache, whatever the working set.
#[test]
fn dependent_reads_visit_every_line_once_before_they_return() {
    let cycle = RandomReads::input(&Bytes(1 << 20));
    let dependent = &RandomReads::instances(&cycle)[1];
    assert_eq!(dependent.order(), Order::Dependent);
    let calls = cycle.lines() / 4096;
    let ends: Vec<u64> = (0..2 * calls).map(|_| random_reads(&cycle, dependent).found).collect();
    assert_eq!(ends[..calls], ends[calls..]);
    let distinct: std::collections::HashSet<_> = ends.iter().collect();
    assert_eq!(distinct.len(), calls);
}

#[test]
fn wrong_reads_are_found() {
    let cycle = RandomReads::input(&Bytes(16 << 10));
    for order in RandomReads::instances(&cycle) {
        let mut reads = random_reads(&cycle, &order);
        reads.found ^= 1;
        let error = RandomReads::check(&cycle, &order, &reads).unwrap_err();
        assert!(error.contains("from number 0"), "{error}");
    }
}

#[test]
fn working_sets_grow_from_a_first_cache_to_apex_maps_memory() {
    let names: Vec<String> =
        RandomReads::sweep().into_iter().map(|size| size.to_string()).collect();
    assert_eq!(
        names,
        ["16KiB", "64KiB", "256KiB", "1MiB", "4MiB", "16MiB", "64MiB", "256MiB", "512MiB"]
    );
}

#[test]
fn round_trips_bring_the_words_that_were_asked_for() {
    all_pass::<RoundTrip>(&Pair, &[("polling", polling), ("blocking", blocking)]);
    let server = RoundTrip::input(&Pair);
    let names: Vec<String> =
        RoundTrip::instances(&server).iter().map(ToString::to_string).collect();
    assert_eq!(names, ["8B", "128B", "2KiB", "32KiB", "512KiB"]);
    let wrong = Answered { last_words: -1.0 };
    assert!(RoundTrip::check(&server, &Bytes(8), &wrong).is_err());
}

#[test]
fn phases_run_every_task_on_teams_of_any_size() {
    for size in [1, 2, 3, 5] {
        all_pass::<ForkJoin>(&TeamSize(size), &[("join", join), ("scope", scope)]);
        all_pass::<PhaseBarrier>(&TeamSize(size), &[("standard", standard_barrier)]);
    }
    let team = ForkJoin::input(&TeamSize(2));
    assert!(ForkJoin::check(&team, &Phases(256), &511).is_err());
    assert!(PhaseBarrier::check(&team, &Phases(256), &vec![256]).is_err());
    assert!(PhaseBarrier::check(&team, &Phases(256), &vec![100, 155]).is_err());
}
