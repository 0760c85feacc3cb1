//! The forward NTT: Cooley-Tukey butterflies with lazy reduction, from large strides to small.
//!
//! One level replaces the remainder of a polynomial modulo `X^(2m) - c^2`, with the halves `x`
//! (low) and `y` (high), by its remainders modulo `X^m - c` and `X^m + c`:
//!
//! ```text
//! (x, y) -> (x + c y, x - c y)
//! ```
//!
//! Starting from `X^N + 1`, node `i` of the level with `g` nodes has `c = psi^brv(g + i)` for a
//! primitive `2N`-th root of unity `psi`, so that twiddles are read in the order in which they are
//! stored. After `L = log2 N` levels an element is a value at an odd power of `psi`
//! (docs/maths/ntt.md has the order).
//!
//! *Why no level reduces.* With Shoup's quotient `w' = floor(w 2^52 / q)` of a twiddle `w`, the
//! product `t = y w - floor(y w' / 2^52) q` is in `[0, 2q)` for every `y < 2^52`, whatever the
//! range of `y` is. So only the growth of `x` has to be bounded: `x + t` and `x - t` differ from
//! `x` by less than `2q`. Values start in `[0, 2q)`; those to which products are added start `2 L
//! q` higher ([`Lanes::raise`]), so that no difference becomes negative in `L` levels. All values
//! stay in `[0, (4 L + 2) q)`. With `L = 17` this is below `2^52` for moduli below `2^52 / 70`,
//! about 45.87 bits, which is why the vector kernels end there. A butterfly of 52-bit lanes is five
//! instructions without a comparison. The `f64` lanes need no offset, because their products are in
//! `(-q, q)` and have a sign. The 64-bit lanes, whose moduli have up to 61 bits, reduce once at
//! each level.
//!
//! *Passes.* Levels above the blocks of 64 words are computed up to three or, with enough
//! registers, four at a time (radix 8 or 16), so that the row crosses the cache once for all of
//! them. The last six levels act inside a block of 64 words, as a matrix of 8 by 8: three levels
//! between its lines, a transposition, three levels inside the lines. The transposition is not
//! undone; the order of the result is part of the contract of every kernel. Levels depend on each
//! other, so that where there are enough registers two independent steps are interleaved (`B`), and
//! the levels inside the lines of one block alternate with those between the lines of the next.
//!
//! *Given up.* Montgomery products in 32-bit lanes need 6.5 operations a butterfly and limit primes
//! to 31 bits; Shoup products with a correction at every level need 8 to 10
//! (docs/decisions/0002-plain-values-no-montgomery.md).
//!
//! Source: Harvey, arXiv:1205.2926, for the lazy product; Longa and Naehrig, eprint 2016/504, for
//! the transform with merged twist.

use crate::lanes::Lanes;
use crate::line::{Line, debug_assert_rows, lines, lines_mut};
use crate::passes::{Radix, columns};
use crate::{Modulus, NttTable};

/// See [`crate::Kernel::ntt_forward_lazy`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn ntt_forward_lazy<L: Lanes>(lanes: L, table: &NttTable, row: &mut [u64]) {
    debug_assert_rows([row]);
    let row = lines_mut(table.checked_row(row, L::FORM));
    lanes.pass_of_words(table, row);
    lanes.later_passes(table, row);
    lanes.lazy_blocks(table, row);
}

/// See [`crate::Kernel::ntt_forward`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn ntt_forward<L: Lanes>(lanes: L, table: &NttTable, row: &mut [u64]) {
    debug_assert_rows([row]);
    let row = lines_mut(table.checked_row(row, L::FORM));
    lanes.pass_of_words(table, row);
    lanes.later_passes(table, row);
    lanes.canonical_blocks(table, row);
}

