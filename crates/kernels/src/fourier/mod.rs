//! Floating-point arithmetic for torus polynomials: the negacyclic FFT and the external product.

mod butterflies;
mod digits;
mod extended;
mod fetch;
mod grouped;
mod key_switch;
pub(crate) mod lanes;
mod monomials;
mod precise;
mod product;
mod rotation;
mod secret;
mod shared;
mod short_sum;
mod step;
mod sums_of_keys;
mod sweeps;
mod table;
mod tail;
mod tail_by_fours;
pub(crate) mod transform;

pub(crate) use extended::multiply_extended;
pub(crate) use fetch::Fetch;
pub(crate) use grouped::{multiply_groups, turn_over_all};
pub(crate) use key_switch::key_switch;
pub use key_switch::{KeySwitchShape, KeySwitchTable, SwitchKey};
pub(crate) use lanes::Line;
use lanes::{Complex, Doubles, Octet, lines, lines_mut, load, store};
pub use precise::PreciseTransform;
pub use product::{Decomposition, MAX_EXTENSION, MAX_SELECTORS, ProductShape, Rotation};
pub(crate) use rotation::{multiply_all, rotate, transform_all};
pub(crate) use secret::{binary_product, short_binary_product};
pub(crate) use shared::{Columns, Group, Places};
pub use shared::{Patience, SharedRotation};
pub(crate) use short_sum::{add_each, short_sum};
use std::fmt::Debug;
pub(crate) use step::Step;
pub(crate) use sweeps::{sweep_down, sweep_up};
pub use table::FourierTable;
pub(crate) use table::{Pass, Tail};
pub(crate) use tail::{group_down, group_up, tails_down, tails_up};
use transform::{Sink, Source};

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
    /// are done or when the first has taken them over ([`Patience`]). Calls that come too late
    /// return at once. The results do not depend on the number of threads.
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

/// Parts that several transforms share, compiled once for an instruction set as separate functions.
pub(crate) trait SharedParts {
    /// Runs the sweeps of a forward transform in place.
    fn sweep_down(&self, passes: &[Pass], lines: &mut [Line]);
    /// Runs the sweeps of an inverse transform in place.
    fn sweep_up(&self, passes: &[Pass], lines: &mut [Line]);
    /// Runs the last six levels of a forward transform in each group of 64 values.
    fn tails_down(&self, tails: &[Tail], lines: &mut [Line], fetch: Option<&Fetch<'_>>);
    /// Runs the first six levels of an inverse transform in each group of 64 values.
    fn tails_up(&self, tails: &[Tail], lines: &mut [Line], fetch: Option<&Fetch<'_>>);
    /// Runs the last six levels of a forward transform in one group of the spectra of all digits.
    fn group_down(&self, tail: &Tail, group: &mut Group<'_>, rows: usize);
    /// Runs the first six levels of an inverse transform in one group of the products of all
    /// columns.
    fn group_up(&self, tail: &Tail, group: &mut Group<'_>, shape: &ProductShape);

    // ---- steps of one selector -----------------------------------------------------------------

    /// Between the products of two steps, runs all transforms of a thread's polynomials, one
    /// polynomial after the other so that each stays in the first-level cache.
    fn transform_all(
        &self,
        steps: &[Option<Step<'_>>; 2],
        fetch: &Fetch<'_>,
        columns: &mut Columns<'_>,
    );
    /// Replaces the spectra of the digits by the products with the key.
    fn multiply_all(&self, step: &Step<'_>, fetch: &Fetch<'_>, places: &mut Places<'_>);

    // ---- steps of several selectors ------------------------------------------------------------

    /// Between the products of two steps, adds the last products to a thread's polynomials and
    /// transforms the digits of the sums for the next products.
    fn turn_over_all(
        &self,
        steps: &[Option<Step<'_>>; 2],
        fetch: &Fetch<'_>,
        columns: &mut Columns<'_>,
    );
    /// Multiplies all ciphertexts by the key; the products replace the spectra of the digits.
    fn multiply_groups(&self, step: &Step<'_>, fetch: &Fetch<'_>, places: &mut Places<'_>);
    /// Multiplies as [`SharedParts::multiply_groups`], for accumulators of a higher degree than the
    /// key.
    fn multiply_extended(&self, step: &Step<'_>, fetch: &Fetch<'_>, places: &mut Places<'_>);
}

/// A source that reads a polynomial without change.
#[derive(Clone, Copy)]
struct Plain;

impl<D: Doubles> Source<D> for Plain {
    const IN_LANES: bool = true;

    #[cfg_attr(optimized, inline(always))]
    fn line(self, d: D, [re, im]: [&Octet; 2], part: usize) -> Complex<D> {
        (d.load(re, part), d.load(im, part))
    }
}

/// A sink that adds to a polynomial.
#[derive(Clone, Copy)]
struct Add;

impl<D: Doubles> Sink<D> for Add {
    #[cfg_attr(optimized, inline(always))]
    fn put(self, d: D, [re, im]: [&mut Octet; 2], part: usize, x: Complex<D>) {
        d.store(re, part, d.add(d.load(re, part), x.0));
        d.store(im, part, d.add(d.load(im, part), x.1));
    }
}

/// See [`TorusKernel::forward`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn forward<D: Doubles>(
    d: D,
    table: &FourierTable,
    polynomial: &[f64],
    spectrum: &mut [f64],
) {
    transform::forward(d, &table.plan, Plain, halves(polynomial), spectrum);
}

/// See [`TorusKernel::inverse_add`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn inverse_add<D: Doubles>(
    d: D,
    table: &FourierTable,
    spectrum: &mut [f64],
    polynomial: &mut [f64],
) {
    transform::inverse(d, &table.plan, spectrum, Add, halves_mut(polynomial));
}

/// See [`TorusKernel::multiply_add`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn multiply_add<D: Doubles>(d: D, sum: &mut [f64], a: &[f64], b: &[f64]) {
    let terms = lines(a).iter().zip(lines(b));
    for (sum, (a, b)) in lines_mut(sum).iter_mut().zip(terms) {
        for part in 0..D::PARTS {
            let (x, a, b) = (load(d, sum, part), load(d, a, part), load(d, b, part));
            store(d, sum, part, lanes::multiply_add(d, x, a, b));
        }
    }
}

/// Splits a polynomial into the coefficients that fold to real parts and those that fold to
/// imaginary parts.
#[cfg_attr(optimized, inline(always))]
fn halves(polynomial: &[f64]) -> [&[Octet]; 2] {
    let (re, im) = polynomial.split_at(polynomial.len() / 2);
    [re.as_chunks().0, im.as_chunks().0]
}

/// Splits a mutable polynomial like [`halves`].
#[cfg_attr(optimized, inline(always))]
fn halves_mut(polynomial: &mut [f64]) -> [&mut [Octet]; 2] {
    let (re, im) = polynomial.split_at_mut(polynomial.len() / 2);
    [re.as_chunks_mut().0, im.as_chunks_mut().0]
}
