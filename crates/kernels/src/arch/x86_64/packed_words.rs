//! Words of 4, 5, 6 or 8 bytes, widened to 64 bits.

use crate::arrays;
#[allow(clippy::wildcard_imports, reason = "the names of intrinsics start with _mm")]
use std::arch::x86_64::*;

/// Returns the positions of the bytes of `N` words of `B / 8` bytes each; `zero` marks the bytes
/// above them.
const fn positions<const B: usize, const N: usize>(zero: u8) -> [[u8; 8]; N] {
    let mut all = [[zero; 8]; N];
    let (mut word, width) = (0, B / 8);
    while word < N {
        let mut byte = 0;
        while byte < width {
            all[word][byte] = (word * width + byte) as u8;
            byte += 1;
        }
        word += 1;
    }
    all
}

/// The byte positions of eight words of `B / 8` bytes each.
struct Positions<const B: usize>;

impl<const B: usize> Positions<B> {
    /// Byte positions of eight words in one vector whose bytes from `B` on are zero.
    const EIGHT: [[u8; 8]; 8] = positions::<B, 8>(63);

    /// The start of the 16 bytes that contain words `2 i` and `2 i + 1`.
    const STARTS: [usize; 4] = [0, B / 4, B / 2, B - 16];

    /// Byte positions of two words in each of the vectors of 16 bytes that begin at these places.
    const HALVES: [[[[u8; 8]; 2]; 2]; 2] = {
        let pair = positions::<B, 2>(0x80);
        let mut last = pair;
        let (mut byte, shift) = (0, 3 * B / 4 - Self::STARTS[3]);
        while byte < B / 8 {
            last[0][byte] += shift as u8;
            last[1][byte] += shift as u8;
            byte += 1;
        }
        [[pair; 2], [pair, last]]
    };
}

/// Loads eight words of `B / 8` bytes each, for `B` in 32, 40, 48 and 64.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn eight<const B: usize>(bytes: &[u8; B]) -> __m512i {
    let positions = Positions::<B>::EIGHT.as_ptr().cast();
    // SAFETY: the masks admit only the `B` bytes; the positions are 64 bytes.
    let (bytes, positions) = unsafe {
        let mask = u64::MAX >> (64 - B);
        (_mm512_maskz_loadu_epi8(mask, bytes.as_ptr().cast()), _mm512_loadu_si512(positions))
    };
    if B == 64 { bytes } else { _mm512_permutexvar_epi8(positions, bytes) }
}

/// Loads four words, the first or second half of eight words of `B / 8` bytes each, for `B` in 32,
/// 40, 48 and 64.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn four<const B: usize>(bytes: &[u8; B], half: usize) -> __m256i {
    let [low, high] = arrays::map([0, 1], |pair| {
        let bytes: &[u8; 16] = bytes[Positions::<B>::STARTS[2 * half + pair]..]
            .first_chunk()
            .expect("every start is at least 16 bytes before the end");
        // SAFETY: an array of 16 bytes.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    });
    let positions = Positions::<B>::HALVES[half].as_ptr();
    // SAFETY: two arrays of 16 bytes.
    let positions = unsafe { _mm256_loadu_si256(positions.cast()) };
    _mm256_shuffle_epi8(_mm256_set_m128i(high, low), positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const B: usize>() {
        let bytes: [u8; B] = std::array::from_fn(|i| 255 - i as u8);
        let expected: [u64; 8] = std::array::from_fn(|i| {
            let mut word = [0; 8];
            word[..B / 8].copy_from_slice(&bytes[i * B / 8..][..B / 8]);
            u64::from_le_bytes(word)
        });
        if is_x86_feature_detected!("avx2") {
            // SAFETY: AVX2 was detected; four words have the size of a vector.
            let halves: [[u64; 4]; 2] =
                unsafe { [0, 1].map(|half| std::mem::transmute(four(&bytes, half))) };
            assert_eq!(halves.as_flattened(), expected);
        }
        if is_x86_feature_detected!("avx512vbmi") && is_x86_feature_detected!("avx512bw") {
            // SAFETY: AVX-512 VBMI was detected; eight words have the size of a vector.
            let words: [u64; 8] = unsafe { std::mem::transmute(eight(&bytes)) };
            assert_eq!(words, expected);
        }
    }

    #[test]
    fn words_of_every_width_are_widened() {
        check::<32>();
        check::<40>();
        check::<48>();
        check::<64>();
    }
}