/// See [`crate::Kernel::ntt_forward_centered`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn ntt_forward_centered<L: Lanes>(
    lanes: L,
    table: &NttTable,
    out: &mut [u64],
    excess: &[u64],
    p: &Modulus,
) {
    debug_assert_rows([&*out, excess]);
    let row = lines_mut(table.checked_row(out, L::FORM));
    lanes.pass_of_centered(table, row, excess, p);
    lanes.later_passes(table, row);
    lanes.lazy_blocks(table, row);
}

/// Transforms the values that `entry` reads.
#[cfg_attr(optimized, inline(always))]
pub(super) fn transform<L: Lanes, E: Entry<L>>(
    lanes: L,
    table: &NttTable,
    row: &mut [u64],
    entry: E,
) {
    debug_assert_rows([row]);
    let row = lines_mut(table.checked_row(row, L::FORM));
    Pass::new(lanes, table).first_pass(row, entry);
    lanes.later_passes(table, row);
    lanes.lazy_blocks(table, row);
}

/// See [`crate::lanes::SharedPasses::pass_of_words`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn pass_of_words<L: Lanes>(lanes: L, table: &NttTable, row: &mut [Line]) {
    Pass::new(lanes, table).first_pass(row, Words);
}

/// See [`crate::lanes::SharedPasses::pass_of_centered`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn pass_of_centered<L: Lanes>(
    lanes: L,
    table: &NttTable,
    row: &mut [Line],
    excess: &[u64],
    p: &Modulus,
) {
    let entry = Excess::new(lanes, excess, p, &table.modulus());
    Pass::new(lanes, table).first_pass(row, entry);
}

/// See [`crate::lanes::SharedPasses::later_passes`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn later_passes<L: Lanes>(lanes: L, table: &NttTable, row: &mut [Line]) {
    Pass::new(lanes, table).later_passes(row);
}

/// See [`crate::lanes::SharedPasses::lazy_blocks`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn lazy_blocks<L: Lanes>(lanes: L, table: &NttTable, row: &mut [Line]) {
    Pass::new(lanes, table).blocks::<false>(row, table.forward_twiddles().blocks());
}

/// See [`crate::lanes::SharedPasses::canonical_blocks`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn canonical_blocks<L: Lanes>(lanes: L, table: &NttTable, row: &mut [Line]) {
    Pass::new(lanes, table).blocks::<true>(row, table.forward_twiddles().blocks());
}

/// Returns the number of levels above the blocks: all but six.
fn levels_above_blocks(row: &[Line]) -> u32 {
    (row.len() / 8).trailing_zeros()
}

/// The constants that every pass of one transform shares.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a, L: Lanes> {
    pub(super) lanes: L,
    pub(super) ring: L::Ring,
    pairs: &'a [[u64; 2]],
    /// `2 L q` for `L` levels.
    offset: L::Words,
}

/// The input of a pass.
pub(super) trait Entry<L: Lanes>: Copy {
    /// Returns the residues of line `at` of the row, which contains `line`; in the first pass,
    /// those of the upper half are raised.
    fn enter(self, pass: Pass<'_, L>, line: &Line, at: usize, upper: bool) -> L::Residues;
}

/// The row holds residues that the previous pass stored.
#[derive(Clone, Copy)]
struct Residues;

impl<L: Lanes> Entry<L> for Residues {
    #[cfg_attr(optimized, inline(always))]
    fn enter(self, pass: Pass<'_, L>, line: &Line, _: usize, _: bool) -> L::Residues {
        pass.lanes.resume(pass.lanes.load(line))
    }
}

/// The row holds lazy words.
#[derive(Clone, Copy)]
struct Words;

impl<L: Lanes> Entry<L> for Words {
    #[cfg_attr(optimized, inline(always))]
    fn enter(self, pass: Pass<'_, L>, line: &Line, _: usize, upper: bool) -> L::Residues {
        pass.raised(pass.lanes.residues(pass.lanes.load(line)), upper)
    }
}

/// The input is integers between `-h` and `h`, each increased by `h = (p - 1) / 2` for another odd
/// number `p`.
///
/// A multiple of `q` is added to make them positive; they are then at most `p + q`, which the
/// bounds allow for the largest modulus.
#[derive(Clone, Copy)]
struct Excess<'a, L: Lanes> {
    source: &'a [Line],
    /// The least multiple of `q` that is at least `h`, minus `h`.
    shift: L::Words,
}

