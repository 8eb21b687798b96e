//! A hash that is the same everywhere. It is no proof that two texts are equal, and no protection against intent.

/// The 64-bit FNV-1a hash.
///
/// ```
/// use plusminus_worker::text::fnv1a;
///
/// // The published vectors.
/// assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
/// assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
/// assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
/// ```
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Returns [`fnv1a`] of a text, its halves combined into 32 bits.
pub fn checksum(text: &str) -> u32 {
    let hash = fnv1a(text.as_bytes());
    (hash >> 32) as u32 ^ hash as u32
}
