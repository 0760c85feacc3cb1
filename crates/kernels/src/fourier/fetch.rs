//! Asking for a key ahead of its use.

use super::lanes::{Complex, Doubles, Line, Octet};
use super::transform::Sink;
use std::cell::Cell;

/// Asks for the key of the next step while this one is computed, at an even pace: a burst of
/// requests would wait for a free line buffer, and the arithmetic with it.
pub(crate) struct Fetch<'a> {
    lines: &'a [Octet],
    /// The line to be asked for next.
    next: Cell<usize>,
    /// What is due, in fractions of a line, as is the pace.
    due: Cell<usize>,
    pace: usize,
}

impl<'a> Fetch<'a> {
    /// A line, in fractions.
    const LINE: usize = 1 << 16;

    /// Asks for all of `key` in as many units of [`Fetch::advance`].
    pub(super) fn new(key: &'a [Line], units: usize) -> Self {
        let lines = key.as_flattened();
        let pace = (lines.len() * Self::LINE).div_ceil(units.max(1));
        Fetch { lines, next: Cell::new(0), due: Cell::new(0), pace }
    }

    /// Asks for the lines of so many units, one at a time: bunches, though counted faster, were
    /// slower where the key is large beside the arithmetic.
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

/// Asks for what is due when a transform has got so many lines further.
#[cfg_attr(optimized, inline(always))]
pub(super) fn advance<D: Doubles>(d: D, fetch: Option<&Fetch<'_>>, lines: usize) {
    if let Some(fetch) = fetch {
        fetch.advance(d, 2 * lines);
    }
}

/// A sink that asks for the next key as it goes.
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
