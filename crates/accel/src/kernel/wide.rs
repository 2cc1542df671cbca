//! Plain code compiled a second time, for processors with AVX2.
//!
//! What is unsafe here is to call it on a processor without.
#![allow(unsafe_code)]

/// Something to do whose code is the same on every processor, and faster with AVX2.
///
/// Implementations of [`work`](Self::work) and what they call must be `#[inline(always)]`, else
/// they are not compiled for AVX2.
pub(crate) trait Work {
    /// Does it.
    fn work(self);
}

/// Whether the processor has AVX2, and instructions on single bits, which came with it.
pub(super) fn is_available() -> bool {
    #[cfg(all(target_arch = "x86_64", not(paidia_portable), not(miri)))]
    return std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("lzcnt");
    #[cfg(not(all(target_arch = "x86_64", not(paidia_portable), not(miri))))]
    return false;
}

/// Does the work with AVX2 if the processor has it, else without.
pub(super) fn wide(work: impl Work) {
    #[cfg(all(target_arch = "x86_64", not(paidia_portable), not(miri)))]
    if is_available() {
        // SAFETY: the processor has the features.
        return unsafe { with_avx2(work) };
    }
    work.work();
}

#[cfg(all(target_arch = "x86_64", not(paidia_portable), not(miri)))]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn with_avx2(work: impl Work) {
    work.work();
}
