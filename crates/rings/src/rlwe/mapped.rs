//! Linear maps of any scheme with slots, by values of its messages.

use super::{Ciphertext, Evaluator, Level, LinearMap, Packed, Params, Scheme, Slotted};
use crate::Error;
use std::collections::BTreeMap;

/// A scheme with slots, whose linear maps multiply messages by matrices of their values.
pub trait Mapped: Slotted + Scheme {
    /// See [`LinearMap::of_diagonals`].
    #[doc(hidden)]
    fn map_of_diagonals(
        params: &Params<Self>,
        size: usize,
        diagonals: &BTreeMap<usize, Vec<Self::Value>>,
        level: Level,
    ) -> Result<LinearMap<Self>, Error>;
}

impl<S: Mapped> LinearMap<S> {
    /// Prepares a square matrix of `size` rows, a power of two, for vectors at `level`, by its
    /// diagonals: `result[i] = sum_d diagonals[d][i] * operand[(i + d) mod size]`.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::NoSuchLevel`] and the refusals of values of the scheme.
    pub fn of_diagonals(
        params: &Params<S>,
        size: usize,
        diagonals: &BTreeMap<usize, Vec<S::Value>>,
        level: impl Into<Level>,
    ) -> Result<LinearMap<S>, Error> {
        S::map_of_diagonals(params, size, diagonals, level.into())
    }

    /// Prepares the cyclic convolution of `size` values, a power of two, with a kernel, for vectors
    /// at `level`: `result[i] = sum_j kernel[j] * operand[(i - j) mod size]`.
    ///
    /// # Errors
    /// [`Error::Count`] for a kernel of no values or of more than `size`; as
    /// [`LinearMap::of_diagonals`].
    pub fn convolution(
        params: &Params<S>,
        size: usize,
        kernel: &[S::Value],
        level: impl Into<Level>,
    ) -> Result<LinearMap<S>, Error> {
        if kernel.is_empty() || kernel.len() > size {
            let (operation, count) = ("convolve", kernel.len());
            return Err(Error::Count { operation, count, limit: size });
        }
        let diagonal =
            |(j, value): (usize, &S::Value)| ((size - j) % size, vec![value.clone(); size]);
        let diagonals = kernel.iter().enumerate().map(diagonal).collect();
        LinearMap::of_diagonals(params, size, &diagonals, level)
    }
}

impl<S: Mapped> Evaluator<S> {
    /// Convolves every row of `n = N/2` slots with a clear kernel, cyclically: slot `i` of the
    /// result is `sum_j kernel[j] * a[(i - j) mod n]`, as `ifft(fft(a) * fft(kernel))` has it.
    /// Values that repeat with a period are convolved within it. The level stays in exact schemes
    /// and falls by one in CKKS.
    ///
    /// Needs the keys of [`LinearMap::convolution`] with the size `N/2`, whose map serves many
    /// operands: those of the steps `-1, ..., 1 - k` for a kernel of `k` values, where `k` is at
    /// most 16. Noise: times the sum of the absolute values of the kernel, with that of a key
    /// switch for each value.
    ///
    /// # Errors
    /// As [`LinearMap::convolution`] and [`Evaluator::transform`].
    pub fn convolve(&self, a: &Ciphertext<S>, kernel: &[S::Value]) -> Result<Ciphertext<S>, Error> {
        self.check_key(&[a])?;
        S::check_slots(&self.params)?;
        let size = self.params.degree() / 2;
        let map = LinearMap::convolution(&self.params, size, kernel, a.level())?;
        Ok(self.transform(&map, &Packed::assume(size, a.clone()))?.into_value())
    }
}
