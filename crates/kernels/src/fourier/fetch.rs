//! Asking for a key ahead of its use.

use super::lanes::{Doubles, Octet};
use std::cell::Cell;

/// Asks for the key of the next step while this one is computed, at an even pace: a burst of
/// requests would wait for a free line buffer, and the arithmetic with it.
pub(super) struct Fetch<'a> {
    lines: &'a [Octet],
    position: Cell<usize>,
    pace: usize,
}

impl<'a> Fetch<'a> {
    /// Asks for all of `lines` in `calls` calls of [`Fetch::advance`].
    pub(super) fn new(lines: &'a [Octet], calls: usize) -> Self {
        let pace = lines.len().div_ceil(calls.max(1)).next_multiple_of(2);
        Fetch { lines, position: Cell::new(0), pace }
    }

    /// Asks for the next lines.
    #[inline(always)]
    pub(super) fn advance<D: Doubles>(&self, d: D) {
        let from = self.position.get();
        if let Some(now) = self.lines.get(from..from + self.pace) {
            self.position.set(from + self.pace);
            for [a, b] in now.as_chunks().0 {
                d.prefetch(a);
                d.prefetch(b);
            }
        }
    }
}
