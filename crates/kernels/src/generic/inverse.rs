//! The inverse transform: Gentleman-Sande butterflies, from small strides to large.
//!
//! A level replaces `(x, y)` by `(x + y, (x - y) w)`. Products are fresh (below `2q`); sums double.
//! Three levels on fresh values give sums below `16q`; only the first of eight values is a sum three
//! times over, the others are below `8q`. A block thus settles one value after its first three
//! levels, lets values grow to `64q` in the next three, and settles the last sums, so that each pass
//! starts from fresh values again: no value ever exceeds `64q < 2^52`. The last level multiplies
//! sums and differences by constants that hold `1/N`.

use super::passes::{Radix, columns, twiddle};
use super::{debug_assert_rows, lines_mut};
use crate::lanes::{Lanes, Line};
use crate::{InverseScale, NttTable};

/// See [`crate::Kernel::ntt_inverse`].
#[inline(always)]
pub(crate) fn ntt_inverse<L: Lanes>(
    lanes: L,
    table: &NttTable,
    row: &mut [u64],
    scale: &InverseScale,
) {
    debug_assert_rows([row]);
    debug_assert!(scale.belongs_to(table), "the scale was made by another table");
    let row = lines_mut(table.checked_row(row, L::FORM));
    let last = scale.constants().map(|constant| lanes.factor(constant.pair(L::FORM)));
    let pass =
        Pass { lanes, ring: lanes.ring(&table.modulus()), pairs: table.inverse_pairs(), last };
    let blocks = table.inverse_blocks();
    match (blocks.len(), L::MANY_REGISTERS) {
        (1, _) => pass.blocks::<1, true>(row, blocks),
        (_, false) => pass.blocks::<1, false>(row, blocks),
        (_, true) => pass.blocks::<2, false>(row, blocks),
    }
    let mut groups = blocks.len();
    // The passes of the forward transform, last first.
    let mut radices = [Radix::Two; 4];
    let mut count = 0;
    while groups > 1 {
        radices[count] = Radix::next(groups.trailing_zeros(), L::MANY_REGISTERS);
        groups >>= radices[count].levels();
        count += 1;
    }
    groups = blocks.len();
    for &radix in radices[..count].iter().rev() {
        groups >>= radix.levels();
        match (groups, radix) {
            (1, Radix::Two) => pass.run::<2, true>(row, groups),
            (1, Radix::Four) => pass.run::<4, true>(row, groups),
            (1, Radix::Eight) => pass.run::<8, true>(row, groups),
            (1, Radix::Sixteen) => pass.run::<16, true>(row, groups),
            (_, Radix::Two) => pass.run::<2, false>(row, groups),
            (_, Radix::Four) => pass.run::<4, false>(row, groups),
            (_, Radix::Eight) => pass.run::<8, false>(row, groups),
            (_, Radix::Sixteen) => pass.run::<16, false>(row, groups),
        }
    }
}

/// What every pass of one transform shares.
#[derive(Clone, Copy)]
struct Pass<'a, L: Lanes> {
    lanes: L,
    ring: L::Ring,
    pairs: &'a [[u64; 2]],
    /// The factors of sums and differences in the last level.
    last: [L::Factor; 2],
}

