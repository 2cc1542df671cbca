//! Random words by counting: Philox4x32-10, four words of 32 bits from a counter and a key.
//!
//! The counter says who draws what and when, so nothing is kept between draws, and a thread draws
//! the same words wherever it runs. (John K. Salmon, Mark A. Moraes, Ron O. Dror and David E. Shaw,
//! Parallel Random Numbers: As Easy as 1, 2, 3, 2011.)

/// How many rounds.
pub(super) const ROUNDS: usize = 10;

/// What the words of the counter are multiplied by.
pub(super) const FACTORS: [u32; 2] = [0xd251_1f53, 0xcd9e_8d57];

/// What is added to the key from round to round.
pub(super) const WEYL: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];

/// The words of a counter.
pub(super) fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let ([mut c0, mut c1, mut c2, mut c3], [mut k0, mut k1]) = (counter, key);
    for _ in 0..ROUNDS {
        let first = u64::from(FACTORS[0]) * u64::from(c0);
        let second = u64::from(FACTORS[1]) * u64::from(c2);
        let high = |product: u64| (product >> 32) as u32;
        (c0, c2) = (high(second) ^ c1 ^ k0, high(first) ^ c3 ^ k1);
        (c1, c3) = (second as u32, first as u32);
        k0 = k0.wrapping_add(WEYL[0]);
        k1 = k1.wrapping_add(WEYL[1]);
    }
    [c0, c1, c2, c3]
}

#[cfg(test)]
mod tests {
    use super::philox;

    #[test]
    fn words_are_those_of_the_published_known_answers() {
        let zeros = philox([0; 4], [0; 2]);
        assert_eq!(zeros, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        let ones = philox([u32::MAX; 4], [u32::MAX; 2]);
        assert_eq!(ones, [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        let counter = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
        let words = philox(counter, [0xa409_3822, 0x299f_31d0]);
        assert_eq!(words, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
    }
}
