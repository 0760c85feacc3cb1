//! Aligned buffers of words.

use crate::pages;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use zeroize::{DefaultIsZeroes, optimization_barrier};

/// One cache line.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u64; 8]);

/// A buffer of words on a 64-byte boundary, of fixed length and zero at first.
///
/// It holds one row, or the rows of a whole polynomial one after the other.
pub type Row = AlignedRow<u64>;

/// The same of doubles.
pub type RealRow = AlignedRow<f64>;

/// The same of integers of 32 bits, for keys that need no more.
pub type IntegerRow = AlignedRow<i32>;

/// The same of bytes.
pub type ByteRow = AlignedRow<u8>;

/// What rows are made of.
pub trait Element: DefaultIsZeroes + PartialEq + sealed::Plain {}

impl Element for u64 {}
impl Element for i64 {}
impl Element for u8 {}
impl Element for f64 {}
impl Element for i32 {}

mod sealed {
    /// At most eight bytes, aligned to their size. All patterns are values; no bit set is zero.
    pub trait Plain {}
    impl Plain for u64 {}
    impl Plain for i64 {}
    impl Plain for u8 {}
    impl Plain for f64 {}
    impl Plain for i32 {}
}

/// A buffer on a 64-byte boundary, of fixed length and zero at first.
#[derive(Clone)]
pub struct AlignedRow<T: Element> {
    lines: Box<[Line]>,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Element> AlignedRow<T> {
    /// `len` words, all zero.
    pub fn zeroed(len: usize) -> Self {
        let count = len.div_ceil(size_of::<Line>() / size_of::<T>());
        // Not from the allocator as zeros: it may write them itself where lines must be aligned,
        // and the system chooses the pages at the first write.
        let mut lines = Box::<[Line]>::new_uninit_slice(count);
        pages::ask_for_huge_ones(&mut lines);
        // SAFETY: the place is valid for so many lines and borrowed exclusively.
        unsafe { lines.as_mut_ptr().write_bytes(0, count) };
        // SAFETY: every byte is written, and any bits are a value of a line.
        let lines = unsafe { lines.assume_init() };
        Self { lines, len, element: PhantomData }
    }

    /// Overwrites every word by zero in a way that the compiler does not remove.
    pub fn wipe(&mut self) {
        wipe(self);
    }
}

/// Overwrites every word by zero in a way that the compiler does not remove: it must assume that
/// the barrier reads them.
pub fn wipe<T: Element>(words: &mut [T]) {
    words.fill(T::default());
    optimization_barrier(words);
}

/// The words of signed integers in two's complement.
pub(crate) fn as_words(integers: &[i64]) -> &[u64] {
    // SAFETY: both types have one layout, and any bits are a value of either.
    unsafe { std::slice::from_raw_parts(integers.as_ptr().cast(), integers.len()) }
}

/// The signed integers that words hold in two's complement.
pub fn as_integers(words: &[u64]) -> &[i64] {
    // SAFETY: as in `as_words`.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len()) }
}

/// The words of signed integers in two's complement, to be written.
pub(crate) fn as_words_mut(integers: &mut [i64]) -> &mut [u64] {
    // SAFETY: as in `as_words`; the borrow is exclusive.
    unsafe { std::slice::from_raw_parts_mut(integers.as_mut_ptr().cast(), integers.len()) }
}

/// The bytes of words, lowest first on processors that store them so.
pub fn as_bytes_mut(words: &mut [u64]) -> &mut [u8] {
    let len = size_of_val(words);
    // SAFETY: the bytes are those of the words, any bits of which are values; a byte needs no
    // alignment, and the borrow is exclusive.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), len) }
}

impl<T: Element> Deref for AlignedRow<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let words = self.lines.as_ptr().cast::<T>();
        // SAFETY: `zeroed` made enough initialised lines for `len` elements, any bits of which are
        // values.
        unsafe { std::slice::from_raw_parts(words, self.len) }
    }
}

impl<T: Element> DerefMut for AlignedRow<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let words = self.lines.as_mut_ptr().cast::<T>();
        // SAFETY: as in `deref`; the borrow of `self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(words, self.len) }
    }
}

impl<T: Element> From<&[T]> for AlignedRow<T> {
    fn from(words: &[T]) -> Self {
        let mut row = Self::zeroed(words.len());
        row.copy_from_slice(words);
        row
    }
}

impl<T: Element> PartialEq for AlignedRow<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for AlignedRow<u64> {}

impl<T: Element> Default for AlignedRow<T> {
    fn default() -> Self {
        Self::zeroed(0)
    }
}

/// Prints the length only: a row may hold a secret.
impl<T: Element> std::fmt::Debug for AlignedRow<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Row").field("len", &self.len).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_aligned_zero_and_of_the_asked_length() {
        for len in [0, 1, 7, 8, 9, 64, 1000] {
            let row = Row::zeroed(len);
            assert_eq!(&*row, vec![0; len]);
            assert_eq!(row.as_ptr() as usize % 64, 0);
        }
    }

    #[test]
    fn large_rows_are_zero_from_end_to_end() {
        let mut row = RealRow::zeroed((9 << 20) / 8 + 3);
        assert!(row.iter().all(|&x| x == 0.0));
        row.fill(1.0);
        assert!(row.iter().all(|x| x.to_bits() == 1_f64.to_bits()));
    }

    #[test]
    fn wiping_clears_every_word() {
        let mut row = Row::from(&[5, 6, 7][..]);
        let copy = row.clone();
        row.wipe();
        assert_eq!(&*row, [0, 0, 0]);
        assert_eq!(&*copy, [5, 6, 7]);
    }

    #[test]
    fn slices_of_any_length_are_wiped_and_nothing_beside_them() {
        for len in 0..20 {
            let mut words = [-1_i64; 24];
            wipe(&mut words[2..2 + len]);
            let expected: Vec<i64> =
                (0..24).map(|i| if (2..2 + len).contains(&i) { 0 } else { -1 }).collect();
            assert_eq!(words, *expected);
        }
    }

    #[test]
    fn views_show_the_same_words() {
        assert_eq!(as_words(&[-1, 5, i64::MIN]), [u64::MAX, 5, 1 << 63]);
        assert_eq!(as_words_mut(&mut [-1, 5, i64::MIN]), [u64::MAX, 5, 1 << 63]);
        assert_eq!(as_integers(&[u64::MAX, 5, 1 << 63]), [-1, 5, i64::MIN]);
        let mut words = [0; 3];
        let bytes = as_bytes_mut(&mut words);
        bytes[8..16].copy_from_slice(&0x0102_0304_0506_0708_u64.to_ne_bytes());
        assert_eq!((bytes.len(), words), (24, [0, 0x0102_0304_0506_0708, 0]));
    }

    #[test]
    fn debug_output_does_not_show_the_words() {
        assert_eq!(format!("{:?}", Row::from(&[12_345][..])), "Row { len: 1, .. }");
    }
}
