//! The layout of a matrix in diagonals, and the diagonals as plaintexts.
//!
//! A matrix times a vector is the sum over its diagonals of a rotation of the vector times the
//! diagonal. Rotations are split into baby and giant steps: diagonals that share a giant step are
//! summed first, rotated back by it in advance, and their sum is rotated once.

use super::{Bounds, Context, Noise, Norms};
use crate::Error;
use fathom_ring::{Eval, Limbs, Poly};
use std::collections::BTreeMap;

/// The diagonals that share a giant step.
#[derive(Clone, Debug)]
pub(crate) struct Giant {
    pub(crate) step: usize,
    pub(crate) diagonals: Vec<Diagonal>,
}

/// One diagonal of a matrix.
#[derive(Clone, Debug)]
pub(crate) struct Diagonal {
    pub(crate) baby_step: usize,
    /// Rotated back by the giant step, over the primes of the map's level and the special ones.
    pub(crate) values: Poly<Eval>,
    pub(crate) norms: Norms,
    /// The norms of the exact multiplicand and those of the difference from it; `None` for exact
    /// values.
    pub(crate) inexact: Option<[Bounds; 2]>,
}

impl Diagonal {
    /// Prepares a diagonal over these limbs, given by the signed coefficients of its encoding,
    /// which is rotated back by the giant step.
    pub(crate) fn new(
        context: &Context,
        limbs: Limbs,
        baby_step: usize,
        coefficients: &[i64],
    ) -> Diagonal {
        let lifted = context.lift(limbs, coefficients);
        let norms = Norms::of(coefficients, &context.roots);
        Diagonal { baby_step, values: lifted.into_eval(), norms, inexact: None }
    }

    /// Creates a diagonal of these values, over the limbs of one level and the special primes. They
    /// stand for the first of two polynomials, up to the second.
    pub(crate) fn inexact(
        baby_step: usize,
        values: Poly<Eval>,
        norms: Norms,
        inexact: [Bounds; 2],
    ) -> Diagonal {
        Diagonal { baby_step, values, norms, inexact: Some(inexact) }
    }

    /// Returns the noise of a product with it.
    pub(crate) fn multiplied(&self, noise: Noise) -> Noise {
        match self.inexact {
            None => noise.times_polynomial(self.norms),
            Some([message, error]) => noise.times_inexact(self.norms, message, error),
        }
    }
}

