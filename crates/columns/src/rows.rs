//! The rows of an encrypted table, which the owner of its key reads back.

use crate::block::Block;
use crate::checksum::Checked;
use crate::layout::Component;
use crate::predicate::Rows;
use crate::table::{TableInfo, limb_column};
use crate::{EncryptedColumn, Error, TableKey};
use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{Field, Schema as ArrowSchema, SchemaRef};
use arrow_select::concat::concat;
use rayon::prelude::*;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Decrypts the rows of one encrypted table, block by block.
///
/// Encrypted columns come first, integers as `int64`, then clear ones, both in the order of the
/// schema. Rows are in the order of the table, or, with a declared key, in that of its groups
/// within each block.
pub struct RowReader<'a> {
    key: &'a TableKey,
    pub(crate) info: TableInfo,
    /// The checksums of all cells.
    checked: Checked,
    arrow: SchemaRef,
    pub(crate) blocks: usize,
}

impl TableKey {
    /// Starts to read the rows of the table with this Arrow schema.
    ///
    /// # Errors
    /// [`Error::Malformed`], [`Error::Version`] for a schema that is none of an encrypted table;
    /// [`Error::OtherKey`] for a table of another key.
    pub fn read_rows(&self, arrow: &ArrowSchema) -> Result<RowReader<'_>, Error> {
        let info = TableInfo::read(arrow)?;
        let found = info.families.iter().map(|(family, part)| (*family, part.key.clone()));
        crate::result::check_keys("a table", &self.public_keys(), &found.collect())?;
        if info.schema != *self.schema() {
            return Err(Error::malformed("a table", "its schema is not that of the key"));
        }
        let all = info.checked_names();
        let checked = Checked::new(info.checksums(), all.clone(), &all.into_iter().collect());
        let encrypted = info.schema.encrypted.iter().map(|own| (&own.name, own.kind.data_type()));
        let clear = info.schema.clear.iter().map(|own| (&own.name, own.kind.data_type()));
        let fields = encrypted.chain(clear).map(|(name, kind)| Field::new(name, kind, true));
        let arrow = Arc::new(ArrowSchema::new(fields.collect::<Vec<_>>()));
        Ok(RowReader { key: self, info, checked, arrow, blocks: 0 })
    }
}

impl RowReader<'_> {
    /// Returns the Arrow schema of the rows.
    pub fn schema(&self) -> SchemaRef {
        self.arrow.clone()
    }

    /// Decrypts the blocks that follow, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// [`Error::Misplaced`] for a cell that is damaged or belongs to another place;
    /// [`Error::Malformed`] for a block that is none, or that holds a value outside its range;
    /// [`Error::Fathom`].
    pub fn push(&mut self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let this = &*self;
        let rows = |index| this.rows(&this.block(batch, index)?);
        let blocks: Vec<_> = (0..batch.num_rows()).into_par_iter().map(rows).collect();
        let blocks = blocks.into_iter().collect::<Result<Vec<RecordBatch>, Error>>()?;
        let column = |at: usize| -> Result<ArrayRef, Error> {
            let pieces: Vec<_> = blocks.iter().map(|block| block.column(at).as_ref()).collect();
            Ok(concat(&pieces)?)
        };
        self.blocks += batch.num_rows();
        if blocks.is_empty() {
            return Ok(RecordBatch::new_empty(self.schema()));
        }
        let columns = (0..self.arrow.fields().len()).map(column).collect::<Result<_, _>>()?;
        Ok(RecordBatch::try_new(self.schema(), columns)?)
    }

    /// Ends the table.
    ///
    /// # Errors
    /// [`Error::Malformed`] unless every block of the table was read.
    pub fn finish(self) -> Result<(), Error> {
        if self.blocks == self.info.blocks {
            return Ok(());
        }
        let reason =
            format!("{} blocks were read of {} that it has", self.blocks, self.info.blocks);
        Err(Error::malformed("a table", reason))
    }

    /// Reads a block of the batch that follows, and checks all of its cells.
    pub(crate) fn block<'b>(
        &'b self,
        batch: &'b RecordBatch,
        index: usize,
    ) -> Result<Block<'b>, Error> {
        Block::new(&self.info, batch, [index, self.blocks + index], &self.checked)
    }

    fn rows(&self, block: &Block<'_>) -> Result<RecordBatch, Error> {
        let (_, slots) = block.places()?;
        let mut columns = Vec::with_capacity(self.arrow.fields().len());
        for column in &self.info.schema.encrypted {
            columns.push(self.decrypted(column, block, &slots)?);
        }
        for column in &self.info.schema.clear {
            columns.push(block.clear(&column.name)?.into_array());
        }
        Ok(RecordBatch::try_new(self.schema(), columns)?)
    }

    /// Decrypts the values of a column in one block.
    fn decrypted(
        &self,
        column: &EncryptedColumn,
        block: &Block<'_>,
        slots: &[u16],
    ) -> Result<ArrayRef, Error> {
        let stored = self.stored(column, block, slots)?;
        Ok(column.kind.array(stored)?)
    }

    /// Decrypts the stored integers of a column in one block.
    pub(crate) fn stored(
        &self,
        column: &EncryptedColumn,
        block: &Block<'_>,
        slots: &[u16],
    ) -> Result<Int64Array, Error> {
        let refuse = || {
            let reason = format!("column {:?} holds a value outside its range", column.name);
            Error::malformed("a block", reason)
        };
        let part = Component::Values;
        let secret = self.key.secret(column.family(part));
        let mut stored = Zeroizing::new(vec![0u64; block.rows()]);
        for limb in 0..column.limb_count(part) {
            let name = limb_column(&column.name, part, limb);
            let ciphertext = block.ciphertext(&name, secret.params())?;
            let values = Zeroizing::new(secret.decrypt(&ciphertext)?.slots()?);
            for (stored, &slot) in stored.iter_mut().zip(slots) {
                let value = values[slot as usize];
                if value >> part.limb_bits() != 0 {
                    return Err(refuse());
                }
                *stored |= value << (limb * part.limb_bits());
            }
        }
        let valid = block.valid(&column.name)?;
        let [low, _] = column.limits();
        let value = |(row, &stored): (usize, &u64)| {
            if stored > column.span() {
                return Err(refuse());
            }
            let is_there = valid.as_ref().is_none_or(|valid| valid.value(row));
            Ok(is_there.then(|| low.wrapping_add_unsigned(stored)))
        };
        let values = stored.iter().enumerate().map(value).collect::<Result<Vec<_>, _>>()?;
        Ok(Int64Array::from(values))
    }
}
