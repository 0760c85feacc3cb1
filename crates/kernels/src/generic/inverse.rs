//! The inverse NTT: a cyclic transform with Cooley-Tukey butterflies, from small strides to large,
//! and a twist.
//!
//! With `A_i` the value at `psi^(2 f + 1)`, `f = brv(i)`, coefficient `j` is
//! `psi^-j / N` times `sum_i A_i psi^(-2 f j)`. The sum is a cyclic transform of order `N` whose
//! input is in bit-reversed order: a level of stride `t` replaces `(x, y)`, at position `k < t` of
//! its group, by `(x + y w, x - y w)` with `w = psi^(-(N / t) k)`. Twiddles depend on the position
//! and not on the group, so the first levels have few of them, and one is 1.
//!
//! The last pass, of radix `R`, multiplies its input at position `p` by the twiddles of all its
//! levels and by `psi^-p` in one product; a transform of order `R` with constant twiddles follows.
//! Its outputs lack the factor `psi^(-(N / R) k) / N`, which is in the constants of
//! [`InverseScale`]. If there are enough registers, two steps are interleaved to hide the latency
//! of the additions.
//!
//! Ranges for integer forms, in units of `q`: the three levels of stride 1, 2 and 4 take values in
//! `[0, 2]`. Value 0 is raised by 30, so differences with it need no offset; other differences of
//! sums get an offset of 32. Value 0 ends in `[30, 46]`, value 4 in `[22, 38]`, the others in
//! `[24, 36]`. At most 11 levels follow before the last pass (degree `2^17`), each changing a value
//! by at most 2: they stay in `[0, 68]`, below `2^52`. The inputs of the last pass are multiplied,
//! hence fresh, and its levels are again those of strides 1, 2 and 4. There every value from which
//! a sum is subtracted is raised, at no cost as part of a multiplication: values 0, 2, 4 and 6 by
//! 14, 2, 6, 2. With products by the twist in `(-1, 1)` ([`Lanes::twist`]), sums of two are
//! subtracted in `(0, 4)`, from `(12, 16)` (value 0) and `(4, 8)` (value 4); the sum of four in
//! `(4, 12)`, from `(12, 20)`. All end in `(0, 32)`, as [`Lanes::output`] requires.

use crate::arrays;
use crate::lanes::Lanes;
use crate::line::{Line, debug_assert_rows, lines, lines_mut};
use crate::passes::{Radix, columns};
use crate::{InverseScale, Modulus, NttTable};

/// See [`crate::Kernel::ntt_inverse`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn ntt_inverse<L: Lanes>(
    lanes: L,
    table: &NttTable,
    row: &mut [u64],
    scale: &InverseScale,
) {
    debug_assert_rows([row]);
    transform::<L, false>(lanes, table, row, None, scale);
}

/// See [`crate::Kernel::ntt_inverse_excess`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn ntt_inverse_excess<L: Lanes>(
    lanes: L,
    table: &NttTable,
    out: &mut [u64],
    values: &[u64],
    scale: &InverseScale,
) {
    debug_assert_rows([&*out, values]);
    transform::<L, true>(lanes, table, out, Some(lines(values)), scale);
}

/// Transforms `values` into `row`, or `row` in place. With `EXCESS`, `(q - 1) / 2` is added.
#[cfg_attr(optimized, inline(always))]
fn transform<L: Lanes, const EXCESS: bool>(
    lanes: L,
    table: &NttTable,
    row: &mut [u64],
    values: Option<&[Line]>,
    scale: &InverseScale,
) {
    debug_assert!(scale.belongs_to(table), "the scale was made by another table");
    let row = lines_mut(table.checked_row(row, L::FORM));
    let (modulus, twiddles) = (table.modulus(), table.inverse_twiddles());
    let pass = Pass { lanes, ring: lanes.ring(&modulus), roots: &twiddles.roots, modulus };

    let (block, mut vectors) = twiddles.vectors().split_at(14);
    pass.blocks(row, values.map(|values| values.as_chunks().0), block);
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
    let outputs = scale.outputs();
    match twiddles.last {
        Radix::One => pass.last::<1, EXCESS>(row, twiddles.twist(), outputs),
        Radix::Two => pass.last::<2, EXCESS>(row, twiddles.twist(), outputs),
        Radix::Four => pass.last::<4, EXCESS>(row, twiddles.twist(), outputs),
        Radix::Eight | Radix::Sixteen => pass.last::<8, EXCESS>(row, twiddles.twist(), outputs),
    }
}

