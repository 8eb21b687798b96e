//! The index stream of Apex-MAP against its law P(X < c) = (c/M)^α, and against independent re-computations.

use plusminus::Problem;
use plusminus_suite::apex_map::{ALPHAS, ApexMap, Drand48, IndexStream, Memory};
use proptest::prelude::*;

/// Words of the spans under test: 16 MiB.
const SPAN: usize = 1 << 21;
const DRAWS: usize = 1 << 17;

/// Whether `hits` of `trials` is what a probability `p` allows, by the bound of Chernoff and Hoeffding:
/// P(at least this far off) ≤ 2·exp(−n·KL(hits/n, p)). False for one in a million of right streams.
fn allowed(hits: usize, trials: usize, p: f64) -> bool {
    let n = trials as f64;
    let share = hits as f64 / n;
    let part = |q: f64, p: f64| if q == 0.0 { 0.0 } else { q * (q / p).ln() };
    let divergence = part(share, p) + part(1.0 - share, 1.0 - p);
    n * divergence <= (2.0f64 / 1e-6).ln()
}

fn stream(alpha: f64) -> IndexStream {
    IndexStream::new(alpha, SPAN, DRAWS, &mut Drand48::new(7))
}

fn addresses(stream: &IndexStream, lap: u64) -> Vec<usize> {
    stream.blocks(lap, DRAWS, 1).starts().collect()
}

fn below(addresses: &[usize], c: usize) -> usize {
    addresses.iter().filter(|address| **address < c).count()
}

#[test]
fn every_alpha_follows_its_law_over_twelve_octaves() {
    for alpha in ALPHAS {
        let drawn = addresses(&stream(alpha), 0);
        for octave in 0..12 {
            // Both a power of two and a place between two of them.
            for c in [SPAN >> (octave + 1), (SPAN >> (octave + 1)) * 11 / 8 + 1] {
                let p = (c as f64 / SPAN as f64).powf(alpha);
                let hits = below(&drawn, c);
                assert!(allowed(hits, DRAWS, p), "α={alpha} c={c}: {hits} of {DRAWS}, law {p}");
            }
        }
    }
}

/// The test above is worth nothing if another law passes it.
#[test]
fn another_alpha_is_noticed() {
    for alpha in ALPHAS {
        let drawn = addresses(&stream(alpha), 0);
        for wrong in [alpha * 1.25, alpha * 0.8] {
            let noticed = (1..=12).any(|octave| {
                let c = SPAN >> octave;
                let p = (c as f64 / SPAN as f64).powf(wrong);
                !allowed(below(&drawn, c), DRAWS, p)
            });
            assert!(noticed, "a stream of α={alpha} passes for α={wrong}");
        }
    }
}

#[test]
fn a_turn_keeps_the_law_exactly_at_powers_of_two_and_nearly_between_them() {
    for alpha in ALPHAS {
        let stream = stream(alpha);
        let first = addresses(&stream, 0);
        let laps = 4;
        let mut hits = [0; 12];
        for lap in 1..=laps {
            let turned = addresses(&stream, lap);
            for octave in 0..=21 {
                let c = SPAN >> octave;
                assert_eq!(below(&turned, c), below(&first, c), "α={alpha} lap {lap} c={c}");
            }
            for (octave, hits) in hits.iter_mut().enumerate() {
                *hits += below(&turned, (SPAN >> (octave + 1)) * 23 / 16 + 1);
            }
        }
        // Between the cells' boundaries, laps share the draws: the ring's own share is the reference.
        for (octave, hits) in hits.iter().enumerate() {
            let half = SPAN >> (octave + 1);
            let mean = *hits as f64 / laps as f64;
            let (low, high) = (below(&first, half * 11 / 8), below(&first, half * 12 / 8));
            assert!(low as f64 <= mean && mean <= high as f64, "α={alpha} octave {octave}: {mean}");
        }
    }
}

