//! The interface of an instruction set, over which the algorithms of [`crate::generic`] are
//! written.

use crate::line::Line;
use crate::{Form, Modulus, NttTable};

/// Passes that all forward transforms share, compiled once for an instruction set as separate
/// functions.
pub(crate) trait SharedPasses {
    /// Runs the first pass on a row of lazy words.
    fn pass_of_words(&self, table: &NttTable, row: &mut [Line]);
    /// Runs the first pass on centred integers that are given increased, as in
    /// [`crate::Kernel::ntt_forward_centered`].
    fn pass_of_centered(&self, table: &NttTable, row: &mut [Line], excess: &[u64], p: &Modulus);
    /// Runs the other levels above the blocks.
    fn later_passes(&self, table: &NttTable, row: &mut [Line]);
    /// Runs the last six levels, inside each block of 64, with lazy results.
    fn lazy_blocks(&self, table: &NttTable, row: &mut [Line]);
    /// Runs the last six levels, inside each block of 64, with canonical results.
    fn canonical_blocks(&self, table: &NttTable, row: &mut [Line]);
}

/// Arithmetic on eight words at a time. A value is proof that the CPU can run it.
///
/// The algorithms use three kinds of values:
/// - *words*: eight integers as they lie in rows;
/// - *residues*: the working form of transforms and products (integers, or `f64` with a sign). They
///   grow: each method states the magnitude that it accepts. *Fresh* residues represent a value in
///   `[0, 2q)` for integer forms and `(-q, q)` for `f64`;
/// - *sums* of products, not yet reduced.
///
/// Methods are inlined in optimised builds, so that they become part of the function per operation
/// that enables the instruction set.
pub(crate) trait Lanes: SharedPasses + Copy {
    /// Eight integers.
    type Words: Copy;
    /// Eight residues in working form.
    type Residues: Copy;
    /// The constants of a modulus.
    type Ring: Copy;
    /// Eight precomputed multiplicands.
    type Factor: Copy;
    /// Eight sums of products.
    type Sum: Copy;
    /// Eight sums of fractions.
    type Floats: Copy;

    /// Form of the precomputed multiplicands.
    const FORM: Form;
    /// Exclusive upper bound of the moduli.
    const MODULUS_BOUND: u64;
    /// Number of lines that hold eight factors of the twist: two as in [`Lanes::factors`], or one
    /// if the first words can be computed from the second ones.
    const TWIST_LINES: usize = 2;
    /// True if 16 residues and their factors fit in the registers.
    const MANY_REGISTERS: bool;

    /// Returns the constants of `m`, which is below `MODULUS_BOUND`.
    fn ring(self, m: &Modulus) -> Self::Ring;

    // ---- words -------------------------------------------------------------------------------

