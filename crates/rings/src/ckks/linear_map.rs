//! Matrices of real or complex numbers, prepared to multiply encrypted vectors.

use super::encode::Plaintext;
use super::facts::{Padding, SlotFacts};
use super::{Ckks, Mode, Value};
use crate::Error;
use crate::rlwe::{
    Diagonal, Gain, Level, LinearMap, MapGain, MapMeta, MapShape, Mapped, Packed, Params,
    block_entry, check_size, diagonal_entry, given,
};
use fathom_ring::Complex64;
use std::collections::BTreeMap;

/// A matrix and the bounds on it.
struct Entries<F> {
    /// True for each diagonal that is not zero.
    occurs: Vec<bool>,
    /// Set if rows are missing in the layout of the result.
    padded: bool,
    /// The bounds on the matrix and on its parts.
    gains: [Gain; 2],
    /// Returns the entry of a row and a column.
    entry: F,
}

impl<M: Mode> LinearMap<Ckks<M>> {
    /// Prepares a matrix of up to `N/2` rows and columns, given by rows, for vectors at `level`.
    /// The matrix should be public.
    ///
    /// The layouts of operand and result have the least powers of two as their sizes that are at
    /// least the numbers of columns and rows.
    ///
    /// # Errors
    /// [`Error::Shape`] for rows of different lengths, or more rows or columns than `N/2`;
    /// [`Error::NoSuchLevel`]; [`DomainError::NotFinite`](super::DomainError) for entries that are
    /// not finite.
    pub fn for_level<V: Value>(
        params: &Params<Ckks<M>>,
        matrix: &[Vec<V>],
        level: impl Into<Level>,
    ) -> Result<Self, Error> {
        Self::prepared(params, matrix, None, level.into())
    }

    /// Prepares a matrix as [`LinearMap::for_level`] does, for operands and results in the layout
    /// of one size, a power of two that is at least both dimensions, so that maps can follow each
    /// other in any order.
    ///
    /// # Errors
    /// As [`LinearMap::for_level`].
    pub fn for_level_with_size<V: Value>(
        params: &Params<Ckks<M>>,
        matrix: &[Vec<V>],
        size: usize,
        level: impl Into<Level>,
    ) -> Result<Self, Error> {
        Self::prepared(params, matrix, Some(size), level.into())
    }

    fn prepared<V: Value>(
        params: &Params<Ckks<M>>,
        matrix: &[Vec<V>],
        size: Option<usize>,
        level: Level,
    ) -> Result<Self, Error> {
        params.check_level(level)?;
        let shape = MapShape::of("LinearMap::for_level", matrix, size, params.slot_count())?;
        let entry = |row: usize, column: usize| -> Complex64 { matrix[row][column].into() };
        let entries = Entries {
            occurs: shape.occurring(Complex64::ZERO, [shape.rows, shape.columns], entry),
            padded: shape.rows < shape.result,
            gains: gains(shape, &absolutes(matrix)),
            entry,
        };
        Self::of_entries::<V>(params, shape, entries, level)
    }

    /// Prepares a matrix for `count` vectors at `level` in one ciphertext: vector `b` is in the
    /// slots from `b * size` on, for the least power of two `size` that is at least both
    /// dimensions, and so is its image. `count` is a power of two, and a map of `count * size` rows
    /// and columns comes out, with up to twice as many diagonals as the matrix has.
    ///
    /// # Errors
    /// As [`LinearMap::for_level`]; [`Error::Shape`] for blocks that exceed the slots.
    pub fn for_blocks<V: Value>(
        params: &Params<Ckks<M>>,
        matrix: &[Vec<V>],
        count: usize,
        level: impl Into<Level>,
    ) -> Result<Self, Error> {
        let level = level.into();
        params.check_level(level)?;
        let slots = params.slot_count();
        let (block, shape) = MapShape::of_blocks("LinearMap::for_blocks", matrix, count, slots)?;
        let numbers: Vec<Vec<Complex64>> =
            matrix.iter().map(|row| row.iter().map(|&v| v.into()).collect()).collect();
        let entry = |row, column| block_entry(&numbers, block, [row, column], Complex64::ZERO);
        let entries = Entries {
            occurs: shape.occurring(Complex64::ZERO, [block; 2], entry),
            padded: matrix.len() < block,
            gains: [Gain::of_blocks(&absolutes(matrix), count); 2],
            entry,
        };
        Self::of_entries::<V>(params, shape, entries, level)
    }

    /// Prepares a square matrix of `size` rows, a power of two, for vectors at `level`, that is
    /// given by its diagonals: `result[i] = sum_d diagonals[d][i] * operand[(i + d) mod size]`. A
    /// map of few diagonals, such as a factor of a Fourier transform, needs no matrix of `size^2`
    /// entries.
    ///
    /// # Errors
    /// [`Error::Shape`] for a size that is no power of two or exceeds `N/2`, a number of a diagonal
    /// that is not below `size`, or a diagonal of another length; [`Error::NoSuchLevel`];
    /// [`DomainError::NotFinite`](super::DomainError).
    pub fn from_diagonals<V: Value>(
        params: &Params<Ckks<M>>,
        size: usize,
        diagonals: &BTreeMap<usize, Vec<V>>,
        level: impl Into<Level>,
    ) -> Result<Self, Error> {
        let level = level.into();
        params.check_level(level)?;
        let (operation, slots) = ("LinearMap::from_diagonals", params.slot_count());
        let shape = MapShape::of_diagonals(operation, size, diagonals, slots)?;
        let absolutes = diagonals.iter().map(|(&number, values)| (number, absolutes_of(values)));
        let entry = |row, column| {
            diagonal_entry(size, diagonals, [row, column]).map_or(Complex64::ZERO, V::into)
        };
        let entries = Entries {
            occurs: given(size, diagonals),
            padded: false,
            gains: [Gain::of_diagonals(size, &absolutes.collect()); 2],
            entry,
        };
        Self::of_entries::<V>(params, shape, entries, level)
    }

