//! Twelve kernels of different kinds, the work of each in proportion to a number that a variable sets: a slowdown of
//! known size that needs no other machine code.

use std::{
    collections::{BTreeMap, HashMap},
    env,
    fmt::Write,
    hash::{DefaultHasher, Hasher},
    hint::black_box,
};

use plusminus::{Bencher, bench};

/// The variable with the percentage of their work that the kernels do.
pub(super) const WORK: &str = "PLUSMINUS_LAB_WORK";

/// So much of `base` as the variable asks for; `base` is a multiple of 100, so that every percent is a whole number.
fn sized(base: usize) -> usize {
    let percent = env::var(WORK).ok().and_then(|percent| percent.parse().ok());
    base / 100 * percent.unwrap_or(100)
}

/// Numbers without an order, the same in every process.
fn numbers(count: usize) -> Vec<u64> {
    let mut x = 88_172_645_463_325_252_u64;
    let next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// The same hundred pieces again and again, `count` in all, so that more of them are more of the same.
fn repeated<T: Clone>(pieces: &[T], count: usize) -> Vec<T> {
    pieces.iter().cycle().take(count).cloned().collect()
}

/// Multiply-adds that each need the one before.
#[bench]
fn chain(bencher: Bencher<'_>) {
    let steps = sized(20_000);
    bencher.bench(|| {
        (0..black_box(steps)).fold(1_u64, |x, _| {
            black_box(x).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1)
        })
    });
}

/// The standard library's hash of bytes.
#[bench]
fn hash_sip(bencher: Bencher<'_>) {
    let bytes = vec![0x5a_u8; sized(20_000)];
    bencher.bench(move || {
        let mut hasher = DefaultHasher::new();
        hasher.write(black_box(&bytes));
        hasher.finish()
    });
}

/// A hash of a byte at a time.
#[bench]
fn hash_bytewise(bencher: Bencher<'_>) {
    let bytes = vec![0x5a_u8; sized(20_000)];
    bencher.bench(move || {
        black_box(&bytes).iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    });
}

/// Integers as text, each a `String` of its own.
#[bench]
fn format_integers(bencher: Bencher<'_>) {
    let numbers = repeated(&numbers(100), sized(200));
    bencher.bench(move || {
        black_box(&numbers)
            .iter()
            .map(|number| format!("{number:08x}-{number}").len())
            .sum::<usize>()
    });
}

/// Floating-point numbers as text, in one buffer.
#[bench]
fn format_floats(bencher: Bencher<'_>) {
    let numbers: Vec<f64> = numbers(100).iter().map(|&number| number as f64 / 1e17).collect();
    let numbers = repeated(&numbers, sized(200));
    let mut text = String::new();
    bencher.bench(move || {
        text.clear();
        for number in black_box(&numbers) {
            let _ = write!(text, "{number:.6};");
        }
        text.len()
    });
}

/// A derived `Debug`, of which each part is a call through a trait object.
#[bench]
fn format_debug(bencher: Bencher<'_>) {
    #[derive(Debug, Clone)]
    #[allow(dead_code)]
    struct Item {
        name: &'static str,
        number: u64,
        place: (u32, Option<u32>),
    }
    let item = |number: &u64| Item {
        name: "item \"of\" many",
        number: *number,
        place: (*number as u32, number.is_multiple_of(2).then_some(7)),
    };
    let items: Vec<Item> = numbers(100).iter().map(item).collect();
    let items = repeated(&items, sized(200));
    bencher.bench(move || {
        black_box(&items).iter().map(|item| format!("{item:?}").len()).sum::<usize>()
    });
}

/// Integers from text.
#[bench]
fn parse_integers(bencher: Bencher<'_>) {
    let texts: Vec<String> = numbers(100).iter().map(u64::to_string).collect();
    let texts = repeated(&texts, sized(400));
    bencher.bench(move || {
        black_box(&texts)
            .iter()
            .filter_map(|text| text.parse::<u64>().ok())
            .fold(0, |sum, n| sum ^ n)
    });
}

/// Floating-point numbers from text.
#[bench]
fn parse_floats(bencher: Bencher<'_>) {
    let texts: Vec<String> =
        numbers(100).iter().map(|&number| format!("{:.9}", number as f64 / 1e17)).collect();
    let texts = repeated(&texts, sized(400));
    bencher.bench(move || {
        black_box(&texts).iter().filter_map(|text| text.parse::<f64>().ok()).sum::<f64>()
    });
}

/// Sorts of fifty numbers, each from the same disorder.
#[bench]
fn sort(bencher: Bencher<'_>) {
    let pieces: Vec<Vec<u64>> = numbers(5_000).chunks(50).map(<[u64]>::to_vec).collect();
    let pieces = repeated(&pieces, sized(100));
    let mut scratch = Vec::new();
    bencher.bench(move || {
        black_box(&pieces).iter().fold(0, |sum, piece| {
            scratch.clear();
            scratch.extend_from_slice(piece);
            scratch.sort_unstable();
            sum ^ scratch[0]
        })
    });
}

/// Keys looked up in a tree of ten thousand.
#[bench]
fn tree(bencher: Bencher<'_>) {
    let tree: BTreeMap<u64, u64> = numbers(10_000).into_iter().map(|n| (n, n)).collect();
    // In an order of their own: neighbors in the tree would cost less.
    let keys = repeated(&numbers(100), sized(400));
    bencher.bench(move || {
        keys.iter().filter_map(|key| tree.get(black_box(key))).fold(0, |sum, n| sum ^ n)
    });
}

/// Keys looked up in a hash map of a thousand.
#[bench]
fn map(bencher: Bencher<'_>) {
    let map: HashMap<u64, u64> = numbers(1_000).into_iter().map(|n| (n, n)).collect();
    let keys = repeated(&numbers(100), sized(400));
    bencher.bench(move || {
        keys.iter().filter_map(|key| map.get(black_box(key))).fold(0, |sum, n| sum ^ n)
    });
}

/// Allocations of some kilobytes, written and freed.
#[bench]
fn allocate(bencher: Bencher<'_>) {
    let count = sized(100);
    bencher.bench(move || {
        (0..black_box(count)).fold(0, |sum, _| sum + usize::from(black_box(vec![1_u8; 4096])[17]))
    });
}
