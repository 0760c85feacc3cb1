//! Residues as `f64`: exact modular arithmetic by fused multiply-add, for CPUs without 52-bit
//! integer lanes.
//!
//! A product `x w` of integers is the sum of two doubles: `h = round(x w)` and `l = fma(x, w, -h)`.
//! With the quotient `b = round(x (w / q))`, the reduced product is `(h - b q) + l`. Both
//! differences are of integers below `2^53`, so they are exact:
//!
//! - `b` is off by at most `1/2` from rounding and `2^-52 |x w / q|` from `w / q` and the product.
//!   For `|x| < 2^51.9`, which is 64 times the largest modulus, and a centred `w`
//!   (`|w / q| <= 1/2`) that is less than 1 in all, so products are in `(-q, q)`.
//! - For words `a < 2^52` and `b < q` the quotient is estimated from `h / q < 2^52` with error
//!   below 2, so each of `h - b q` and `l` is below `2.5 q`, and `2^50 / q` products sum to less
//!   than `2^52`.
//!
//! - A word below `2^46` is the sum of two parts below `2^23`, one of them times `2^23`. Their
//!   products with digits of magnitude up to `2^22` are exact, and so are sums of 127 of them.
//!   Centred words modulo numbers up to `2^32` are multiplied whole, by digits of up to `2^46`
//!   divided by half of the modulus.
//!
//! Residues have a sign, so butterflies need no offset: a butterfly changes values by less than
//! `q`.

use crate::arrays;
use crate::lanes::{Lanes, SharedPasses};
use crate::line::Line;
use crate::modulus::W46_MAX;
use crate::{Form, Modulus};

/// Words are split at this number for sums with integer weights.
const PART_BASE: f64 = (1_u64 << 23) as f64;
/// Words modulo numbers up to this are not split.
const WHOLE_MAX: u64 = 1 << 32;

/// The operations on eight integers and eight doubles that arithmetic in `f64` needs.
pub(crate) trait FloatLanes: SharedPasses + Copy {
    /// Eight integers.
    type Integers: Copy;
    /// Eight doubles.
    type Doubles: Copy;
    /// True if 16 vectors and their factors fit in the registers.
    const MANY_REGISTERS: bool;

