//! AVX-512 IFMA: eight 52-bit integer lanes.
//!
//! `madd52lo` and `madd52hi` read the low 52 bits of their multiplicands and add the low or high 52
//! bits of the product to a 64-bit lane. Values are therefore kept modulo `2^52`: higher bits never
//! enter a product and are masked only when words are stored ([`Lanes::lazy`]).
//!
//! The product `y w` with `w' = floor(w 2^52 / q)` is `y w - floor(y w' / 2^52) q`, in `[0, 2q)`
//! for any `y < 2^52`; so is the remainder `x - floor(x mu / 2^52) q` with `mu = floor(2^52 / q)`.

use super::avx512::Avx512;
use super::packed_words::eight;
use super::with::with;
use crate::arch::instantiate::kernel;
use crate::arrays;
use crate::float::FloatLanes;
use crate::lanes::Lanes;
use crate::line::Line;
use crate::modulus::W46_MAX;
use crate::{Form, Modulus};
#[allow(clippy::wildcard_imports, reason = "the names of intrinsics start with _mm")]
use std::arch::x86_64::*;

/// Proof that this CPU has AVX-512 IFMA, BW and VBMI besides [`Avx512`]: only [`Ifma::detect`]
/// makes one. Every CPU with IFMA has the other two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ifma(Avx512);

kernel!(
    Ifma,
    "ifma",
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512ifma,avx512bw,avx512vbmi")]
);

impl Ifma {
    /// Returns the token if this CPU has the instructions.
    pub(crate) fn detect() -> Option<&'static Self> {
        static TOKEN: std::sync::OnceLock<Option<Ifma>> = std::sync::OnceLock::new();
        let detect = || {
            let avx512 = Avx512::detect()?;
            let present = is_x86_feature_detected!("avx512ifma")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vbmi");
            present.then_some(Self(*avx512))
        };
        TOKEN.get_or_init(detect).as_ref()
    }

    /// Returns `sum` plus the low 52 bits of `a b`.
    #[inline(always)]
    fn low(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        with!(self, _mm512_madd52lo_epu64(sum, a, b))
    }

    /// Returns `sum` plus the high 52 bits of `a b`.
    #[inline(always)]
    fn high(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        with!(self, _mm512_madd52hi_epu64(sum, a, b))
    }
}

/// The constants of a modulus `q`.
#[derive(Clone, Copy)]
pub(crate) struct Ring {
    modulus: __m512i,
    twice: __m512i,
    /// `32 q`.
    offset: __m512i,
    /// `2^52 - q`.
    negative: __m512i,
    /// `floor(2^52 / q)`.
    barrett: __m512i,
    /// `2^52 mod q` and its quotient.
    pow52: [__m512i; 2],
    /// `2^52 - 1`.
    mask: __m512i,
    /// `1 - q`.
    carry: __m512i,
}

impl Lanes for Ifma {
    type Words = __m512i;
    type Residues = __m512i;
    type Ring = Ring;
    type Factor = [__m512i; 2];
    /// The sums of the low and of the high 52-bit halves of products.
    type Sum = [__m512i; 2];
    type Floats = __m512d;

    const FORM: Form = Form::Shoup52;
    const MODULUS_BOUND: u64 = W46_MAX;
    const TWIST_LINES: usize = 1;
    const MANY_REGISTERS: bool = true;

    #[inline(always)]
    fn ring(self, m: &Modulus) -> Ring {
        let q = m.value();
        Ring {
            modulus: self.splat(q),
            twice: self.splat(2 * q),
            offset: self.splat(32 * q),
            negative: self.splat((1 << 52) - q),
            barrett: self.splat(m.barrett52()),
            pow52: arrays::map(m.pow52(), |word| self.splat(word)),
            mask: self.splat((1 << 52) - 1),
            carry: self.splat(1_u64.wrapping_sub(q)),
        }
    }

    #[inline(always)]
    fn load(self, line: &Line) -> __m512i {
        FloatLanes::load(self.0, line)
    }

    #[inline(always)]
    fn store(self, line: &mut Line, words: __m512i) {
        FloatLanes::store(self.0, line, words);
    }

