//! Over the crates base64, crc32fast, fnv, hex, sha2 and miniz_oxide.

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};
use std::hash::Hasher;

fn data(n: u64) -> Vec<u8> {
    (0..n).map(|i| (i * i % 61) as u8).collect()
}

/// Bytes in base 64.
pub fn encoded(n: u64) -> u64 {
    STANDARD.encode(data(n)).len() as u64
}

/// And back.
pub fn decoded(n: u64) -> u64 {
    STANDARD.decode(STANDARD.encode(data(n))).map_or(0, |bytes| bytes.len() as u64)
}

/// A cyclic redundancy check.
pub fn cyclic(n: u64) -> u64 {
    u64::from(crc32fast::hash(&data(n)))
}

/// The hash of Fowler, Noll and Vo.
pub fn fowler(n: u64) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    data(n).chunks(9).for_each(|chunk| hasher.write(chunk));
    hasher.finish()
}

/// Bytes in hexadecimal.
pub fn hexadecimal(n: u64) -> u64 {
    hex::encode(data(n)).bytes().map(u64::from).sum()
}

/// And back.
pub fn digits(n: u64) -> u64 {
    hex::decode(hex::encode(data(n))).map_or(0, |bytes| bytes.len() as u64)
}

/// A secure hash.
pub fn secure(n: u64) -> u64 {
    u64::from(Sha256::digest(data(n))[3])
}

/// Bytes compressed.
pub fn compressed(n: u64) -> u64 {
    miniz_oxide::deflate::compress_to_vec(&data(n), 4).len() as u64
}

/// And back.
pub fn inflated(n: u64) -> u64 {
    let packed = miniz_oxide::deflate::compress_to_vec(&data(n), 1);
    miniz_oxide::inflate::decompress_to_vec(&packed).map_or(0, |bytes| bytes.len() as u64)
}

/// No kernel calls this.
pub fn spare_same(one: &[u8], other: &[u8]) -> bool {
    crc32fast::hash(one) == crc32fast::hash(other)
}

/// No kernel calls this either.
pub fn spare_keyed(text: &str) -> String {
    format!("{}:{}", hex::encode(text), STANDARD.encode(text))
}
