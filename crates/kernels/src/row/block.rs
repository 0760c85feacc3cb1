//! Blocks of memory that rows of several lengths share.

use super::{Line, Row, STAGGER, Slab};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;

/// Memory from which rows of any lengths are cut one after the other, so that together they fill
/// huge pages. It lives until the last of them is dropped.
#[derive(Debug, Default)]
pub struct RowBlock(Option<Rest>);

/// The lines of a block that no row uses yet.
#[derive(Debug)]
struct Rest {
    slab: Arc<Slab>,
    next: NonNull<Line>,
    lines: usize,
}

// SAFETY: the lines from `next` on belong to this block alone.
unsafe impl Send for Rest {}

impl RowBlock {
    /// Allocates memory of at least `words` words, for rows and the distances between them.
    pub fn new(words: usize) -> RowBlock {
        let lines = Row::lines(words);
        let (slab, next) = Slab::new(lines);
        RowBlock(Some(Rest { slab: Arc::new(slab), next, lines }))
    }

    /// Returns how many words are left.
    pub fn left(&self) -> usize {
        self.0.as_ref().map_or(0, |rest| rest.lines * (size_of::<Line>() / size_of::<u64>()))
    }

    /// Cuts off a row of `len` words, all zero; `None` if fewer are left.
    pub fn cut(&mut self, len: usize) -> Option<Row> {
        let lines = Row::lines(len);
        let Rest { slab, next, lines: left } = self.0.as_mut().filter(|r| lines <= r.lines)?;
        let (start, used) = (*next, (lines + STAGGER).min(*left));
        // SAFETY: this row's lines are among those left, and no other has them.
        unsafe { start.as_ptr().write_bytes(0, lines) };
        // SAFETY: so are the lines between this row and the next.
        *next = unsafe { start.add(used) };
        *left -= used;
        Some(Row { start, len, _slab: Some(Arc::clone(slab)), element: PhantomData })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_block_are_zero_aligned_and_apart() {
        for words in [0, 9, 50_000, 1 << 18] {
            let mut block = RowBlock::new(words);
            let lengths = [words / 5, 0, words / 7, 1, words / 3];
            let mut rows: Vec<Row> = lengths.iter().map_while(|&len| block.cut(len)).collect();
            assert!(words < 50_000 || rows.len() == 5, "{words}");
            assert!(block.cut(words + 8).is_none() && block.left() <= words.next_multiple_of(8));
            for (i, row) in rows.iter_mut().enumerate() {
                assert_eq!(&**row, vec![0; lengths[i]]);
                row.fill(i as u64 + 1);
            }
            drop(block);
            for (i, row) in rows.iter().enumerate() {
                assert_eq!(&**row, vec![i as u64 + 1; lengths[i]]);
                assert_eq!(row.as_ptr() as usize % 64, 0);
            }
        }
    }

    #[test]
    fn a_block_is_cut_to_its_last_word() {
        let mut block = RowBlock::new(1 << 12);
        assert_eq!(block.cut(1 << 12).map(|row| row.len()), Some(1 << 12));
        assert_eq!((block.left(), block.cut(1).is_none()), (0, true));
        assert_eq!((RowBlock::default().left(), RowBlock::default().cut(8).is_none()), (0, true));
    }

    #[test]
    fn an_absurd_block_is_refused() {
        assert!(std::panic::catch_unwind(|| RowBlock::new(usize::MAX)).is_err());
    }
}
