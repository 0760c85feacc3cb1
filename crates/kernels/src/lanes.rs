//! What an instruction set must offer: the algorithms of [`crate::generic`] are written over it.

#[cfg(doc)]
use crate::Constant;
use crate::generic::SharedPasses;
use crate::{Form, Modulus};

/// A line of a row: eight words.
pub(crate) type Line = [u64; 8];

/// Arithmetic on eight words at a time. A value is proof that the CPU can run it.
///
/// Three kinds of value flow through the algorithms:
/// - *words*: eight integers as they lie in rows;
/// - *residues*: the working form of transforms and products (integers, or `f64` with a sign). They
///   grow: each method states what magnitude it takes. *Fresh* residues represent a value in
///   `[0, 2q)` for integer forms and `(-q, q)` for `f64`;
/// - *sums* of products, not yet reduced.
///
/// Methods are inlined where the compiler optimises: they end up inside the function per operation
/// that enables the instruction set.
pub(crate) trait Lanes: SharedPasses + Copy {
    /// Eight integers.
    type Words: Copy;
    /// Eight residues in working form.
    type Residues: Copy;
    /// The constants of a modulus.
    type Ring: Copy;
    /// Eight multiplicands known in advance.
    type Factor: Copy;
    /// Eight sums of products.
    type Sum: Copy;
    /// Eight sums of fractions.
    type Floats: Copy;

    /// The form of multiplicands.
    const FORM: Form;
    /// Exclusive bound of the moduli.
    const MODULUS_BOUND: u64;
    /// Lines that hold eight factors of the twist: two as in [`Lanes::factors`], or one if the
    /// first words follow from the second ones.
    const TWIST_LINES: usize = 2;
    /// Whether 16 residues and their factors fit the registers.
    const MANY_REGISTERS: bool;

    /// The constants of `m`, which is below `MODULUS_BOUND`.
    fn ring(self, m: &Modulus) -> Self::Ring;

    // ---- words -------------------------------------------------------------------------------

