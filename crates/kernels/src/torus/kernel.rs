//! The operations on rows of doubles and torus words.

use super::key_switch_table::{KeySwitchTable, SwitchKey};
use super::shared::SharedRotation;
use super::table::FourierTable;
use std::fmt::Debug;

/// Floating-point arithmetic on whole rows for one instruction set.
///
/// A value of an implementing type is proof that the CPU can run it. Polynomials and spectra are
/// rows of `degree` doubles; alignment to 64 bytes ([`crate::RealRow`]) makes them faster. All
/// kernels with fused multiply-add give the same bits; results of `portable` differ in the last
/// bits.
pub trait TorusKernel: Debug + Send + Sync + 'static {
    /// Returns the stable name, as in `FATHOM_KERNEL=<name>`.
    fn name(&self) -> &'static str;

    /// Transforms a polynomial by the negacyclic FFT: `spectrum` receives its values at half of the
    /// roots of `X^N + 1`, in the order of the table. The other values are their conjugates.
    ///
    /// Shapes: `polynomial` and `spectrum` have `N` doubles; a line of the spectrum has eight real
    /// parts, then the eight imaginary parts. Source: docs/maths/fourier.md.
    fn forward(&self, table: &FourierTable, polynomial: &[f64], spectrum: &mut [f64]);

    /// Adds `N/2` times the polynomial with the given spectrum to `polynomial`. Shapes as in
    /// [`TorusKernel::forward`]; the spectrum is overwritten.
    fn inverse_add(&self, table: &FourierTable, spectrum: &mut [f64], polynomial: &mut [f64]);

    /// Computes `sum += a b` on spectra, as complex numbers.
    fn multiply_add(&self, sum: &mut [f64], a: &[f64], b: &[f64]);

    /// Computes the blind rotations of a batch of accumulators.
    ///
    /// Up to [`SharedRotation::threads`] threads call it on the same `work`, and each call computes
    /// a part. The first call returns when everything is done; the others return when their parts
    /// are done or when the first has taken them over ([`Patience`](crate::torus::Patience)). Calls
    /// that come too late return at once. The results do not depend on the number of threads.
    ///
    /// # Panics
    /// If the shape of `work` is not that of the table.
    fn rotate(&self, table: &FourierTable, work: &SharedRotation<'_>);

    /// Switches LWE ciphertexts from the input key to the output key of the table.
    ///
    /// Shapes: `key` is a result of [`KeySwitchTable::pack`]; `inputs` are LWE ciphertexts of
    /// `input_dimension` mask words and the body each; `outputs` has room for as many of
    /// `output_dimension + 1` words each, and `scratch` as many multiples of
    /// [`KeySwitchTable::scratch_len`]. All words are torus elements in units of `2^-64`.
    fn key_switch(
        &self,
        table: &KeySwitchTable,
        key: &SwitchKey,
        inputs: &[u64],
        outputs: &mut [u64],
        scratch: &mut [f64],
    );

    /// Computes the sum of `words[i] * bits[i]` modulo `2^64`. The bits are 0 or 1 and secret: no
    /// branch, index or time depends on them. Shapes: rows of equal length, without restriction.
    fn binary_product(&self, words: &[u64], bits: &[i64], sum: &mut u64);

    /// Computes the sum of `words[i] * bits[i]` for 32-bit words, modulo `2^64`; otherwise like
    /// [`TorusKernel::binary_product`].
    fn short_binary_product(&self, words: &[u32], bits: &[i64], sum: &mut u64);

    /// Computes `sum[i] = a[i] + b[i]` modulo `2^32`. Shapes: rows of equal length, without
    /// restriction.
    fn short_sum(&self, sum: &mut [u32], a: &[u32], b: &[u32]);
}
