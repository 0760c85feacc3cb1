//! Matrices of real or complex numbers, prepared to multiply encrypted vectors.

use super::encode::Plaintext;
use super::facts::{Padding, SlotFacts};
use super::{Ckks, Mode, Value};
use crate::Error;
use crate::rlwe::{Diagonal, Gain, Level, LinearMap, MapMeta, MapShape, Packed, Params};
use fathom_ring::Complex64;

impl<M: Mode> LinearMap<Ckks<M>> {
    /// Prepares a matrix of up to `N/2` rows and columns, given by rows, for vectors at `level`.
    /// The matrix should be public.
    ///
    /// The layout has the least power of two that is at least both dimensions as its size; the
    /// matrix is filled up with zeros, whose diagonals cost nothing.
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
        Self::for_level_with_size(params, matrix, MapShape::least_size(matrix), level)
    }

    /// Prepares a matrix as [`LinearMap::for_level`] does, for the layout of this size, a power of
    /// two that is at least both dimensions, so that maps of different dimensions can follow each
    /// other.
    ///
    /// # Errors
    /// As [`LinearMap::for_level`].
    pub fn for_level_with_size<V: Value>(
        params: &Params<Ckks<M>>,
        matrix: &[Vec<V>],
        size: usize,
        level: impl Into<Level>,
    ) -> Result<Self, Error> {
        let level = level.into();
        params.check_level(level)?;
        let shape = MapShape::of("LinearMap::for_level", matrix, size, params.slot_count())?;
        let entry = |row: usize, column: usize| -> Complex64 { matrix[row][column].into() };
        let giants = shape.giants(Complex64::ZERO, entry, |baby_step, values| {
            diagonal(params, level, baby_step, values)
        })?;
        let padding = (shape.rows < size).then_some(Padding::ZEROS);
        let facts = SlotFacts { complex: !V::REAL, padding, ..SlotFacts::default() };
        let sizes = |row: &Vec<V>| row.iter().map(|&v| Into::<Complex64>::into(v).norm()).collect();
        let meta = params.level_scale(level);
        let gain = Some(Gain::of(matrix.iter().map(sizes)).times(meta));
        let meta = MapMeta { meta, facts, level: Some(level), gain };
        Ok(LinearMap::from_diagonals(params, shape, meta, giants))
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
        self.check_size("LinearMap::unpack", result.size())?;
        let mut slots = result.value().slots_complex();
        slots.truncate(self.rows());
        Ok(slots)
    }
}

fn diagonal<M: Mode>(
    params: &Params<Ckks<M>>,
    level: Level,
    baby_step: usize,
    values: &[Complex64],
) -> Result<Diagonal, Error> {
    let plain = params.encode_public_repeated(values)?;
    let limbs = level.limbs().extended(params.context().special_count());
    let (values, norms) = plain.rounded_at(params.level_scale(level), limbs)?;
    Ok(Diagonal::inexact(baby_step, values, norms.integer, [norms.message, norms.error]))
}