    #[inline(always)]
    fn load_packed<const B: usize>(self, bytes: &[u8; B]) -> __m512i {
        with!(self, eight(bytes))
    }

    #[inline(always)]
    fn prefetch<T>(self, place: &T) {
        FloatLanes::prefetch(self.0, place);
    }

    #[inline(always)]
    fn splat(self, word: u64) -> __m512i {
        FloatLanes::splat(self.0, word)
    }

    #[inline(always)]
    fn plus(self, a: __m512i, b: __m512i) -> __m512i {
        self.0.add_words(a, b)
    }

    #[inline(always)]
    fn minus(self, a: __m512i, b: __m512i) -> __m512i {
        self.0.sub_words(a, b)
    }

    #[inline(always)]
    fn add(self, ring: Ring, a: __m512i, b: __m512i) -> __m512i {
        self.0.fold(self.0.add_words(a, b), ring.modulus)
    }

    #[inline(always)]
    fn sub(self, ring: Ring, a: __m512i, b: __m512i) -> __m512i {
        // The modulus is added first, because `fold` takes unsigned words.
        self.0.fold(self.0.sub_words(self.0.add_words(a, ring.modulus), b), ring.modulus)
    }

    #[inline(always)]
    fn lift(self, ring: Ring, small: __m512i) -> __m512i {
        self.0.fold(self.0.add_words(small, ring.modulus), ring.modulus)
    }

    #[inline(always)]
    fn count_below(self, count: __m512i, word: __m512i, threshold: __m512i) -> __m512i {
        FloatLanes::count_below(self.0, count, word, threshold)
    }

    #[inline(always)]
    fn canonical(self, ring: Ring, lazy: __m512i) -> __m512i {
        self.0.fold(lazy, ring.modulus)
    }

    #[inline(always)]
    fn residues(self, words: __m512i) -> __m512i {
        words
    }

    #[inline(always)]
    fn lazy(self, ring: Ring, fresh: __m512i) -> __m512i {
        with!(self, _mm512_and_si512(fresh, ring.mask))
    }

    #[inline(always)]
    fn bits(self, residues: __m512i) -> __m512i {
        residues
    }

    #[inline(always)]
    fn resume(self, bits: __m512i) -> __m512i {
        bits
    }

    #[inline(always)]
    fn raise(self, x: __m512i, offset: __m512i) -> __m512i {
        self.0.add_words(x, offset)
    }

    /// Computes `x + t` and `2x - (x + t)` with three multiplications and two additions.
    #[inline(always)]
    fn butterfly(
        self,
        ring: Ring,
        x: __m512i,
        y: __m512i,
        [w, quotient]: [__m512i; 2],
    ) -> (__m512i, __m512i) {
        let quotient = self.high(self.splat(0), y, quotient);
        let sum = self.low(self.low(x, y, w), quotient, ring.negative);
        (sum, self.0.sub_words(self.0.add_words(x, x), sum))
    }

    #[inline(always)]
    fn split(self, ring: Ring, x: __m512i, y: __m512i) -> (__m512i, __m512i) {
        let difference = self.0.sub_words(self.0.add_words(x, ring.offset), y);
        (self.0.add_words(x, y), difference)
    }

    #[inline(always)]
    fn split_raised(self, _: Ring, x: __m512i, y: __m512i) -> (__m512i, __m512i) {
        (self.0.add_words(x, y), self.0.sub_words(x, y))
    }

    #[inline(always)]
    fn multiply(self, ring: Ring, x: __m512i, factor: [__m512i; 2]) -> __m512i {
        self.multiply_raised(ring, x, factor, self.splat(0))
    }

    /// Multiplies and adds the offset without an extra instruction: it is the initial value of the
    /// product's sum.
    #[inline(always)]
    fn multiply_raised(
        self,
        ring: Ring,
        x: __m512i,
        [w, quotient]: [__m512i; 2],
        offset: __m512i,
    ) -> __m512i {
        let quotient = self.high(self.splat(0), x, quotient);
        self.low(self.low(offset, x, w), quotient, ring.negative)
    }

    #[inline(always)]
    fn settle(self, ring: Ring, x: __m512i) -> __m512i {
        let quotient = self.high(self.splat(0), x, ring.barrett);
        self.low(x, quotient, ring.negative)
    }

