//! One block of an encrypted table, as a server reads it: every access is checked.

use crate::arrange::places;
use crate::checksum::{Checked, values_of};
use crate::clear::ClearValues;
use crate::predicate::{Rows, missing};
use crate::table::{
    CHECKSUMS_COLUMN, GROUPS_COLUMN, ROWS_COLUMN, TableInfo, clear_column, valid_column,
};
use crate::{Error, Label, Schema};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch};
use fathom::prelude::*;
use std::collections::HashMap;

/// A row of a record batch of blocks.
pub(crate) struct Block<'a> {
    info: &'a TableInfo,
    batch: &'a RecordBatch,
    index: usize,
    rows: usize,
}

impl<'a> Block<'a> {
    /// Checks the checksums of the columns that are read; `number` is that of the block in the
    /// table.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the number of rows is not possible; [`Error::Misplaced`] for a cell
    /// whose checksum does not fit.
    pub(crate) fn new(
        info: &'a TableInfo,
        batch: &'a RecordBatch,
        [index, number]: [usize; 2],
        checked: &Checked,
    ) -> Result<Block<'a>, Error> {
        let refuse = || malformed("it states no possible number of rows");
        let rows = batch.column_by_name(ROWS_COLUMN).ok_or_else(refuse)?;
        let rows = rows.as_primitive_opt::<Int32Type>().filter(|rows| rows.is_valid(index));
        let rows = rows.and_then(|rows| usize::try_from(rows.value(index)).ok());
        let rows = rows.filter(|&rows| rows <= info.schema.block_rows()).ok_or_else(refuse)?;
        let block = Block { info, batch, index, rows };
        let values = |name: &str| Ok(values_of(block.column(name)?, index));
        checked.check(block.frame(CHECKSUMS_COLUMN)?, number, values)?;
        Ok(block)
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    fn column(&self, name: &str) -> Result<&'a ArrayRef, Error> {
        let found = self.batch.column_by_name(name);
        found.ok_or_else(|| malformed(format!("column {name:?} is missing")))
    }

    /// Returns the elements of a list, as many as `expected`.
    fn list(&self, name: &str, expected: usize) -> Result<ArrayRef, Error> {
        let lists = self.column(name)?.as_list_opt::<i32>().filter(|all| all.is_valid(self.index));
        let list = lists.map(|lists| lists.value(self.index));
        list.filter(|list| list.len() == expected)
            .ok_or_else(|| malformed(format!("column {name:?} does not hold {expected} values")))
    }

    /// Returns the bytes of a ciphertext.
    fn frame(&self, name: &str) -> Result<&'a [u8], Error> {
        let frames = self.column(name)?.as_fixed_size_binary_opt();
        let frames = frames.filter(|frames| frames.is_valid(self.index));
        let frames = frames.ok_or_else(|| malformed(format!("{name:?} holds no ciphertext")))?;
        Ok(frames.value(self.index))
    }

    /// Reads a ciphertext. Its noise is that of a fresh one, whatever it claims.
    pub(crate) fn ciphertext(
        &self,
        name: &str,
        params: &bfv::Params,
    ) -> Result<bfv::Ciphertext, Error> {
        Ok(bfv::Ciphertext::from_bytes_fresh(params, self.frame(name)?)?)
    }

    /// Returns the schema of the table.
    pub(crate) fn schema(&self) -> &'a Schema {
        &self.info.schema
    }

    /// Returns which values of an encrypted column are there; `None` if all are.
    pub(crate) fn valid(&self, column: &str) -> Result<Option<BooleanArray>, Error> {
        let nullable = self.info.schema.find_encrypted(column).is_some_and(|column| column.nulls);
        if !nullable {
            return Ok(None);
        }
        let list = self.list(&valid_column(column), self.rows)?;
        let valid = list.as_boolean_opt().filter(|valid| valid.null_count() == 0);
        let valid = valid.ok_or_else(|| malformed("its validity is no list of booleans"))?;
        Ok(Some(valid.clone()))
    }

    /// Returns the group and the slot of every row; one group without a declared key.
    pub(crate) fn places(&self) -> Result<(Vec<u32>, Vec<u16>), Error> {
        match self.info.schema.declared_key() {
            None => Ok((vec![0; self.rows], (0u16..).take(self.rows).collect())),
            Some(key) => places(&self.info.buckets, &self.clear(&key.name)?),
        }
    }

    /// Returns the labels of the groups of some columns, and for each row the number of its label.
    pub(crate) fn labels(&self, columns: &[String]) -> Result<(Vec<Label>, Vec<u32>), Error> {
        let own = |name: &String| {
            self.clear(name)?.labels().ok_or_else(|| malformed("its groups have no labels"))
        };
        let mut all = columns.iter().map(own).collect::<Result<Vec<_>, _>>()?;
        if all.len() == 1 {
            return Ok(all.remove(0));
        }
        let mut known = HashMap::new();
        let mut labels = Vec::new();
        let number = |row: usize| {
            let numbers: Vec<u32> = all.iter().map(|(_, numbers)| numbers[row]).collect();
            *known.entry(numbers).or_insert_with_key(|numbers| {
                let own = all.iter().zip(numbers).map(|((own, _), &at)| own[at as usize].clone());
                labels.push(Label::Several(own.collect()));
                labels.len() as u32 - 1
            })
        };
        let numbers = (0..self.rows).map(number).collect();
        Ok((labels, numbers))
    }

    /// Returns the number of rows of every group of the declared key.
    pub(crate) fn group_rows(&self) -> Result<Vec<u64>, Error> {
        let list = self.list(GROUPS_COLUMN, self.info.buckets.len())?;
        let rows = list.as_primitive_opt::<Int32Type>().filter(|rows| rows.null_count() == 0);
        let refuse = || malformed("the rows of its groups are not its rows");
        let rows = rows.ok_or_else(refuse)?.values().iter().map(|&rows| u64::try_from(rows));
        let rows: Vec<u64> = rows.collect::<Result<_, _>>().map_err(|_| refuse())?;
        // A group has no more rows than slots: the slots of another table would mix groups.
        let widths = self.info.buckets.iter().map(|bucket| (bucket.end - bucket.start) as u64);
        let fit = rows.iter().zip(widths).all(|(rows, width)| *rows <= width);
        if fit && rows.iter().sum::<u64>() == self.rows as u64 { Ok(rows) } else { Err(refuse()) }
    }
}

impl Rows for Block<'_> {
    fn count(&self) -> usize {
        self.rows
    }

    fn clear(&self, column: &str) -> Result<ClearValues, Error> {
        let list = self.list(&clear_column(column), self.rows)?;
        let values = ClearValues::of(&list);
        values.ok_or_else(|| malformed(format!("column {column:?} has no clear type")))
    }

    fn is_null(&self, column: &str) -> Result<Vec<Option<bool>>, Error> {
        if self.info.schema.find_encrypted(column).is_some() {
            return Ok(missing(self.valid(column)?.as_ref(), self.rows));
        }
        let values = self.clear(column)?;
        Ok((0..self.rows).map(|row| Some(values.is_null(row))).collect())
    }
}

fn malformed(reason: impl std::fmt::Display) -> Error {
    Error::malformed("a block", reason)
}
