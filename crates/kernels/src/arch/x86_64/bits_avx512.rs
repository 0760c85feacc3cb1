//! AVX-512 (F, BW, VL), carry-less multiplication and population count.

use super::sha256;
use crate::arch::bits::vectorized;
use crate::{BitKernel, CounterMessage};
use std::arch::x86_64::{
    _MM_HINT_T0, _mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_extract_epi64,
    _mm_prefetch,
};

/// Proof that this CPU has AVX-512 F, BW and VL, PCLMULQDQ and POPCNT: only
/// [`BitsAvx512::detect`] makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitsAvx512(());

impl BitsAvx512 {
    /// The token, if this CPU has the instructions.
    pub(crate) fn detect() -> Option<&'static Self> {
        let present = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("popcnt");
        present.then_some(&Self(()))
    }
}

impl BitKernel for BitsAvx512 {
    vectorized!(BitsAvx512, "avx512", "avx512f,avx512bw,avx512vl,pclmulqdq,popcnt");

    fn sha256_counters(&self, message: &CounterMessage, first: u64, digests: &mut [[u64; 4]]) {
        // SAFETY: the token exists only where its instruction set was detected.
        unsafe { sha256::counters(message, first, digests) }
    }
}