    #[inline(always)]
    fn factor(self, pair: [u64; 2]) -> [__m512i; 2] {
        arrays::map(pair, |word| self.splat(word))
    }

    #[inline(always)]
    fn factors(self, [w, quotient]: &[Line; 2]) -> [__m512i; 2] {
        [self.load(w), self.load(quotient)]
    }

    /// A line holds `Q = floor(w 2^52 / q) + 1`, and `w = floor(Q q / 2^52)` because `Q q` exceeds
    /// `w 2^52` by at most `q`. A quotient `floor(y Q / 2^52)` may be one too large, so products
    /// are in `(-q, q)`.
    #[inline(always)]
    fn twist(self, ring: Ring, lines: &[Line]) -> [__m512i; 2] {
        let quotient = self.load(&lines[0]);
        [self.high(self.splat(0), quotient, ring.modulus), quotient]
    }

    /// Computes Montgomery's product `(x w + m q) / 2^52` with `m = -x w / q` modulo `2^52`. The
    /// low halves of its two products sum to `2^52`, as neither is zero: `w` is odd and
    /// `0 < x < 2^52`. It is below `2q` for `x < 32q` and `w < 2q`; the sum starts from `-q`, which
    /// is added back if it stays below zero. Unlike in [`Lanes::multiply`], no bits lie above the
    /// 52nd.
    #[inline(always)]
    fn output(self, ring: Ring, x: __m512i, [w, multiple]: [__m512i; 2]) -> __m512i {
        let multiple = self.low(self.splat(0), x, multiple);
        let less = self.high(self.high(ring.carry, x, w), multiple, ring.modulus);
        with!(self, _mm512_min_epu64(less, _mm512_add_epi64(less, ring.modulus)))
    }

    #[inline(always)]
    fn transpose(self, rows: [__m512i; 8]) -> [__m512i; 8] {
        self.0.transpose(rows)
    }

    /// See [`Lanes::reduce`] below: `n q <= 2^51`, and `n` low halves fit 64 bits.
    fn max_terms(m: &Modulus) -> usize {
        ((1 << 51) / m.value()).min(4000) as usize
    }

    #[inline(always)]
    fn sum(self, start: __m512i) -> [__m512i; 2] {
        [start, self.splat(0)]
    }

    #[inline(always)]
    fn accumulate(
        self,
        _: Ring,
        [low, high]: [__m512i; 2],
        a: __m512i,
        b: __m512i,
    ) -> [__m512i; 2] {
        [self.low(low, a, b), self.high(high, a, b)]
    }

    /// The sum is `h 2^52 + l`, where `h` includes the carries of the low halves. It is congruent
    /// to `h (2^52 mod q) + l`; each summand is reduced to `[0, 2q)` with the quotients described
    /// at the head of this file, which are subtracted together. For `n` products of `a < 2^52` and
    /// `b < q`, `h` is at most `n q + n`, and with `n q <= 2^51` both `h` and the sum of the
    /// quotients stay below `2^52`.
    #[inline(always)]
    fn reduce(self, ring: Ring, [low, high]: [__m512i; 2]) -> __m512i {
        let high = with!(self, _mm512_add_epi64(high, _mm512_srli_epi64::<52>(low)));
        let [w, quotient] = ring.pow52;
        let quotient = self.high(self.high(self.splat(0), high, quotient), low, ring.barrett);
        let sum = self.low(self.low(low, high, w), quotient, ring.negative);
        // Two remainders below 2q each: one conditional subtraction of 2q leaves their sum below
        // 2q.
        self.0.fold(self.lazy(ring, sum), ring.twice)
    }

    #[inline(always)]
    fn floats(self, value: f64) -> __m512d {
        Lanes::floats(self.0, value)
    }

    #[inline(always)]
    fn weigh(self, sum: __m512d, words: __m512i, weight: __m512d) -> __m512d {
        Lanes::weigh(self.0, sum, words, weight)
    }

    #[inline(always)]
    fn floor(self, x: __m512d) -> __m512i {
        Lanes::floor(self.0, x)
    }
}
