//! Aligned buffers of words.

mod block;

use crate::pages;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;
use zeroize::{DefaultIsZeroes, optimization_barrier};

pub use block::RowBlock;

/// One cache line.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u64; 8]);

/// A buffer of words, aligned to 64 bytes, of fixed length and initially zero.
///
/// It holds one row, or the rows of a whole polynomial one after the other.
pub type Row = AlignedRow<u64>;

/// A buffer of doubles, otherwise like [`Row`].
pub type RealRow = AlignedRow<f64>;

/// A buffer of 32-bit integers, otherwise like [`Row`].
pub type IntegerRow = AlignedRow<i32>;

/// A buffer of 32-bit words, otherwise like [`Row`].
pub type ShortRow = AlignedRow<u32>;

/// A buffer of bytes, otherwise like [`Row`].
pub(crate) type ByteRow = AlignedRow<u8>;

/// An element type of rows.
pub trait Element: DefaultIsZeroes + PartialEq + sealed::Plain {}

impl Element for u64 {}
impl Element for i64 {}
impl Element for u8 {}
impl Element for f64 {}
impl Element for i32 {}
impl Element for u32 {}

mod sealed {
    /// Types of at most eight bytes, aligned to their size. Every bit pattern is a value; all bits
    /// clear is zero.
    pub trait Plain {}
    impl Plain for u64 {}
    impl Plain for i64 {}
    impl Plain for u8 {}
    impl Plain for f64 {}
    impl Plain for i32 {}
    impl Plain for u32 {}
}

/// A buffer aligned to 64 bytes, of fixed length and initially zero.
pub struct AlignedRow<T: Element> {
    start: NonNull<Line>,
    len: usize,
    /// The memory from `start` on, which belongs to this row alone; `None` for an empty row.
    _slab: Option<Arc<Slab>>,
    element: PhantomData<T>,
}

// SAFETY: a row owns its lines, as a box would; elements are plain numbers.
unsafe impl<T: Element> Send for AlignedRow<T> {}
// SAFETY: a row owns its lines, as a box would; elements are plain numbers.
unsafe impl<T: Element> Sync for AlignedRow<T> {}

/// Number of lines between consecutive rows: rows at distances of a power of two would map to the
/// same cache sets.
const STAGGER: usize = 17;

/// Upper bound of the number of lines, for which sizes in bytes plus alignment do not overflow.
const MOST_LINES: usize = isize::MAX as usize / size_of::<Line>() - 4 * pages::HUGE;

/// Memory of one or several rows.
#[derive(Debug)]
struct Slab(NonNull<[MaybeUninit<Line>]>);

// SAFETY: only the rows for which it was made use the memory, each its own part.
unsafe impl Send for Slab {}
// SAFETY: only the rows for which it was made use the memory, each its own part.
unsafe impl Sync for Slab {}

impl Drop for Slab {
    fn drop(&mut self) {
        // SAFETY: the pointer comes from a box, and no row is left.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl<T: Element> AlignedRow<T> {
    /// Makes a row of `len` elements, all zero.
    pub fn zeroed(len: usize) -> Self {
        if len == 0 {
            return Self { start: NonNull::dangling(), len, _slab: None, element: PhantomData };
        }
        let (slab, start) = Slab::zeroed(Self::lines(len));
        Self { start, len, _slab: Some(Arc::new(slab)), element: PhantomData }
    }

    /// Moves rows into one buffer, so that together they may fill huge pages and reading them takes
    /// fewer address translations. The old memory is not wiped.
    pub fn side_by_side(rows: &mut [&mut Self]) {
        let lines = |row: &Self| Self::lines(row.len) + STAGGER;
        let (slab, mut start) = Slab::zeroed(rows.iter().map(|row| lines(row)).sum());
        let slab = Some(Arc::new(slab));
        for row in rows {
            let mut moved = Self { start, len: row.len, _slab: slab.clone(), element: PhantomData };
            moved.copy_from_slice(row);
            // SAFETY: the slab has as many lines as this adds up to.
            start = unsafe { start.add(lines(row)) };
            **row = moved;
        }
    }

    /// Returns the elements as bytes, in the byte order of the CPU.
    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: the bytes are those of the elements, and a byte needs no alignment.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr().cast(), size_of_val(&**self)) }
    }

    /// Returns the elements as bytes for modification, in the byte order of the CPU.
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        let len = size_of_val(&**self);
        // SAFETY: as in `as_bytes`; any bits are an element, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().cast(), len) }
    }

    fn lines(len: usize) -> usize {
        len.div_ceil(size_of::<Line>() / size_of::<T>())
    }

    /// Overwrites every element by zero in a way that the compiler does not remove.
    pub fn wipe(&mut self) {
        wipe(self);
    }
}

