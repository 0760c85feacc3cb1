//! AVX2 and FMA: two vectors of four lanes, residues as `f64`.

use super::packed_words::four;
use super::with::{prefetch, with};
use crate::arch::instantiate::kernel;
use crate::float::FloatLanes;
use crate::line::Line;
#[allow(clippy::wildcard_imports, reason = "the names of intrinsics start with _mm")]
use std::arch::x86_64::*;

/// Proof that this CPU has AVX2 and FMA: only [`Avx2::detect`] makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

kernel!(Avx2, "avx2", #[target_feature(enable = "avx2,fma")]);

/// `2^52`: adding it to an integer in `[0, 2^52)` puts the integer into the mantissa.
const TWO_52: f64 = 4_503_599_627_370_496.0;

impl Avx2 {
    /// Returns the token if this CPU has the instructions.
    pub(crate) fn detect() -> Option<&'static Self> {
        let present = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        present.then_some(&Self(()))
    }

    /// Transposes a 4 x 4 matrix.
    #[inline(always)]
    pub(super) fn transpose_quarter(self, [a, b, c, d]: [__m256d; 4]) -> [__m256d; 4] {
        with!(self, {
            // The unpacking acts inside halves of a vector, which the permutations then join: 0x20
            // takes both lower halves, 0x31 both upper ones.
            let (ab02, ab13) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            let (cd02, cd13) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
            [
                _mm256_permute2f128_pd::<0x20>(ab02, cd02),
                _mm256_permute2f128_pd::<0x20>(ab13, cd13),
                _mm256_permute2f128_pd::<0x31>(ab02, cd02),
                _mm256_permute2f128_pd::<0x31>(ab13, cd13),
            ]
        })
    }
}

impl FloatLanes for Avx2 {
    type Integers = [__m256i; 2];
    type Doubles = [__m256d; 2];

    const MANY_REGISTERS: bool = false;

    #[inline(always)]
    fn load(self, line: &Line) -> [__m256i; 2] {
        let (low, high) = (line.as_ptr().cast(), line[4..].as_ptr().cast());
        with!(self, [_mm256_loadu_si256(low), _mm256_loadu_si256(high)])
    }

