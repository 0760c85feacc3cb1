//! A memory pool for polynomials: once it is filled, operations allocate nothing.

use crate::per_thread::PerThread;
use fathom_kernels::{Row, RowBlock, SharedRow};
use std::ops::{Deref, DerefMut, RangeInclusive};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A pool of free rows, shared by all polynomials of a ring and by all threads.
///
/// Each thread has a list of its own: a row that a thread has just used is still in the cache of
/// its core, and threads neither wait for each other nor write to the same cache lines. Only if its
/// list is empty does a thread look at those of the others.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    lists: Arc<PerThread<Arc<List>>>,
}

/// The free rows of one thread, on cache lines of their own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct List(Mutex<FreeRows>);

impl List {
    fn free(&self) -> MutexGuard<'_, FreeRows> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_back(&self, row: SharedRow) {
        let mut free = self.free();
        let rows = free.of_length(row.get().len());
        if rows.len() < kept(row.get().len()) {
            rows.push(row);
        }
    }
}

/// Free rows by their lengths, of which there are few.
#[derive(Debug, Default)]
struct FreeRows {
    rows: Vec<(usize, Vec<SharedRow>)>,
    /// Memory of which new rows are made.
    block: RowBlock,
}

impl FreeRows {
    fn of_length(&mut self, len: usize) -> &mut Vec<SharedRow> {
        let known = self.rows.iter().position(|(length, _)| *length == len);
        let index = known.unwrap_or_else(|| {
            self.rows.push((len, Vec::new()));
            self.rows.len() - 1
        });
        &mut self.rows[index].1
    }

    fn pop(&mut self, len: usize) -> Option<SharedRow> {
        let (_, rows) = self.rows.iter_mut().find(|(length, _)| *length == len)?;
        rows.pop()
    }

    /// Makes a row. Those that fit into a huge page share it, whatever their lengths, since an
    /// operation needs rows of many lengths, and the system clears every page that is touched.
    fn make(&mut self, len: usize) -> Row {
        if len < SHARING {
            return Row::zeroed(len);
        }
        if let Some(row) = self.block.cut(len) {
            return row;
        }
        let mut block = RowBlock::new(len.max(PAGE));
        let row = block.cut(len).expect("the block has room for the row");
        if block.left() > self.block.left() {
            self.block = block;
        }
        row
    }
}

/// Number of words from which several rows share a huge page, because operations on large rows
/// would otherwise spend time on address translation.
const SHARING: usize = 1 << 13;

/// Number of words in a huge page.
const PAGE: usize = 1 << 18;

/// Numbers of free rows kept for each length at least and at most.
const KEPT_ROWS: RangeInclusive<usize> = 64..=8192;

/// Number of words in free rows kept for each length between these: half a gigabyte. Circuits of
/// many large ciphertexts would otherwise wait for the system to clear new pages.
const KEPT_WORDS: usize = 1 << 26;

/// Returns how many free rows of a length are kept; further rows are returned to the allocator,
/// once all rows of the same page are free.
fn kept(len: usize) -> usize {
    (KEPT_WORDS / len.max(1)).clamp(*KEPT_ROWS.start(), *KEPT_ROWS.end())
}

/// Returns the length of the row that a buffer of `len` words takes: large ones are rounded up to
/// four lengths for every power of two, so that polynomials of neighbouring levels take the same
/// rows. A circuit of thirty levels would otherwise keep rows of thirty lengths.
fn size_of(len: usize) -> usize {
    if len < SHARING { len } else { len.next_multiple_of((1 << len.ilog2()) / 4) }
}

impl Pool {
    /// Returns a buffer of `len` words with arbitrary content, which returns to the pool when
    /// dropped.
    pub fn take(&self, len: usize) -> Buffer {
        let (own, size) = (self.lists.own(), size_of(len));
        let row = own.free().pop(size).or_else(|| self.pop_of_others(size));
        let row = row.unwrap_or_else(|| SharedRow::new(own.free().make(size)));
        Buffer { row: Some(row), len, home: Arc::clone(own) }
    }

    /// Takes a free row from the list of another thread, if that list is not in use at the moment.
    fn pop_of_others(&self, len: usize) -> Option<SharedRow> {
        let mut lists = self.lists.all().filter_map(|list| list.0.try_lock().ok());
        lists.find_map(|mut free| free.pop(len))
    }
}

/// Words borrowed from a [`Pool`], 64-byte aligned.
#[derive(Debug)]
pub struct Buffer {
    /// The words and perhaps more; `None` only while the buffer is dropped.
    row: Option<SharedRow>,
    /// The number of words of the buffer.
    len: usize,
    /// The list that the row returns to.
    home: Arc<List>,
}

impl Buffer {
    /// Returns a buffer of the same words, which none can write while both exist.
    pub(crate) fn share(&self) -> Buffer {
        Buffer { row: Some(self.row().share()), len: self.len, home: Arc::clone(&self.home) }
    }

    /// Returns whether other buffers have the same words.
    pub(crate) fn is_shared(&self) -> bool {
        self.row().is_shared()
    }

    /// Overwrites the content with zeros in a way that the compiler does not remove.
    pub fn wipe(&mut self) {
        self.row_mut().wipe();
    }

    fn row(&self) -> &SharedRow {
        self.row.as_ref().expect("a buffer keeps its row until it is dropped")
    }

    fn row_mut(&mut self) -> &mut Row {
        let row = self.row.as_mut().and_then(SharedRow::get_mut);
        row.expect("shared words are copied before they are written")
    }
}

impl Deref for Buffer {
    type Target = [u64];
    fn deref(&self) -> &[u64] {
        &self.row().get()[..self.len]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u64] {
        let len = self.len;
        &mut self.row_mut()[..len]
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // The last owner gives the row back. If two are dropped at once, the allocator may get it.
        if let Some(row) = self.row.take().filter(|row| !row.is_shared()) {
            self.home.give_back(row);
        }
    }
}
