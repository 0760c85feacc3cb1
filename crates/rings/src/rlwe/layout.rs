//! The layouts of encrypted matrices and vectors for products of matrices.
//!
//! `A B = sum_k a_k b_k` for the columns `a_k` of `A` and the rows `b_k` of `B`, as outer products:
//! with one ciphertext for each `k`, in which `a_k` is repeated along rows and `b_k` along columns,
//! the product of matrices is one inner product of two lists. It takes one level, no rotation and
//! one relinearisation; a list is as long as the inner dimension.
//!
//! A linear map multiplies a clear matrix by an encrypted vector, which [`Packed`] marks as
//! repeated to fill the rows of slots.

use crate::Error;

/// The layout of a product of matrices: entry `(i, j)` of the result is in slot
/// `i * columns + j`.
///
/// The evaluator's `dot` multiplies two encrypted matrices, in the layouts of
/// [`MatrixLayout::left`] and [`MatrixLayout::right`]; `dot_plain` an encrypted one and prepared
/// plaintexts in the layout of the other side; and `weighted_sum` an encrypted left one of a layout
/// with one column and the entries of a clear vector as weights.
///
/// ```
/// # use fathom_rings as fathom;
/// use fathom::prelude::*;
/// use fathom::rlwe::MatrixLayout;
///
/// # fn main() -> Result<(), Error> {
/// let params = bfv::Params::preset(Preset::E1)?;
/// let mut rng = SecretRng::from_os()?;
/// let secret = bfv::SecretKey::generate(&params, &mut rng);
/// let server = bfv::Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);
///
/// // A matrix of 2 x 3 times one of 3 x 2.
/// let layout = MatrixLayout::new(2, 3, 2, params.degree())?;
/// let mut encrypted = |slots: Vec<Vec<u64>>| -> Result<Vec<_>, Error> {
///     slots.iter().map(|slots| secret.encrypt(&params.encode(slots)?, &mut rng)).collect()
/// };
/// let a = encrypted(layout.left(&[[1, 2, 3], [4, 5, 6]])?)?;
/// let b = encrypted(layout.right(&[[7, 8], [9, 10], [11, 12]])?)?;
/// let product = server.dot(&a, &b)?;
/// let slots = secret.decrypt(&product)?.slots()?;
/// assert_eq!(layout.read(&slots)?, [[58, 64], [139, 154]]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixLayout {
    rows: usize,
    inner: usize,
    columns: usize,
}

impl MatrixLayout {
    /// Creates the layout for a matrix of `rows` times `inner` by one of `inner` times `columns`,
    /// whose product has an entry in each of the first `rows * columns` of `slots` slots.
    ///
    /// # Errors
    /// [`Error::Shape`] for a dimension of zero, or a product of more entries than slots.
    pub fn new(
        rows: usize,
        inner: usize,
        columns: usize,
        slots: usize,
    ) -> Result<MatrixLayout, Error> {
        let entries = rows.checked_mul(columns).filter(|entries| *entries <= slots);
        if entries.is_none_or(|entries| entries == 0) || inner == 0 {
            return Err(Error::Shape {
                operation: "MatrixLayout::new",
                wanted: format!("a product of at most {slots} entries"),
                got: format!("{rows} x {inner} by {inner} x {columns}"),
            });
        }
        Ok(MatrixLayout { rows, inner, columns })
    }

    /// Returns the number of ciphertexts of each operand: the inner dimension.
    pub fn count(&self) -> usize {
        self.inner
    }

    /// Returns the slots of the left operand, a list for each column of the matrix: entry `(i, k)`
    /// is in the slots of row `i` in list `k`.
    ///
    /// # Errors
    /// [`Error::Shape`] for a matrix of other dimensions.
    pub fn left<V: Copy>(&self, matrix: &[impl AsRef<[V]>]) -> Result<Vec<Vec<V>>, Error> {
        let rows = checked("MatrixLayout::left", matrix, [self.rows, self.inner])?;
        let column = |k: usize| {
            rows.iter().flat_map(|row| std::iter::repeat_n(row[k], self.columns)).collect()
        };
        Ok((0..self.inner).map(column).collect())
    }

    /// Returns the slots of the right operand, a list for each row of the matrix: entry `(k, j)` is
    /// in the slots of column `j` in list `k`.
    ///
    /// # Errors
    /// As [`MatrixLayout::left`].
    pub fn right<V: Copy>(&self, matrix: &[impl AsRef<[V]>]) -> Result<Vec<Vec<V>>, Error> {
        let rows = checked("MatrixLayout::right", matrix, [self.inner, self.columns])?;
        Ok(rows.into_iter().map(|row| row.repeat(self.rows)).collect())
    }

    /// Returns the matrix in the slots of a product, by rows.
    ///
    /// # Errors
    /// [`Error::Shape`] for fewer slots than entries.
    pub fn read<V: Copy>(&self, slots: &[V]) -> Result<Vec<Vec<V>>, Error> {
        let entries = self.rows * self.columns;
        let own = slots.get(..entries).ok_or_else(|| Error::Shape {
            operation: "MatrixLayout::read",
            wanted: format!("at least {entries} slots"),
            got: format!("{}", slots.len()),
        })?;
        Ok(own.chunks(self.columns).map(<[V]>::to_vec).collect())
    }
}

/// Returns the rows of a matrix of these dimensions.
fn checked<'a, V>(
    operation: &'static str,
    matrix: &'a [impl AsRef<[V]>],
    [rows, columns]: [usize; 2],
) -> Result<Vec<&'a [V]>, Error> {
    let all: Vec<&[V]> = matrix.iter().map(AsRef::as_ref).collect();
    let uneven = all.iter().find(|row| row.len() != columns);
    if all.len() == rows && uneven.is_none() {
        return Ok(all);
    }
    let got = uneven.map_or(columns, |row| row.len());
    Err(Error::Shape {
        operation,
        wanted: format!("{rows} rows of {columns} values"),
        got: format!("{} rows, one of {got}", all.len()),
    })
}

/// A plaintext or ciphertext in the layout that a [`LinearMap`](super::LinearMap) of `size` rows
/// takes and gives: a vector of `size` values in each row of slots, repeated to fill it.
///
/// [`LinearMap::pack`](super::LinearMap::pack) makes packed plaintexts, [`Packed::try_map`] packed
/// ciphertexts from them.
#[derive(Clone, Debug)]
pub struct Packed<V> {
    size: usize,
    value: V,
}

impl<V> Packed<V> {
    /// Wraps a value that is known to be in this layout, such as a ciphertext that was received.
    pub fn assume(size: usize, value: V) -> Packed<V> {
        Packed { size, value }
    }

    /// Returns the number of values of the vector, which is repeated to fill each row of slots.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the plaintext or ciphertext.
    pub fn value(&self) -> &V {
        &self.value
    }

    /// Unwraps the plaintext or ciphertext.
    pub fn into_value(self) -> V {
        self.value
    }

    /// Applies an operation that keeps the layout: encryption, decryption, a modulus switch, or any
    /// slot-wise operation with a value of the same layout.
    ///
    /// # Errors
    /// The error of the operation.
    pub fn try_map<W, E>(
        &self,
        operation: impl FnOnce(&V) -> Result<W, E>,
    ) -> Result<Packed<W>, E> {
        Ok(Packed { size: self.size, value: operation(&self.value)? })
    }
}
