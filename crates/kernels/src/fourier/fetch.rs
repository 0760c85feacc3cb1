//! Asking for a key ahead of its use.

use super::lanes::{Complex, Doubles, Line, Octet};
use super::transform::Sink;
use std::cell::Cell;

/// Asks for the key of the next step while this one is computed, at an even pace: a burst of
/// requests would wait for a free line buffer, and the arithmetic with it.
pub(super) struct Fetch<'a> {
    lines: &'a [Octet],
    /// In fractions of a line, as is the pace.
    position: Cell<usize>,
    pace: usize,
}

impl<'a> Fetch<'a> {
    const FRACTION: u32 = 16;

    /// Asks for all of `key` in as many units of [`Fetch::advance`].
    pub(super) fn new(key: &'a [Line], units: usize) -> Self {
        let lines = key.as_flattened();
        let pace = (lines.len() << Self::FRACTION).div_ceil(units.max(1));
        Fetch { lines, position: Cell::new(0), pace }
    }

    /// Asks for the lines of so many units.
    #[inline(always)]
    pub(super) fn advance<D: Doubles>(&self, d: D, units: usize) {
        let from = self.position.get();
        let to = from + units * self.pace;
        self.position.set(to);
        let (from, to) = (from >> Self::FRACTION, to >> Self::FRACTION);
        for line in &self.lines[from.min(self.lines.len())..to.min(self.lines.len())] {
            d.prefetch(line);
        }
    }
}

/// A sink that asks for the next key as it goes.
pub(super) struct Fetching<'a, S> {
    pub(super) sink: S,
    pub(super) fetch: &'a Fetch<'a>,
}

impl<D: Doubles, S: Sink<D>> Sink<D> for Fetching<'_, S> {
    #[inline(always)]
    fn put(&mut self, d: D, index: usize, x: Complex<D>) {
        self.fetch.advance(d, 2);
        self.sink.put(d, index, x);
    }

    #[inline(always)]
    fn pause(&mut self, d: D) {
        self.fetch.advance(d, 16);
    }
}
