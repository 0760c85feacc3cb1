//! The words of a mask, in memory that is recycled through a thread-local free list.

use fathom_ring::{ShortRow, short_sum};
use std::cell::RefCell;
use std::ops::Deref;

/// The greatest number of free rows per thread: 128 KiB for masks of 2048 words.
const SPARE_ROWS: usize = 16;

thread_local! {
    /// The free list: rows of dropped masks, the latest last.
    static SPARE: RefCell<Vec<ShortRow>> = const { RefCell::new(Vec::new()) };
}

/// An aligned row of words, whose memory goes to the thread's free list when it is dropped.
///
/// A sum of two masks takes 200 ns, and allocating a row of this length would add 40 ns.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mask(ShortRow);

impl Mask {
    /// Returns a mask without words.
    pub(super) fn empty() -> Mask {
        Mask(ShortRow::zeroed(0))
    }

    /// Returns the sums `a[i] + b[i]` modulo `2^32` of two rows of the same length.
    #[inline]
    pub(super) fn sum(a: &[u32], b: &[u32]) -> Mask {
        let mut sum = Mask::recycled(a.len());
        short_sum(&mut sum.0, a, b);
        sum
    }

    /// Collects the words of an iterator.
    #[inline(always)]
    pub(super) fn collect(words: impl ExactSizeIterator<Item = u32>) -> Mask {
        let mut mask = Mask::recycled(words.len());
        mask.0.iter_mut().zip(words).for_each(|(place, word)| *place = word);
        mask
    }

    /// Returns the words for modification.
    pub(super) fn words_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }

    /// Returns a row of this length with unspecified content.
    #[inline]
    fn recycled(length: usize) -> Mask {
        // Rows of another length belong to other parameters and are freed when they are found.
        let spare = SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten();
        Mask(spare.filter(|row| row.len() == length).unwrap_or_else(|| ShortRow::zeroed(length)))
    }
}

impl From<Vec<u32>> for Mask {
    fn from(words: Vec<u32>) -> Mask {
        Mask::collect(words.into_iter())
    }
}

impl Deref for Mask {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl Clone for Mask {
    fn clone(&self) -> Mask {
        Mask::collect(self.iter().copied())
    }
}

impl Drop for Mask {
    #[inline]
    fn drop(&mut self) {
        if self.0.is_empty() {
            return;
        }
        let row = std::mem::replace(&mut self.0, ShortRow::zeroed(0));
        // The free list of a thread that is ending may already be gone.
        let _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < SPARE_ROWS {
                spare.push(row);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spare_lengths() -> Vec<usize> {
        SPARE.with(|spare| spare.borrow().iter().map(|row| row.len()).collect())
    }

    /// Runs a test on a new thread, whose free list is empty.
    fn on_a_new_thread(test: fn()) {
        std::thread::spawn(test).join().unwrap();
    }

    #[test]
    fn memory_serves_again_for_masks_of_the_same_length() {
        on_a_new_thread(|| {
            let first = Mask::from(vec![1, 2, 3]);
            let place = first.as_ptr();
            drop(first);
            let second = Mask::sum(&[4, 5, u32::MAX], &[1, 2, 3]);
            assert_eq!((&second[..], second.as_ptr()), (&[5, 7, 2][..], place));
            drop(second);
            let longer = Mask::collect([7; 4].into_iter());
            assert_eq!(longer[..], [7; 4]);
            assert!(spare_lengths().is_empty());
            let copy = longer.clone();
            assert_eq!(copy, longer);
            drop(Mask::empty());
            drop((longer, copy));
            assert_eq!(spare_lengths(), [4, 4]);
        });
    }

    #[test]
    fn few_rows_are_kept() {
        on_a_new_thread(|| {
            drop(vec![Mask::from(vec![1]); SPARE_ROWS + 3]);
            assert_eq!(spare_lengths(), [1; SPARE_ROWS]);
        });
    }
}
