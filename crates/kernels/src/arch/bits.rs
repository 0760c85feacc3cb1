//! Operations on bits for any CPU.

use crate::bits::MASK_WORDS;
use crate::generic::bits;
use crate::{BitKernel, BitTable, CounterMessage};

/// The kernel that runs on every CPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortableBits;

impl BitKernel for PortableBits {
    fn name(&self) -> &'static str {
        "portable"
    }

    fn aes256_stream(&self, key: &[u8; 32], counter: u64, out: &mut [u64]) {
        bits::aes256_stream(key, counter, out);
    }

    fn masked_parities(
        &self,
        key: &[u8; 32],
        counter: u64,
        mask: &[u64; MASK_WORDS],
        tails: &mut [u64],
    ) -> u128 {
        bits::masked_parities(key, counter, mask, tails)
    }

    fn carryless_low(&self, a: u128, b: u128) -> u128 {
        bits::carryless_low(a, b)
    }

    fn sha256_counters(&self, message: &CounterMessage, first: u64, digests: &mut [[u64; 4]]) {
        bits::sha256_counters(message, first, digests);
    }

    fn xor_rows(&self, acc: &mut [u64], table: &BitTable, indices: &[u32]) {
        bits::xor_rows(acc, table, indices, |_| ());
    }
}

/// Implements the operations on bits for a token, from generic algorithms that the compiler
/// vectorises by itself, and `carryless_low` from the token's `carryless_product`.
macro_rules! vectorized {
    ($token:ident, $name:literal, $feature:literal) => {
        fn name(&self) -> &'static str {
            $name
        }

        fn aes256_stream(&self, key: &[u8; 32], counter: u64, out: &mut [u64]) {
            $crate::generic::bits::aes256_stream(key, counter, out);
        }

        fn masked_parities(
            &self,
            key: &[u8; 32],
            counter: u64,
            mask: &[u64; $crate::MASK_WORDS],
            tails: &mut [u64],
        ) -> u128 {
            #[target_feature(enable = $feature)]
            fn run(
                key: &[u8; 32],
                counter: u64,
                mask: &[u64; $crate::MASK_WORDS],
                tails: &mut [u64],
            ) -> u128 {
                $crate::generic::bits::masked_parities(key, counter, mask, tails)
            }
            // SAFETY: the token exists only where its instruction set was detected.
            unsafe { run(key, counter, mask, tails) }
        }

        fn carryless_low(&self, a: u128, b: u128) -> u128 {
            #[target_feature(enable = $feature)]
            fn product(a: u64, b: u64) -> u128 {
                let (a, b) = (_mm_cvtsi64_si128(a as i64), _mm_cvtsi64_si128(b as i64));
                let product = _mm_clmulepi64_si128::<0>(a, b);
                let low = _mm_cvtsi128_si64(product) as u64;
                u128::from(low) | u128::from(_mm_extract_epi64::<1>(product) as u64) << 64
            }
            let [a0, a1, b0, b1] = [a as u64, (a >> 64) as u64, b as u64, (b >> 64) as u64];
            // SAFETY: the token exists only where its instruction set was detected.
            let [low, left, right] = unsafe { [product(a0, b0), product(a0, b1), product(a1, b0)] };
            low ^ (left ^ right) << 64
        }
    };
}

#[cfg_attr(not(target_arch = "x86_64"), expect(unused_imports, reason = "for vector kernels"))]
pub(crate) use vectorized;
