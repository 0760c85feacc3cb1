//! Matrices of integers modulo `t`, prepared to multiply encrypted vectors.

use super::{Plaintext, Scheme};
use crate::Error;
use crate::rlwe::{Diagonal, Giant, LinearMap, Packed, Params, baby_steps};

impl<S: Scheme> LinearMap<S> {
    /// Prepares a square matrix, given by rows; the number of rows is a power of two up to `N/2`,
    /// entries are below `t`.
    ///
    /// # Errors
    /// [`Error::Shape`] for another shape; [`Error::ValueOutOfRange`], with the index in the
    /// diagonal; [`Error::NoSlots`].
    pub fn new(params: &Params<S>, matrix: &[Vec<u64>]) -> Result<LinearMap<S>, Error> {
        let (size, row_length) = (matrix.len(), params.degree() / 2);
        let uneven = matrix.iter().find(|row| row.len() != size);
        if uneven.is_some() || !size.is_power_of_two() || size > row_length {
            let columns = uneven.map_or(size, Vec::len);
            return Err(Error::Shape {
                operation: "LinearMap::new",
                wanted: format!("a square matrix of 2^k rows, from 1 to {row_length}"),
                got: format!("{size} rows, one of {columns} columns"),
            });
        }
        let baby_steps = baby_steps(size);
        let mut giants = Vec::new();
        for step in (0..size).step_by(baby_steps) {
            let mut diagonals = Vec::new();
            for baby_step in 0..baby_steps {
                // Entry i of the diagonal, read where the giant rotation will have taken it from.
                let entry = |i: usize| {
                    let row = (i + size - step) % size;
                    matrix[row][(row + step + baby_step) % size]
                };
                let values: Vec<u64> = (0..size).map(entry).collect();
                if values.iter().any(|&v| v != 0) {
                    diagonals.push(diagonal(params, baby_step, &values)?);
                }
            }
            if !diagonals.is_empty() {
                giants.push(Giant { step, diagonals });
            }
        }
        Ok(LinearMap::from_diagonals(params, size, (1, None), giants))
    }

    /// A vector of `n` values in the layout that the map takes, the same in both rows.
    ///
    /// # Errors
    /// [`Error::Shape`] for another length; [`Error::ValueOutOfRange`].
    pub fn pack(&self, vector: &[u64]) -> Result<Packed<Plaintext<S>>, Error> {
        self.check_size("LinearMap::pack", vector.len())?;
        let plaintext =
            self.params().encode(&vector.repeat(self.params().degree() / self.size()))?;
        Ok(Packed::assume(self.size(), plaintext))
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
