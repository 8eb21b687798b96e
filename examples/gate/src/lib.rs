//! A checksum whose speed is to be kept.

/// Adler's checksum of a text.
pub fn checksum(text: &[u8]) -> u32 {
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in text {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    b << 16 | a
}

#[test]
fn it_is_adlers() {
    assert_eq!(checksum(b"Wikipedia"), 0x11E6_0398);
}