    /// Reads a line.
    fn load(self, line: &Line) -> Self::Words;
    /// Writes a line.
    fn store(self, line: &mut Line, words: Self::Words);
    /// Asks for a line that will be read soon, where the instruction set can.
    #[cfg_attr(optimized, inline(always))]
    fn prefetch(self, _: &Line) {}
    /// Eight copies.
    fn splat(self, word: u64) -> Self::Words;
    /// Sum of words modulo `2^64`.
    fn plus(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Difference of words modulo `2^64`.
    fn minus(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Canonical sum of canonical words.
    fn add(self, ring: Self::Ring, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Canonical difference of canonical words.
    fn sub(self, ring: Self::Ring, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Canonical residues of integers in two's complement, of magnitude below `q`.
    fn lift(self, ring: Self::Ring, small: Self::Words) -> Self::Words;
    /// `count`, plus one where the word is below the threshold; both below `2^63`.
    fn count_below(
        self,
        count: Self::Words,
        word: Self::Words,
        threshold: Self::Words,
    ) -> Self::Words;
    /// Canonical words from lazy ones.
    fn canonical(self, ring: Self::Ring, lazy: Self::Words) -> Self::Words;

    // ---- residues ----------------------------------------------------------------------------

    /// Residues from words below `2^52` (`f64` and 52-bit lanes) or any words (64-bit lanes).
    fn residues(self, words: Self::Words) -> Self::Residues;
    /// Residues that a forward transform may start from, from words below twice
    /// [`crate::W46_MAX`] (`f64` and 52-bit lanes) or `2^62` (64-bit lanes).
    #[cfg_attr(optimized, inline(always))]
    fn start(self, _: Self::Ring, words: Self::Words) -> Self::Residues {
        self.residues(words)
    }
    /// Lazy words from fresh residues.
    fn lazy(self, ring: Self::Ring, fresh: Self::Residues) -> Self::Words;
    /// The bits of residues, to be kept in a row between two passes.
    fn bits(self, residues: Self::Residues) -> Self::Words;
    /// The inverse of [`Lanes::bits`].
    fn resume(self, bits: Self::Words) -> Self::Residues;
    /// Adds the offset that keeps later outputs of [`Lanes::butterfly`] from going below zero,
    /// where the form of residues needs one.
    fn raise(self, x: Self::Residues, offset: Self::Words) -> Self::Residues;
    /// `(x + y f, x - y f)`. A representative moves by at most `2q`, both ways.
    fn butterfly(
        self,
        ring: Self::Ring,
        x: Self::Residues,
        y: Self::Residues,
        f: Self::Factor,
    ) -> (Self::Residues, Self::Residues);
    /// `(x + y, x - y + 32q)` without the offset for `f64`. Integer residues are below `16q` here
    /// and not negative.
    fn split(
        self,
        ring: Self::Ring,
        x: Self::Residues,
        y: Self::Residues,
    ) -> (Self::Residues, Self::Residues);
    /// `(x + y, x - y)`, where residues that take an offset have `x` raised above `y`.
    #[cfg_attr(optimized, inline(always))]
    fn split_raised(
        self,
        ring: Self::Ring,
        x: Self::Residues,
        y: Self::Residues,
    ) -> (Self::Residues, Self::Residues) {
        self.split(ring, x, y)
    }
    /// Fresh product of a factor and residues: below `2^52` (52-bit lanes), of magnitude below
    /// `2^51.9`, 64 times the largest modulus (`f64` lanes), or any (64-bit lanes).
    fn multiply(self, ring: Self::Ring, x: Self::Residues, f: Self::Factor) -> Self::Residues;
    /// The same, raised.
    #[cfg_attr(optimized, inline(always))]
    fn multiply_raised(
        self,
        ring: Self::Ring,
        x: Self::Residues,
        f: Self::Factor,
        offset: Self::Words,
    ) -> Self::Residues {
        self.raise(self.multiply(ring, x, f), offset)
    }
    /// Fresh representative of residues of magnitude below `2^52`, or of an output of
    /// [`Lanes::butterfly`] or [`Lanes::split`].
    fn settle(self, ring: Self::Ring, x: Self::Residues) -> Self::Residues;
    /// Eight copies of the multiplicand in `pair`, which is in the form `FORM`.
    fn factor(self, pair: [u64; 2]) -> Self::Factor;
    /// Eight multiplicands, each in the form `FORM`.
    fn factors(self, lines: &[Line; 2]) -> Self::Factor;
    /// Eight factors of the twist, from [`Lanes::TWIST_LINES`] lines. Of integer forms, their
    /// fresh products may lie in `(-q, q)` instead.
    #[cfg_attr(optimized, inline(always))]
    fn twist(self, _: Self::Ring, lines: &[Line]) -> Self::Factor {
        self.factors(&lines.as_chunks().0[0])
    }
    /// Canonical product by a factor in the form of [`Constant::output_pair`]. Integer residues
    /// are in `(0, 32q)`.
    #[cfg_attr(optimized, inline(always))]
    fn output(self, ring: Self::Ring, x: Self::Residues, f: Self::Factor) -> Self::Words {
        self.canonical(ring, self.lazy(ring, self.multiply(ring, x, f)))
    }
    /// Transposes an 8 x 8 matrix.
    fn transpose(self, rows: [Self::Residues; 8]) -> [Self::Residues; 8];

    // ---- sums of products --------------------------------------------------------------------

    /// How many products a sum may hold besides the lazy words it starts from.
    fn max_terms(m: &Modulus) -> usize;
    /// A sum that starts from lazy words.
    fn sum(self, start: Self::Words) -> Self::Sum;
    /// The left factor of [`Lanes::accumulate`] for an output of [`Lanes::butterfly`].
    #[cfg_attr(optimized, inline(always))]
    fn term(self, _: Self::Ring, x: Self::Residues) -> Self::Residues {
        x
    }
    /// Adds a product. `a` comes from words as in [`Lanes::residues`] or from [`Lanes::term`], `b`
    /// from canonical ones.
    fn accumulate(
        self,
        ring: Self::Ring,
        sum: Self::Sum,
        a: Self::Residues,
        b: Self::Residues,
    ) -> Self::Sum;
    /// Lazy words from a sum.
    fn reduce(self, ring: Self::Ring, sum: Self::Sum) -> Self::Words;

    // ---- fractions ---------------------------------------------------------------------------

    /// Eight copies of a number.
    fn floats(self, value: f64) -> Self::Floats;
    /// `sum + words as f64 * weight`, with two roundings.
    fn weigh(self, sum: Self::Floats, words: Self::Words, weight: Self::Floats) -> Self::Floats;
    /// The integers at or below numbers in `[0, 2^52)`.
    fn floor(self, x: Self::Floats) -> Self::Words;
}
