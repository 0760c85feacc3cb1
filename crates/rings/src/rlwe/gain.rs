//! Bounds on matrices as maps of vectors of slots, for schemes whose slots are values at roots.

use super::{Bounds, Random};
use std::collections::BTreeMap;

/// Bounds on a matrix that multiplies a vector of slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gain {
    /// The largest sum of the absolute values of a row.
    pub(crate) largest: f64,
    /// The largest Euclidean norm of a row.
    pub(crate) row: f64,
    /// Bound on the operator norm for the Euclidean norm.
    pub(crate) euclidean: f64,
}

/// Covers the roundings of sums.
const ROUNDING: f64 = 1.0 + 1e-9;

impl Gain {
    /// Returns the bounds for a matrix of real numbers, or of the absolute values of complex ones,
    /// given by rows. The operator norm is at most the root of the sum of all squares, and at most
    /// the geometric mean of the largest sums of a row and of a column (Schur).
    ///
    /// Both also bound what the matrix does to slots that do not repeat as the operand should,
    /// where a row continues behind the end of a period. The operator norm itself does not: for
    /// `(1 1; -1 1)` that is the root of 2, and 2 for what it does to such slots.
    pub(crate) fn of(rows: &[Vec<f64>]) -> Gain {
        Gain::of_blocks(rows, 1)
    }

    /// Returns the bounds for a matrix that stands this number of times along the diagonal of a
    /// larger one, which has as large sums of rows and columns, and as many times the squares.
    pub(crate) fn of_blocks(rows: &[Vec<f64>], count: usize) -> Gain {
        let mut columns: Vec<f64> = Vec::new();
        for row in rows {
            columns.resize(columns.len().max(row.len()), 0.0);
            columns.iter_mut().zip(row).for_each(|(sum, entry)| *sum += entry.abs());
        }
        let column = columns.into_iter().fold(0.0, f64::max);
        Gain::of_rows(rows).repeated(count).with_columns(column)
    }

    /// Returns the bounds for a square matrix that is given by its diagonals: diagonal `d` holds
    /// the entry of row `i` and column `i + d` modulo the size.
    pub(crate) fn of_diagonals(size: usize, diagonals: &BTreeMap<usize, Vec<f64>>) -> Gain {
        let row = |row: usize| diagonals.values().map(|values| values[row]).collect();
        let rows: Vec<Vec<f64>> = (0..size).map(row).collect();
        let entry = |(number, values): (&usize, &Vec<f64>), column: usize| {
            values[(column + size - number) % size].abs()
        };
        let column = |column: usize| diagonals.iter().map(|d| entry(d, column)).sum();
        Gain::of_rows(&rows).with_columns((0..size).map(column).fold(0.0, f64::max))
    }

    /// Returns the bounds for a matrix of which the largest sum of the absolute values of a column
    /// is known too.
    fn with_columns(self, largest: f64) -> Gain {
        let euclidean = self.euclidean.min((self.largest * largest).sqrt());
        Gain { euclidean, ..self }.times(1.0)
    }

    /// Returns the bounds for a matrix of which the columns of the entries are not known.
    pub(crate) fn of_rows(rows: &[Vec<f64>]) -> Gain {
        let (mut largest, mut row_squares, mut squares) = (0.0_f64, 0.0_f64, 0.0_f64);
        for row in rows {
            let own: f64 = row.iter().map(|entry| entry * entry).sum();
            (row_squares, squares) = (row_squares.max(own), squares + own);
            largest = largest.max(row.iter().map(|entry| entry.abs()).sum());
        }
        Gain { largest, row: row_squares.sqrt(), euclidean: squares.sqrt() }.times(1.0)
    }

    /// Returns the bounds for this number of copies of the result side by side.
    pub(crate) fn repeated(self, count: usize) -> Gain {
        Gain { euclidean: self.euclidean * (count as f64).sqrt(), ..self }
    }

    /// Returns the bounds for the sum of this number of rotations of a vector.
    pub(crate) fn of_rotations(count: usize) -> Gain {
        let count = count as f64;
        Gain { largest: count, row: count.sqrt(), euclidean: count }
    }

    /// Returns the bounds for the matrix times a factor.
    pub(crate) fn times(self, factor: f64) -> Gain {
        let factor = factor * ROUNDING;
        Gain {
            largest: self.largest * factor,
            row: self.row * factor,
            euclidean: self.euclidean * factor,
        }
    }

    /// Returns the bounds for a matrix that differs by one whose rows have sums of absolute values
    /// up to `row` and whose operator norm is at most `euclidean`.
    pub(crate) fn with_error(self, row: f64, euclidean: f64) -> Gain {
        Gain {
            largest: self.largest + row,
            row: self.row + row,
            euclidean: self.euclidean + euclidean,
        }
    }

