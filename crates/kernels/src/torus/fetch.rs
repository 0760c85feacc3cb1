//! Prefetching of the key.

use super::octet::{Line, Octet};
use std::cell::Cell;

/// An instruction set that can prefetch.
pub(crate) trait Prefetch: Copy {
    /// Prefetches a line that will be read some microseconds later.
    fn prefetch(self, line: &Octet);
}

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
    pub(super) fn advance<P: Prefetch>(&self, p: P, units: usize) {
        let mut due = self.due.get() + units * self.pace;
        while due >= Self::LINE {
            due -= Self::LINE;
            self.ask(p);
        }
        self.due.set(due);
    }

    #[cfg_attr(optimized, inline(always))]
    fn ask<P: Prefetch>(&self, p: P) {
        let Some(line) = self.lines.get(self.next.get()) else { return };
        self.next.set(self.next.get() + 1);
        p.prefetch(line);
    }
}

/// Prefetches what is due after a transform has processed `lines` more lines.
#[cfg_attr(optimized, inline(always))]
pub(super) fn advance<P: Prefetch>(p: P, fetch: Option<&Fetch<'_>>, lines: usize) {
    if let Some(fetch) = fetch {
        fetch.advance(p, 2 * lines);
    }
}
