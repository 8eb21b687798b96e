//! Checksums and encodings of bytes.

fn data(n: u64) -> Vec<u8> {
    (0..n).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

/// The hash of Fowler, Noll and Vo.
pub fn fowler(n: u64) -> u64 {
    data(n).iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let (mut crc, mut bit) = (i as u32, 0);
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
            bit += 1;
        }
        table[i] = crc;
        i += 1;
    }
    table
}

/// A cyclic redundancy check by a table.
pub fn cyclic(n: u64) -> u64 {
    let step = |crc: u32, byte: &u8| TABLE[((crc ^ u32::from(*byte)) & 255) as usize] ^ (crc >> 8);
    u64::from(!data(n).iter().fold(!0, step))
}

/// Adler's checksum.
pub fn adler(n: u64) -> u64 {
    let (a, b) = data(n).iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    u64::from(b << 16 | a)
}

/// Lengths of runs.
pub fn runs(n: u64) -> u64 {
    let mut runs: Vec<(u8, u32)> = Vec::new();
    for byte in data(n).iter().map(|byte| byte / 64) {
        match runs.last_mut() {
            Some((last, count)) if *last == byte => *count += 1,
            _ => runs.push((byte, 1)),
        }
    }
    runs.len() as u64
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes in base 64.
pub fn sixtyfour(n: u64) -> u64 {
    let mut text = Vec::with_capacity(n as usize * 2);
    for three in data(n).chunks_exact(3) {
        let all = u32::from(three[0]) << 16 | u32::from(three[1]) << 8 | u32::from(three[2]);
        (0..4).for_each(|i| text.push(ALPHABET[(all >> (18 - 6 * i)) as usize & 63]));
    }
    text.iter().map(|byte| u64::from(*byte)).sum()
}

/// Bytes in hexadecimal and back.
pub fn hexadecimal(n: u64) -> u64 {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
    let text: Vec<u8> = data(n).iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
    let value = |digit: u8| if digit <= b'9' { digit - b'0' } else { digit - b'a' + 10 };
    text.chunks(2).map(|pair| u64::from(value(pair[0]) << 4 | value(pair[1]))).sum()
}

/// Bytes that are text.
pub fn valid(n: u64) -> u64 {
    data(n).chunks(5).filter(|chunk| std::str::from_utf8(chunk).is_ok()).count() as u64
}

/// Numbers of variable length.
pub fn variable(n: u64) -> u64 {
    let mut out = Vec::new();
    for i in 0..n / 4 {
        let mut left = i * i * 31;
        while left >= 128 {
            out.push(left as u8 | 128);
            left >>= 7;
        }
        out.push(left as u8);
    }
    out.len() as u64
}

/// How often each byte occurs.
pub fn histogram(n: u64) -> u64 {
    let mut counts = [0_u64; 256];
    data(n).iter().for_each(|byte| counts[*byte as usize] += 1);
    counts.iter().copied().max().unwrap_or(0)
}

/// No kernel calls this.
pub fn spare_swapped(bytes: &mut [u8]) {
    bytes.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
}

/// No kernel calls this either.
pub fn spare_bits(bytes: &[u8]) -> Vec<bool> {
    bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)).collect()
}
