//! AVX2 and FMA: eight doubles in two registers.

use super::avx2::Avx2;
use super::with;
use crate::arch::instantiate::torus_kernel;
use crate::fourier::lanes::{Doubles, Octet};
#[allow(clippy::wildcard_imports, reason = "the names of intrinsics start with _mm")]
use std::arch::x86_64::*;

torus_kernel!(Avx2, "avx2", #[target_feature(enable = "avx2,fma")]);

type Pair = [__m256d; 2];

impl Doubles for Avx2 {
    type Vector = Pair;
    const UNROLL: bool = true;

    #[inline(always)]
    fn load(self, line: &Octet) -> Pair {
        let (low, high) = (line.as_ptr(), line[4..].as_ptr());
        with!(self, [_mm256_loadu_pd(low), _mm256_loadu_pd(high)])
    }

    #[inline(always)]
    fn load_integers(self, line: &[i32; 8]) -> Pair {
        let (low, high) = (line.as_ptr(), line[4..].as_ptr());
        let load = |half: *const i32| with!(self, _mm_loadu_si128(half.cast()));
        with!(self, [_mm256_cvtepi32_pd(load(low)), _mm256_cvtepi32_pd(load(high))])
    }

    #[inline(always)]
    fn store(self, line: &mut Octet, x: Pair) {
        for (half, x) in line.as_chunks_mut::<4>().0.iter_mut().zip(x) {
            with!(self, _mm256_storeu_pd(half.as_mut_ptr(), x));
        }
    }

    #[inline(always)]
    fn splat(self, x: f64) -> Pair {
        with!(self, [_mm256_set1_pd(x); 2])
    }

    #[inline(always)]
    fn add(self, a: Pair, b: Pair) -> Pair {
        with!(self, [_mm256_add_pd(a[0], b[0]), _mm256_add_pd(a[1], b[1])])
    }

    #[inline(always)]
    fn sub(self, a: Pair, b: Pair) -> Pair {
        with!(self, [_mm256_sub_pd(a[0], b[0]), _mm256_sub_pd(a[1], b[1])])
    }

    #[inline(always)]
    fn mul(self, a: Pair, b: Pair) -> Pair {
        with!(self, [_mm256_mul_pd(a[0], b[0]), _mm256_mul_pd(a[1], b[1])])
    }

    #[inline(always)]
    fn add_mul(self, c: Pair, a: Pair, b: Pair) -> Pair {
        with!(self, [_mm256_fmadd_pd(a[0], b[0], c[0]), _mm256_fmadd_pd(a[1], b[1], c[1])])
    }

    #[inline(always)]
    fn sub_mul(self, c: Pair, a: Pair, b: Pair) -> Pair {
        with!(self, [_mm256_fnmadd_pd(a[0], b[0], c[0]), _mm256_fnmadd_pd(a[1], b[1], c[1])])
    }

    #[inline(always)]
    fn neg_mul(self, c: Pair, a: Pair, b: Pair) -> Pair {
        with!(self, [_mm256_fnmsub_pd(a[0], b[0], c[0]), _mm256_fnmsub_pd(a[1], b[1], c[1])])
    }

    #[inline(always)]
    fn transpose(self, rows: [Pair; 8]) -> [Pair; 8] {
        crate::float::FloatLanes::transpose(self, rows)
    }

    #[inline(always)]
    fn prefetch(self, line: &Octet) {
        with!(self, _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()));
    }
}
