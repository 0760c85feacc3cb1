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
    let mut groups = blocks.len();
    if groups == 1 {
        pass.blocks::<true>(row, blocks);
    } else {
        pass.blocks::<false>(row, blocks);
    }
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
    /// The first six levels, inside each block of 64. `LAST`: there are no more.
    #[inline(always)]
    fn blocks<const LAST: bool>(self, row: &mut [Line], blocks: &[[Line; 14]]) {
        let Self { lanes, ring, .. } = self;
        for (b, (block, twiddles)) in row.as_chunks_mut::<8>().0.iter_mut().zip(blocks).enumerate()
        {
            let mut values = [lanes.resume(lanes.splat(0)); 8];
            for (value, line) in values.iter_mut().zip(&*block) {
                *value = lanes.residues(lanes.load(line));
            }
            self.vector_step(&mut values, twiddles);
            values[0] = lanes.settle(ring, values[0]);
            let mut values = lanes.transpose(values);
            self.step::<8, LAST>(&mut values, blocks.len() + b);
            for (line, value) in block.iter_mut().zip(values) {
                lanes.store(line, self.leave::<LAST>(value));
            }
        }
    }

    /// `log2 R` levels on each of `groups` groups, down to which the row is brought.
    #[inline(always)]
    fn run<const R: usize, const LAST: bool>(self, row: &mut [Line], groups: usize) {
        let Self { lanes, .. } = self;
        let height = row.len() / groups;
        for (group, chunk) in row.chunks_exact_mut(height).enumerate() {
            let mut columns = columns::<R>(chunk);
            for at in 0..height / R {
                let mut values = [lanes.resume(lanes.splat(0)); R];
                for (value, column) in values.iter_mut().zip(&columns) {
                    *value = lanes.resume(lanes.load(&column[at]));
                }
                self.step::<R, LAST>(&mut values, groups + group);
                for (value, column) in values.into_iter().zip(&mut columns) {
                    lanes.store(&mut column[at], self.leave::<LAST>(value));
                }
            }
        }
    }

    #[inline(always)]
    fn leave<const LAST: bool>(self, value: L::Residues) -> L::Words {
        let Self { lanes, ring, .. } = self;
        if LAST { lanes.canonical(ring, lanes.lazy(ring, value)) } else { lanes.bits(value) }
    }

    /// `log2 R` levels on values that share their twiddles. Takes values up to `64q / R`, gives
    /// fresh ones.
    #[inline(always)]
    fn step<const R: usize, const LAST: bool>(self, v: &mut [L::Residues; R], group: usize) {
        if R > 8 {
            self.level(v, group, 3);
        }
        if R > 4 {
            self.level(v, group, 2);
        }
        if R > 2 {
            self.level(v, group, 1);
        }
        if LAST {
            self.last_level(v);
        } else {
            self.level(v, group, 0);
            for sum in &mut v[..R / 2] {
                *sum = self.lanes.settle(self.ring, *sum);
            }
        }
    }

    #[inline(always)]
    fn level<const R: usize>(self, v: &mut [L::Residues; R], group: usize, level: u32) {
        let half = R >> (level + 1);
        for i in 0..1 << level {
            let factor = twiddle(self.lanes, self.pairs, group, level, i);
            for k in 2 * half * i..2 * half * i + half {
                (v[k], v[k + half]) = self.butterfly(v[k], v[k + half], factor);
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

    /// Three levels on a transposed block: every lane has its own twiddle.
    #[inline(always)]
    fn vector_step(self, v: &mut [L::Residues; 8], twiddles: &[Line; 14]) {
        let twiddles = twiddles.as_chunks::<2>().0;
        self.vector_level::<1>(v, &twiddles[3..]);
        self.vector_level::<2>(v, &twiddles[1..3]);
        self.vector_level::<4>(v, &twiddles[..1]);
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