/// Overwrites every element by zero in a way that the compiler does not remove: it must assume that
/// the barrier reads the elements.
pub fn wipe<T: Element>(words: &mut [T]) {
    words.fill(T::default());
    optimization_barrier(words);
}

/// Number of words that [`wipe_stack_below`] overwrites: 4 KB, or 16 KB in builds with debug
/// assertions, whose frames are larger. BLAKE3 1.8 on x86-64 writes to 2.7 KB below its caller, and
/// without optimisation to 10.5 KB, with the deepest copy of a key at 8.9 KB.
const WIPED: usize = if cfg!(debug_assertions) { 2048 } else { 512 };

/// Number of words that [`wipe_stack_of_short_hash`] overwrites: 1 KB, or as many as
/// [`wipe_stack_below`] in builds with debug assertions. `blake3::keyed_hash` of one block writes
/// to 520 bytes below its caller, with the deepest copy of a key at 450 bytes, whichever of its
/// implementations runs; a hasher in a local variable, as long outputs need, takes 2 KB.
const WIPED_AFTER_SHORT_HASH: usize = if cfg!(debug_assertions) { WIPED } else { 128 };

/// Overwrites the stack below the caller's frame, which may hold secrets of functions that have
/// returned, such as copies of a key: as deep as hashing goes.
#[inline(never)]
pub fn wipe_stack_below() {
    wipe(&mut [0_u64; WIPED]);
}

/// Overwrites the stack below the caller's frame as deep as `blake3::keyed_hash` goes for messages
/// of at most 64 bytes, in a quarter of the time of [`wipe_stack_below`].
#[inline(never)]
pub fn wipe_stack_of_short_hash() {
    wipe(&mut [0_u64; WIPED_AFTER_SHORT_HASH]);
}

/// Number of words that [`wipe_stack_of_keystream`] overwrites: 16 KB. The buffer of the keystream
/// has 8.7 KB; a copy of the secret vector lay 11.9 KB below the caller in an optimised build.
const WIPED_AFTER_KEYSTREAM: usize = 2048;

/// Overwrites the stack below the caller's frame as deep as [`crate::BitKernel::masked_parities`]
/// and [`crate::BitKernel::aes256_stream`] go.
#[inline(never)]
pub fn wipe_stack_of_keystream() {
    wipe(&mut [0_u64; WIPED_AFTER_KEYSTREAM]);
}

/// Reinterprets signed integers as words in two's complement.
pub(crate) fn as_words(integers: &[i64]) -> &[u64] {
    // SAFETY: both types have one layout, and any bits are a value of either.
    unsafe { std::slice::from_raw_parts(integers.as_ptr().cast(), integers.len()) }
}

/// Reinterprets words in two's complement as signed integers.
pub fn as_integers(words: &[u64]) -> &[i64] {
    // SAFETY: as in `as_words`.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len()) }
}

