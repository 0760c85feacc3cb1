//! Vectors of more values than there are slots.

use super::{Ciphertext, Evaluator, Slotted};
use crate::Error;

/// A vector of any length in as many plaintexts or ciphertexts as it takes: each holds the values
/// of all its slots, the last one fewer, and zeros behind them.
///
/// `Params::encode_long` makes long plaintexts; [`Long::try_map`] applies an operation that keeps
/// the slots to every part, such as encryption, and [`Long::try_zip`] one of two operands.
///
/// ```
/// # use fathom_rings as fathom;
/// use fathom::ckks;
/// use fathom::prelude::*;
///
/// # fn main() -> Result<(), Error> {
/// let params = ckks::Params::preset(ckks::Preset::E3Small)?;
/// let mut rng = SecretRng::from_os()?;
/// let secret = ckks::SecretKey::generate(&params, &mut rng);
/// let rotations = Rotations::for_slot_sum(params.degree());
/// let server = ckks::Evaluator::new(secret.evaluation_keys(&rotations, &mut rng)?);
///
/// let values: Vec<f64> = (0..10_000).map(|i| f64::from(i % 10) / 10.0).collect();
/// let plain = params.encode_long(&values)?;
/// let x = plain.try_map(|part| secret.encrypt(part, &mut rng))?;
/// let double = x.try_zip(&x, |a, b| server.add(a, b))?;
/// let read = double.try_map(|part| secret.decrypt(part))?;
/// assert_eq!(read.values().len(), 10_000);
/// let sum = secret.decrypt(&server.sum_long(&double)?)?;
/// assert!((sum.slots()[0] - 9000.0).abs() <= sum.error_bound());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Long<V> {
    len: usize,
    parts: Vec<V>,
}

impl<V> Long<V> {
    /// Wraps parts that together hold `len` values, such as ciphertexts that were received.
    pub fn assume(len: usize, parts: Vec<V>) -> Long<V> {
        Long { len, parts }
    }

    /// Makes the parts of a vector of values, of up to `slots` each, and one for an empty vector.
    /// `part` also takes the number of values before its own.
    pub(crate) fn of<T, E>(
        values: &[T],
        slots: usize,
        mut part: impl FnMut(usize, &[T]) -> Result<V, E>,
    ) -> Result<Long<V>, E> {
        let (first, rest) = values.split_at(slots.min(values.len()));
        let parts = std::iter::once(first).chain(rest.chunks(slots)).enumerate();
        let parts = parts.map(|(number, own)| part(number * slots, own));
        Ok(Long { len: values.len(), parts: parts.collect::<Result<_, E>>()? })
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the plaintexts or ciphertexts, in the order of the values.
    pub fn parts(&self) -> &[V] {
        &self.parts
    }

    /// Applies an operation that keeps the slots to every part.
    ///
    /// # Errors
    /// The first error of the operation.
    pub fn try_map<W, E>(&self, operation: impl FnMut(&V) -> Result<W, E>) -> Result<Long<W>, E> {
        let parts = self.parts.iter().map(operation).collect::<Result<_, E>>()?;
        Ok(Long { len: self.len, parts })
    }

    /// Applies an operation that keeps the slots to the parts of two vectors of one length.
    ///
    /// # Errors
    /// [`Error::ListLength`] for vectors of different lengths; the first error of the operation.
    pub fn try_zip<U, W, E: From<Error>>(
        &self,
        other: &Long<U>,
        mut operation: impl FnMut(&V, &U) -> Result<W, E>,
    ) -> Result<Long<W>, E> {
        self.same_shape("try_zip", other)?;
        let pairs = self.parts.iter().zip(&other.parts);
        let parts = pairs.map(|(a, b)| operation(a, b)).collect::<Result<_, E>>()?;
        Ok(Long { len: self.len, parts })
    }

    /// Refuses a vector of another length.
    fn same_shape<U>(&self, operation: &'static str, other: &Long<U>) -> Result<(), Error> {
        if self.len == other.len && self.parts.len() == other.parts.len() {
            return Ok(());
        }
        Err(Error::ListLength { operation, left: self.len, right: other.len })
    }
}

impl<S: Slotted> Evaluator<S> {
    /// Adds up all values of a long vector: every slot of the result holds the sum. The parts are
    /// added first, so that one sum of slots follows.
    ///
    /// # Errors
    /// As [`Evaluator::sum_slots`].
    pub fn sum_long(&self, a: &Long<Ciphertext<S>>) -> Result<Ciphertext<S>, Error> {
        self.sum_slots(&self.sum(a.parts())?)
    }

    /// Computes the inner product of two long vectors:
    /// `decrypt(out) = sum_i decrypt(a)_i * decrypt(b)_i`, in every slot. The products of all parts
    /// are relinearised together.
    ///
    /// # Errors
    /// As [`Evaluator::dot`] and [`Evaluator::sum_slots`]; [`Error::ListLength`] for vectors of
    /// different lengths.
    pub fn dot_long(
        &self,
        a: &Long<Ciphertext<S>>,
        b: &Long<Ciphertext<S>>,
    ) -> Result<Ciphertext<S>, Error> {
        a.same_shape("dot_long", b)?;
        self.sum_slots(&self.dot(a.parts(), b.parts())?)
    }
}
