//! The three parallel styles of Apex-MAP: equal results, the same as a naive re-computation, and rank-centred.

use plusminus::{Problem, Work};
use plusminus_suite::apex_map::parallel::{
    DistributedMemory, ParallelApexMap, Visited, block_copy, message, shared_array,
};
use plusminus_suite::apex_map::{ALPHAS, Access, element};

type Variant = fn(&DistributedMemory, &Access) -> Visited;

const VARIANTS: [(&str, Variant); 3] =
    [("shared_array", shared_array), ("block_copy", block_copy), ("message", message)];

fn memory(point: &str) -> DistributedMemory {
    ParallelApexMap::input(&point.parse().unwrap())
}

#[test]
fn all_styles_agree_at_all_localities_on_1_2_or_3_processors() {
    for p in 1..=3 {
        let memory = memory(&format!("1MiB,p={p},I=8"));
        let instances = VARIANTS.map(|_| ParallelApexMap::instances(&memory));
        for number in (p - 1..170).step_by(3) {
            let outputs: Vec<Visited> = VARIANTS
                .iter()
                .zip(&instances)
                .map(|((name, variant), instances)| {
                    let visited = variant(&memory, &instances[number]);
                    ParallelApexMap::check(&memory, &instances[number], &visited)
                        .unwrap_or_else(|error| panic!("{name} {}: {error}", instances[number]));
                    visited
                })
                .collect();
            assert_eq!(outputs[0], outputs[1], "{}", instances[0][number]);
            assert_eq!(outputs[0], outputs[2], "{}", instances[0][number]);
        }
    }
}

/// From the definition alone: one drand48 for all, rank by rank and α by α; addresses moved by rank·M/p.
#[test]
fn the_sums_are_what_a_naive_re_computation_gives() {
    let (p, part, indices) = (2usize, 1usize << 16, 64);
    let memory = memory("512KiB,p=2,I=64");
    let ring = 1usize << 17;
    let mut state: u128 = (1 << 16) + 0x330E;
    let mut draws = vec![Vec::new(); p * 10];
    for draws in &mut draws {
        for number in 0..ring {
            state = (state * 0x5DEECE66D + 11) % (1 << 48);
            if number < indices {
                draws.push(state as f64 / 2f64.powi(48));
            }
        }
    }
    for access in ParallelApexMap::instances(&memory) {
        let (alpha, length) = (access.locality().alpha, access.locality().block_words);
        let stream = ALPHAS.iter().position(|known| *known == alpha).unwrap();
        let blocks = indices.min((1 << 20) / length);
        let expected: Vec<f64> = (0..p)
            .map(|rank| {
                let mut sum = 0.0;
                for uniform in &draws[rank * 10 + stream][..blocks] {
                    let block = (uniform.powf(1.0 / alpha) * (p * part / length) as f64) as usize;
                    for word in block * length..(block + 1) * length {
                        sum += f64::from(element(0, (word + rank * part) % (p * part)));
                    }
                }
                sum
            })
            .collect();
        assert_eq!(block_copy(&memory, &access).sums, expected, "{access}");
    }
}

#[test]
fn a_small_alpha_stays_in_the_ranks_own_part_and_alpha_1_goes_everywhere() {
    let p = 4;
    let memory = memory("512KiB,p=4,I=4096");
    for access in ParallelApexMap::instances(&memory) {
        if access.locality().block_words != 64 {
            continue;
        }
        let local = (1.0 / p as f64).powf(access.locality().alpha);
        for rank in 0..p {
            let starts: Vec<usize> = memory.starts(&access, 0, rank).collect();
            let own = starts.iter().filter(|start| memory.owner(**start) == rank).count();
            let n = starts.len() as f64;
            let off = (own as f64 - n * local).abs() / (n * local * (1.0 - local)).sqrt();
            assert!(off < 5.0, "{access}, rank {rank}: {own} of {n} in its own part, law {local}");
            assert!(starts.iter().all(|start| start % 64 == 0 && start + 64 <= memory.words()));
        }
    }
}

#[test]
fn calls_may_follow_each_other_in_any_mixture_of_styles() {
    let memory = memory("512KiB,p=3,I=256");
    let instances = ParallelApexMap::instances(&memory);
    let access = &instances[2];
    for round in 0..60 {
        let visited = VARIANTS[round % 3].1(&memory, access);
        assert_eq!(visited.call, round as u64);
        ParallelApexMap::check(&memory, access, &visited).unwrap();
    }
}

#[test]
fn work_and_processors_grow_with_the_point() {
    for (point, p, accesses) in
        [("512KiB,p=1", 1, 32_768.0), ("512KiB,p=2", 2, 65_536.0), ("512KiB,p=2,I=8", 2, 16.0)]
    {
        let parsed = point.parse().unwrap();
        assert_eq!(ParallelApexMap::processors(&parsed), [p]);
        let memory = memory(point);
        let access = &ParallelApexMap::instances(&memory)[0];
        assert_eq!(ParallelApexMap::work(&memory, access), Work::of("accesses", accesses));
    }
}

#[test]
fn a_wrong_sum_names_the_rank() {
    let memory = memory("512KiB,p=2,I=8");
    let access = &ParallelApexMap::instances(&memory)[3];
    let mut visited = message(&memory, access);
    visited.sums[1] += 1.0;
    let error = ParallelApexMap::check(&memory, access, &visited).unwrap_err();
    assert!(error.contains("rank 1"), "{error}");
    visited.sums.pop();
    let error = ParallelApexMap::check(&memory, access, &visited).unwrap_err();
    assert!(error.contains("1 sums for 2 ranks"), "{error}");
}