impl<L: Lanes> Pass<'_, L> {
    /// The first six levels, inside each block of 64, `B` blocks in step. `LAST`: there are no more.
    #[inline(always)]
    fn blocks<const B: usize, const LAST: bool>(self, row: &mut [Line], twiddles: &[[Line; 14]]) {
        let Self { lanes, ring, .. } = self;
        let mut groups: [usize; B] = std::array::from_fn(|b| twiddles.len() + b);
        let blocks = row.as_chunks_mut::<8>().0.as_chunks_mut::<B>().0;
        for (blocks, twiddles) in blocks.iter_mut().zip(twiddles.as_chunks::<B>().0) {
            let mut values = [[lanes.resume(lanes.splat(0)); 8]; B];
            for (values, block) in values.iter_mut().zip(&*blocks) {
                for (value, line) in values.iter_mut().zip(block) {
                    *value = lanes.residues(lanes.load(line));
                }
            }
            self.vector_levels(&mut values, twiddles);
            for values in &mut values {
                values[0] = lanes.settle(ring, values[0]);
                *values = lanes.transpose(*values);
            }
            self.levels::<B, 8, LAST>(&mut values, groups);
            for (values, block) in values.iter().zip(blocks) {
                for (line, &value) in block.iter_mut().zip(values) {
                    lanes.store(line, self.leave::<LAST>(value));
                }
            }
            for group in &mut groups {
                *group += B;
            }
        }
    }

    /// `log2 R` levels on each of `groups` groups, down to which the row is brought.
    #[inline(always)]
    fn run<const R: usize, const LAST: bool>(self, row: &mut [Line], groups: usize) {
        if L::MANY_REGISTERS && R <= 8 {
            self.steps::<2, R, LAST>(row, groups);
        } else {
            self.steps::<1, R, LAST>(row, groups);
        }
    }

    /// The same, `B` lines of each column in step.
    #[inline(always)]
    fn steps<const B: usize, const R: usize, const LAST: bool>(
        self,
        row: &mut [Line],
        groups: usize,
    ) {
        let Self { lanes, .. } = self;
        let height = row.len() / groups;
        for (group, chunk) in row.chunks_exact_mut(height).enumerate() {
            let mut columns = columns::<R>(chunk);
            for at in (0..height / R).step_by(B) {
                let mut values = [[lanes.resume(lanes.splat(0)); R]; B];
                for (b, values) in values.iter_mut().enumerate() {
                    for (value, column) in values.iter_mut().zip(&columns) {
                        *value = lanes.resume(lanes.load(&column[at + b]));
                    }
                }
                self.levels::<B, R, LAST>(&mut values, [groups + group; B]);
                for (b, values) in values.iter().enumerate() {
                    for (&value, column) in values.iter().zip(&mut columns) {
                        lanes.store(&mut column[at + b], self.leave::<LAST>(value));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn leave<const LAST: bool>(self, value: L::Residues) -> L::Words {
        let Self { lanes, ring, .. } = self;
        if LAST { lanes.canonical(ring, lanes.lazy(ring, value)) } else { lanes.bits(value) }
    }

    /// `log2 R` levels on `B` times `R` values that share their twiddles, those of `groups`. Takes
    /// values up to `64q / R`, gives fresh ones.
    #[inline(always)]
    fn levels<const B: usize, const R: usize, const LAST: bool>(
        self,
        values: &mut [[L::Residues; R]; B],
        groups: [usize; B],
    ) {
        if R > 8 {
            self.level(values, groups, 3);
        }
        if R > 4 {
            self.level(values, groups, 2);
        }
        if R > 2 {
            self.level(values, groups, 1);
        }
        if LAST {
            for values in values {
                self.last_level(values);
            }
            return;
        }
        self.level(values, groups, 0);
        for values in values {
            for sum in &mut values[..R / 2] {
                *sum = self.lanes.settle(self.ring, *sum);
            }
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
                let factor = twiddle(self.lanes, self.pairs, group, level, i);
                for k in 2 * half * i..2 * half * i + half {
                    (v[k], v[k + half]) = self.butterfly(v[k], v[k + half], factor);
                }
            }
        }
    }

    #[inline(always)]
    fn last_level<const R: usize>(self, v: &mut [L::Residues; R]) {
        let Self { lanes, ring, last, .. } = self;
        for k in 0..R / 2 {
            let (sum, difference) = lanes.split(ring, v[k], v[k + R / 2]);
            v[k] = lanes.multiply(ring, sum, last[0]);
            v[k + R / 2] = lanes.multiply(ring, difference, last[1]);
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
            self.vector_level::<1>(values, &twiddles.as_chunks::<2>().0[3..]);
        }
        for (values, twiddles) in values.iter_mut().zip(twiddles) {
            self.vector_level::<2>(values, &twiddles.as_chunks::<2>().0[1..3]);
        }
        for (values, twiddles) in values.iter_mut().zip(twiddles) {
            self.vector_level::<4>(values, &twiddles.as_chunks::<2>().0[..1]);
        }
    }

    #[inline(always)]
    fn vector_level<const HALF: usize>(self, v: &mut [L::Residues; 8], twiddles: &[[Line; 2]]) {
        for (i, lines) in twiddles.iter().enumerate() {
            let factor = self.lanes.factors(lines);
            for k in 2 * HALF * i..2 * HALF * i + HALF {
                (v[k], v[k + HALF]) = self.butterfly(v[k], v[k + HALF], factor);
            }
        }
    }

    #[inline(always)]
    fn butterfly(
        self,
        x: L::Residues,
        y: L::Residues,
        factor: L::Factor,
    ) -> (L::Residues, L::Residues) {
        let (sum, difference) = self.lanes.split(self.ring, x, y);
        (sum, self.lanes.multiply(self.ring, difference, factor))
    }
}
