//! AVX-512: eight doubles in one register.

use super::avx512::Avx512;
use super::with::with;
use crate::arch::instantiate::torus_kernel;
use crate::arrays;
use crate::torus::Prefetch;
use crate::torus::lanes::Doubles;
use crate::torus::octet::Octet;
#[allow(clippy::wildcard_imports, reason = "the names of intrinsics start with _mm")]
use std::arch::x86_64::*;

torus_kernel!(Avx512, "avx512", #[target_feature(enable = "avx512f,avx512dq,avx512vl")]);

impl Prefetch for Avx512 {
    #[inline(always)]
    fn prefetch(self, line: &Octet) {
        with!(self, _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()));
    }
}

impl Doubles for Avx512 {
    type Vector = __m512d;
    const PARTS: usize = 1;
    const UNROLL: bool = true;

    #[inline(always)]
    fn load(self, octet: &Octet, _part: usize) -> __m512d {
        with!(self, _mm512_loadu_pd(octet.as_ptr()))
    }

    #[inline(always)]
    fn load_integers(self, octet: &[i32; 8], _part: usize) -> __m512d {
        with!(self, _mm512_cvtepi32_pd(_mm256_loadu_si256(octet.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, octet: &mut Octet, _part: usize, x: __m512d) {
        with!(self, _mm512_storeu_pd(octet.as_mut_ptr(), x));
    }

    #[inline(always)]
    fn splat(self, x: f64) -> __m512d {
        with!(self, _mm512_set1_pd(x))
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
    fn add_mul(self, c: __m512d, a: __m512d, b: __m512d) -> __m512d {
        with!(self, _mm512_fmadd_pd(a, b, c))
    }

    #[inline(always)]
    fn sub_mul(self, c: __m512d, a: __m512d, b: __m512d) -> __m512d {
        with!(self, _mm512_fnmadd_pd(a, b, c))
    }

    #[inline(always)]
    fn neg_mul(self, c: __m512d, a: __m512d, b: __m512d) -> __m512d {
        with!(self, _mm512_fnmsub_pd(a, b, c))
    }

    #[inline(always)]
    fn transpose(self, rows: [__m512d; 8]) -> [__m512d; 8] {
        crate::float::FloatLanes::transpose(self, rows)
    }

    #[inline(always)]
    fn add_short(self, sum: &mut [u32; 8], a: &[u32; 8], b: &[u32; 8]) {
        let [a, b] =
            arrays::map([a, b], |words| with!(self, _mm256_loadu_si256(words.as_ptr().cast())));
        with!(self, _mm256_storeu_si256(sum.as_mut_ptr().cast(), _mm256_add_epi32(a, b)));
    }
}
