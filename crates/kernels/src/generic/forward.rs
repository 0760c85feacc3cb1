//! The forward transform: Cooley-Tukey butterflies, from large strides to small.
//!
//! Bounds, for `L` levels: values start in `[0, 2q)` and those that are added to start from
//! [`Lanes::raise`], `2 L q` more. Each level moves a value by at most `2q`, so it stays in
//! `[0, (4 L + 2) q)`, below `2^52` for moduli below [`crate::W46_MAX`]. (`f64` lanes need no
//! offset: each level moves a value by less than `q`. 64-bit lanes correct at each level.)
//!
//! Levels depend on each other; where registers allow, two independent steps are interleaved (`B`),
//! so that the CPU has work while it waits for results.

use super::{debug_assert_rows, lines_mut};
use crate::NttTable;
use crate::lanes::{Lanes, Line};
use crate::passes::{Radix, columns};

/// See [`crate::Kernel::ntt_forward_lazy`].
#[inline(always)]
pub(crate) fn ntt_forward_lazy<L: Lanes>(lanes: L, table: &NttTable, row: &mut [u64]) {
    transform::<L, false>(lanes, table, row);
}

/// See [`crate::Kernel::ntt_forward`].
#[inline(always)]
pub(crate) fn ntt_forward<L: Lanes>(lanes: L, table: &NttTable, row: &mut [u64]) {
    transform::<L, true>(lanes, table, row);
}

#[inline(always)]
fn transform<L: Lanes, const CANONICAL: bool>(lanes: L, table: &NttTable, row: &mut [u64]) {
    debug_assert_rows([row]);
    let row = table.checked_row(row, L::FORM);
    let levels = table.degree().trailing_zeros();
    let modulus = table.modulus();
    // It only wraps for moduli of 64-bit lanes, which need no offset.
    let offset = lanes.splat(modulus.value().wrapping_mul(2 * levels as u64));
    let pass =
        Pass { lanes, ring: lanes.ring(&modulus), pairs: &table.forward_twiddles().pairs, offset };
    let row = lines_mut(row);
    let mut groups = 1;
    while groups < table.degree() / 64 {
        let left = levels - 6 - groups.trailing_zeros();
        let radix = Radix::next(left, L::MANY_REGISTERS);
        match (groups, radix) {
            (_, Radix::One) => break,
            (1, Radix::Two) => pass.run::<2, true>(row, groups),
            (1, Radix::Four) => pass.run::<4, true>(row, groups),
            (1, Radix::Eight) => pass.run::<8, true>(row, groups),
            (1, Radix::Sixteen) => pass.run::<16, true>(row, groups),
            (_, Radix::Two) => pass.run::<2, false>(row, groups),
            (_, Radix::Four) => pass.run::<4, false>(row, groups),
            (_, Radix::Eight) => pass.run::<8, false>(row, groups),
            (_, Radix::Sixteen) => pass.run::<16, false>(row, groups),
        }
        groups <<= radix.levels();
    }
    let blocks = table.forward_twiddles().blocks();
    if blocks.len() == 1 {
        pass.blocks::<true, CANONICAL>(row, blocks);
    } else {
        pass.blocks::<false, CANONICAL>(row, blocks);
    }
}

/// What every pass of one transform shares.
#[derive(Clone, Copy)]
struct Pass<'a, L: Lanes> {
    lanes: L,
    ring: L::Ring,
    pairs: &'a [[u64; 2]],
    /// `2 L q` for `L` levels.
    offset: L::Words,
}

