//! The inverse transform: a cyclic one in Cooley-Tukey butterflies, from small strides to large,
//! and a twist.
//!
//! With `A_i` the value at `psi^(2 f + 1)`, `f = brv(i)`, coefficient `j` is
//! `psi^-j / N` times `sum_i A_i psi^(-2 f j)`. The sum is a cyclic transform of order `N` whose
//! input is in bit-reversed order: a level of stride `t` replaces `(x, y)`, at position `k < t` of
//! its group, by `(x + y w, x - y w)` with `w = psi^(-(N / t) k)`. Twiddles depend on the position
//! and not on the group, so those of the first levels are few, and one of them is 1.
//!
//! The last pass, of radix `R`, multiplies what enters at position `p` by the twiddles of all its
//! levels and by `psi^-p` at once; a transform of order `R` with constant twiddles follows. Its
//! outputs lack `psi^(-(N / R) k) / N`, which is in the constants of [`InverseScale`].
//!
//! Bounds for integer forms: the three levels of stride 1, 2 and 4 on values in `[0, 2q)` leave the
//! sum of all eight below `16q`; every other value went through a difference that added `32q`, and
//! is within `8q` of that. The former is raised by `24q`, so all are in `[24q, 40q]`. At most 11
//! levels follow before the last pass (degree `2^17`), each moving a value by at most `2q`: they
//! stay in `[2q, 62q]`, below `2^52`. What enters the last pass is multiplied, hence fresh, and its
//! levels are those of strides 1, 2 and 4 again.

use super::{debug_assert_rows, lines_mut};
use crate::lanes::{Lanes, Line};
use crate::passes::{Radix, columns};
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
    let (modulus, twiddles) = (table.modulus(), table.inverse_twiddles());
    // It only wraps for moduli of 64-bit lanes, which need no offset.
    let offset = lanes.splat(modulus.value().wrapping_mul(24));
    let pass = Pass { lanes, ring: lanes.ring(&modulus), roots: &twiddles.roots, offset };

    let (block, mut vectors) = twiddles.vectors().split_at(14);
    if L::MANY_REGISTERS && row.len() > 8 {
        pass.blocks::<2>(row, block);
    } else {
        pass.blocks::<1>(row, block);
    }
    let mut height = 8;
    for &radix in &twiddles.plan {
        let pass_vectors;
        (pass_vectors, vectors) = vectors.split_at(2 * height * ((1 << radix.levels()) - 1));
        match radix {
            Radix::One => {}
            Radix::Two => pass.run::<2>(row, height, pass_vectors),
            Radix::Four => pass.run::<4>(row, height, pass_vectors),
            Radix::Eight => pass.run::<8>(row, height, pass_vectors),
            Radix::Sixteen => pass.run::<16>(row, height, pass_vectors),
        }
        height <<= radix.levels();
    }
    let outputs = &scale.outputs(L::FORM);
    match twiddles.last {
        Radix::One => pass.last::<1>(row, twiddles.twist(), outputs),
        Radix::Two => pass.last::<2>(row, twiddles.twist(), outputs),
        Radix::Four => pass.last::<4>(row, twiddles.twist(), outputs),
        Radix::Eight | Radix::Sixteen => pass.last::<8>(row, twiddles.twist(), outputs),
    }
}

/// What every pass of one transform shares.
#[derive(Clone, Copy)]
struct Pass<'a, L: Lanes> {
    lanes: L,
    ring: L::Ring,
    /// Roots of unity of order 8: that of stride `t` and position `k` at `t + k`.
    roots: &'a [[u64; 2]; 8],
    /// `24q`.
    offset: L::Words,
}

