//! AVX-512 (F, DQ, VL): eight lanes, residues as `f64`.

use super::packed_words::four;
use super::with::{prefetch, with};
use crate::arch::instantiate::kernel;
use crate::arrays;
use crate::float::FloatLanes;
use crate::line::Line;
#[allow(clippy::wildcard_imports, reason = "the names of intrinsics start with _mm")]
use std::arch::x86_64::*;

/// Proof that this CPU has AVX-512 F, DQ and VL: only [`Avx512::detect`] makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

kernel!(Avx512, "avx512", #[target_feature(enable = "avx512f,avx512dq,avx512vl")]);

impl Avx512 {
    /// Returns the token if this CPU has the instructions.
    pub(crate) fn detect() -> Option<&'static Self> {
        let present = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        present.then_some(&Self(()))
    }

    /// Returns `min(x, x - bound)`, because `x - bound` wraps to a large word if `x < bound`.
    #[inline(always)]
    pub(crate) fn fold(self, x: __m512i, bound: __m512i) -> __m512i {
        with!(self, _mm512_min_epu64(x, _mm512_sub_epi64(x, bound)))
    }

    /// Transposes an 8 x 8 matrix: first pairs of words, then 4 x 4 quarters of vectors.
    #[expect(clippy::large_types_passed_by_value, reason = "registers, once inlined")]
    #[inline(always)]
    pub(crate) fn transpose(self, rows: [__m512i; 8]) -> [__m512i; 8] {
        let [a, b, c, d, e, f, g, h] = rows;
        let even = with!(
            self,
            [
                _mm512_unpacklo_epi64(a, b),
                _mm512_unpacklo_epi64(c, d),
                _mm512_unpacklo_epi64(e, f),
                _mm512_unpacklo_epi64(g, h),
            ]
        );
        let odd = with!(
            self,
            [
                _mm512_unpackhi_epi64(a, b),
                _mm512_unpackhi_epi64(c, d),
                _mm512_unpackhi_epi64(e, f),
                _mm512_unpackhi_epi64(g, h),
            ]
        );
        let [[c0, c2, c4, c6], [c1, c3, c5, c7]] =
            [self.transpose_quarters(even), self.transpose_quarters(odd)];
        [c0, c1, c2, c3, c4, c5, c6, c7]
    }

    /// Transposes a 4 x 4 matrix of pairs of words.
    #[inline(always)]
    fn transpose_quarters(self, [a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
        with!(self, {
            // The control 0x88 takes the quarters 0 and 2 of both operands, 0xdd the quarters 1 and
            // 3.
            let (ab02, ab13) =
                (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b));
            let (cd02, cd13) =
                (_mm512_shuffle_i64x2::<0x88>(c, d), _mm512_shuffle_i64x2::<0xdd>(c, d));
            [
                _mm512_shuffle_i64x2::<0x88>(ab02, cd02),
                _mm512_shuffle_i64x2::<0x88>(ab13, cd13),
                _mm512_shuffle_i64x2::<0xdd>(ab02, cd02),
                _mm512_shuffle_i64x2::<0xdd>(ab13, cd13),
            ]
        })
    }
}

impl FloatLanes for Avx512 {
    type Integers = __m512i;
    type Doubles = __m512d;

    const MANY_REGISTERS: bool = true;

    #[inline(always)]
    fn load(self, line: &Line) -> __m512i {
        with!(self, _mm512_loadu_si512(line.as_ptr().cast()))
    }

    #[inline(always)]
    fn store(self, line: &mut Line, words: __m512i) {
        with!(self, _mm512_storeu_si512(line.as_mut_ptr().cast(), words));
    }

    #[inline(always)]
    fn load_packed<const B: usize>(self, bytes: &[u8; B]) -> __m512i {
        with!(self, {
            let low = _mm512_castsi256_si512(four(bytes, 0));
            _mm512_inserti64x4::<1>(low, four(bytes, 1))
        })
    }

    #[inline(always)]
    fn prefetch<T>(self, place: &T) {
        with!(self, prefetch(place));
    }

    #[inline(always)]
    fn splat(self, word: u64) -> __m512i {
        with!(self, _mm512_set1_epi64(word as i64))
    }

    #[inline(always)]
    fn add_words(self, a: __m512i, b: __m512i) -> __m512i {
        with!(self, _mm512_add_epi64(a, b))
    }

    #[inline(always)]
    fn count_below(self, count: __m512i, word: __m512i, threshold: __m512i) -> __m512i {
        let below = with!(self, _mm512_cmplt_epu64_mask(word, threshold));
        with!(self, _mm512_mask_add_epi64(count, below, count, _mm512_set1_epi64(1)))
    }

    #[inline(always)]
    fn sub_words(self, a: __m512i, b: __m512i) -> __m512i {
        with!(self, _mm512_sub_epi64(a, b))
    }

    #[inline(always)]
    fn fold(self, x: __m512i, bound: __m512i) -> __m512i {
        Self::fold(self, x, bound)
    }

    #[inline(always)]
    fn splat_double(self, x: f64) -> __m512d {
        with!(self, _mm512_set1_pd(x))
    }

    #[inline(always)]
    fn as_doubles(self, bits: __m512i) -> __m512d {
        with!(self, _mm512_castsi512_pd(bits))
    }

    #[inline(always)]
    fn as_integers(self, doubles: __m512d) -> __m512i {
        with!(self, _mm512_castpd_si512(doubles))
    }

    #[inline(always)]
    fn to_doubles(self, words: __m512i) -> __m512d {
        with!(self, _mm512_cvtepu64_pd(words))
    }

    #[inline(always)]
    fn to_words(self, doubles: __m512d) -> __m512i {
        with!(self, _mm512_cvttpd_epu64(doubles))
    }

    #[inline(always)]
    fn add(self, a: __m512d, b: __m512d) -> __m512d {
        with!(self, _mm512_add_pd(a, b))
    }

    #[inline(always)]
    fn sub(self, a: __m512d, b: __m512d) -> __m512d {
        with!(self, _mm512_sub_pd(a, b))
    }

    #[inline(always)]
    fn mul(self, a: __m512d, b: __m512d) -> __m512d {
        with!(self, _mm512_mul_pd(a, b))
    }

    #[inline(always)]
    fn mul_sub(self, a: __m512d, b: __m512d, c: __m512d) -> __m512d {
        with!(self, _mm512_fmsub_pd(a, b, c))
    }

    #[inline(always)]
    fn sub_mul(self, c: __m512d, a: __m512d, b: __m512d) -> __m512d {
        with!(self, _mm512_fnmadd_pd(a, b, c))
    }

    #[inline(always)]
    fn round(self, x: __m512d) -> __m512d {
        with!(self, _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(x))
    }

    #[inline(always)]
    fn floor(self, x: __m512d) -> __m512d {
        with!(self, _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(x))
    }

    #[inline(always)]
    fn transpose(self, rows: [__m512d; 8]) -> [__m512d; 8] {
        let rows = arrays::map(rows, |row| self.as_integers(row));
        arrays::map(Self::transpose(self, rows), |row| self.as_doubles(row))
    }
}