/// Reinterprets mutable signed integers as words in two's complement.
pub(crate) fn as_words_mut(integers: &mut [i64]) -> &mut [u64] {
    // SAFETY: as in `as_words`; the borrow is exclusive.
    unsafe { std::slice::from_raw_parts_mut(integers.as_mut_ptr().cast(), integers.len()) }
}

/// Reinterprets words as bytes, in the byte order of the CPU.
pub fn as_bytes_mut(words: &mut [u64]) -> &mut [u8] {
    let len = size_of_val(words);
    // SAFETY: the bytes are those of the words, any bits of which are values; a byte needs no
    // alignment, and the borrow is exclusive.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), len) }
}

impl Slab {
    /// Allocates `count` zeroed lines; otherwise like [`Slab::new`].
    fn zeroed(count: usize) -> (Slab, NonNull<Line>) {
        let (slab, start) = Slab::new(count);
        // SAFETY: the slab has so many lines, and nothing else uses them.
        unsafe { start.as_ptr().write_bytes(0, count) };
        (slab, start)
    }

    /// Allocates `count` lines and returns the memory and the first line. They start at a huge page
    /// if they fill at least half of one.
    ///
    /// # Panics
    /// If `count` exceeds [`MOST_LINES`].
    fn new(count: usize) -> (Slab, NonNull<Line>) {
        assert!(count <= MOST_LINES, "{count} lines of 64 bytes are more than any memory holds");
        let bytes = pages::whole_pages(size_of::<Line>() * count);
        let huge = bytes >= pages::HUGE;
        let total = if huge { (bytes + pages::HUGE) / size_of::<Line>() } else { count };
        // The allocator's zeroed allocation is never used: for aligned lines it may write the zeros
        // itself, and the system chooses the pages at the first write.
        let mut lines = Box::<[Line]>::new_uninit_slice(total);
        let offset = if huge { lines.as_ptr().align_offset(pages::HUGE) } else { 0 };
        let offset = offset.min(total - count);
        let used = &mut lines[offset..];
        pages::ask_for_huge_ones(used);
        // SAFETY: a box is not null.
        let all = unsafe { NonNull::new_unchecked(Box::into_raw(lines)) };
        // SAFETY: the offset is within the lines.
        (Slab(all), unsafe { all.cast::<Line>().add(offset) })
    }
}

impl<T: Element> Clone for AlignedRow<T> {
    fn clone(&self) -> Self {
        Self::from(&**self)
    }
}

impl<T: Element> Deref for AlignedRow<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: this row's part of the slab has enough initialised lines for `len` elements, any
        // bits of which are values.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr().cast(), self.len) }
    }
}

impl<T: Element> DerefMut for AlignedRow<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the borrow of `self`, and with it of the part, is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().cast(), self.len) }
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
impl Eq for AlignedRow<u32> {}

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
    fn rows_side_by_side_keep_their_words_and_outlive_each_other() {
        for len in [3, 1000, 200_000] {
            let mut rows: Vec<Row> = (0..4).map(|i| Row::zeroed(len + i)).collect();
            for (i, row) in rows.iter_mut().enumerate() {
                row.fill(i as u64 + 1);
            }
            Row::side_by_side(&mut rows.iter_mut().collect::<Vec<_>>());
            drop(rows.remove(1));
            rows[0][len - 1] = 9;
            let copy = rows[2].clone();
            drop(rows.pop());
            assert_eq!(&*copy, vec![4; len + 3]);
            assert_eq!(&*rows[1], vec![3; len + 2]);
            assert!(rows[0][..len - 1].iter().all(|&word| word == 1) && rows[0][len - 1] == 9);
            assert!(rows.iter().all(|row| (row.as_ptr() as usize).is_multiple_of(64)));
        }
        Row::side_by_side(&mut []);
    }

    #[test]
    fn absurd_lengths_are_refused() {
        let refused = |make: fn() -> Vec<Row>| std::panic::catch_unwind(make).is_err();
        assert!(refused(|| vec![Row::zeroed((1 << 61) + (1 << 18))]));
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