impl<'a, L: Lanes> Excess<'a, L> {
    #[cfg_attr(optimized, inline(always))]
    fn new(lanes: L, source: &'a [u64], p: &Modulus, target: &Modulus) -> Self {
        // Adding the least multiple of the modulus that is at least h, less h, brings x + h with x
        // in [-h, h] to a nonnegative representative of x.
        let half = p.value() / 2;
        let shift = lanes.splat(half.next_multiple_of(target.value()) - half);
        Self { source: lines(source), shift }
    }
}

impl<L: Lanes> Entry<L> for Excess<'_, L> {
    #[cfg_attr(optimized, inline(always))]
    fn enter(self, pass: Pass<'_, L>, _: &Line, at: usize, upper: bool) -> L::Residues {
        let lanes = pass.lanes;
        let word = lanes.plus(lanes.load(&self.source[at]), self.shift);
        pass.raised(lanes.start(pass.ring, word), upper)
    }
}

impl<'a, L: Lanes> Pass<'a, L> {
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn new(lanes: L, table: &'a NttTable) -> Self {
        let modulus = table.modulus();
        let levels = table.degree().trailing_zeros() as u64;
        // The product wraps only for moduli of 64-bit lanes, which need no offset.
        let offset = lanes.splat(modulus.value().wrapping_mul(2 * levels));
        let pairs = &table.forward_twiddles().pairs;
        Pass { lanes, ring: lanes.ring(&modulus), pairs, offset }
    }

    /// Runs the first pass, which converts the input to residues.
    #[cfg_attr(optimized, inline(always))]
    fn first_pass<E: Entry<L>>(self, row: &mut [Line], entry: E) {
        match Radix::next(levels_above_blocks(row), L::MANY_REGISTERS) {
            Radix::One => self.enter(row, entry),
            Radix::Two => self.run::<2, _>(row, 1, entry),
            Radix::Four => self.run::<4, _>(row, 1, entry),
            Radix::Eight => self.run::<8, _>(row, 1, entry),
            Radix::Sixteen => self.run::<16, _>(row, 1, entry),
        }
    }

    /// Runs the other levels above the blocks.
    #[cfg_attr(optimized, inline(always))]
    fn later_passes(self, row: &mut [Line]) {
        let levels = levels_above_blocks(row);
        let mut done = Radix::next(levels, L::MANY_REGISTERS).levels();
        while done < levels {
            let (groups, radix) = (1 << done, Radix::next(levels - done, L::MANY_REGISTERS));
            match radix {
                Radix::One => {}
                Radix::Two => self.run::<2, _>(row, groups, Residues),
                Radix::Four => self.run::<4, _>(row, groups, Residues),
                Radix::Eight => self.run::<8, _>(row, groups, Residues),
                Radix::Sixteen => self.run::<16, _>(row, groups, Residues),
            }
            done += radix.levels();
        }
    }

    /// Converts the input to residues, if there are no levels above the blocks.
    #[cfg_attr(optimized, inline(always))]
    fn enter<E: Entry<L>>(self, row: &mut [Line], entry: E) {
        let half = row.len() / 2;
        for (at, line) in row.iter_mut().enumerate() {
            let value = entry.enter(self, line, at, at < half);
            self.lanes.store(line, self.lanes.bits(value));
        }
    }

    /// Computes `log2 R` levels on each of `groups` groups.
    #[cfg_attr(optimized, inline(always))]
    fn run<const R: usize, E: Entry<L>>(self, row: &mut [Line], groups: usize, entry: E) {
        // Two lines of radix 8 fill 16 registers; radix 16 fills them with one.
        if L::MANY_REGISTERS && R <= 8 {
            self.steps::<2, R, E>(row, groups, entry);
        } else {
            self.steps::<1, R, E>(row, groups, entry);
        }
    }