    /// Bounds the product with a polynomial of which only norms are known.
    pub(crate) fn of_rest(self, rest: Bounds) -> Bounds {
        let Bounds { euclidean, root, .. } = rest;
        // A coefficient is at most the Euclidean norm.
        let euclidean = euclidean * self.euclidean;
        Bounds { coefficient: euclidean, euclidean, root: root * self.largest }
    }

    /// Bounds the product with a random polynomial. The values of one at different roots are
    /// combined as any direction is.
    pub(crate) fn of_random(self, random: Random) -> Random {
        let direction = random.direction * self.euclidean;
        let root = (random.direction * self.row).min(random.root * self.largest);
        Random::at_roots(direction, root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bounds of blocks are at least those of the whole matrix.
    #[test]
    fn blocks_have_the_bounds_of_the_whole_matrix() {
        for size in [1, 3, 8] {
            let block: Vec<Vec<f64>> =
                (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect();
            for count in [1, 2, 4] {
                let value = |i: usize, j: usize| {
                    if i / size == j / size { block[i % size][j % size] } else { 0.0 }
                };
                let whole: Vec<Vec<f64>> = (0..size * count)
                    .map(|i| (0..size * count).map(|j| value(i, j)).collect())
                    .collect();
                let (blocks, whole) = (Gain::of_blocks(&block, count), Gain::of(&whole));
                let numbers = |gain: Gain| [gain.largest, gain.row, gain.euclidean];
                for (own, all) in numbers(blocks).into_iter().zip(numbers(whole)) {
                    assert!((own / all - 1.0).abs() < 1e-6, "{size} x {count}: {own} {all}");
                }
            }
        }
    }

    /// A matrix has the same bounds by its diagonals as by its rows.
    #[test]
    fn diagonals_have_the_bounds_of_the_matrix() {
        for size in [1, 4, 16] {
            let rows: Vec<Vec<f64>> =
                (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect();
            let diagonal = |d: usize| (0..size).map(|i| rows[i][(i + d) % size]).collect();
            let diagonals: BTreeMap<usize, Vec<f64>> =
                (0..size).map(|d| (d, diagonal(d))).collect();
            let (found, wanted) = (Gain::of_diagonals(size, &diagonals), Gain::of(&rows));
            assert!((found.largest / wanted.largest - 1.0).abs() < 1e-6);
            assert!((found.row / wanted.row - 1.0).abs() < 1e-6);
            assert!((found.euclidean / wanted.euclidean - 1.0).abs() < 1e-6);
        }
    }

    fn norm(v: &[f64]) -> f64 {
        v.iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    fn entry(i: usize, j: usize) -> f64 {
        ((1 + 31 * i * i + 17 * j + i * j) as f64 * 0.618_034).fract() - 0.5
    }

    /// Returns the largest ratio of norms that powers of the map find, where each period of slots
    /// is multiplied by the matrix and rows continue in the next period.
    fn measured(matrix: &[Vec<f64>], periods: usize) -> f64 {
        let size = matrix.len();
        let total = size * periods;
        let at = |i: usize, t: usize| (matrix[i % size][(i + t) % size], (i + t) % total);
        let mut vector: Vec<f64> = (0..total).map(|i| entry(i, 3)).collect();
        let mut ratio = 0.0;
        for _ in 0..100 {
            let length = norm(&vector);
            vector = vector.into_iter().map(|x| x / length).collect();
            let mut next = vec![0.0; total];
            let image: Vec<f64> = (0..total)
                .map(|i| (0..size).map(|t| at(i, t)).map(|(m, j)| m * vector[j]).sum())
                .collect();
            for (i, y) in image.iter().enumerate() {
                (0..size).map(|t| at(i, t)).for_each(|(m, j)| next[j] += m * y);
            }
            ratio = norm(&image);
            vector = next;
        }
        ratio
    }

    #[test]
    fn no_vector_of_slots_grows_by_more_than_the_bound() {
        let turn = vec![vec![1.0, 1.0], vec![-1.0, 1.0]];
        // More than the operator norm of the matrix.
        assert!(measured(&turn, 8) > 1.9);
        let random: Vec<Vec<f64>> =
            (0..16).map(|i| (0..16).map(|j| entry(i, j)).collect()).collect();
        for matrix in [turn, random, vec![vec![0.0; 4]; 4]] {
            let gain = Gain::of(&matrix);
            for periods in [1, 2, 8] {
                let found = measured(&matrix, periods);
                assert!(found.is_nan() || found <= gain.euclidean, "{found} {gain:?}");
            }
            assert!(gain.row <= gain.euclidean && gain.row <= gain.largest);
        }
    }
}