/// The dimensions of a matrix, and those of its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MapShape {
    /// A power of two that is at least the number of columns.
    pub(crate) operand: usize,
    /// A power of two that is at least the number of rows.
    pub(crate) result: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl MapShape {
    /// Checks that the rows of a matrix have one length and fit the `row_length` of the slots, and
    /// a layout of `size` for operand and result, a power of two, if one is given.
    pub(crate) fn of<V>(
        operation: &'static str,
        matrix: &[Vec<V>],
        size: Option<usize>,
        row_length: usize,
    ) -> Result<MapShape, Error> {
        let (rows, columns) = (matrix.len(), matrix.first().map_or(0, Vec::len));
        let uneven = matrix.iter().find(|row| row.len() != columns).map_or(columns, Vec::len);
        let most = rows.max(columns);
        let layout = size.unwrap_or(most.next_power_of_two());
        let fits = rows > 0 && columns > 0 && most <= layout && layout <= row_length;
        if uneven != columns || !fits || !layout.is_power_of_two() {
            return Err(Error::Shape {
                operation,
                wanted: format!("rows of one length, at most {row_length} rows and columns"),
                got: format!("{rows} rows, one of {uneven} columns, in a layout of {layout}"),
            });
        }
        let [operand, result] =
            [columns, rows].map(|length| size.unwrap_or(length.next_power_of_two()));
        Ok(MapShape { operand, result, rows, columns })
    }

    /// Returns the shape of a matrix that stands `count` times along the diagonal of a larger one,
    /// each time in a block of rows and columns whose number is the first value that is returned.
    ///
    /// # Errors
    /// [`Error::Shape`] as [`MapShape::of`], for blocks that together exceed the row of slots, or
    /// whose number is no power of two.
    pub(crate) fn of_blocks<V>(
        operation: &'static str,
        matrix: &[Vec<V>],
        count: usize,
        row_length: usize,
    ) -> Result<(usize, MapShape), Error> {
        let MapShape { rows, columns, .. } = MapShape::of(operation, matrix, None, row_length)?;
        let block = rows.max(columns).next_power_of_two();
        let size = block.saturating_mul(count);
        if !count.is_power_of_two() || size > row_length {
            return Err(Error::Shape {
                operation,
                wanted: format!("a power of two of blocks, together at most {row_length} values"),
                got: format!("{count} blocks of {block} values"),
            });
        }
        Ok((block, MapShape { operand: size, result: size, rows: size, columns: size }))
    }

    /// Returns the shape of a square matrix that is given by its diagonals, each by its number and
    /// with a value for each of `size` rows.
    ///
    /// # Errors
    /// [`Error::Shape`] for a size that is no power of two of at most `row_length`, and for a
    /// diagonal of another number or length.
    pub(crate) fn of_diagonals<V>(
        operation: &'static str,
        size: usize,
        diagonals: &BTreeMap<usize, Vec<V>>,
        row_length: usize,
    ) -> Result<MapShape, Error> {
        if !size.is_power_of_two() || size > row_length {
            return Err(Error::Shape {
                operation,
                wanted: format!("a size that is a power of two, at most {row_length}"),
                got: format!("{size}"),
            });
        }
        let fits = |(number, values): &(&usize, &Vec<V>)| **number < size && values.len() == size;
        match diagonals.iter().find(|diagonal| !fits(diagonal)) {
            None => Ok(MapShape { operand: size, result: size, rows: size, columns: size }),
            Some((number, values)) => Err(Error::Shape {
                operation,
                wanted: format!("diagonals of numbers below {size}, of {size} values each"),
                got: format!("diagonal {number} of {} values", values.len()),
            }),
        }
    }

    /// Returns the number of values after which the diagonals repeat.
    pub(crate) fn period(self) -> usize {
        self.operand.max(self.result)
    }

    /// Returns the number of parts of a result that are added up in the end.
    pub(crate) fn parts(self) -> usize {
        (self.operand / self.result).max(1)
    }

    /// Returns the row whose value a diagonal of the giant step holds at this position, and the
    /// column that it multiplies.
    pub(crate) fn place(self, position: usize, step: usize, baby_step: usize) -> [usize; 2] {
        let row = (position + self.period() - step) % self.period();
        [row % self.result, (row + step + baby_step) % self.operand]
    }

    /// Returns which diagonals are not zero, where `entry` takes a row and a column of the matrix.
    /// The first `scanned` rows and columns hold an entry of every such diagonal.
    pub(crate) fn occurring<V: Copy + PartialEq>(
        self,
        zero: V,
        scanned: [usize; 2],
        entry: impl Fn(usize, usize) -> V,
    ) -> Vec<bool> {
        let count = self.operand.min(self.result);
        let mut occurs = vec![false; count];
        for row in 0..scanned[0] {
            for column in 0..scanned[1] {
                if entry(row, column) != zero {
                    occurs[(column + self.period() - row) % count] = true;
                }
            }
        }
        occurs
    }

    /// Prepares the diagonals that occur, where `entry` takes a row and a column of the matrix and
    /// `diagonal` a giant step, a baby step and the values, rotated back by the giant step.
    pub(crate) fn giants<V: Copy>(
        self,
        zero: V,
        occurs: &[bool],
        entry: impl Fn(usize, usize) -> V,
        mut diagonal: impl FnMut(usize, usize, &[V]) -> Result<Diagonal, Error>,
    ) -> Result<Vec<Giant>, Error> {
        let inside = |[row, column]: [usize; 2]| row < self.rows && column < self.columns;
        let filled = |place: [usize; 2]| {
            if inside(place) { entry(place[0], place[1]) } else { zero }
        };
        let baby_steps = baby_steps(occurs);
        let mut giants = Vec::new();
        for (giant, occurs) in occurs.chunks(baby_steps).enumerate() {
            let step = giant * baby_steps;
            let mut diagonals = Vec::new();
            for baby_step in (0..occurs.len()).filter(|&baby_step| occurs[baby_step]) {
                // The values are rotated back by the giant step here, in the clear, so that the sum
                // of all products of this step takes one rotation.
                let value = |position| filled(self.place(position, step, baby_step));
                let values: Vec<V> = (0..self.period()).map(value).collect();
                diagonals.push(diagonal(step, baby_step, &values)?);
            }
            if !diagonals.is_empty() {
                giants.push(Giant { step, diagonals });
            }
        }
        Ok(giants)
    }
}

/// Returns which diagonals of a matrix of this size are given.
pub(crate) fn given<V>(size: usize, diagonals: &BTreeMap<usize, Vec<V>>) -> Vec<bool> {
    (0..size).map(|number| diagonals.contains_key(&number)).collect()
}

/// Returns the entry of a matrix of this size, if the diagonal that holds it is given.
pub(crate) fn diagonal_entry<V: Copy>(
    size: usize,
    diagonals: &BTreeMap<usize, Vec<V>>,
    [row, column]: [usize; 2],
) -> Option<V> {
    diagonals.get(&((column + size - row) % size)).map(|values| values[row])
}

/// Returns the entry of a matrix that stands in every block along the diagonal of a larger one.
pub(crate) fn block_entry<V: Copy>(
    matrix: &[Vec<V>],
    block: usize,
    [row, column]: [usize; 2],
    zero: V,
) -> V {
    let same = row / block == column / block;
    let own = matrix.get(row % block).and_then(|entries| entries.get(column % block));
    own.copied().filter(|_| same).unwrap_or(zero)
}

/// The cost of a giant step in units of that of a baby step, which takes no transforms.
const GIANT_COST: usize = 4;

/// Returns the number of baby steps, a power of two, with which the rotations for the diagonals
/// that occur cost least.
fn baby_steps(occurs: &[bool]) -> usize {
    // The first baby step and the first giant step rotate by zero and cost nothing.
    let cost = |babies: usize| {
        let columns = (1..babies).filter(|b| occurs.iter().skip(*b).step_by(babies).any(|o| *o));
        let giants = occurs.chunks(babies).skip(1).filter(|all| all.contains(&true));
        columns.count() + GIANT_COST * giants.count()
    };
    let all = (0..=occurs.len().ilog2()).map(|bits| 1 << bits);
    all.min_by_key(|&babies| cost(babies)).expect("there is a power of two")
}