    #[inline(always)]
    fn store(self, line: &mut Line, words: [__m256i; 2]) {
        for (half, words) in line.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            with!(self, _mm256_storeu_si256(half.as_mut_ptr().cast(), words));
        }
    }

    #[inline(always)]
    fn load_packed<const B: usize>(self, bytes: &[u8; B]) -> [__m256i; 2] {
        with!(self, [four(bytes, 0), four(bytes, 1)])
    }

    #[inline(always)]
    fn prefetch<T>(self, place: &T) {
        with!(self, prefetch(place));
    }

    #[inline(always)]
    fn splat(self, word: u64) -> [__m256i; 2] {
        with!(self, [_mm256_set1_epi64x(word as i64); 2])
    }

    #[inline(always)]
    fn add_words(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        with!(self, [_mm256_add_epi64(a[0], b[0]), _mm256_add_epi64(a[1], b[1])])
    }

    #[inline(always)]
    fn sub_words(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        with!(self, [_mm256_sub_epi64(a[0], b[0]), _mm256_sub_epi64(a[1], b[1])])
    }

    /// Counts with comparisons, which yield minus one in every lane where they hold.
    #[inline(always)]
    fn count_below(
        self,
        count: [__m256i; 2],
        word: [__m256i; 2],
        threshold: [__m256i; 2],
    ) -> [__m256i; 2] {
        // The comparison of this instruction set is signed, which words below 2^63 allow.
        let low = with!(self, _mm256_cmpgt_epi64(threshold[0], word[0]));
        let high = with!(self, _mm256_cmpgt_epi64(threshold[1], word[1]));
        self.sub_words(count, [low, high])
    }

    /// Selects the result by the sign of the difference.
    #[inline(always)]
    fn fold(self, x: [__m256i; 2], bound: [__m256i; 2]) -> [__m256i; 2] {
        let difference = self.as_doubles(self.sub_words(x, bound));
        let x = self.as_doubles(x);
        let chosen = with!(
            self,
            [
                _mm256_blendv_pd(difference[0], x[0], difference[0]),
                _mm256_blendv_pd(difference[1], x[1], difference[1]),
            ]
        );
        self.as_integers(chosen)
    }

    #[inline(always)]
    fn splat_double(self, x: f64) -> [__m256d; 2] {
        with!(self, [_mm256_set1_pd(x); 2])
    }

    #[inline(always)]
    fn as_doubles(self, bits: [__m256i; 2]) -> [__m256d; 2] {
        with!(self, [_mm256_castsi256_pd(bits[0]), _mm256_castsi256_pd(bits[1])])
    }

    #[inline(always)]
    fn as_integers(self, doubles: [__m256d; 2]) -> [__m256i; 2] {
        with!(self, [_mm256_castpd_si256(doubles[0]), _mm256_castpd_si256(doubles[1])])
    }

    #[inline(always)]
    fn to_doubles(self, words: [__m256i; 2]) -> [__m256d; 2] {
        // AVX2 converts no integers of 64 bits. A word below 2^52 is the mantissa of 2^52 + word.
        let magic = self.splat_double(TWO_52);
        let bits = self.as_integers(magic);
        let shifted = with!(self, {
            [_mm256_or_si256(words[0], bits[0]), _mm256_or_si256(words[1], bits[1])]
        });
        FloatLanes::sub(self, self.as_doubles(shifted), magic)
    }

    #[inline(always)]
    fn to_words(self, doubles: [__m256d; 2]) -> [__m256i; 2] {
        let magic = self.splat_double(TWO_52);
        let shifted = self.as_integers(FloatLanes::add(self, doubles, magic));
        let bits = self.as_integers(magic);
        with!(self, [_mm256_xor_si256(shifted[0], bits[0]), _mm256_xor_si256(shifted[1], bits[1])])
    }

    #[inline(always)]
    fn add(self, a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        with!(self, [_mm256_add_pd(a[0], b[0]), _mm256_add_pd(a[1], b[1])])
    }

    #[inline(always)]
    fn sub(self, a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        with!(self, [_mm256_sub_pd(a[0], b[0]), _mm256_sub_pd(a[1], b[1])])
    }

    #[inline(always)]
    fn mul(self, a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        with!(self, [_mm256_mul_pd(a[0], b[0]), _mm256_mul_pd(a[1], b[1])])
    }

    #[inline(always)]
    fn mul_sub(self, a: [__m256d; 2], b: [__m256d; 2], c: [__m256d; 2]) -> [__m256d; 2] {
        with!(self, [_mm256_fmsub_pd(a[0], b[0], c[0]), _mm256_fmsub_pd(a[1], b[1], c[1])])
    }

    #[inline(always)]
    fn sub_mul(self, c: [__m256d; 2], a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        with!(self, [_mm256_fnmadd_pd(a[0], b[0], c[0]), _mm256_fnmadd_pd(a[1], b[1], c[1])])
    }

    #[inline(always)]
    fn round(self, x: [__m256d; 2]) -> [__m256d; 2] {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        with!(self, [_mm256_round_pd::<NEAREST>(x[0]), _mm256_round_pd::<NEAREST>(x[1])])
    }

    #[inline(always)]
    fn floor(self, x: [__m256d; 2]) -> [__m256d; 2] {
        with!(self, [_mm256_floor_pd(x[0]), _mm256_floor_pd(x[1])])
    }

    #[inline(always)]
    fn transpose(self, rows: [[__m256d; 2]; 8]) -> [[__m256d; 2]; 8] {
        let [a, b, c, d, e, f, g, h] = rows;
        let mut columns = rows;
        for half in 0..2 {
            let upper = self.transpose_quarter([a[half], b[half], c[half], d[half]]);
            let lower = self.transpose_quarter([e[half], f[half], g[half], h[half]]);
            for i in 0..4 {
                columns[4 * half + i] = [upper[i], lower[i]];
            }
        }
        columns
    }
}