impl<L: Lanes> Pass<'_, L> {
    /// `log2 R` levels on each of `groups` groups. `FIRST`: the row holds words, not residues.
    #[inline(always)]
    fn run<const R: usize, const FIRST: bool>(self, row: &mut [Line], groups: usize) {
        if L::MANY_REGISTERS && R <= 8 {
            self.steps::<2, R, FIRST>(row, groups);
        } else {
            self.steps::<1, R, FIRST>(row, groups);
        }
    }

    /// The same, `B` lines of each column in step.
    #[inline(always)]
    fn steps<const B: usize, const R: usize, const FIRST: bool>(
        self,
        row: &mut [Line],
        groups: usize,
    ) {
        let height = row.len() / groups;
        for (group, chunk) in row.chunks_exact_mut(height).enumerate() {
            let mut columns = columns::<R>(chunk);
            for at in (0..height / R).step_by(B) {
                let mut values = [[self.zero(); R]; B];
                for (b, values) in values.iter_mut().enumerate() {
                    for (k, (value, column)) in values.iter_mut().zip(&columns).enumerate() {
                        *value = self.enter::<FIRST>(&column[at + b], k < R / 2);
                    }
                }
                self.levels(&mut values, [groups + group; B]);
                for (b, values) in values.iter().enumerate() {
                    for (&value, column) in values.iter().zip(&mut columns) {
                        self.lanes.store(&mut column[at + b], self.lanes.bits(value));
                    }
                }
            }
        }
    }

    /// The last six levels, inside each block of 64. Where registers allow, the levels between the
    /// lines of a block come before those inside the lines of its predecessor: they do not wait for
    /// its transposition.
    #[inline(always)]
    fn blocks<const FIRST: bool, const CANONICAL: bool>(
        self,
        row: &mut [Line],
        twiddles: &[[Line; 14]],
    ) {
        let groups = twiddles.len();
        let mut steps = row.as_chunks_mut::<8>().0.iter_mut().zip(twiddles).zip(groups..);
        if !L::MANY_REGISTERS {
            for ((block, twiddles), group) in steps {
                let values = self.levels_between_lines::<FIRST>(block, group);
                self.levels_inside_lines::<CANONICAL>(block, values, twiddles);
            }
            return;
        }
        let Some(((mut block, mut twiddles), group)) = steps.next() else { return };
        let mut values = self.levels_between_lines::<FIRST>(block, group);
        for ((next, next_twiddles), group) in steps {
            let next_values = self.levels_between_lines::<FIRST>(next, group);
            self.levels_inside_lines::<CANONICAL>(block, values, twiddles);
            (block, twiddles, values) = (next, next_twiddles, next_values);
        }
        self.levels_inside_lines::<CANONICAL>(block, values, twiddles);
    }

    /// The levels of stride 32, 16 and 8 words, and the transposition.
    #[inline(always)]
    fn levels_between_lines<const FIRST: bool>(
        self,
        block: &[Line; 8],
        group: usize,
    ) -> [L::Residues; 8] {
        let mut values = [[self.zero(); 8]];
        for (k, (value, line)) in values[0].iter_mut().zip(block).enumerate() {
            *value = self.enter::<FIRST>(line, k < 4);
        }
        self.levels(&mut values, [group]);
        self.lanes.transpose(values[0])
    }

    /// The levels of stride 4, 2 and 1 words, on a transposed block.
    #[inline(always)]
    fn levels_inside_lines<const CANONICAL: bool>(
        self,
        block: &mut [Line; 8],
        values: [L::Residues; 8],
        twiddles: &[Line; 14],
    ) {
        let Self { lanes, ring, .. } = self;
        let mut values = [values];
        self.vector_levels(&mut values, std::array::from_ref(twiddles));
        for (line, &value) in block.iter_mut().zip(&values[0]) {
            let mut words = lanes.lazy(ring, lanes.settle(ring, value));
            if CANONICAL {
                words = lanes.canonical(ring, words);
            }
            lanes.store(line, words);
        }
    }

    #[inline(always)]
    fn zero(self) -> L::Residues {
        self.lanes.resume(self.lanes.splat(0))
    }

    /// Reads residues; in the first pass, makes them from words and raises those of the upper half.
    #[inline(always)]
    fn enter<const FIRST: bool>(self, line: &Line, upper: bool) -> L::Residues {
        let Self { lanes, offset, .. } = self;
        let words = lanes.load(line);
        match (FIRST, upper) {
            (false, _) => lanes.resume(words),
            (true, true) => lanes.raise(lanes.residues(words), offset),
            (true, false) => lanes.residues(words),
        }
    }

    /// `log2 R` levels on `B` times `R` values that share their twiddles, those of `groups`.
    #[inline(always)]
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

    #[inline(always)]
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

    /// Three levels on transposed blocks: every lane has its own twiddle.
    #[inline(always)]
    fn vector_levels<const B: usize>(
        self,
        values: &mut [[L::Residues; 8]; B],
        twiddles: &[[Line; 14]; B],
    ) {
        for (values, twiddles) in values.iter_mut().zip(twiddles) {
            self.vector_level::<4>(values, &twiddles.as_chunks::<2>().0[..1]);
        }
        for (values, twiddles) in values.iter_mut().zip(twiddles) {
            self.vector_level::<2>(values, &twiddles.as_chunks::<2>().0[1..3]);
        }
        for (values, twiddles) in values.iter_mut().zip(twiddles) {
            self.vector_level::<1>(values, &twiddles.as_chunks::<2>().0[3..]);
        }
    }

    #[inline(always)]
    fn vector_level<const HALF: usize>(self, v: &mut [L::Residues; 8], twiddles: &[[Line; 2]]) {
        for (i, lines) in twiddles.iter().enumerate() {
            let factor = self.lanes.factors(lines);
            for k in 2 * HALF * i..2 * HALF * i + HALF {
                (v[k], v[k + HALF]) = self.lanes.butterfly(self.ring, v[k], v[k + HALF], factor);
            }
        }
    }
}
