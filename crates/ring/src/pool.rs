//! Reused memory for polynomials, so that operations allocate nothing once warm.

use fathom_kernels::Row;
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A set of free rows, shared by all polynomials of a ring and safe to use from many threads.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    free: Arc<Mutex<HashMap<usize, Vec<Row>>>>,
}

/// Words from which rows are made several at once, to share a huge page: operations on large rows
/// would wait for translations of addresses.
const SHARING: usize = 1 << 13;

/// Words of a huge page, nearly.
const PAGE: usize = (1 << 18) - (1 << 12);

/// Free rows kept for each length; more are given back to the allocator, as soon as all rows that
/// they share a page with are.
const KEPT_PER_LENGTH: usize = 64;

impl Pool {
    /// A buffer of `len` words with arbitrary content. It returns to the pool when dropped.
    pub fn take(&self, len: usize) -> Buffer {
        let row = self.free().get_mut(&len).and_then(Vec::pop);
        Buffer { row: row.unwrap_or_else(|| self.make(len)), pool: self.clone() }
    }

    /// A new row; what is made beside it is free.
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

/// Words on loan from a [`Pool`], 64-byte aligned.
#[derive(Debug)]
pub struct Buffer {
    row: Row,
    pool: Pool,
}

impl Buffer {
    /// Overwrites the content with zeros in a way the compiler may not remove.
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
