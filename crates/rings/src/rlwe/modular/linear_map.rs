//! Matrices of integers modulo `t`, prepared to multiply encrypted vectors.

use super::{Modular, Plaintext};
use crate::Error;
use crate::rlwe::{
    Diagonal, Level, LinearMap, MapMeta, MapShape, Mapped, Packed, Params, block_entry, check_size,
    diagonal_entry, given,
};
use fathom_ring::Limbs;
use std::collections::BTreeMap;

impl<S: Modular> LinearMap<S> {
    /// Prepares a matrix of up to `N/2` rows and columns, given by rows, with entries below `t`.
    ///
    /// The layouts of operand and result have the least powers of two as their sizes that are at
    /// least the numbers of columns and rows.
    ///
    /// # Errors
    /// [`Error::Shape`] for rows of different lengths, or more rows or columns than `N/2`;
    /// [`Error::ValueOutOfRange`], with the index in the matrix, row after row; [`Error::NoSlots`].
    pub fn new(params: &Params<S>, matrix: &[Vec<u64>]) -> Result<LinearMap<S>, Error> {
        Self::prepared(params, matrix, None, None)
    }

    /// Prepares a matrix as [`LinearMap::new`] does for vectors at `level` alone, which takes
    /// memory for the primes of that level only. An operand of a higher level is switched down to
    /// it.
    ///
    /// # Errors
    /// As [`LinearMap::new`]; [`Error::NoSuchLevel`].
    pub fn new_for_level(
        params: &Params<S>,
        matrix: &[Vec<u64>],
        level: impl Into<Level>,
    ) -> Result<LinearMap<S>, Error> {
        let level = level.into();
        params.check_level(level)?;
        Self::prepared(params, matrix, None, Some(level))
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

    /// Prepares a matrix for operands and results in the layout of one size, a power of two that is
    /// at least both dimensions, so that maps can follow each other in any order.
    ///
    /// # Errors
    /// As [`LinearMap::new`].
    pub fn with_size(
        params: &Params<S>,
        matrix: &[Vec<u64>],
        size: usize,
    ) -> Result<LinearMap<S>, Error> {
        Self::prepared(params, matrix, Some(size), None)
    }

    fn prepared(
        params: &Params<S>,
        matrix: &[Vec<u64>],
        size: Option<usize>,
        level: Option<Level>,
    ) -> Result<LinearMap<S>, Error> {
        let shape = checked_shape(params, matrix, size)?;
        let entry = |row: usize, column: usize| matrix[row][column];
        let occurs = shape.occurring(0, [shape.rows, shape.columns], entry);
        Self::of_entries(params, shape, &occurs, level, entry)
    }

    /// Prepares a square matrix of `size` rows, a power of two, that is given by its diagonals:
    /// `result[i] = sum_d diagonals[d][i] * operand[(i + d) mod size]`, for values below `t`. A map
    /// of few diagonals needs no matrix of `size^2` entries.
    ///
    /// # Errors
    /// [`Error::Shape`] for a size that is no power of two or exceeds `N/2`, a number of a diagonal
    /// that is not below `size`, or a diagonal of another length; [`Error::ValueOutOfRange`], with
    /// the index in the diagonal; [`Error::NoSlots`].
    pub fn new_from_diagonals(
        params: &Params<S>,
        size: usize,
        diagonals: &BTreeMap<usize, Vec<u64>>,
    ) -> Result<LinearMap<S>, Error> {
        Self::by_diagonals(params, size, diagonals, None)
    }

    fn by_diagonals(
        params: &Params<S>,
        size: usize,
        diagonals: &BTreeMap<usize, Vec<u64>>,
        level: Option<Level>,
    ) -> Result<LinearMap<S>, Error> {
        params.require_slots()?;
        let (operation, most) = ("LinearMap::new_from_diagonals", params.degree() / 2);
        let shape = MapShape::of_diagonals(operation, size, diagonals, most)?;
        diagonals.values().try_for_each(|values| check_entries(params, values.iter()))?;
        let entry = |row, column| diagonal_entry(size, diagonals, [row, column]).unwrap_or(0);
        Self::of_entries(params, shape, &given(size, diagonals), level, entry)
    }

    /// Prepares a matrix for `count` vectors in each row of slots: vector `b` is in the slots from
    /// `b * size` on, for the least power of two `size` that is at least both dimensions, and so is
    /// its image. `count` is a power of two, and a map of `count * size` rows and columns comes
    /// out, with up to twice as many diagonals as the matrix has.
    ///
    /// # Errors
    /// As [`LinearMap::new`]; [`Error::Shape`] for blocks that exceed a row of slots.
    pub fn new_for_blocks(
        params: &Params<S>,
        matrix: &[Vec<u64>],
        count: usize,
    ) -> Result<LinearMap<S>, Error> {
        checked_shape(params, matrix, None)?;
        let most = params.degree() / 2;
        let (block, shape) = MapShape::of_blocks("LinearMap::new_for_blocks", matrix, count, most)?;
        let entry = |row: usize, column: usize| block_entry(matrix, block, [row, column], 0);
        let occurs = shape.occurring(0, [block; 2], entry);
        Self::of_entries(params, shape, &occurs, None, entry)
    }

    fn of_entries(
        params: &Params<S>,
        shape: MapShape,
        occurs: &[bool],
        level: Option<Level>,
        entry: impl Fn(usize, usize) -> u64,
    ) -> Result<LinearMap<S>, Error> {
        let special = params.context().special_count();
        let limbs = level.unwrap_or(params.top_level()).limbs().extended(special);
        let giants = shape.giants(0, occurs, entry, |_, baby_step, values| {
            diagonal(params, limbs, baby_step, values)
        })?;
        let meta = MapMeta { meta: 1, facts: S::Facts::default(), level, gain: None };
        Ok(LinearMap::from_giants(params, shape, meta, giants))
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
        Ok(Packed::assume(size, self.params().encode_repeated(&block)?))
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
        check_size("LinearMap::unpack", self.result_size(), result.size())?;
        let mut slots = result.value().slots()?;
        slots.truncate(self.rows());
        Ok(slots)
    }

    /// Returns the values of a result, from `-(t-1)/2` to `(t-1)/2`.
    ///
    /// # Errors
    /// As [`LinearMap::unpack`].
    pub fn unpack_signed(&self, result: &Packed<Plaintext<S>>) -> Result<Vec<i64>, Error> {
        check_size("LinearMap::unpack_signed", self.result_size(), result.size())?;
        let mut slots = result.value().slots_signed()?;
        slots.truncate(self.rows());
        Ok(slots)
    }
}

impl<S: Modular> Mapped for S {
    fn map_of_diagonals(
        params: &Params<S>,
        size: usize,
        diagonals: &BTreeMap<usize, Vec<i64>>,
        level: Level,
    ) -> Result<LinearMap<S>, Error> {
        params.check_level(level)?;
        let reduced = |(&number, values): (&usize, &Vec<i64>)| {
            Ok((number, params.reduce_signed_from(values, 0)?))
        };
        let reduced = diagonals.iter().map(reduced).collect::<Result<_, Error>>()?;
        LinearMap::by_diagonals(params, size, &reduced, Some(level))
    }
}

/// Refuses a matrix that does not fit the layout, and entries that are not below `t`.
fn checked_shape<S: Modular>(
    params: &Params<S>,
    matrix: &[Vec<u64>],
    size: Option<usize>,
) -> Result<MapShape, Error> {
    params.require_slots()?;
    let shape = MapShape::of("LinearMap::new", matrix, size, params.degree() / 2)?;
    check_entries(params, matrix.iter().flatten())?;
    Ok(shape)
}

/// Refuses entries that are not below `t`.
fn check_entries<'a, S: Modular>(
    params: &Params<S>,
    mut entries: impl Iterator<Item = &'a u64>,
) -> Result<(), Error> {
    let high = i128::from(params.plain_modulus()) - 1;
    match entries.position(|&v| i128::from(v) > high) {
        Some(index) => Err(Error::ValueOutOfRange { index, low: 0, high }),
        None => Ok(()),
    }
}

fn diagonal<S: Modular>(
    params: &Params<S>,
    limbs: Limbs,
    baby_step: usize,
    values: &[u64],
) -> Result<Diagonal, Error> {
    let coefficients = params.encode_repeated(values)?.coefficients_signed();
    Ok(Diagonal::new(params.context(), limbs, baby_step, &coefficients))
}