    /// Loads a line.
    fn load(self, line: &Line) -> Self::Words;
    /// Stores a line.
    fn store(self, line: &mut Line, words: Self::Words);
    /// Loads eight words of `B / 8` bytes each, for `B` in 32, 40, 48 and 64.
    fn load_packed<const B: usize>(self, bytes: &[u8; B]) -> Self::Words;
    /// Prefetches a cache line, if the instruction set can.
    #[cfg_attr(optimized, inline(always))]
    fn prefetch<T>(self, _: &T) {}
    /// Returns eight copies of `word`.
    fn splat(self, word: u64) -> Self::Words;
    /// Returns the sum modulo `2^64`.
    fn plus(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Returns the difference modulo `2^64`.
    fn minus(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Returns the canonical sum of canonical words.
    fn add(self, ring: Self::Ring, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Returns the canonical difference of canonical words.
    fn sub(self, ring: Self::Ring, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Returns the canonical residues of integers in two's complement, of magnitude below `q`.
    fn lift(self, ring: Self::Ring, small: Self::Words) -> Self::Words;
    /// Returns `count`, plus one where the word is below the threshold; both below `2^63`.
    fn count_below(
        self,
        count: Self::Words,
        word: Self::Words,
        threshold: Self::Words,
    ) -> Self::Words;
    /// Returns canonical words from lazy ones.
    fn canonical(self, ring: Self::Ring, lazy: Self::Words) -> Self::Words;

    // ---- residues ----------------------------------------------------------------------------

    /// Converts words below `2^52` (`f64` and 52-bit lanes) or any words (64-bit lanes) to
    /// residues.
    fn residues(self, words: Self::Words) -> Self::Residues;
    /// Converts words below twice the bound of the moduli (`f64` and 52-bit lanes) or `2^62`
    /// (64-bit lanes) to residues with which a forward transform may start.
    #[cfg_attr(optimized, inline(always))]
    fn start(self, _: Self::Ring, words: Self::Words) -> Self::Residues {
        self.residues(words)
    }
    /// Returns lazy words from fresh residues.
    fn lazy(self, ring: Self::Ring, fresh: Self::Residues) -> Self::Words;
    /// Returns the bits of residues, to be stored in a row between two passes.
    fn bits(self, residues: Self::Residues) -> Self::Words;
    /// Inverts [`Lanes::bits`].
    fn resume(self, bits: Self::Words) -> Self::Residues;
    /// Adds the offset that keeps later outputs of [`Lanes::butterfly`] nonnegative, if the form of
    /// residues needs one.
    fn raise(self, x: Self::Residues, offset: Self::Words) -> Self::Residues;
    /// Returns `(x + y f, x - y f)`. A representative changes by at most `2q` in either direction.
    fn butterfly(
        self,
        ring: Self::Ring,
        x: Self::Residues,
        y: Self::Residues,
        f: Self::Factor,
    ) -> (Self::Residues, Self::Residues);
    /// Returns `(x + y, x - y + 32q)`; without the offset for `f64`. Integer residues are in
    /// `[0, 16q)` here.
    fn split(
        self,
        ring: Self::Ring,
        x: Self::Residues,
        y: Self::Residues,
    ) -> (Self::Residues, Self::Residues);
    /// Returns `(x + y, x - y)`; residues that need an offset have `x` raised above `y`.
    #[cfg_attr(optimized, inline(always))]
    fn split_raised(
        self,
        ring: Self::Ring,
        x: Self::Residues,
        y: Self::Residues,
    ) -> (Self::Residues, Self::Residues) {
        self.split(ring, x, y)
    }
    /// Returns the fresh product of a factor and residues: below `2^52` (52-bit lanes), of
    /// magnitude below `2^51.9`, 64 times the largest modulus (`f64` lanes), or any (64-bit lanes).
    fn multiply(self, ring: Self::Ring, x: Self::Residues, f: Self::Factor) -> Self::Residues;
    /// Returns the product of [`Lanes::multiply`], raised by an offset.
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
    /// Returns a fresh representative of residues of magnitude below `2^52`, or of an output of
    /// [`Lanes::butterfly`] or [`Lanes::split`].
    fn settle(self, ring: Self::Ring, x: Self::Residues) -> Self::Residues;
    /// Returns eight copies of the multiplicand in `pair`, which is in the form `FORM`.
    fn factor(self, pair: [u64; 2]) -> Self::Factor;
    /// Returns eight multiplicands, each in the form `FORM`.
    fn factors(self, lines: &[Line; 2]) -> Self::Factor;
    /// Returns eight factors of the twist, from [`Lanes::TWIST_LINES`] lines. In integer forms,
    /// their fresh products may also lie in `(-q, q)`.
    #[cfg_attr(optimized, inline(always))]
    fn twist(self, _: Self::Ring, lines: &[Line]) -> Self::Factor {
        self.factors(&lines.as_chunks().0[0])
    }
    /// Returns the canonical product by a factor in the form of [`Modulus::output_pair`]. Integer
    /// residues are in `(0, 32q)`.
    #[cfg_attr(optimized, inline(always))]
    fn output(self, ring: Self::Ring, x: Self::Residues, f: Self::Factor) -> Self::Words {
        self.canonical(ring, self.lazy(ring, self.multiply(ring, x, f)))
    }
    /// Transposes an 8 x 8 matrix.
    fn transpose(self, rows: [Self::Residues; 8]) -> [Self::Residues; 8];

    // ---- sums of products --------------------------------------------------------------------

    /// Returns the number of products that a sum may hold in addition to the lazy words it starts
    /// from.
    fn max_terms(m: &Modulus) -> usize;
    /// Starts a sum from lazy words.
    fn sum(self, start: Self::Words) -> Self::Sum;
    /// Converts an output of [`Lanes::butterfly`] to a left factor of [`Lanes::accumulate`].
    #[cfg_attr(optimized, inline(always))]
    fn term(self, _: Self::Ring, x: Self::Residues) -> Self::Residues {
        x
    }
    /// Adds the product `a b` to a sum. `a` comes from words as in [`Lanes::residues`] or from
    /// [`Lanes::term`], `b` from canonical words.
    fn accumulate(
        self,
        ring: Self::Ring,
        sum: Self::Sum,
        a: Self::Residues,
        b: Self::Residues,
    ) -> Self::Sum;
    /// Reduces a sum to lazy words.
    fn reduce(self, ring: Self::Ring, sum: Self::Sum) -> Self::Words;

    // ---- sums with integer weights --------------------------------------------------------------

    /// Tells whether words are multiplied in two parts.
    fn is_wide(_: &Modulus) -> bool {
        false
    }
    /// Splits canonical words into the parts that are multiplied: `words = low + base * high`, with
    /// the base of [`Lanes::part_base`], or one part if the modulus is not wide.
    #[cfg_attr(optimized, inline(always))]
    fn parts<const WIDE: bool>(self, _: Self::Ring, words: Self::Words) -> [Self::Words; 2] {
        [words; 2]
    }
    /// Returns the base of [`Lanes::parts`], canonical.
    fn part_base(_: &Modulus) -> u64 {
        1
    }
    /// Returns the width of the digits that weights are split into.
    fn digit_bits(_: &Modulus) -> u32 {
        62
    }
    /// Returns the bits of a digit as [`Lanes::resume`] takes them.
    #[cfg_attr(optimized, inline(always))]
    fn weight(m: &Modulus, digit: i64) -> u64 {
        m.from_signed(digit)
    }
    /// Returns the number of products that a weighted sum may hold.
    fn max_weighted(m: &Modulus) -> usize {
        Self::max_terms(m)
    }
    /// Adds the product of a number, given by its parts, and a digit.
    #[cfg_attr(optimized, inline(always))]
    fn accumulate_weighted<const WIDE: bool>(
        self,
        ring: Self::Ring,
        [sum, other]: [Self::Sum; 2],
        [words, _]: [Self::Words; 2],
        digit: Self::Residues,
    ) -> [Self::Sum; 2] {
        [self.accumulate(ring, sum, self.residues(words), digit), other]
    }
    /// Reduces a weighted sum to lazy words; `base` is the base of the parts.
    #[cfg_attr(optimized, inline(always))]
    fn reduce_weighted<const WIDE: bool>(
        self,
        ring: Self::Ring,
        [sum, _]: [Self::Sum; 2],
        _: Self::Factor,
    ) -> Self::Words {
        self.reduce(ring, sum)
    }

    // ---- fractions ---------------------------------------------------------------------------

    /// Returns eight copies of a number.
    fn floats(self, value: f64) -> Self::Floats;
    /// Returns `sum + words * weight` in `f64`, with two roundings.
    fn weigh(self, sum: Self::Floats, words: Self::Words, weight: Self::Floats) -> Self::Floats;
    /// Rounds numbers in `[0, 2^52)` down to integers.
    fn floor(self, x: Self::Floats) -> Self::Words;
}