#[test]
fn a_second_lap_finds_other_cache_lines() {
    let stream = stream(1.0);
    let lines = |lap| -> std::collections::HashSet<usize> {
        addresses(&stream, lap).into_iter().map(|address| address / 8).collect()
    };
    let (first, second) = (lines(0), lines(1));
    let share = first.intersection(&second).count() as f64 / second.len() as f64;
    // As many as two independent laps share: each line is in the first with probability 1 − exp(−draws/lines).
    let expected = 1.0 - (-(DRAWS as f64) / (SPAN / 8) as f64).exp();
    assert!((share - expected).abs() < 0.02, "{share} of the lines again, {expected} expected");
}

fn small() -> Memory {
    ApexMap::input(&"8MiB".parse().unwrap())
}

#[test]
fn accesses_below_c_follow_the_hit_rate_law_for_all_block_lengths() {
    let memory = small();
    let span = memory.parameters().words();
    for access in ApexMap::instances(&memory) {
        let locality = access.locality();
        let starts: Vec<usize> = (0..8)
            .flat_map(|call| memory.blocks(&access, call).starts().collect::<Vec<_>>())
            .collect();
        for c in (1..=12).map(|octave| span >> octave).filter(|c| *c >= locality.block_words) {
            // Of each block, the words that lie below c.
            let accesses_below: usize =
                starts.iter().map(|start| c.saturating_sub(*start).min(locality.block_words)).sum();
            assert_eq!(
                accesses_below % locality.block_words,
                0,
                "{locality}: a block straddles {c}"
            );
            let p = (c as f64 / span as f64).powf(locality.alpha);
            let hits = accesses_below / locality.block_words;
            assert!(allowed(hits, starts.len(), p), "{locality} c={c}: {hits}, law {p}");
        }
    }
}

/// The stream again, from POSIX's definition of drand48 and the law alone.
#[test]
fn the_streams_are_what_the_definition_gives() {
    let memory = small();
    let span = memory.parameters().words() as f64;
    let mut state: u128 = (1 << 16) + 0x330E;
    for (alpha, stream) in ALPHAS.iter().zip(memory.streams()) {
        for (number, found) in stream.blocks(0, stream.len(), 64).starts().enumerate() {
            state = (state * 0x5DEECE66D + 11) % (1 << 48);
            let uniform = state as f64 / 2f64.powi(48);
            let block = (uniform.powf(1.0 / alpha) * span / 64.0).floor() as usize;
            assert_eq!(found, 64 * block, "α={alpha}, draw {number}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn blocks_are_aligned_and_inside_whatever_the_span(
        alpha in 0.001f64..=1.0,
        block_shift in 0u32..10,
        blocks in 1usize..5000,
        lap in 0u64..1_000_000,
        seed: u32,
    ) {
        let block_words = 1usize << block_shift;
        let span = blocks * block_words;
        let stream = IndexStream::new(alpha, span, 256, &mut Drand48::new(seed));
        let laps = [0, lap].map(|lap| stream.blocks(lap, 256, block_words));
        for (first, later) in laps[0].starts().zip(laps[1].starts()) {
            prop_assert_eq!(later % block_words, 0);
            prop_assert!(later + block_words <= span);
            prop_assert_eq!(first.checked_ilog2(), later.checked_ilog2());
        }
    }

    #[test]
    fn calls_walk_through_the_ring_in_order(shift in 0u32..9, lap in 0u64..100) {
        let stream = IndexStream::new(0.5, 1 << 16, 256, &mut Drand48::new(3));
        let count = 256usize >> shift;
        let whole: Vec<usize> = stream.blocks(lap, 256, 4).starts().collect();
        let calls = 256 / count as u64;
        let parts: Vec<usize> = (0..calls)
            .flat_map(|call| stream.blocks(lap * calls + call, count, 4).starts().collect::<Vec<_>>())
            .collect();
        prop_assert_eq!(parts, whole);
    }
}