impl<L: Lanes> Pass<'_, L> {
    /// The first six levels, inside each block of 64, `B` blocks in step.
    #[inline(always)]
    fn blocks<const B: usize>(self, row: &mut [Line], vectors: &[Line]) {
        let Self { lanes, offset, .. } = self;
        for blocks in row.as_chunks_mut::<8>().0.as_chunks_mut::<B>().0 {
            let mut values = [[self.zero(); 8]; B];
            for (values, block) in values.iter_mut().zip(&*blocks) {
                for (value, line) in values.iter_mut().zip(block) {
                    *value = lanes.residues(lanes.load(line));
                }
            }
            self.constant_levels(&mut values);
            for values in &mut values {
                values[0] = lanes.raise(values[0], offset);
                *values = lanes.transpose(*values);
            }
            self.vector_levels(&mut values, vectors);
            for (values, block) in values.iter().zip(blocks) {
                for (line, &value) in block.iter_mut().zip(values) {
                    lanes.store(line, lanes.bits(value));
                }
            }
        }
    }

    /// `log2 R` levels on groups of `R` columns of `height` lines.
    #[inline(always)]
    fn run<const R: usize>(self, row: &mut [Line], height: usize, vectors: &[Line]) {
        let Self { lanes, .. } = self;
        for group in row.chunks_exact_mut(R * height) {
            let mut columns = columns::<R>(group);
            for (at, vectors) in vectors.chunks_exact(2 * (R - 1)).enumerate() {
                let mut values = [[self.zero(); R]];
                for (value, column) in values[0].iter_mut().zip(&columns) {
                    *value = lanes.resume(lanes.load(&column[at]));
                }
                self.vector_levels(&mut values, vectors);
                for (&value, column) in values[0].iter().zip(&mut columns) {
                    lanes.store(&mut column[at], lanes.bits(value));
                }
            }
        }
    }

    /// The last `log2 R` levels and the twist, on `R` columns.
    #[inline(always)]
    fn last<const R: usize>(self, row: &mut [Line], twist: &[Line], outputs: &[[u64; 2]; 8]) {
        let Self { lanes, ring, .. } = self;
        let mut columns = columns::<R>(row);
        let twist = twist.as_chunks::<2>().0.as_chunks::<R>().0;
        for (at, twist) in twist.iter().enumerate() {
            let mut values = [[self.zero(); R]];
            for ((value, column), twist) in values[0].iter_mut().zip(&columns).zip(twist) {
                let entering = lanes.resume(lanes.load(&column[at]));
                *value = lanes.multiply(ring, entering, lanes.factors(twist));
            }
            self.constant_levels(&mut values);
            for ((&value, column), &output) in values[0].iter().zip(&mut columns).zip(outputs) {
                let value = lanes.multiply(ring, value, lanes.factor(output));
                let words = lanes.canonical(ring, lanes.lazy(ring, value));
                lanes.store(&mut column[at], words);
            }
        }
    }

    #[inline(always)]
    fn zero(self) -> L::Residues {
        self.lanes.resume(self.lanes.splat(0))
    }

    /// The levels of strides 1, 2 and 4 below `R`, on fresh values: a transform of order `R`.
    #[inline(always)]
    fn constant_levels<const B: usize, const R: usize>(self, values: &mut [[L::Residues; R]; B]) {
        if R > 1 {
            self.constant_level::<B, R, 1>(values);
        }
        if R > 2 {
            self.constant_level::<B, R, 2>(values);
        }
        if R > 4 {
            self.constant_level::<B, R, 4>(values);
        }
    }

    /// The level of stride `T`. At position 0 the twiddle is 1.
    #[inline(always)]
    fn constant_level<const B: usize, const R: usize, const T: usize>(
        self,
        values: &mut [[L::Residues; R]; B],
    ) {
        let Self { lanes, ring, roots, .. } = self;
        for v in values {
            for group in (0..R).step_by(2 * T) {
                (v[group], v[group + T]) = lanes.split(ring, v[group], v[group + T]);
                for k in 1..T {
                    let (x, y) = (group + k, group + k + T);
                    let factor = lanes.factor(roots[T + k]);
                    (v[x], v[y]) = lanes.butterfly(ring, v[x], v[y], factor);
                }
            }
        }
    }

    /// `log2 R` levels where every lane has its own twiddle: `2^v` vectors for level `v`.
    #[inline(always)]
    fn vector_levels<const B: usize, const R: usize>(
        self,
        values: &mut [[L::Residues; R]; B],
        vectors: &[Line],
    ) {
        let vectors = vectors.as_chunks::<2>().0;
        self.vector_level::<B, R, 1>(values, &vectors[..1]);
        if R > 2 {
            self.vector_level::<B, R, 2>(values, &vectors[1..3]);
        }
        if R > 4 {
            self.vector_level::<B, R, 4>(values, &vectors[3..7]);
        }
        if R > 8 {
            self.vector_level::<B, R, 8>(values, &vectors[7..15]);
        }
    }

    /// The level that combines values `T` apart.
    #[inline(always)]
    fn vector_level<const B: usize, const R: usize, const T: usize>(
        self,
        values: &mut [[L::Residues; R]; B],
        vectors: &[[Line; 2]],
    ) {
        for (i, vector) in vectors.iter().enumerate() {
            let factor = self.lanes.factors(vector);
            for v in &mut *values {
                for x in (i..R).step_by(2 * T) {
                    (v[x], v[x + T]) = self.lanes.butterfly(self.ring, v[x], v[x + T], factor);
                }
            }
        }
    }
}