    /// Computes [`Pass::run`] with `B` lines of each column interleaved.
    #[cfg_attr(optimized, inline(always))]
    fn steps<const B: usize, const R: usize, E: Entry<L>>(
        self,
        row: &mut [Line],
        groups: usize,
        entry: E,
    ) {
        let height = row.len() / groups;
        for (group, chunk) in row.chunks_exact_mut(height).enumerate() {
            let mut columns = columns::<R, _>(chunk.as_chunks_mut::<B>().0);
            for at in 0..columns[0].len() {
                let mut values = [[self.zero(); R]; B];
                for (k, column) in columns.iter().enumerate() {
                    let first = height * group + height / R * k + B * at;
                    for ((values, line), place) in values.iter_mut().zip(&column[at]).zip(first..) {
                        values[k] = entry.enter(self, line, place, k < R / 2);
                    }
                }
                self.levels(&mut values, [groups + group; B]);
                for (k, column) in columns.iter_mut().enumerate() {
                    for (values, line) in values.iter().zip(&mut column[at]) {
                        self.lanes.store(line, self.lanes.bits(values[k]));
                    }
                }
            }
        }
    }

    /// Computes the last six levels, inside each block of 64. Consecutive blocks overlap if there
    /// are enough registers.
    #[cfg_attr(optimized, inline(always))]
    fn blocks<const CANONICAL: bool>(self, row: &mut [Line], twiddles: &[[Line; 14]]) {
        let groups = twiddles.len();
        let mut steps = row.as_chunks_mut::<8>().0.iter_mut().zip(twiddles).zip(groups..);
        if !L::MANY_REGISTERS {
            for ((block, twiddles), group) in steps {
                let mut values = self.levels_between_lines(block, group);
                self.levels_inside_lines(&mut values, twiddles);
                self.finish::<CANONICAL>(block, values);
            }
            return;
        }
        let Some(((mut block, mut twiddles), group)) = steps.next() else { return };
        let mut values = self.levels_between_lines(block, group);
        for ((next, next_twiddles), group) in steps {
            let next_values = self.overlapped(&mut values, twiddles, next, group);
            self.finish::<CANONICAL>(block, values);
            (block, twiddles, values) = (next, next_twiddles, next_values);
        }
        self.levels_inside_lines(&mut values, twiddles);
        self.finish::<CANONICAL>(block, values);
    }

