//! Rows that several owners read and a single one may write.

use crate::Row;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

/// A row with any number of owners. Whether it may be written is checked without an atomic
/// read-modify-write operation, which would take as long as a sum of short rows.
#[derive(Debug)]
pub struct SharedRow(Arc<Row>);

impl SharedRow {
    /// Makes the only owner of a row.
    pub fn new(row: Row) -> SharedRow {
        SharedRow(Arc::new(row))
    }

    /// Returns another owner of the same row, which none can write while both exist.
    pub fn share(&self) -> SharedRow {
        SharedRow(Arc::clone(&self.0))
    }

    /// Returns whether there are other owners.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Returns the row for reading.
    pub fn get(&self) -> &Row {
        &self.0
    }

    /// Returns the row for writing, or `None` if there are other owners.
    pub fn get_mut(&mut self) -> Option<&mut Row> {
        if self.is_shared() {
            return None;
        }
        // What former owners read happened before.
        fence(Ordering::Acquire);
        // SAFETY: there is one strong reference, which is borrowed exclusively, and no weak one.
        Some(unsafe { &mut *Arc::as_ptr(&self.0).cast_mut() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_single_owner_writes() {
        let mut row = SharedRow::new(Row::from(&[1, 2, 3][..]));
        row.get_mut().expect("it has one owner")[0] = 7;
        let mut other = row.share();
        assert!(row.is_shared() && other.is_shared());
        assert!(row.get_mut().is_none() && other.get_mut().is_none());
        assert_eq!(&**other.get(), [7, 2, 3]);
        drop(row);
        other.get_mut().expect("the other owner is gone")[1] = 8;
        assert_eq!(&**other.get(), [7, 8, 3]);
    }

    #[test]
    fn an_owner_on_another_thread_counts() {
        let mut row = SharedRow::new(Row::zeroed(64));
        for round in 1..200 {
            let reader = row.share();
            std::thread::scope(|scope| {
                scope.spawn(move || assert!(reader.get().iter().all(|&word| word == round - 1)));
                while row.is_shared() {
                    std::hint::spin_loop();
                }
                row.get_mut().expect("the reader is gone").fill(round);
            });
        }
    }
}
