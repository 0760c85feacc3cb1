//! Matrices of integers modulo `t`, prepared to multiply encrypted vectors.

use super::{Plaintext, Scheme};
use crate::Error;
use crate::rlwe::{Diagonal, Giant, LinearMap, MapShape, Packed, Params, baby_steps};

impl<S: Scheme> LinearMap<S> {
    /// Prepares a matrix of up to `N/2` rows and columns, given by rows, with entries below `t`.
    ///
    /// The layout has the least power of two that is at least both dimensions as its size; the
    /// matrix is filled up with zeros, whose diagonals cost nothing.
    ///
    /// # Errors
    /// [`Error::Shape`] for rows of different lengths, or more rows or columns than `N/2`;
    /// [`Error::ValueOutOfRange`], with the index in the matrix, row after row; [`Error::NoSlots`].
    pub fn new(params: &Params<S>, matrix: &[Vec<u64>]) -> Result<LinearMap<S>, Error> {
        let size = matrix.len().max(matrix.first().map_or(0, Vec::len)).next_power_of_two();
        LinearMap::with_size(params, matrix, size)
    }

    /// Prepares a matrix of entries from `-(t-1)/2` to `(t-1)/2`, as [`LinearMap::new`].
    ///
    /// # Errors
    /// As [`LinearMap::new`].
    pub fn new_signed(params: &Params<S>, matrix: &[Vec<i64>]) -> Result<LinearMap<S>, Error> {
        let columns = matrix.first().map_or(0, Vec::len);
        let rows = matrix.iter().enumerate();
        let reduced = rows.map(|(i, row)| params.reduce_signed_from(row, i * columns));
        LinearMap::new(params, &reduced.collect::<Result<Vec<_>, _>>()?)
    }

    /// Prepares a matrix for the layout of this size, a power of two that is at least both
    /// dimensions, so that maps of different dimensions can follow each other.
    ///
    /// # Errors
    /// As [`LinearMap::new`].
    pub fn with_size(
        params: &Params<S>,
        matrix: &[Vec<u64>],
        size: usize,
    ) -> Result<LinearMap<S>, Error> {
        let shape = checked_shape(params, matrix, size)?;
        let baby_steps = baby_steps(size);
        let entry = |row: usize, column: usize| {
            matrix.get(row).and_then(|row| row.get(column)).copied().unwrap_or(0)
        };
        let mut giants = Vec::new();
        for step in (0..size).step_by(baby_steps) {
            let mut diagonals = Vec::new();
            for baby_step in 0..baby_steps {
                // Entry i of the diagonal, read where the giant rotation will have taken it from.
                let value = |i: usize| {
                    let row = (i + size - step) % size;
                    entry(row, (row + step + baby_step) % size)
                };
                let values: Vec<u64> = (0..size).map(value).collect();
                if values.iter().any(|&v| v != 0) {
                    diagonals.push(diagonal(params, baby_step, &values)?);
                }
            }
            if !diagonals.is_empty() {
                giants.push(Giant { step, diagonals });
            }
        }
        Ok(LinearMap::from_diagonals(params, shape, (1, None), giants))
    }

    /// Encodes a vector of as many values as the map has columns in the layout that it takes, the
    /// same in both rows of slots.
    ///
    /// # Errors
    /// [`Error::Shape`] for another length; [`Error::ValueOutOfRange`].
    pub fn pack(&self, vector: &[u64]) -> Result<Packed<Plaintext<S>>, Error> {
        self.check_columns("LinearMap::pack", vector.len())?;
        let size = self.size();
        let mut block = vector.to_vec();
        block.resize(size, 0);
        let plaintext = self.params().encode(&block.repeat(self.params().degree() / size))?;
        Ok(Packed::assume(size, plaintext))
    }

    /// Encodes values from `-(t-1)/2` to `(t-1)/2`, as [`LinearMap::pack`].
    ///
    /// # Errors
    /// As [`LinearMap::pack`].
    pub fn pack_signed(&self, vector: &[i64]) -> Result<Packed<Plaintext<S>>, Error> {
        self.pack(&self.params().reduce_signed_from(vector, 0)?)
    }

    /// Returns the values of a result, of which there are as many as the map has rows.
    ///
    /// # Errors
    /// [`Error::Shape`] for a layout of another size; [`Error::NoSlots`].
    pub fn unpack(&self, result: &Packed<Plaintext<S>>) -> Result<Vec<u64>, Error> {
        self.check_size("LinearMap::unpack", result.size())?;
        let mut slots = result.value().slots()?;
        slots.truncate(self.rows());
        Ok(slots)
    }

    /// Returns the values of a result, from `-(t-1)/2` to `(t-1)/2`.
    ///
    /// # Errors
    /// As [`LinearMap::unpack`].
    pub fn unpack_signed(&self, result: &Packed<Plaintext<S>>) -> Result<Vec<i64>, Error> {
        self.check_size("LinearMap::unpack_signed", result.size())?;
        let mut slots = result.value().slots_signed()?;
        slots.truncate(self.rows());
        Ok(slots)
    }
}

/// Refuses a matrix that does not fit the layout, and entries that are not below `t`.
fn checked_shape<S: Scheme>(
    params: &Params<S>,
    matrix: &[Vec<u64>],
    size: usize,
) -> Result<MapShape, Error> {
    let (rows, row_length) = (matrix.len(), params.degree() / 2);
    let columns = matrix.first().map_or(0, Vec::len);
    let uneven = matrix.iter().find(|row| row.len() != columns).map_or(columns, Vec::len);
    let fits = rows > 0 && columns > 0 && rows.max(columns) <= size && size <= row_length;
    if uneven != columns || !fits || !size.is_power_of_two() {
        return Err(Error::Shape {
            operation: "LinearMap::new",
            wanted: format!("rows of one length, at most {row_length} rows and columns"),
            got: format!("{rows} rows, one of {uneven} columns, in a layout of {size}"),
        });
    }
    let high = i128::from(params.plain_modulus()) - 1;
    match matrix.iter().flatten().position(|&v| i128::from(v) > high) {
        Some(index) => Err(Error::ValueOutOfRange { index, low: 0, high }),
        None => Ok(MapShape { size, rows, columns }),
    }
}

fn diagonal<S: Scheme>(
    params: &Params<S>,
    baby_step: usize,
    values: &[u64],
) -> Result<Diagonal, Error> {
    let repeated = values.repeat(params.degree() / values.len());
    let coefficients = params.encode(&repeated)?.coefficients_signed();
    Ok(Diagonal::new(params.context(), baby_step, &coefficients))
}
