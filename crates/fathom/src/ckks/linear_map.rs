//! Matrices of real or complex numbers, prepared to multiply encrypted vectors.

use super::encode::Plaintext;
use super::{Ckks, Mode, Value};
use crate::Error;
use crate::rlwe::{Diagonal, Giant, Level, LinearMap, MapShape, Packed, Params, baby_steps};
use fathom_ring::Complex64;

impl<M: Mode> LinearMap<Ckks<M>> {
    /// Prepares a square matrix, given by rows, for vectors at `level`; the number of rows is a
    /// power of two up to `N/2`. The matrix should be public.
    ///
    /// # Errors
    /// [`Error::Shape`] for another shape; [`Error::NoSuchLevel`]; [`Error::MagnitudeExceeded`] for
    /// entries that are not finite.
    pub fn for_level<V: Value>(
        params: &Params<Ckks<M>>,
        matrix: &[Vec<V>],
        level: impl Into<Level>,
    ) -> Result<Self, Error> {
        let level = level.into();
        params.check_level(level)?;
        let (size, slots) = (matrix.len(), params.slot_count());
        let uneven = matrix.iter().find(|row| row.len() != size);
        if uneven.is_some() || !size.is_power_of_two() || size > slots {
            let columns = uneven.map_or(size, Vec::len);
            return Err(Error::Shape {
                operation: "LinearMap::for_level",
                wanted: format!("a square matrix of 2^k rows, from 1 to {slots}"),
                got: format!("{size} rows, one of {columns} columns"),
            });
        }
        let baby_steps = baby_steps(size);
        let mut giants = Vec::new();
        for step in (0..size).step_by(baby_steps) {
            let mut diagonals = Vec::new();
            for baby_step in 0..baby_steps {
                // Entry i of the diagonal, read where the giant rotation will have taken it from.
                let entry = |i: usize| -> Complex64 {
                    let row = (i + size - step) % size;
                    matrix[row][(row + step + baby_step) % size].into()
                };
                let values: Vec<Complex64> = (0..size).map(entry).collect();
                if values.iter().any(|v| *v != Complex64::ZERO) {
                    diagonals.push(diagonal(params, level, baby_step, &values)?);
                }
            }
            if !diagonals.is_empty() {
                giants.push(Giant { step, diagonals });
            }
        }
        let meta = (params.scale(level), Some(level));
        Ok(LinearMap::from_diagonals(
            params,
            MapShape { size, rows: size, columns: size },
            meta,
            giants,
        ))
    }

    /// Encodes a vector of `n` values in the layout that the map takes.
    ///
    /// # Errors
    /// [`Error::Shape`] for another length; [`Error::MagnitudeExceeded`].
    pub fn pack<V: Value>(&self, vector: &[V]) -> Result<Packed<Plaintext<M>>, Error> {
        self.check_size("LinearMap::pack", vector.len())?;
        Ok(Packed::assume(self.size(), self.params().encode_repeated(vector)?))
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
    let (values, norms) = plain.rounded_at(params.scale(level), limbs)?;
    Ok(Diagonal::inexact(baby_step, values, norms.integer, [norms.message, norms.error]))
}
