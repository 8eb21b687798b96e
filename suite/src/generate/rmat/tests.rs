//! Tests of the Kronecker generator: lists of the reference implementation, edge for edge.

use super::*;

/// FNV-1a.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The hash of the ends and the bits of the weights, as 32-bit little-endian words.
fn fingerprint(edges: &EdgeList<f32>) -> u64 {
    let words = edges.edges().iter().flat_map(|&(u, v, w)| [u, v, w.to_bits()]);
    hash(words.flat_map(u32::to_le_bytes))
}

fn reference(scale: u32, first: u64, second: u64) -> u64 {
    assert_eq!(first.wrapping_add(1), second);
    fingerprint(&Rmat::graph500(scale, Seed(first)).with_unit_weights())
}

/// Values printed by the Graph500 reference implementation (3.0) for these scales and user seeds.
#[test]
fn edges_are_those_of_the_reference_implementation() {
    let list = Rmat::graph500(10, Seed(2)).with_unit_weights();
    assert_eq!(list.edges()[0], (299, 797, 0.490_170_42));
    assert_eq!(list.edges()[16_383], (206, 55, 0.848_867_83));
    assert_eq!(reference(10, 2, 3), 0xbe46_90a6_2a09_0a4a);
    assert_eq!(reference(7, 101, 102), 0x56ef_9d7b_873c_8036);
    assert_eq!(reference(16, 2, 3), 0x7579_e27c_37c8_e2b2);
}

/// Values printed by the generator of the reference implementation (3.0), ends as 48-bit numbers: ends as 64-bit words,
/// weights as 32-bit ones. Seeds 2 and 3.
#[test]
fn edges_of_large_scales_are_those_of_the_reference_implementation() {
    for (scale, start, count, expected) in [
        (10, 0, 1 << 14, 0x74c0_7d6d_db7d_bdba_u64),
        (33, 0, 4_096, 0xc8db_8fa6_f9f5_3618),
        (40, 12_345, 40_000, 0x2426_5945_5fe6_f897),
        (48, 1 << 50, 4_096, 0xd0e7_188c_a0ad_cb58),
    ] {
        let rmat = Rmat::graph500(scale, Seed(2));
        let part = rmat.weighted_part_as::<f32, u64>(start..start + count, 1);
        let bytes = part.edges().iter().flat_map(|&(from, to, weight)| {
            let ends = [from, to].into_iter().flat_map(u64::to_le_bytes);
            ends.chain(weight.to_bits().to_le_bytes())
        });
        assert_eq!(hash(bytes), expected, "scale {scale}");
    }
}

#[test]
fn the_width_of_vertices_does_not_change_the_list() {
    let rmat = Rmat::with_edge_factor(9, 5, Seed(7));
    let wide = rmat.with_unit_weights_as::<u64>();
    let narrow = rmat.with_unit_weights();
    let widened = narrow.edges().iter().map(|&(u, v, w)| (u64::from(u), u64::from(v), w));
    assert!(wide.edges().iter().copied().eq(widened));
}

#[test]
#[should_panic(expected = "a vertex has 32 bits")]
fn vertices_must_hold_the_scale() {
    let _ = Rmat::graph500(33, Seed(2)).weighted_part::<f32>(0..1, 1);
}

#[test]
fn parts_are_those_of_the_whole_list() {
    let rmat = Rmat::graph500(11, Seed(3));
    let whole = rmat.weighted(255);
    for part in [0..0, 0..1, 5..7, 1..32_768, 100..32_768, 32_767..32_768] {
        let expected = &whole.edges()[part.start as usize..part.end as usize];
        assert_eq!(rmat.weighted_part(part, 255).edges(), expected);
    }
}

#[test]
fn renaming_is_a_bijection() {
    for scale in [1, 2, 7, 12] {
        let scrambler = Scrambler::new(&Mrg::new(Seed(5)), scale);
        let mut seen = vec![false; 1 << scale];
        for v in 0..1 << scale {
            let (from, to) = scrambler.rename((v, 0));
            assert_eq!((to, from), scrambler.rename((0, v)), "an end depends on the other one");
            seen[from as usize] = true;
        }
        assert!(seen.iter().all(|&s| s), "scale {scale}");
    }
}

#[test]
fn quadrants_are_those_of_remainders() {
    let of_remainder = |draw: u32| match draw % WHOLE {
        0..1_900 => 1,
        1_900..3_800 => 2,
        3_800..9_500 => 0,
        _ => 3,
    };
    let last = 0x7FFF_FFFE;
    let spread = (0..4_000_000u32).map(|i| i.wrapping_mul(0x9E37_79B1) >> 1);
    for draw in (0..30_000).chain(last - 30_000..=last).chain(spread) {
        assert_eq!(quadrant(draw), of_remainder(draw), "{draw}");
    }
}
