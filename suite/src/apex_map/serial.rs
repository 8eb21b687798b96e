//! Apex-MAP on one processor as a problem: its input, its check, and the four variants.

use std::sync::Mutex;

use plusminus::{Problem, Work};
use plusminus_macros::bench;

use super::access::Access;
use super::data::{Arrays, Destination, element};
use super::drand48::Drand48;
use super::kernels::{self, with_constants};
use super::locality::ALPHAS;
use super::parameters::{self, MAX_ACCESSES, MAX_INDICES, Parameters, SEED};
use super::stream::{Blocks, IndexStream};
use crate::inputs::{SEED_VARIABLE, seed_of_environment};

/// The variable that replaces the default points.
const POINTS_VARIABLE: &str = "PLUSMINUS_APEX_MAP";

/// Accesses with given temporal and spatial locality: the mean time of one is the measurand.
///
/// A point fixes the memory, by default 64 MiB and then 512 MiB; its 170 instances are the paper's 10 α × 17 L, so
/// that the memory is filled once for all of them. The variable `PLUSMINUS_APEX_MAP` replaces the points by others,
/// separated by semicolons, as in `PLUSMINUS_APEX_MAP="16MiB;64MiB,R=4,CI=2"`. `seed=7` in a point, or `PLUSMINUS_SUITE_SEED=7` for
/// all that have none, draws other addresses.
///
/// Every page is written before the first call. The size of a page depends on the machine. With pages of 4 KiB a
/// visit to a random place of 512 MiB pays for a miss of the translation cache and of the data caches. Under glibc
/// 2.35 or newer, `GLIBC_TUNABLES=glibc.malloc.hugetlb=1` in the environment asks for huge pages.
pub struct ApexMap;

impl Problem for ApexMap {
    type Point = Parameters;
    type Input = Memory;
    type Instance = Access;
    type Output = Accessed;

    /// # Panics
    /// When `PLUSMINUS_APEX_MAP` is set to something that is no list of points.
    fn sweep() -> impl IntoIterator<Item = Parameters> {
        let seed = usual_seed();
        let seeded = move |point: Parameters| match point.seed() {
            SEED => point.with_seed(seed),
            _ => point,
        };
        points(POINTS_VARIABLE, &["64MiB", "512MiB"]).into_iter().map(seeded)
    }

    /// The memory in words.
    fn size(point: &Parameters) -> Option<f64> {
        Some(point.words() as f64)
    }

    fn models() -> &'static [&'static str] {
        &[super::MODEL]
    }

    fn input(point: &Parameters) -> Memory {
        Memory::new(*point)
    }

    fn instances(_: &Memory) -> Vec<Access> {
        Access::sweep()
    }

    fn check(memory: &Memory, access: &Access, accessed: &Accessed) -> Result<(), String> {
        memory.check(access, accessed)
    }

    fn work(memory: &Memory, access: &Access) -> Work {
        Work::of("accesses", memory.accesses(access) as f64)
    }
}

/// The seed of points that name none: the one that the environment asks for, or else the original's.
///
/// # Panics
/// When the environment asks for more than 32 bits, which is what the generator takes.
pub(super) fn usual_seed() -> u32 {
    let Some(asked) = seed_of_environment() else { return SEED };
    parameters::seed(&asked.to_string()).unwrap_or_else(|error| panic!("{SEED_VARIABLE}: {error}"))
}

/// Reads the points of a sweep from a variable, or takes the default ones.
pub(super) fn points<P>(variable: &str, defaults: &[impl AsRef<str>]) -> Vec<P>
where
    P: std::str::FromStr,
    P::Err: std::fmt::Display,
{
    let parse = |text: &str| text.trim().parse().unwrap_or_else(|error| panic!("{error}"));
    match std::env::var(variable) {
        Ok(list) => list
            .split(';')
            .map(|text| {
                text.trim().parse().unwrap_or_else(|error| panic!("{variable} is wrong: {error}"))
            })
            .collect(),
        Err(std::env::VarError::NotPresent) => {
            defaults.iter().map(|text| parse(text.as_ref())).collect()
        }
        Err(error) => panic!("{variable} cannot be read: {error}"),
    }
}

/// The memory of a point, and the addresses to visit in it.
#[derive(Debug)]
pub struct Memory {
    parameters: Parameters,
    arrays: Arrays,
    streams: Vec<IndexStream>,
    destination: Mutex<Destination>,
}

impl Memory {
    fn new(parameters: Parameters) -> Self {
        let r = parameters.register_pressure();
        let array_words = parameters.words() / r;
        let mut random = Drand48::new(parameters.seed());
        let streams = ALPHAS
            .iter()
            .map(|alpha| IndexStream::new(*alpha, array_words, MAX_INDICES, &mut random))
            .collect();
        let longest = (parameters.indices() * super::BLOCK_WORDS[16]).min(MAX_ACCESSES);
        let destination = Destination { call: u64::MAX, words: vec![-1.0; r * longest] };
        Self {
            parameters,
            arrays: Arrays::new(r, array_words),
            streams,
            destination: Mutex::new(destination),
        }
    }

    /// The parameters that it was built for.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The addresses of each α, in the order of [`ALPHAS`].
    pub fn streams(&self) -> &[IndexStream] {
        &self.streams
    }

