//! The same code compiled for processors with AVX2.
//!
//! What is unsafe here is to call it on a processor without.
#![allow(unsafe_code)]

use super::interpret::Runs;
use crate::choose::draw;
use crate::random::Stream;
use crate::word::Word;

/// Whether the processor has AVX2.
pub(super) fn is_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Runs a part with AVX2 if the processor has it, else without.
pub(super) fn run<const WIDTH: usize>(runs: &Runs, memory: &mut [[Word; WIDTH]]) {
    #[cfg(target_arch = "x86_64")]
    if is_available() {
        // SAFETY: the processor has the feature.
        return unsafe { run_with_avx2(runs, memory) };
    }
    runs.run(memory);
}

/// Draws with AVX2 if the processor has it, else without.
pub(super) fn draw(
    stream: &mut Stream,
    lanes: Word,
    last: &[Word],
    mask: &[Word],
    rank: &mut [Word],
) {
    #[cfg(target_arch = "x86_64")]
    if is_available() {
        // SAFETY: the processor has the feature.
        return unsafe { draw_with_avx2(stream, lanes, last, mask, rank) };
    }
    draw::draw(stream, lanes, last, mask, rank);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_with_avx2<const WIDTH: usize>(runs: &Runs, memory: &mut [[Word; WIDTH]]) {
    runs.run(memory);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn draw_with_avx2(
    stream: &mut Stream,
    lanes: Word,
    last: &[Word],
    mask: &[Word],
    rank: &mut [Word],
) {
    draw::draw(stream, lanes, last, mask, rank);
}