    /// Completes the levels inside the lines of one block and returns the next block after the
    /// levels between its lines. They alternate, so that neither waits for the other or for a
    /// transposition, which needs many registers.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn overlapped(
        self,
        values: &mut [L::Residues; 8],
        twiddles: &[Line; 14],
        next: &[Line; 8],
        group: usize,
    ) -> [L::Residues; 8] {
        let (values, mut next) = (std::array::from_mut(values), [self.resume_block(next)]);
        let vectors = twiddles.as_chunks::<2>().0;
        // One level of each block in turn: no two instructions in a row depend on each other.
        self.level(&mut next, [group], 0);
        self.vector_level::<1, 4>(values, &vectors[..1]);
        self.level(&mut next, [group], 1);
        self.vector_level::<1, 2>(values, &vectors[1..3]);
        self.level(&mut next, [group], 2);
        self.vector_level::<1, 1>(values, &vectors[3..]);
        self.lanes.transpose(next[0])
    }

    /// Loads the residues of a block.
    #[cfg_attr(optimized, inline(always))]
    fn resume_block(self, block: &[Line; 8]) -> [L::Residues; 8] {
        let mut values = [self.zero(); 8];
        for (value, line) in values.iter_mut().zip(block) {
            *value = self.lanes.resume(self.lanes.load(line));
        }
        values
    }

    /// Computes the levels of stride 32, 16 and 8 words, and the transposition.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn levels_between_lines(self, block: &[Line; 8], group: usize) -> [L::Residues; 8] {
        let mut values = [self.resume_block(block)];
        self.levels(&mut values, [group]);
        self.lanes.transpose(values[0])
    }

    /// Computes the levels of stride 4, 2 and 1 words, in which every lane has its own twiddle.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn levels_inside_lines(self, values: &mut [L::Residues; 8], twiddles: &[Line; 14]) {
        let (values, twiddles) = (std::array::from_mut(values), twiddles.as_chunks::<2>().0);
        self.vector_level::<1, 4>(values, &twiddles[..1]);
        self.vector_level::<1, 2>(values, &twiddles[1..3]);
        self.vector_level::<1, 1>(values, &twiddles[3..]);
    }

    /// Stores a block after its last level.
    #[cfg_attr(optimized, inline(always))]
    fn finish<const CANONICAL: bool>(self, block: &mut [Line; 8], values: [L::Residues; 8]) {
        let Self { lanes, ring, .. } = self;
        for (line, &value) in block.iter_mut().zip(&values) {
            let mut words = lanes.lazy(ring, lanes.settle(ring, value));
            // A lazy result needs no second reduction, and whoever multiplies it accepts [0, 2q).
            if CANONICAL {
                words = lanes.canonical(ring, words);
            }
            lanes.store(line, words);
        }
    }

    /// Stores a block after its last level as left factors of sums of products.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn store_terms(self, terms: &mut [Line; 8], values: [L::Residues; 8]) {
        let Self { lanes, ring, .. } = self;
        for (line, value) in terms.iter_mut().zip(values) {
            lanes.store(line, lanes.bits(lanes.term(ring, value)));
        }
    }

    #[cfg_attr(optimized, inline(always))]
    pub(super) fn zero(self) -> L::Residues {
        self.lanes.resume(self.lanes.splat(0))
    }

    /// Raises residues of the upper half in the first pass.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn raised(self, x: L::Residues, upper: bool) -> L::Residues {
        if upper { self.lanes.raise(x, self.offset) } else { x }
    }

    /// Computes `log2 R` levels on `B` times `R` values that share the twiddles of `groups`.
    #[cfg_attr(optimized, inline(always))]
    fn levels<const B: usize, const R: usize>(
        self,
        values: &mut [[L::Residues; R]; B],
        groups: [usize; B],
    ) {
        self.level(values, groups, 0);
        if R > 2 {
            self.level(values, groups, 1);
        }
        if R > 4 {
            self.level(values, groups, 2);
        }
        if R > 8 {
            self.level(values, groups, 3);
        }
    }

    #[cfg_attr(optimized, inline(always))]
    fn level<const B: usize, const R: usize>(
        self,
        values: &mut [[L::Residues; R]; B],
        groups: [usize; B],
        level: u32,
    ) {
        let half = R >> (level + 1);
        for (v, group) in values.iter_mut().zip(groups) {
            for i in 0..1 << level {
                let factor = self.lanes.factor(self.pairs[(group << level) + i]);
                for k in 2 * half * i..2 * half * i + half {
                    (v[k], v[k + half]) =
                        self.lanes.butterfly(self.ring, v[k], v[k + half], factor);
                }
            }
        }
    }

    #[cfg_attr(optimized, inline(always))]
    fn vector_level<const B: usize, const HALF: usize>(
        self,
        values: &mut [[L::Residues; 8]; B],
        twiddles: &[[Line; 2]],
    ) {
        for (i, lines) in twiddles.iter().enumerate() {
            let factor = self.lanes.factors(lines);
            for v in &mut *values {
                for k in 2 * HALF * i..2 * HALF * i + HALF {
                    (v[k], v[k + HALF]) =
                        self.lanes.butterfly(self.ring, v[k], v[k + HALF], factor);
                }
            }
        }
    }
}
