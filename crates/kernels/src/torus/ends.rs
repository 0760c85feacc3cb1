//! Input and output of a transform: what its first sweep reads and its last sweep writes.

use super::fetch::Fetch;
use super::lanes::{Complex, Doubles};
use super::octet::Octet;

/// Reading of a polynomial by the first sweep.
pub(crate) trait Source<D: Doubles>: Copy {
    /// True if the plan may be one of [`super::table::Plan::in_lanes`], whose sweeps compute up to
    /// three levels.
    const IN_LANES: bool = false;

    /// Returns one part of the values of a line, from the coefficients that fold to its real and
    /// imaginary parts.
    fn line(self, d: D, folded: [&Octet; 2], part: usize) -> Complex<D>;

    /// Returns the prefetcher to advance during the transform: two units for each line, in this
    /// sweep and in the levels within the groups of 64.
    #[cfg_attr(optimized, inline(always))]
    fn fetch(&self) -> Option<&Fetch<'_>> {
        None
    }
}

/// Writing of a polynomial by the last sweep.
pub(crate) trait Sink<D: Doubles>: Copy {
    /// True if the plan may be one of [`super::table::Plan::in_lanes`], whose sweeps compute up to
    /// three levels.
    const IN_LANES: bool = false;

    /// Adds or writes one part of the values of a line to the coefficients that fold to it.
    fn put(self, d: D, folded: [&mut Octet; 2], part: usize, x: Complex<D>);

    /// Returns the prefetcher to advance during the transform: two units for each line, in this
    /// sweep and in the levels within the groups of 64.
    #[cfg_attr(optimized, inline(always))]
    fn fetch(&self) -> Option<&Fetch<'_>> {
        None
    }
}

/// The end of an inverse transform and the beginning of the next forward transform, in one sweep.
pub(crate) trait Update<D: Doubles>: Copy {
    /// Writes one part of the values of a line to the coefficients that fold to it, and returns
    /// these.
    fn put(self, d: D, folded: [&mut Octet; 2], part: usize, x: Complex<D>) -> Complex<D>;

    /// Returns the values to transform next, from the result of [`Update::put`]. All values of a
    /// butterfly are written first, so that no operation waits for its own result.
    fn next(self, d: D, x: Complex<D>) -> Complex<D>;

    /// Returns the prefetcher to advance during the transform: two units for each line, in this
    /// sweep and in the levels within the groups of 64.
    #[cfg_attr(optimized, inline(always))]
    fn fetch(&self) -> Option<&Fetch<'_>> {
        None
    }
}

/// A source that reads a polynomial without change.
#[derive(Clone, Copy)]
pub(super) struct Plain;

impl<D: Doubles> Source<D> for Plain {
    const IN_LANES: bool = true;

    #[cfg_attr(optimized, inline(always))]
    fn line(self, d: D, [re, im]: [&Octet; 2], part: usize) -> Complex<D> {
        (d.load(re, part), d.load(im, part))
    }
}

/// A sink that adds to a polynomial.
#[derive(Clone, Copy)]
pub(super) struct Add;

impl<D: Doubles> Sink<D> for Add {
    #[cfg_attr(optimized, inline(always))]
    fn put(self, d: D, [re, im]: [&mut Octet; 2], part: usize, x: Complex<D>) {
        d.store(re, part, d.add(d.load(re, part), x.0));
        d.store(im, part, d.add(d.load(im, part), x.1));
    }
}

/// A sink that prefetches the next key.
#[derive(Clone, Copy)]
pub(super) struct Fetching<'a, S> {
    pub(super) sink: S,
    pub(super) fetch: &'a Fetch<'a>,
}

impl<D: Doubles, S: Sink<D>> Sink<D> for Fetching<'_, S> {
    #[cfg_attr(optimized, inline(always))]
    fn put(self, d: D, folded: [&mut Octet; 2], part: usize, x: Complex<D>) {
        self.sink.put(d, folded, part, x);
    }

    #[cfg_attr(optimized, inline(always))]
    fn fetch(&self) -> Option<&Fetch<'_>> {
        Some(self.fetch)
    }
}
