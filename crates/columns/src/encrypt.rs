//! Encryption of a table, block by block.

use crate::arrange::Arrangement;
use crate::array::{column, type_error};
use crate::block_writer::{ArrangedRows, BlockWriter};
use crate::clear::{ClearValues, clear_values};
use crate::stored::stored_values;
use crate::{EncryptedColumn, Error, Schema, TableKey};
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch};
use arrow_schema::SchemaRef;
use std::ops::Range;

/// Encrypts the rows of one table.
///
/// The table is a record batch with the columns of the schema, in any order: integers of any width
/// for encrypted columns, and what [`ClearType`](crate::ClearType) names for clear ones. Other
/// columns are left out. Rows that are appended later are a table of their own, encrypted under the
/// same key: queries take any number of them.
pub struct Encryptor<'a> {
    writer: BlockWriter<'a>,
    arrangement: Arrangement,
    encrypted: Vec<Int64Array>,
    clear: Vec<ArrayRef>,
}

impl<'a> Encryptor<'a> {
    /// Checks a table and arranges its rows.
    ///
    /// # Errors
    /// [`Error::Type`], [`Error::Null`], [`Error::ValueOutOfRange`]; [`Error::Groups`] for more
    /// groups of the declared key than slots.
    pub fn new(key: &'a TableKey, table: &RecordBatch) -> Result<Encryptor<'a>, Error> {
        let schema = key.schema();
        if u32::try_from(table.num_rows()).is_err() {
            let reason = "it has more than 2^32 rows; encrypt parts of it, each to a file";
            return Err(Error::malformed("the table", reason));
        }
        let encrypted: Vec<_> = schema
            .encrypted
            .iter()
            .map(|description| checked_values(description, table))
            .collect::<Result<_, _>>()?;
        let clear = clear_columns(schema, table)?;
        let arrangement = match schema.clear.iter().position(|column| column.group_by) {
            None => Arrangement::in_order(table.num_rows(), schema.block_rows()),
            Some(at) => {
                let name = &schema.clear[at].name;
                let keys = ClearValues::of(&clear[at])
                    .ok_or_else(|| type_error(name, clear[at].data_type(), "a clear type"))?;
                Arrangement::by_key(name, &keys, schema.block_rows())?
            }
        };
        let buckets = arrangement.buckets.clone();
        let blocks = arrangement.blocks.len();
        let writer = BlockWriter::new(key, buckets, blocks)?;
        Ok(Encryptor { writer, arrangement, encrypted, clear })
    }

    /// Returns the Arrow schema of the encrypted table.
    pub fn arrow_schema(&self) -> SchemaRef {
        self.writer.arrow()
    }

    /// Returns the schema of the table.
    pub fn schema(&self) -> &Schema {
        self.writer.schema()
    }

    /// Returns the number of blocks.
    pub fn block_count(&self) -> usize {
        self.arrangement.blocks.len()
    }

    /// Encrypts blocks, on the threads of the current rayon pool. Every call draws its own
    /// randomness from the operating system.
    ///
    /// # Errors
    /// [`Error::Malformed`] for blocks that the table does not have; [`Error::Fathom`].
    pub fn blocks(&self, range: Range<usize>) -> Result<RecordBatch, Error> {
        let first = range.start;
        let blocks = self.arrangement.blocks.get(range).ok_or_else(|| {
            let reason = format!("it has {} blocks", self.block_count());
            Error::malformed("the range of blocks", reason)
        })?;
        let rows = ArrangedRows { blocks, encrypted: &self.encrypted, clear: &self.clear };
        self.writer.blocks(&rows, first)
    }
}

/// Reads the values of a column to encrypt.
fn checked_values(description: &EncryptedColumn, table: &RecordBatch) -> Result<Int64Array, Error> {
    let name = &description.name;
    let kind = description.kind;
    let array = column(table, name, &kind.column())?;
    let values = stored_values(name, array, kind, 0)?;
    if !description.nulls
        && let Some(row) = (0..values.len()).find(|&row| values.is_null(row))
    {
        return Err(Error::Null { row, column: name.clone() });
    }
    let [low, high] = description.limits();
    let outside = |&row: &usize| values.is_valid(row) && !(low..=high).contains(&values.value(row));
    if let Some(row) = (0..values.len()).find(outside) {
        let [low, high] = [low, high].map(|end| kind.show(end));
        return Err(Error::ValueOutOfRange { row, column: name.clone(), low, high });
    }
    Ok(values)
}

fn clear_columns(schema: &Schema, table: &RecordBatch) -> Result<Vec<ArrayRef>, Error> {
    let one = |description: &crate::ClearColumn| {
        let (name, kind) = (&description.name, description.kind);
        clear_values(name, column(table, name, kind.name())?, kind, 0)
    };
    schema.clear.iter().map(one).collect()
}
