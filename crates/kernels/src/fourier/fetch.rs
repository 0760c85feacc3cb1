//! Prefetching of the key.

use super::lanes::{Complex, Doubles, Line, Octet};
use super::transform::Sink;
use std::cell::Cell;

/// Prefetches the key of the next step during the current one, at an even pace: a burst of requests
/// would fill the line buffers and stall the arithmetic.
pub(crate) struct Fetch<'a> {
    lines: &'a [Octet],
    /// The next line to prefetch.
    next: Cell<usize>,
    /// Pending amount in units of 1 / [`Fetch::LINE`] line; the pace is in the same unit.
    due: Cell<usize>,
    pace: usize,
}

impl<'a> Fetch<'a> {
    /// Units of the pace in one line.
    const LINE: usize = 1 << 16;

    /// Creates a prefetcher that requests all of `key` in the course of `units` units of
    /// [`Fetch::advance`].
    pub(super) fn new(key: &'a [Line], units: usize) -> Self {
        let lines = key.as_flattened();
        let pace = (lines.len() * Self::LINE).div_ceil(units.max(1));
        Fetch { lines, next: Cell::new(0), due: Cell::new(0), pace }
    }

    /// Prefetches the lines due after `units` more units, one at a time: groups of lines need fewer
    /// counter updates, but were slower if the key is large relative to the arithmetic.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn advance<D: Doubles>(&self, d: D, units: usize) {
        let mut due = self.due.get() + units * self.pace;
        while due >= Self::LINE {
            due -= Self::LINE;
            self.ask(d);
        }
        self.due.set(due);
    }

    #[cfg_attr(optimized, inline(always))]
    fn ask<D: Doubles>(&self, d: D) {
        let Some(line) = self.lines.get(self.next.get()) else { return };
        self.next.set(self.next.get() + 1);
        d.prefetch(line);
    }
}

/// Prefetches what is due after a transform has processed `lines` more lines.
#[cfg_attr(optimized, inline(always))]
pub(super) fn advance<D: Doubles>(d: D, fetch: Option<&Fetch<'_>>, lines: usize) {
    if let Some(fetch) = fetch {
        fetch.advance(d, 2 * lines);
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
