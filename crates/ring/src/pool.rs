//! A memory pool for polynomials: once it is filled, operations allocate nothing.

use fathom_kernels::Row;
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A pool of free rows, shared by all polynomials of a ring and by all threads.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    free: Arc<Mutex<HashMap<usize, Vec<Row>>>>,
}

/// Number of words from which several rows are allocated together in a huge page, because
/// operations on large rows would otherwise spend time on address translation.
const SHARING: usize = 1 << 13;

/// Number of words in slightly less than a huge page.
const PAGE: usize = (1 << 18) - (1 << 12);

/// Number of free rows kept for each length; further rows are returned to the allocator, once all
/// rows of the same page are free.
const KEPT_PER_LENGTH: usize = 64;

impl Pool {
    /// Returns a buffer of `len` words with arbitrary content, which returns to the pool when
    /// dropped.
    pub fn take(&self, len: usize) -> Buffer {
        let row = self.free().get_mut(&len).and_then(Vec::pop);
        Buffer { row: row.unwrap_or_else(|| self.make(len)), pool: self.clone() }
    }

    /// Allocates a new row; other rows of the same allocation are added to the pool.
    fn make(&self, len: usize) -> Row {
        if len < SHARING {
            return Row::zeroed(len);
        }
        let mut rows = Row::many((PAGE / len).max(1), len);
        let first = rows.pop().unwrap_or_default();
        self.free().entry(len).or_default().append(&mut rows);
        first
    }

    fn free(&self) -> MutexGuard<'_, HashMap<usize, Vec<Row>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_back(&self, row: Row) {
        let mut free = self.free();
        let rows = free.entry(row.len()).or_default();
        if rows.len() < KEPT_PER_LENGTH {
            rows.push(row);
        }
    }
}

/// Words borrowed from a [`Pool`], 64-byte aligned.
#[derive(Debug)]
pub struct Buffer {
    row: Row,
    pool: Pool,
}

impl Buffer {
    /// Overwrites the content with zeros in a way that the compiler does not remove.
    pub fn wipe(&mut self) {
        self.row.wipe();
    }
}

impl Clone for Buffer {
    fn clone(&self) -> Self {
        let mut copy = self.pool.take(self.len());
        copy.copy_from_slice(self);
        copy
    }
}

impl Deref for Buffer {
    type Target = [u64];
    fn deref(&self) -> &[u64] {
        &self.row
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.row
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let row = std::mem::take(&mut self.row);
        self.pool.give_back(row);
    }
}
