//! Real arithmetic for torus polynomials: the negacyclic transform and the external product.

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

/// Real arithmetic on whole rows for one instruction set.
///
/// A value of an implementing type is proof that the CPU can run it. Polynomials and spectra are
/// rows of `degree` doubles; alignment to 64 bytes ([`crate::RealRow`]) makes them faster. All
/// kernels with fused multiply-add give the same bits; `portable` differs in the last ones.
pub trait TorusKernel: Debug + Send + Sync + 'static {
    /// Stable name, as in `FATHOM_KERNEL=<name>`.
    fn name(&self) -> &'static str;

    /// The transform of a polynomial: its values at half the roots of `X^N + 1`, in the order of
    /// the table. Spectra are lines of eight values: the real parts, then the imaginary parts.
    fn forward(&self, table: &FourierTable, polynomial: &[f64], spectrum: &mut [f64]);

    /// Adds `N/2` times the polynomial with this spectrum to `polynomial`. The spectrum is
    /// overwritten.
    fn inverse_add(&self, table: &FourierTable, spectrum: &mut [f64], polynomial: &mut [f64]);

    /// `sum + a b` into `sum`, for spectra.
    fn multiply_add(&self, sum: &mut [f64], a: &[f64], b: &[f64]);

    /// Blind rotation of a batch of accumulators.
    ///
    /// To be called up to [`SharedRotation::threads`] times, on threads of their own: a call takes
    /// a part of the work. The first call returns when all is done; the others when their parts
    /// are, or when the first has taken these over ([`Patience`]). Calls that come too late return
    /// at once. The results are the same for any number of threads.
    ///
    /// # Panics
    /// If the shape is not that of the table.
    fn rotate(&self, table: &FourierTable, work: &SharedRotation<'_>);

    /// Switches LWE ciphertexts to another key, whose dimension and values are those of the table.
    ///
    /// Shapes: `key` is what [`KeySwitchTable::pack`] gave; `inputs` are whole ciphertexts, each
    /// `input_dimension` words of the mask and then the body; `outputs` has as many of
    /// `output_dimension + 1` words, and `scratch` as many multiples of
    /// [`KeySwitchTable::scratch_len`]. All words are of the torus: in units of `2^-64`.
    fn key_switch(
        &self,
        table: &KeySwitchTable,
        key: &SwitchKey,
        inputs: &[u64],
        outputs: &mut [u64],
        scratch: &mut [f64],
    );

    /// The sum of `words[i] * bits[i]` modulo `2^64`, for bits of 0 and 1, which are secret: no
    /// branch, index or time depends on them. Rows of one length, which may be any.
    fn binary_product(&self, words: &[u64], bits: &[i64], sum: &mut u64);

    /// The sum of `words[i] * bits[i]`, for words of 32 bits; otherwise as
    /// [`TorusKernel::binary_product`].
    fn short_binary_product(&self, words: &[u32], bits: &[i64], sum: &mut u64);

    /// `a[i] + b[i]` modulo `2^32` into `sum[i]`. Rows of one length, which may be any.
    fn short_sum(&self, sum: &mut [u32], a: &[u32], b: &[u32]);
}

/// Parts that several transforms share: compiled once for an instruction set, as functions of their
/// own.
pub(crate) trait SharedParts {
    /// Sweeps down in place.
    fn sweep_down(&self, passes: &[Pass], lines: &mut [Line]);
    /// Sweeps up in place.
    fn sweep_up(&self, passes: &[Pass], lines: &mut [Line]);
    /// The last six levels down in each group of 64 values.
    fn tails_down(&self, tails: &[Tail], lines: &mut [Line], fetch: Option<&Fetch<'_>>);
    /// The first six levels up in each group of 64 values.
    fn tails_up(&self, tails: &[Tail], lines: &mut [Line], fetch: Option<&Fetch<'_>>);
    /// The last six levels down in one group of the spectra of all digits.
    fn group_down(&self, tail: &Tail, group: &mut Group<'_>, rows: usize);
    /// The first six levels up in one group of the products of all columns.
    fn group_up(&self, tail: &Tail, group: &mut Group<'_>, shape: &ProductShape);

    // ---- steps of one selector -----------------------------------------------------------------

    /// Between the products of two steps, all transforms of a thread's polynomials, one after the
    /// other while it lies in the nearest cache.
    fn transform_all(
        &self,
        steps: &[Option<Step<'_>>; 2],
        fetch: &Fetch<'_>,
        columns: &mut Columns<'_>,
    );
    /// Each product with the key, in place of spectra of digits.
    fn multiply_all(&self, step: &Step<'_>, fetch: &Fetch<'_>, places: &mut Places<'_>);

    // ---- steps of several selectors ------------------------------------------------------------

    /// Between the products of two steps: adds the last ones to a thread's polynomials, and
    /// transforms the digits of the sums for the next ones.
    fn turn_over_all(
        &self,
        steps: &[Option<Step<'_>>; 2],
        fetch: &Fetch<'_>,
        columns: &mut Columns<'_>,
    );
    /// The products of all ciphertexts with the key, in place of spectra of their digits.
    fn multiply_groups(&self, step: &Step<'_>, fetch: &Fetch<'_>, places: &mut Places<'_>);
    /// The same for accumulators of a higher degree than the key's.
    fn multiply_extended(&self, step: &Step<'_>, fetch: &Fetch<'_>, places: &mut Places<'_>);
}

/// Transforms a polynomial as it is.
#[derive(Clone, Copy)]
struct Plain;

impl<D: Doubles> Source<D> for Plain {
    const IN_LANES: bool = true;

    #[cfg_attr(optimized, inline(always))]
    fn line(self, d: D, [re, im]: [&Octet; 2], part: usize) -> Complex<D> {
        (d.load(re, part), d.load(im, part))
    }
}

/// Adds to a polynomial.
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

/// The coefficients of a polynomial that fold to real parts and those that fold to imaginary parts.
#[cfg_attr(optimized, inline(always))]
fn halves(polynomial: &[f64]) -> [&[Octet]; 2] {
    let (re, im) = polynomial.split_at(polynomial.len() / 2);
    [re.as_chunks().0, im.as_chunks().0]
}

/// [`halves`], to be changed.
#[cfg_attr(optimized, inline(always))]
fn halves_mut(polynomial: &mut [f64]) -> [&mut [Octet]; 2] {
    let (re, im) = polynomial.split_at_mut(polynomial.len() / 2);
    [re.as_chunks_mut().0, im.as_chunks_mut().0]
}
