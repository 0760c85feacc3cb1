//! Portable arithmetic: one 64-bit word after the other, in plain Rust.

use crate::arch::instantiate::kernel;
use crate::arrays::{from_fn, map};
use crate::key_row::widened;
use crate::lanes::Lanes;
use crate::line::Line;
use crate::modulus::{fold, multiply_lazy};
use crate::{Form, Modulus};

/// The kernel that runs on every CPU, for moduli below `2^61`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

kernel!(Portable, "portable",);

impl Lanes for Portable {
    type Words = Line;
    type Residues = Line;
    type Ring = Modulus;
    type Factor = [Line; 2];
    type Sum = [u128; 8];
    type Floats = [f64; 8];

    const FORM: Form = Form::Shoup64;
    const MODULUS_BOUND: u64 = 1 << 61;
    const MANY_REGISTERS: bool = false;

    #[cfg_attr(optimized, inline(always))]
    fn ring(self, m: &Modulus) -> Modulus {
        *m
    }

    #[cfg_attr(optimized, inline(always))]
    fn load(self, line: &Line) -> Line {
        *line
    }

    #[cfg_attr(optimized, inline(always))]
    fn load_packed<const B: usize>(self, bytes: &[u8; B]) -> Line {
        from_fn(|i| widened(&bytes[i * B / 8..][..B / 8]))
    }

    #[cfg_attr(optimized, inline(always))]
    fn store(self, line: &mut Line, words: Line) {
        *line = words;
    }

    #[cfg_attr(optimized, inline(always))]
    fn splat(self, word: u64) -> Line {
        [word; 8]
    }

    #[cfg_attr(optimized, inline(always))]
    fn plus(self, a: Line, b: Line) -> Line {
        from_fn(|i| a[i].wrapping_add(b[i]))
    }

    #[cfg_attr(optimized, inline(always))]
    fn minus(self, a: Line, b: Line) -> Line {
        from_fn(|i| a[i].wrapping_sub(b[i]))
    }

    #[cfg_attr(optimized, inline(always))]
    fn add(self, ring: Modulus, a: Line, b: Line) -> Line {
        from_fn(|i| ring.add(a[i], b[i]))
    }

    #[cfg_attr(optimized, inline(always))]
    fn sub(self, ring: Modulus, a: Line, b: Line) -> Line {
        from_fn(|i| ring.sub(a[i], b[i]))
    }

    #[cfg_attr(optimized, inline(always))]
    fn lift(self, ring: Modulus, small: Line) -> Line {
        map(small, |word| word.wrapping_add(ring.value() & (word >> 63).wrapping_neg()))
    }

    #[cfg_attr(optimized, inline(always))]
    fn count_below(self, count: Line, word: Line, threshold: Line) -> Line {
        from_fn(|i| count[i] + u64::from(word[i] < threshold[i]))
    }

    #[cfg_attr(optimized, inline(always))]
    fn canonical(self, ring: Modulus, lazy: Line) -> Line {
        map(lazy, |x| fold(x, ring.value()))
    }

    #[cfg_attr(optimized, inline(always))]
    fn residues(self, words: Line) -> Line {
        words
    }

    #[cfg_attr(optimized, inline(always))]
    fn start(self, ring: Modulus, words: Line) -> Line {
        map(words, |word| ring.reduce_lazy(word))
    }

    #[cfg_attr(optimized, inline(always))]
    fn lazy(self, _: Modulus, fresh: Line) -> Line {
        fresh
    }

    #[cfg_attr(optimized, inline(always))]
    fn bits(self, residues: Line) -> Line {
        residues
    }

    #[cfg_attr(optimized, inline(always))]
    fn resume(self, bits: Line) -> Line {
        bits
    }

    #[cfg_attr(optimized, inline(always))]
    fn raise(self, x: Line, _: Line) -> Line {
        x
    }

    /// Computes Harvey's butterfly: both outputs are in `[0, 4q)` for inputs in `[0, 4q)`.
    #[cfg_attr(optimized, inline(always))]
    fn butterfly(self, ring: Modulus, x: Line, y: Line, f: [Line; 2]) -> (Line, Line) {
        let twice = 2 * ring.value();
        let x = map(x, |x| fold(x, twice));
        let y = self.multiply(ring, y, f);
        (from_fn(|i| x[i] + y[i]), from_fn(|i| x[i] + twice - y[i]))
    }

    /// Computes sum and difference; both are in `[0, 4q)` for inputs in `[0, 4q)`.
    #[cfg_attr(optimized, inline(always))]
    fn split(self, ring: Modulus, x: Line, y: Line) -> (Line, Line) {
        let twice = 2 * ring.value();
        let [x, y] = map([x, y], |words| map(words, |word| fold(word, twice)));
        (from_fn(|i| x[i] + y[i]), from_fn(|i| x[i] + twice - y[i]))
    }

    #[cfg_attr(optimized, inline(always))]
    fn multiply(self, ring: Modulus, x: Line, [w, quotient]: [Line; 2]) -> Line {
        from_fn(|i| multiply_lazy(x[i], [w[i], quotient[i]], ring.value()))
    }

    /// Outputs of `butterfly` and `split` are below `4q`.
    #[cfg_attr(optimized, inline(always))]
    fn settle(self, ring: Modulus, x: Line) -> Line {
        map(x, |x| fold(x, 2 * ring.value()))
    }

    #[cfg_attr(optimized, inline(always))]
    fn factor(self, [w, quotient]: [u64; 2]) -> [Line; 2] {
        [[w; 8], [quotient; 8]]
    }

    #[cfg_attr(optimized, inline(always))]
    fn factors(self, lines: &[Line; 2]) -> [Line; 2] {
        *lines
    }

    #[cfg_attr(optimized, inline(always))]
    fn transpose(self, rows: [Line; 8]) -> [Line; 8] {
        from_fn(|c| from_fn(|r| rows[r][c]))
    }

    /// Returns 31: a product is below `2^62 * 2^61 = 2^123`, so 31 products plus lazy words stay
    /// below `2^128`.
    fn max_terms(_: &Modulus) -> usize {
        31
    }

    #[cfg_attr(optimized, inline(always))]
    fn sum(self, start: Line) -> [u128; 8] {
        map(start, u128::from)
    }

    #[cfg_attr(optimized, inline(always))]
    fn term(self, ring: Modulus, x: Line) -> Line {
        self.settle(ring, x)
    }

    #[cfg_attr(optimized, inline(always))]
    fn accumulate(self, _: Modulus, sum: [u128; 8], a: Line, b: Line) -> [u128; 8] {
        from_fn(|i| sum[i] + a[i] as u128 * b[i] as u128)
    }

    #[cfg_attr(optimized, inline(always))]
    fn reduce(self, ring: Modulus, sum: [u128; 8]) -> Line {
        map(sum, |sum| ring.reduce_u128_lazy(sum))
    }

    #[cfg_attr(optimized, inline(always))]
    fn floats(self, value: f64) -> [f64; 8] {
        [value; 8]
    }

    #[cfg_attr(optimized, inline(always))]
    fn weigh(self, sum: [f64; 8], words: Line, weight: [f64; 8]) -> [f64; 8] {
        from_fn(|i| sum[i] + words[i] as f64 * weight[i])
    }

    /// Truncates, which is the floor because the numbers are not negative.
    #[cfg_attr(optimized, inline(always))]
    fn floor(self, x: [f64; 8]) -> Line {
        map(x, |x| x as u64)
    }
}