/// The constants that every pass of one transform shares.
#[derive(Clone, Copy)]
struct Pass<'a, L: Lanes> {
    lanes: L,
    ring: L::Ring,
    /// Roots of unity of order 8; that of stride `t` and position `k` is at `t + k`.
    roots: &'a [[u64; 2]; 8],
    modulus: Modulus,
}

impl<L: Lanes> Pass<'_, L> {
    /// Computes the first six levels, inside each block of 64. If there are enough registers, the
    /// levels inside the lines of a block precede those between the lines of the preceding block,
    /// so that they do not wait for its transposition. Without `input`, in place.
    #[cfg_attr(optimized, inline(always))]
    fn blocks(self, row: &mut [Line], input: Option<&[[Line; 8]]>, vectors: &[Line]) {
        let mut blocks = row.as_chunks_mut::<8>().0.iter_mut().enumerate();
        if !L::MANY_REGISTERS {
            for (at, block) in blocks {
                let values = self.levels_inside_lines(input.map_or(&*block, |input| &input[at]));
                self.levels_between_lines(block, values, vectors);
            }
            return;
        }
        let Some((_, mut block)) = blocks.next() else { return };
        let mut values = self.levels_inside_lines(input.map_or(&*block, |input| &input[0]));
        for (at, next) in blocks {
            let next_values = self.levels_inside_lines(input.map_or(&*next, |input| &input[at]));
            self.levels_between_lines(block, values, vectors);
            // The levels between the lines of a block wait for its transposition; those inside the
            // lines of the next block, computed above, do not.
            (block, values) = (next, next_values);
        }
        self.levels_between_lines(block, values, vectors);
    }

    /// Computes the levels of stride 1, 2 and 4 words, and the transposition.
    #[cfg_attr(optimized, inline(always))]
    fn levels_inside_lines(self, block: &[Line; 8]) -> [L::Residues; 8] {
        let lanes = self.lanes;
        let mut values = [[self.zero(); 8]];
        for (value, line) in values[0].iter_mut().zip(block) {
            *value = lanes.residues(lanes.load(line));
        }
        // Value 0 is only ever added to. Raised by 30 q here, it exceeds every sum that is
        // subtracted from it.
        values[0][0] = lanes.raise(values[0][0], self.multiple(30));
        self.constant_levels::<1, 8, false>(&mut values);
        lanes.transpose(values[0])
    }

    /// Computes the levels of stride 8, 16 and 32 words, on a transposed block.
    #[cfg_attr(optimized, inline(always))]
    fn levels_between_lines(
        self,
        block: &mut [Line; 8],
        values: [L::Residues; 8],
        vectors: &[Line],
    ) {
        let mut values = [values];
        self.vector_levels(&mut values, vectors);
        for (line, &value) in block.iter_mut().zip(&values[0]) {
            self.lanes.store(line, self.lanes.bits(value));
        }
    }

    /// Computes `log2 R` levels on groups of `R` columns of `height` lines.
    #[cfg_attr(optimized, inline(always))]
    fn run<const R: usize>(self, row: &mut [Line], height: usize, vectors: &[Line]) {
        if L::MANY_REGISTERS && R <= 8 {
            self.steps::<2, R>(row, height, vectors);
        } else {
            self.steps::<1, R>(row, height, vectors);
        }
    }

    /// Computes [`Pass::run`] with `B` groups interleaved, which share their twiddles.
    #[cfg_attr(optimized, inline(always))]
    fn steps<const B: usize, const R: usize>(
        self,
        row: &mut [Line],
        height: usize,
        vectors: &[Line],
    ) {
        let Self { lanes, .. } = self;
        for mut groups in row.chunks_exact_mut(B * R * height) {
            let mut cut: [[&mut [Line]; R]; B] = std::array::from_fn(|_| columns::<R, _>(&mut []));
            for cut in &mut cut {
                let group;
                (group, groups) = groups.split_at_mut(R * height);
                *cut = columns(group);
            }
            for (at, vectors) in vectors.chunks_exact(2 * (R - 1)).enumerate() {
                let mut values = [[self.zero(); R]; B];
                for (values, columns) in values.iter_mut().zip(&cut) {
                    for (value, column) in values.iter_mut().zip(columns) {
                        *value = lanes.resume(lanes.load(&column[at]));
                    }
                }
                self.vector_levels(&mut values, vectors);
                for (values, columns) in values.iter().zip(&mut cut) {
                    for (&value, column) in values.iter().zip(columns) {
                        lanes.store(&mut column[at], lanes.bits(value));
                    }
                }
            }
        }
    }

    /// Computes the last `log2 R` levels and the twist, on `R` columns.
    #[cfg_attr(optimized, inline(always))]
    fn last<const R: usize, const EXCESS: bool>(
        self,
        row: &mut [Line],
        twist: &[Line],
        outputs: &[[u64; 2]; 8],
    ) {
        if L::MANY_REGISTERS {
            self.last_steps::<2, R, EXCESS>(row, twist, outputs);
        } else {
            self.last_steps::<1, R, EXCESS>(row, twist, outputs);
        }
    }

    /// Computes [`Pass::last`] with `B` lines of each column interleaved.
    #[cfg_attr(optimized, inline(always))]
    fn last_steps<const B: usize, const R: usize, const EXCESS: bool>(
        self,
        row: &mut [Line],
        twist: &[Line],
        outputs: &[[u64; 2]; 8],
    ) {
        let Self { lanes, ring, .. } = self;
        let mut columns = columns::<R, _>(row.as_chunks_mut::<B>().0);
        // Centred residues are stored increased by (q - 1) / 2, so that a forward transform modulo
        // another prime starts from them without a sign.
        let half = lanes.splat(self.modulus.value() / 2);
        // The products are fresh, and an offset is part of a multiplication at no cost. The head of
        // this file derives the offsets.
        let offsets = arrays::map([14, 0, 2, 0, 6, 0, 2, 0], |factor| self.multiple(factor));
        for (at, twist) in twist.chunks_exact(B * R * L::TWIST_LINES).enumerate() {
            let mut values = [[self.zero(); R]; B];
            for (k, column) in columns.iter().enumerate() {
                for (b, (values, line)) in values.iter_mut().zip(&column[at]).enumerate() {
                    let entering = lanes.resume(lanes.load(line));
                    let first = (b * R + k) * L::TWIST_LINES;
                    let factor = lanes.twist(ring, &twist[first..first + L::TWIST_LINES]);
                    values[k] = lanes.multiply_raised(ring, entering, factor, offsets[k]);
                }
            }
            self.constant_levels::<B, R, true>(&mut values);
            for ((k, column), &output) in columns.iter_mut().enumerate().zip(outputs) {
                // The constants of the scale were combined with the factor that every output of
                // this column lacks, so that scaling costs no pass of its own.
                let output = lanes.factor(output);
                for (values, line) in values.iter().zip(&mut column[at]) {
                    let word = lanes.output(ring, values[k], output);
                    lanes.store(line, if EXCESS { lanes.add(ring, word, half) } else { word });
                }
            }
        }
    }

    /// Returns a multiple of the modulus. It wraps only for moduli of 64-bit lanes, which need no
    /// offset.
    #[cfg_attr(optimized, inline(always))]
    fn multiple(self, factor: u64) -> L::Words {
        self.lanes.splat(self.modulus.value().wrapping_mul(factor))
    }

    #[cfg_attr(optimized, inline(always))]
    fn zero(self) -> L::Residues {
        self.lanes.resume(self.lanes.splat(0))
    }

    /// Computes the levels of strides 1, 2 and 4 below `R` on fresh values: a transform of order
    /// `R`. Value 0 is raised or, with `RAISED`, every value from which a sum is subtracted.
    #[cfg_attr(optimized, inline(always))]
    fn constant_levels<const B: usize, const R: usize, const RAISED: bool>(
        self,
        values: &mut [[L::Residues; R]; B],
    ) {
        if R > 1 {
            self.constant_level::<B, R, 1, RAISED>(values);
        }
        if R > 2 {
            self.constant_level::<B, R, 2, RAISED>(values);
        }
        if R > 4 {
            self.constant_level::<B, R, 4, RAISED>(values);
        }
    }

    /// Computes the level of stride `T`. At position 0 the twiddle is 1.
    #[cfg_attr(optimized, inline(always))]
    fn constant_level<const B: usize, const R: usize, const T: usize, const RAISED: bool>(
        self,
        values: &mut [[L::Residues; R]; B],
    ) {
        let Self { lanes, ring, roots, .. } = self;
        for group in (0..R).step_by(2 * T) {
            for v in &mut *values {
                let (x, y) = (v[group], v[group + T]);
                (v[group], v[group + T]) = if RAISED || group == 0 {
                    lanes.split_raised(ring, x, y)
                } else {
                    lanes.split(ring, x, y)
                };
            }
            for k in 1..T {
                let (x, y) = (group + k, group + k + T);
                let factor = lanes.factor(roots[T + k]);
                for v in &mut *values {
                    (v[x], v[y]) = lanes.butterfly(ring, v[x], v[y], factor);
                }
            }
        }
    }

    /// Computes `log2 R` levels in which every lane has its own twiddle: `2^v` vectors for level
    /// `v`.
    #[cfg_attr(optimized, inline(always))]
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

    /// Computes the level that combines values at distance `T`.
    #[cfg_attr(optimized, inline(always))]
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