    fn of_entries<V: Value>(
        params: &Params<Ckks<M>>,
        shape: MapShape,
        entries: Entries<impl Fn(usize, usize) -> Complex64>,
        level: Level,
    ) -> Result<Self, Error> {
        let Entries { occurs, padded, gains, entry } = entries;
        let mut errors = vec![0.0; shape.period()];
        let giants = shape.giants(Complex64::ZERO, &occurs, entry, |step, baby_step, values| {
            let (diagonal, own) = diagonal(params, level, baby_step, values)?;
            // Slot `i` of the diagonal is of the row that the giant step takes it to.
            for (slot, error) in own.into_iter().enumerate().take(shape.period()) {
                errors[(slot + shape.period() - step) % shape.period()] += error;
            }
            Ok(diagonal)
        })?;
        let padding = padded.then_some(Padding::ZEROS);
        let facts = SlotFacts { complex: !V::REAL, padding, ..SlotFacts::default() };
        let meta = params.level_scale(level);
        // Rounding errors of all diagonals in one slot add up for the worst message; the worst slot
        // counts.
        let row_error = errors.into_iter().fold(0.0, f64::max);
        let [exact, parts] = gains.map(|gain| gain.times(meta));
        let gain = Some(MapGain { exact, parts, row_error });
        let meta = MapMeta { meta, facts, level: Some(level), gain };
        Ok(LinearMap::from_giants(params, shape, meta, giants))
    }

    /// Encodes a vector of as many values as the map has columns in the layout that it takes.
    ///
    /// # Errors
    /// [`Error::Shape`] for another length; [`Error::MagnitudeExceeded`].
    pub fn pack<V: Value>(&self, vector: &[V]) -> Result<Packed<Plaintext<M>>, Error> {
        self.check_columns("LinearMap::pack", vector.len())?;
        let params = self.params();
        Ok(Packed::assume(self.size(), params.encode_filled(vector, self.size())?))
    }

    /// Returns the real parts of a result, of which there are as many as the map has rows.
    ///
    /// # Errors
    /// [`Error::Shape`] for a layout of another size.
    pub fn unpack(&self, result: &Packed<Plaintext<M>>) -> Result<Vec<f64>, Error> {
        Ok(self.unpack_complex(result)?.iter().map(|v| v.re).collect())
    }

    /// Returns the values of a result, of which there are as many as the map has rows.
    ///
    /// # Errors
    /// As [`LinearMap::unpack`].
    pub fn unpack_complex(&self, result: &Packed<Plaintext<M>>) -> Result<Vec<Complex64>, Error> {
        check_size("LinearMap::unpack", self.result_size(), result.size())?;
        let mut slots = result.value().slots_complex();
        slots.truncate(self.rows());
        Ok(slots)
    }
}

impl<M: Mode> Mapped for Ckks<M> {
    fn map_of_diagonals(
        params: &Params<Self>,
        size: usize,
        diagonals: &BTreeMap<usize, Vec<f64>>,
        level: Level,
    ) -> Result<LinearMap<Self>, Error> {
        LinearMap::from_diagonals(params, size, diagonals, level)
    }
}

/// Returns real entries, and the absolute values of complex ones.
fn absolutes<V: Value>(matrix: &[Vec<V>]) -> Vec<Vec<f64>> {
    matrix.iter().map(|row| absolutes_of(row)).collect()
}

/// Returns real values, and the absolute values of complex ones.
fn absolutes_of<V: Value>(values: &[V]) -> Vec<f64> {
    let real = |&v: &V| {
        let v: Complex64 = v.into();
        if V::REAL { v.re } else { v.norm() }
    };
    values.iter().map(real).collect()
}

/// Returns the bounds on a matrix, and on the parts of its rows that the diagonals of a folded one
/// hold. All of them are for the whole of the slots: every part of a result depends on the same
/// slots of the operand, and rows are not cut where a period ends.
fn gains(shape: MapShape, matrix: &[Vec<f64>]) -> [Gain; 2] {
    let whole = Gain::of(matrix);
    if shape.parts() == 1 {
        return [whole; 2];
    }
    let part = |position: usize| -> Vec<f64> {
        (0..shape.result)
            .map(|diagonal| shape.place(position, 0, diagonal))
            .filter(|[row, column]| *row < shape.rows && *column < shape.columns)
            .map(|[row, column]| matrix[row][column])
            .collect()
    };
    let parts: Vec<Vec<f64>> = (0..shape.operand).map(part).collect();
    let Gain { largest, row, .. } = Gain::of_rows(&parts);
    [whole.repeated(shape.parts()), Gain { largest, row, ..whole }]
}

/// Returns a diagonal, and the largest error of the rounding in every slot.
fn diagonal<M: Mode>(
    params: &Params<Ckks<M>>,
    level: Level,
    baby_step: usize,
    values: &[Complex64],
) -> Result<(Diagonal, Vec<f64>), Error> {
    let plain = params.encode_public_repeated(values)?;
    let limbs = level.limbs().extended(params.context().special_count());
    let (values, norms, slots) = plain.rounded_in_slots(params.level_scale(level), limbs)?;
    let norms_of = [norms.message, norms.error];
    Ok((Diagonal::inexact(baby_step, values, norms.integer, norms_of), slots))
}