    /// Loads a line.
    fn load(self, line: &Line) -> Self::Integers;
    /// Stores a line.
    fn store(self, line: &mut Line, words: Self::Integers);
    /// See [`Lanes::prefetch`].
    fn prefetch<T>(self, place: &T);
    /// See [`Lanes::load_packed`].
    fn load_packed<const B: usize>(self, bytes: &[u8; B]) -> Self::Integers;
    /// Returns eight copies of `word`.
    fn splat(self, word: u64) -> Self::Integers;
    /// Returns `a + b`.
    fn add_words(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// Returns `a - b`.
    fn sub_words(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// See [`Lanes::count_below`].
    fn count_below(
        self,
        count: Self::Integers,
        word: Self::Integers,
        threshold: Self::Integers,
    ) -> Self::Integers;
    /// Returns `x - bound` if that is not negative, else `x`; both below `2^63`.
    fn fold(self, x: Self::Integers, bound: Self::Integers) -> Self::Integers;

    /// Returns eight copies of `x`.
    fn splat_double(self, x: f64) -> Self::Doubles;
    /// Reinterprets integers as doubles.
    fn as_doubles(self, bits: Self::Integers) -> Self::Doubles;
    /// Reinterprets doubles as integers.
    fn as_integers(self, doubles: Self::Doubles) -> Self::Integers;
    /// Converts words below `2^52` to doubles.
    fn to_doubles(self, words: Self::Integers) -> Self::Doubles;
    /// Converts integral doubles in `[0, 2^52)` to words.
    fn to_words(self, doubles: Self::Doubles) -> Self::Integers;
    /// Returns `a + b`.
    fn add(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    /// Returns `a - b`.
    fn sub(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    /// Returns `a b`.
    fn mul(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    /// Returns `a b - c` with one rounding.
    fn mul_sub(self, a: Self::Doubles, b: Self::Doubles, c: Self::Doubles) -> Self::Doubles;
    /// Returns `c - a b` with one rounding.
    fn sub_mul(self, c: Self::Doubles, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    /// Rounds to the nearest integer.
    fn round(self, x: Self::Doubles) -> Self::Doubles;
    /// Rounds down to an integer.
    fn floor(self, x: Self::Doubles) -> Self::Doubles;
    /// Transposes an 8 x 8 matrix.
    fn transpose(self, rows: [Self::Doubles; 8]) -> [Self::Doubles; 8];
}

/// The constants of a modulus.
#[derive(Clone, Copy)]
pub(crate) struct FloatRing<F: FloatLanes> {
    /// The modulus, as words.
    words: F::Integers,
    /// The modulus, as doubles.
    modulus: F::Doubles,
    /// The inverse of the modulus.
    inverse: F::Doubles,
}

impl<F: FloatLanes> Lanes for F {
    type Words = F::Integers;
    type Residues = F::Doubles;
    type Ring = FloatRing<F>;
    type Factor = [F::Doubles; 2];
    type Sum = F::Doubles;
    type Floats = F::Doubles;

    const FORM: Form = Form::Ratio;
    const MODULUS_BOUND: u64 = W46_MAX;
    const MANY_REGISTERS: bool = <F as FloatLanes>::MANY_REGISTERS;

    #[cfg_attr(optimized, inline(always))]
    fn ring(self, m: &Modulus) -> FloatRing<F> {
        let modulus = m.value() as f64;
        FloatRing {
            words: FloatLanes::splat(self, m.value()),
            modulus: self.splat_double(modulus),
            inverse: self.splat_double(1.0 / modulus),
        }
    }

    #[cfg_attr(optimized, inline(always))]
    fn load(self, line: &Line) -> F::Integers {
        FloatLanes::load(self, line)
    }

    #[cfg_attr(optimized, inline(always))]
    fn store(self, line: &mut Line, words: F::Integers) {
        FloatLanes::store(self, line, words);
    }

    #[cfg_attr(optimized, inline(always))]
    fn load_packed<const B: usize>(self, bytes: &[u8; B]) -> F::Integers {
        FloatLanes::load_packed(self, bytes)
    }

    #[cfg_attr(optimized, inline(always))]
    fn prefetch<T>(self, place: &T) {
        FloatLanes::prefetch(self, place);
    }

    #[cfg_attr(optimized, inline(always))]
    fn splat(self, word: u64) -> F::Integers {
        FloatLanes::splat(self, word)
    }

    #[cfg_attr(optimized, inline(always))]
    fn plus(self, a: F::Integers, b: F::Integers) -> F::Integers {
        self.add_words(a, b)
    }

    #[cfg_attr(optimized, inline(always))]
    fn minus(self, a: F::Integers, b: F::Integers) -> F::Integers {
        self.sub_words(a, b)
    }

    #[cfg_attr(optimized, inline(always))]
    fn add(self, ring: FloatRing<F>, a: F::Integers, b: F::Integers) -> F::Integers {
        self.fold(self.add_words(a, b), ring.words)
    }

    #[cfg_attr(optimized, inline(always))]
    fn sub(self, ring: FloatRing<F>, a: F::Integers, b: F::Integers) -> F::Integers {
        self.fold(self.sub_words(self.add_words(a, ring.words), b), ring.words)
    }

    #[cfg_attr(optimized, inline(always))]
    fn lift(self, ring: FloatRing<F>, small: F::Integers) -> F::Integers {
        self.fold(self.add_words(small, ring.words), ring.words)
    }

    #[cfg_attr(optimized, inline(always))]
    fn count_below(
        self,
        count: F::Integers,
        word: F::Integers,
        threshold: F::Integers,
    ) -> F::Integers {
        FloatLanes::count_below(self, count, word, threshold)
    }

    #[cfg_attr(optimized, inline(always))]
    fn canonical(self, ring: FloatRing<F>, lazy: F::Integers) -> F::Integers {
        self.fold(lazy, ring.words)
    }

    #[cfg_attr(optimized, inline(always))]
    fn residues(self, words: F::Integers) -> F::Doubles {
        self.to_doubles(words)
    }

    #[cfg_attr(optimized, inline(always))]
    fn lazy(self, ring: FloatRing<F>, fresh: F::Doubles) -> F::Integers {
        // Fresh residues are in (-q, q): one addition of q makes them lazy words.
        self.to_words(FloatLanes::add(self, fresh, ring.modulus))
    }

    #[cfg_attr(optimized, inline(always))]
    fn bits(self, residues: F::Doubles) -> F::Integers {
        self.as_integers(residues)
    }

    #[cfg_attr(optimized, inline(always))]
    fn resume(self, bits: F::Integers) -> F::Doubles {
        self.as_doubles(bits)
    }

    #[cfg_attr(optimized, inline(always))]
    fn raise(self, x: F::Doubles, _: F::Integers) -> F::Doubles {
        x
    }

    #[cfg_attr(optimized, inline(always))]
    fn butterfly(
        self,
        ring: FloatRing<F>,
        x: F::Doubles,
        y: F::Doubles,
        f: [F::Doubles; 2],
    ) -> (F::Doubles, F::Doubles) {
        let product = self.multiply(ring, y, f);
        (FloatLanes::add(self, x, product), FloatLanes::sub(self, x, product))
    }

    #[cfg_attr(optimized, inline(always))]
    fn split(self, _: FloatRing<F>, x: F::Doubles, y: F::Doubles) -> (F::Doubles, F::Doubles) {
        (FloatLanes::add(self, x, y), FloatLanes::sub(self, x, y))
    }

    #[cfg_attr(optimized, inline(always))]
    fn multiply(
        self,
        ring: FloatRing<F>,
        x: F::Doubles,
        [w, ratio]: [F::Doubles; 2],
    ) -> F::Doubles {
        // The product has more bits than a double. Its rounded value and, by a fused operation, the
        // exact rest of the rounding are reduced together.
        let high = self.mul(x, w);
        let quotient = self.round(self.mul(x, ratio));
        let low = self.mul_sub(x, w, high);
        FloatLanes::add(self, self.sub_mul(high, quotient, ring.modulus), low)
    }

    #[cfg_attr(optimized, inline(always))]
    fn settle(self, ring: FloatRing<F>, x: F::Doubles) -> F::Doubles {
        let quotient = self.round(self.mul(x, ring.inverse));
        self.sub_mul(x, quotient, ring.modulus)
    }

    #[cfg_attr(optimized, inline(always))]
    fn factor(self, pair: [u64; 2]) -> [F::Doubles; 2] {
        arrays::map(pair, |bits| self.splat_double(f64::from_bits(bits)))
    }

    #[cfg_attr(optimized, inline(always))]
    fn factors(self, [w, ratio]: &[Line; 2]) -> [F::Doubles; 2] {
        arrays::map([w, ratio], |line| self.as_doubles(FloatLanes::load(self, line)))
    }

    #[cfg_attr(optimized, inline(always))]
    fn transpose(self, rows: [F::Doubles; 8]) -> [F::Doubles; 8] {
        FloatLanes::transpose(self, rows)
    }

    fn max_terms(m: &Modulus) -> usize {
        ((1 << 50) / m.value()) as usize
    }

    #[cfg_attr(optimized, inline(always))]
    fn sum(self, start: F::Integers) -> F::Doubles {
        self.to_doubles(start)
    }

    #[cfg_attr(optimized, inline(always))]
    fn accumulate(
        self,
        ring: FloatRing<F>,
        sum: F::Doubles,
        a: F::Doubles,
        b: F::Doubles,
    ) -> F::Doubles {
        let high = self.mul(a, b);
        // Neither factor has a precomputed ratio here; the rounded product is near enough, since a
        // quotient that is off by one only moves the sum by q.
        let quotient = self.round(self.mul(high, ring.inverse));
        let low = self.mul_sub(a, b, high);
        let sum = FloatLanes::add(self, sum, low);
        FloatLanes::add(self, sum, self.sub_mul(high, quotient, ring.modulus))
    }

    #[cfg_attr(optimized, inline(always))]
    fn reduce(self, ring: FloatRing<F>, sum: F::Doubles) -> F::Integers {
        self.lazy(ring, self.settle(ring, sum))
    }

    fn is_wide(m: &Modulus) -> bool {
        m.value() > WHOLE_MAX
    }

    #[cfg_attr(optimized, inline(always))]
    fn parts<const WIDE: bool>(self, ring: FloatRing<F>, words: F::Integers) -> [F::Integers; 2] {
        let whole = self.to_doubles(words);
        if !WIDE {
            // A centred word has one bit less, which leaves room for more products.
            return [self.as_integers(self.settle(ring, whole)); 2];
        }
        let scaled = self.mul(whole, self.splat_double(1.0 / PART_BASE));
        // Both parts have 23 bits, so that their products with digits of 23 bits are exact in a
        // double, and 127 of them add up exactly.
        let high = FloatLanes::floor(self, scaled);
        let low = self.sub_mul(whole, high, self.splat_double(PART_BASE));
        [self.as_integers(low), self.as_integers(high)]
    }

    fn part_base(m: &Modulus) -> u64 {
        m.reduce(PART_BASE as u64)
    }

    fn digit_bits(m: &Modulus) -> u32 {
        if Self::is_wide(m) { 23 } else { 48 - (u64::BITS - (m.value() - 1).leading_zeros()) }
    }

    /// Negated, since products are subtracted.
    #[cfg_attr(optimized, inline(always))]
    fn weight(_: &Modulus, digit: i64) -> u64 {
        (-(digit as f64)).to_bits()
    }

    /// Products of a part and a digit are at most `2^45`, those of a centred word at most `2^46`.
    /// Their sum is below `2^52`.
    fn max_weighted(m: &Modulus) -> usize {
        if Self::is_wide(m) { 127 } else { 63 }
    }

    #[cfg_attr(optimized, inline(always))]
    fn accumulate_weighted<const WIDE: bool>(
        self,
        _: FloatRing<F>,
        [low, high]: [F::Doubles; 2],
        parts: [F::Integers; 2],
        digit: F::Doubles,
    ) -> [F::Doubles; 2] {
        let sum = self.sub_mul(low, self.as_doubles(parts[0]), digit);
        [sum, if WIDE { self.sub_mul(high, self.as_doubles(parts[1]), digit) } else { high }]
    }

    #[cfg_attr(optimized, inline(always))]
    fn reduce_weighted<const WIDE: bool>(
        self,
        ring: FloatRing<F>,
        [low, high]: [F::Doubles; 2],
        base: [F::Doubles; 2],
    ) -> F::Integers {
        let low = self.settle(ring, low);
        if !WIDE {
            return self.lazy(ring, low);
        }
        let high = self.multiply(ring, self.settle(ring, high), base);
        self.lazy(ring, self.settle(ring, FloatLanes::add(self, low, high)))
    }

    #[cfg_attr(optimized, inline(always))]
    fn floats(self, value: f64) -> F::Doubles {
        self.splat_double(value)
    }

    #[cfg_attr(optimized, inline(always))]
    fn weigh(self, sum: F::Doubles, words: F::Integers, weight: F::Doubles) -> F::Doubles {
        FloatLanes::add(self, sum, self.mul(self.to_doubles(words), weight))
    }

    #[cfg_attr(optimized, inline(always))]
    fn floor(self, x: F::Doubles) -> F::Integers {
        self.to_words(FloatLanes::floor(self, x))
    }
}
