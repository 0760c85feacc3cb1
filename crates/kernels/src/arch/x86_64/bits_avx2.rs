//! AVX2, carry-less multiplication and population count.

use super::with::prefetch;
use crate::arch::bits::vectorized;
use crate::{BitKernel, BitTable, CounterMessage, generic};
use std::arch::x86_64::{
    _mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_extract_epi64,
};

/// Proof that this CPU has AVX2, PCLMULQDQ and POPCNT: only [`BitsAvx2::detect`] makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitsAvx2(());

impl BitsAvx2 {
    /// Returns the token if this CPU has the instructions.
    pub(crate) fn detect() -> Option<&'static Self> {
        let present = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("popcnt");
        present.then_some(&Self(()))
    }
}

impl BitKernel for BitsAvx2 {
    vectorized!(BitsAvx2, "avx2", "avx2,pclmulqdq,popcnt");

    fn sha256_counters(&self, message: &CounterMessage, first: u64, digests: &mut [[u64; 4]]) {
        generic::bits::sha256_counters(message, first, digests);
    }

    fn xor_rows(&self, acc: &mut [u64], table: &BitTable, indices: &[u32]) {
        #[target_feature(enable = "avx2")]
        fn run(acc: &mut [u64], table: &BitTable, indices: &[u32]) {
            generic::bits::xor_rows(acc, table, indices, |word| prefetch(word));
        }
        // SAFETY: the token exists only where its instruction set was detected.
        unsafe { run(acc, table, indices) }
    }
}
