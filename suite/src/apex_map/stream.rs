//! Where blocks start: a ring of addresses drawn once for each α, and the turns that keep a second lap from
//! finding the cache as the first one left it.

use super::drand48::{Drand48, scramble};

/// One drawn address and the bits of it that a turn may change.
#[derive(Debug, Clone, Copy)]
struct Drawn {
    /// A word number, not yet rounded down to a block.
    address: u32,
    /// The low bits that a turn may flip: they never leave the eighth of an octave that the address lies in.
    free: u32,
}

/// The addresses of one α: `floor(span · U^(1/α))`, drawn once and walked again and again.
///
/// A second walk along the same ring would find the addresses of the first lap in the cache, although α = 1 asks for
/// memory. The original draws afresh before every repetition; doing so here would put the drawing into the timed
/// window. Instead, each lap after the first flips the low bits of all addresses by another pattern. Only bits that
/// keep the address within its eighth of an octave are flipped. So P(X < c) = (c/span)^α stays exact at every
/// boundary of these cells, all powers of two among them. Between them it is off by less than 2 % of one cell's mass.
/// The price is two one-cycle instructions for each block.
#[derive(Debug, Clone)]
pub struct IndexStream {
    ring: Vec<Drawn>,
}

impl IndexStream {
    /// Draws a ring of `length` addresses below `span` words.
    ///
    /// # Panics
    /// When α is not in (0, 1], the span not in 1..=2³², or the length is no power of two.
    pub fn new(alpha: f64, span_words: usize, length: usize, random: &mut Drand48) -> Self {
        assert!(alpha > 0.0 && alpha <= 1.0, "α must be in (0, 1], not {alpha}");
        assert!(length.is_power_of_two(), "the ring's length must be a power of two, not {length}");
        assert!(
            (1..=1u64 << 32).contains(&(span_words as u64)),
            "the span must be 1 to 2^32 words, not {span_words}"
        );
        let ring = (0..length).map(|_| draw(alpha, span_words, random)).collect();
        Self { ring }
    }

    /// How many addresses there are before a lap is over.
    pub fn len(&self) -> usize {
        self.ring.len()
    }

    /// Whether there are no addresses; never so.
    pub fn is_empty(&self) -> bool {
        self.ring.is_empty()
    }

    /// The blocks that call number `call` visits: the next `count` addresses of the ring, aligned to blocks.
    ///
    /// # Panics
    /// When `block_words` is no power of two, or `count` does not divide the ring.
    pub fn blocks(&self, call: u64, count: usize, block_words: usize) -> Blocks<'_> {
        assert!(block_words.is_power_of_two(), "L must be a power of two, not {block_words}");
        assert!(
            count > 0 && self.ring.len().is_multiple_of(count),
            "{count} blocks do not divide a ring of {}",
            self.ring.len()
        );
        let calls_per_lap = (self.ring.len() / count) as u64;
        let first = (call % calls_per_lap) as usize * count;
        let lap = call / calls_per_lap;
        // The first lap is the drawn ring itself.
        let turn = if lap == 0 { 0 } else { scramble(lap) as u32 };
        let keep = !(block_words as u32).wrapping_sub(1);
        Blocks { drawn: &self.ring[first..first + count], turn, keep }
    }
}

/// Draws one address: `floor(span · U^(1/α))`.
///
/// The original scales by `M/L − 1` and so never visits the last block; scaling by the whole span makes the law
/// P(X < c) = (c/M)^α exact. Rounding down to a multiple of L later is the same as `floor(U^(1/α) · span/L) · L`.
fn draw(alpha: f64, span_words: usize, random: &mut Drand48) -> Drawn {
    let scaled = libm::pow(random.uniform(), 1.0 / alpha) * span_words as f64;
    // U < 1, but its power may round up to 1.
    let address = (scaled as u64).min(span_words as u64 - 1);
    let octave = address.checked_ilog2().unwrap_or(0);
    let mut free = (1u64 << octave.saturating_sub(3)) - 1;
    while address | free >= span_words as u64 {
        free >>= 1;
    }
    Drawn { address: address as u32, free: free as u32 }
}

/// The blocks of one call.
#[derive(Debug, Clone, Copy)]
pub struct Blocks<'a> {
    drawn: &'a [Drawn],
    turn: u32,
    keep: u32,
}

impl<'a> Blocks<'a> {
    /// How many blocks there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.drawn.len()
    }

    /// Whether there are no blocks; never so.
    pub fn is_empty(&self) -> bool {
        self.drawn.is_empty()
    }

    /// First word of block `number`.
    ///
    /// # Panics
    /// When there are not that many blocks.
    #[inline]
    pub fn start(&self, number: usize) -> usize {
        self.place(&self.drawn[number])
    }

    /// First word of each block, in the order of visits.
    #[inline]
    pub fn starts(self) -> impl Iterator<Item = usize> + use<'a> {
        self.drawn.iter().map(move |drawn| self.place(drawn))
    }

    #[inline]
    fn place(&self, drawn: &Drawn) -> usize {
        ((drawn.address ^ (self.turn & drawn.free)) & self.keep) as usize
    }
}