    /// Returns the last output of the array forms.
    ///
    /// # Panics
    /// When it is being written.
    pub fn destination(&self) -> std::sync::MutexGuard<'_, Destination> {
        self.destination.try_lock().expect(
            "the array forms of Apex-MAP write one destination for the whole process: \
             measure them without the option `threads`",
        )
    }

    /// The blocks that a call visits.
    #[inline]
    pub fn blocks(&self, access: &Access, call: u64) -> Blocks<'_> {
        let block_words = access.locality().block_words;
        self.streams[access.stream()].blocks(call, self.parameters.blocks(block_words), block_words)
    }

    /// Words that a call visits in all arrays together: B·R.
    pub fn accesses(&self, access: &Access) -> usize {
        let block_words = access.locality().block_words;
        self.parameters.blocks(block_words) * block_words * self.parameters.register_pressure()
    }

    /// Returns the required gain of sum `r` at a word, times 2^CI: whole numbers from [`element`], not from memory.
    fn expected(&self, r: usize, word: usize) -> u64 {
        let ci = self.parameters.computational_intensity();
        (0..ci)
            .map(|depth| {
                let array = (r + depth) % self.parameters.register_pressure();
                u64::from(element(array, word)) << (ci - 1 - depth)
            })
            .sum()
    }

    fn check(&self, access: &Access, accessed: &Accessed) -> Result<(), String> {
        let scale = (1u64 << self.parameters.computational_intensity()) as f64;
        let block_words = access.locality().block_words;
        let blocks = self.blocks(access, accessed.call);
        let words = blocks.starts().flat_map(|start| start..start + block_words);
        match accessed.kept {
            Kept::Sum(sum) => {
                let pressure = self.parameters.register_pressure();
                let expected: u64 = words
                    .map(|word| (0..pressure).map(|r| self.expected(r, word)).sum::<u64>())
                    .sum();
                let expected = expected as f64 / scale;
                if sum == expected {
                    Ok(())
                } else {
                    let call = accessed.call;
                    Err(format!("call {call}: the sum is {sum}, but must be {expected}"))
                }
            }
            Kept::Array => {
                let destination = self.destination();
                if destination.call != accessed.call {
                    return Err(format!(
                        "the destination holds call {}, not call {}: check an output before the next call",
                        destination.call, accessed.call
                    ));
                }
                let length = blocks.len() * block_words;
                for (number, word) in words.enumerate() {
                    for r in 0..self.parameters.register_pressure() {
                        let found = destination.words[r * length + number];
                        let expected = self.expected(r, word) as f64 / scale;
                        if found != expected {
                            return Err(format!(
                                "call {}: access {number} of array {r} (word {word}) stored {found}, not {expected}",
                                accessed.call
                            ));
                        }
                    }
                }
                Ok(())
            }
        }
    }
}

/// The result of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accessed {
    /// Which call of its instance it was, from 0: it decides which blocks were visited.
    pub call: u64,
    /// The kept values.
    pub kept: Kept,
}

/// The values that a call keeps of the visited words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kept {
    /// The sum over all arrays.
    Sum(f64),
    /// Every value, in the memory's [`Destination`].
    Array,
}

/// Loads, nested loops, a running sum: the original's default form.
#[bench(problem = ApexMap, baseline)]
pub fn nested_scalar(memory: &Memory, access: &Access) -> Accessed {
    let call = access.next_call();
    let blocks = memory.blocks(access, call);
    let block_words = access.locality().block_words;
    let sum =
        with_constants!(nested_scalar, memory.parameters, (&memory.arrays, blocks, block_words));
    Accessed { call, kept: Kept::Sum(sum) }
}

/// Loads, one fused loop, a running sum.
#[bench(problem = ApexMap)]
pub fn fused_scalar(memory: &Memory, access: &Access) -> Accessed {
    let call = access.next_call();
    let blocks = memory.blocks(access, call);
    let block_words = access.locality().block_words;
    let sum =
        with_constants!(fused_scalar, memory.parameters, (&memory.arrays, blocks, block_words));
    Accessed { call, kept: Kept::Sum(sum) }
}

/// Loads and stores, nested loops: every value goes into an array.
///
/// # Panics
/// When two threads call it at once on the same memory.
#[bench(problem = ApexMap)]
pub fn nested_array(memory: &Memory, access: &Access) -> Accessed {
    let call = access.next_call();
    let blocks = memory.blocks(access, call);
    let block_words = access.locality().block_words;
    let mut destination = memory.destination();
    destination.call = call;
    let words = &mut destination.words[..memory.accesses(access)];
    with_constants!(nested_array, memory.parameters, (&memory.arrays, blocks, block_words, words));
    Accessed { call, kept: Kept::Array }
}

/// Loads and stores, one fused loop: every value goes into an array.
///
/// # Panics
/// When two threads call it at once on the same memory.
#[bench(problem = ApexMap)]
pub fn fused_array(memory: &Memory, access: &Access) -> Accessed {
    let call = access.next_call();
    let blocks = memory.blocks(access, call);
    let block_words = access.locality().block_words;
    let mut destination = memory.destination();
    destination.call = call;
    let words = &mut destination.words[..memory.accesses(access)];
    with_constants!(fused_array, memory.parameters, (&memory.arrays, blocks, block_words, words));
    Accessed { call, kept: Kept::Array }
}
