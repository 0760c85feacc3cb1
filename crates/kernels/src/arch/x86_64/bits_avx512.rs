//! AVX-512 (F, BW, VL), carry-less multiplication and population count.

use super::packed_rows::Vbmi2;
use super::sha256;
use super::with::prefetch;
use crate::arch::bits::vectorized;
use crate::{BitKernel, BitTable, CounterMessage, PackedRows, generic};
use std::arch::x86_64::{
    _mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_extract_epi64,
};
use std::sync::LazyLock;

/// Proof that this CPU has AVX-512 F, BW and VL, PCLMULQDQ and POPCNT: only
/// [`BitsAvx512::detect`] makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitsAvx512 {
    /// Absent on CPUs before Ice Lake and Zen 4.
    vbmi2: Option<Vbmi2>,
}

/// The token that [`BitsAvx512::detect`] returns if the CPU has the instructions.
static TOKEN: LazyLock<BitsAvx512> = LazyLock::new(|| BitsAvx512 { vbmi2: Vbmi2::detect() });

impl BitsAvx512 {
    /// Returns the token if this CPU has the instructions.
    pub(crate) fn detect() -> Option<&'static Self> {
        let present = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("popcnt");
        present.then(|| &*TOKEN)
    }
}

impl BitKernel for BitsAvx512 {
    vectorized!(BitsAvx512, "avx512", "avx512f,avx512bw,avx512vl,pclmulqdq,popcnt");

    fn sha256_counters(&self, message: &CounterMessage, first: u64, digests: &mut [[u64; 4]]) {
        // SAFETY: the token exists only where its instruction set was detected.
        unsafe { sha256::counters(message, first, digests) }
    }

    fn xor_rows(&self, acc: &mut [u64], table: &BitTable, indices: &[u32]) {
        #[target_feature(enable = "avx512f")]
        fn run(acc: &mut [u64], table: &BitTable, indices: &[u32]) {
            generic::bits::xor_rows(acc, table, indices, |word| prefetch(word));
        }
        match (self.vbmi2, table.packed()) {
            (Some(vbmi2), Some(packed)) => vbmi2.xor_rows(acc, packed, indices),
            // SAFETY: the token exists only where its instruction set was detected.
            _ => unsafe { run(acc, table, indices) },
        }
    }

    fn pack(&self, rows: &[u64]) -> Option<PackedRows> {
        self.vbmi2?.pack(rows)
    }
}
