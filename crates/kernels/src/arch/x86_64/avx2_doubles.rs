//! AVX2 and FMA: four doubles in a register.

use super::avx2::Avx2;
use super::with::with;
use crate::arch::instantiate::torus_kernel;
use crate::arrays;
use crate::torus::Prefetch;
use crate::torus::lanes::Doubles;
use crate::torus::octet::Octet;
#[allow(clippy::wildcard_imports, reason = "the names of intrinsics start with _mm")]
use std::arch::x86_64::*;

torus_kernel!(Avx2, "avx2", #[target_feature(enable = "avx2,fma")]);

impl Prefetch for Avx2 {
    #[inline(always)]
    fn prefetch(self, line: &Octet) {
        with!(self, _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()));
    }
}

impl Doubles for Avx2 {
    type Vector = __m256d;
    const PARTS: usize = 2;
    const UNROLL: bool = true;

    #[inline(always)]
    fn load(self, octet: &Octet, part: usize) -> __m256d {
        with!(self, _mm256_loadu_pd(octet.as_chunks::<4>().0[part].as_ptr()))
    }

    #[inline(always)]
    fn load_integers(self, octet: &[i32; 8], part: usize) -> __m256d {
        let half = octet.as_chunks::<4>().0[part].as_ptr();
        with!(self, _mm256_cvtepi32_pd(_mm_loadu_si128(half.cast())))
    }

    #[inline(always)]
    fn store(self, octet: &mut Octet, part: usize, x: __m256d) {
        with!(self, _mm256_storeu_pd(octet.as_chunks_mut::<4>().0[part].as_mut_ptr(), x));
    }

    #[inline(always)]
    fn splat(self, x: f64) -> __m256d {
        with!(self, _mm256_set1_pd(x))
    }

    #[inline(always)]
    fn add(self, a: __m256d, b: __m256d) -> __m256d {
        with!(self, _mm256_add_pd(a, b))
    }

    #[inline(always)]
    fn sub(self, a: __m256d, b: __m256d) -> __m256d {
        with!(self, _mm256_sub_pd(a, b))
    }

    #[inline(always)]
    fn mul(self, a: __m256d, b: __m256d) -> __m256d {
        with!(self, _mm256_mul_pd(a, b))
    }

    #[inline(always)]
    fn add_mul(self, c: __m256d, a: __m256d, b: __m256d) -> __m256d {
        with!(self, _mm256_fmadd_pd(a, b, c))
    }

    #[inline(always)]
    fn sub_mul(self, c: __m256d, a: __m256d, b: __m256d) -> __m256d {
        with!(self, _mm256_fnmadd_pd(a, b, c))
    }

    #[inline(always)]
    fn neg_mul(self, c: __m256d, a: __m256d, b: __m256d) -> __m256d {
        with!(self, _mm256_fnmsub_pd(a, b, c))
    }

    #[inline(always)]
    fn transpose(self, [a, b, c, d, e, f, g, h]: [__m256d; 8]) -> [__m256d; 8] {
        let ([a, b, c, d], [e, f, g, h]) =
            (self.transpose_quarter([a, b, c, d]), self.transpose_quarter([e, f, g, h]));
        [a, b, c, d, e, f, g, h]
    }

    #[inline(always)]
    fn add_short(self, sum: &mut [u32; 8], a: &[u32; 8], b: &[u32; 8]) {
        let [a, b] =
            arrays::map([a, b], |words| with!(self, _mm256_loadu_si256(words.as_ptr().cast())));
        with!(self, _mm256_storeu_si256(sum.as_mut_ptr().cast(), _mm256_add_epi32(a, b)));
    }
}
