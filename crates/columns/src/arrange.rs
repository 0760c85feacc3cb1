//! The place of every row: its block and its slot.
//!
//! Without a declared key, rows fill blocks in their order. With one, every group owns an interval
//! of slots in all blocks, as many as its rows need over the fewest blocks in which all groups fit;
//! its rows fill the interval block by block. One sum over the blocks then holds the sums of all
//! groups, in disjoint slots. The slot of a row follows from the clear key and the intervals, so
//! that files store neither.

use crate::Error;
use crate::clear::{ClearValues, Label};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The slots of a group, in every block of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Bucket {
    pub(crate) label: Label,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The rows of a block in the order of their slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockRows {
    /// Numbers of rows of the table.
    pub(crate) rows: Vec<u32>,
    /// The slot of each.
    pub(crate) slots: Vec<u16>,
    /// Rows of each bucket.
    pub(crate) bucket_rows: Vec<u32>,
}

/// All rows of a table.
#[derive(Clone, Debug)]
pub(crate) struct Arrangement {
    pub(crate) blocks: Vec<BlockRows>,
    pub(crate) buckets: Vec<Bucket>,
}

impl Arrangement {
    /// Fills blocks in the order of the rows.
    pub(crate) fn in_order(rows: usize, block_rows: usize) -> Arrangement {
        let block = |first: usize| {
            let count = block_rows.min(rows - first);
            let rows = (first as u32..).take(count).collect();
            BlockRows { rows, slots: (0u16..).take(count).collect(), bucket_rows: Vec::new() }
        };
        let blocks = (0..rows).step_by(block_rows).map(block).collect();
        Arrangement { blocks, buckets: Vec::new() }
    }

    /// Gives every group of a key its slots.
    ///
    /// # Errors
    /// [`Error::Groups`] for more groups than slots.
    pub(crate) fn by_key(
        name: &str,
        keys: &ClearValues,
        block_rows: usize,
    ) -> Result<Arrangement, Error> {
        let float = || crate::array::type_error(name, "float64", "another clear type");
        let (labels, numbers) = keys.labels().ok_or_else(float)?;
        if labels.len() > block_rows {
            return Err(Error::Groups {
                column: name.to_owned(),
                count: labels.len(),
                operation: "an arrangement of the rows by groups",
                limit: block_rows,
                remedy: "declare a column with fewer values, or none",
            });
        }
        let mut members: BTreeMap<&Label, Vec<u32>> = BTreeMap::new();
        for (row, &number) in (0u32..).zip(&numbers) {
            members.entry(&labels[number as usize]).or_default().push(row);
        }
        let sizes: Vec<_> = members.values().map(Vec::len).collect();
        let blocks = fewest_blocks(&sizes, block_rows);
        if blocks > MOST_SPREAD * numbers.len().div_ceil(block_rows) + 1 {
            let reason = format!(
                "its groups differ so much in size that they take {blocks} blocks instead of {}; \
                 leave `group_by` out, and declare the use `filter` for the encrypted columns",
                numbers.len().div_ceil(block_rows)
            );
            let operation = "an arrangement of rows by groups";
            return Err(Error::Unsupported { operation, column: name.to_owned(), reason });
        }
        let mut arranged = vec![BlockRows::default(); blocks];
        let mut buckets = Vec::with_capacity(members.len());
        let mut start = 0;
        for (label, rows) in members {
            let width = rows.len().div_ceil(blocks);
            let mut chunks = rows.chunks(width);
            for block in &mut arranged {
                let own = chunks.next().unwrap_or_default();
                block.rows.extend(own);
                block.slots.extend((start as u16..).take(own.len()));
                block.bucket_rows.push(own.len() as u32);
            }
            buckets.push(Bucket { label: label.clone(), start, end: start + width });
            start += width;
        }
        Ok(Arrangement { blocks: arranged, buckets })
    }
}

/// Most times as many blocks as rows without groups take, beyond one: every group takes a slot of
/// every block, which many small groups beside a large one leave empty.
const MOST_SPREAD: usize = 2;

/// Returns the fewest blocks in which groups of these sizes own disjoint intervals of slots.
fn fewest_blocks(sizes: &[usize], block_rows: usize) -> usize {
    let total: usize = sizes.iter().sum();
    if total == 0 {
        return 0;
    }
    // No group needs more slots when there are more blocks, so that the search by halves finds the
    // fewest.
    let slots = |blocks: usize| sizes.iter().map(|n| n.div_ceil(blocks)).sum::<usize>();
    let fits = |blocks: usize| slots(blocks) <= block_rows;
    // As many blocks as there are rows always do: there are at most as many groups as slots.
    let (mut low, mut high) = (total.div_ceil(block_rows), total);
    while low < high {
        let middle = usize::midpoint(low, high);
        if fits(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Returns the bucket and the slot of every row of a block, from its keys.
///
/// # Errors
/// [`Error::Malformed`] for a key without a bucket, or more rows than its slots.
pub(crate) fn places(
    buckets: &[Bucket],
    keys: &ClearValues,
) -> Result<(Vec<u32>, Vec<u16>), Error> {
    let refuse = |reason: &str| Error::malformed("a block", reason);
    let (labels, numbers) =
        keys.labels().ok_or_else(|| refuse("its key is a number in double precision"))?;
    let own: Option<Vec<usize>> = labels
        .iter()
        .map(|label| buckets.binary_search_by(|bucket| bucket.label.cmp(label)).ok())
        .collect();
    let own = own.ok_or_else(|| refuse("a value of its key has no slots"))?;
    let mut next: Vec<usize> = buckets.iter().map(|bucket| bucket.start).collect();
    let mut slots = Vec::with_capacity(numbers.len());
    let mut groups = Vec::with_capacity(numbers.len());
    for number in numbers {
        let bucket = own[number as usize];
        if next[bucket] >= buckets[bucket].end {
            return Err(refuse("a group has more rows than slots"));
        }
        slots.push(next[bucket] as u16);
        groups.push(bucket as u32);
        next[bucket] += 1;
    }
    Ok((groups, slots))
}

/// Checks buckets from a file: labels in order, disjoint slots.
pub(crate) fn check_buckets(buckets: &[Bucket], block_rows: usize) -> Result<(), Error> {
    let ordered = buckets.windows(2).all(|w| w[0].label < w[1].label && w[0].end <= w[1].start);
    let within =
        buckets.iter().all(|bucket| bucket.start <= bucket.end && bucket.end <= block_rows);
    if ordered && within {
        return Ok(());
    }
    Err(Error::malformed("the metadata of a table", "the slots of its groups overlap"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::ROWS;
    use arrow_array::Int64Array;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_places_follow_from_the_keys(
            keys in prop::collection::vec(prop::option::of(0i64..60), 0..9000),
        ) {
            let values = ClearValues::Int(Int64Array::from(keys.clone()));
            let arranged = Arrangement::by_key("k", &values, ROWS).unwrap();
            check_buckets(&arranged.buckets, ROWS).unwrap();
            let mut seen = vec![false; keys.len()];
            for block in &arranged.blocks {
                let own = block.rows.iter().map(|&row| keys[row as usize]);
                let own = ClearValues::Int(own.collect());
                let (groups, slots) = places(&arranged.buckets, &own).unwrap();
                prop_assert_eq!(&slots, &block.slots);
                for (number, &rows) in (0u32..).zip(&block.bucket_rows) {
                    prop_assert_eq!(groups.iter().filter(|&&g| g == number).count() as u32, rows);
                }
                block.rows.iter().for_each(|&row| seen[row as usize] = true);
            }
            prop_assert!(seen.into_iter().all(|seen| seen));
        }

        #[test]
        fn groups_take_few_blocks_more_than_their_rows(
            sizes in prop::collection::vec(1usize..100_000, 1..60),
        ) {
            let blocks = fewest_blocks(&sizes, ROWS);
            let width = |blocks: usize| sizes.iter().map(|n| n.div_ceil(blocks)).sum::<usize>();
            prop_assert!(width(blocks) <= ROWS);
            prop_assert!(blocks == 1 || width(blocks - 1) > ROWS);
        }
    }
}
