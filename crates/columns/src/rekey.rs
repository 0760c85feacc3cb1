//! Tables under another key: the owner decrypts them and encrypts them again.

use crate::arrange::BlockRows;
use crate::block::Block;
use crate::block_writer::{ArrangedRows, BlockWriter};
use crate::predicate::Rows;
use crate::{Error, RowReader, TableKey};
use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{Schema as ArrowSchema, SchemaRef};
use arrow_select::concat::concat;
use rayon::prelude::*;

/// Encrypts a table under another key, block by block. Rows keep their places; the table gets a new
/// identifier.
pub struct Rekeyer<'a> {
    reader: RowReader<'a>,
    writer: BlockWriter<'a>,
}

/// The rows of a block with their values.
struct OpenBlock {
    slots: Vec<u16>,
    bucket_rows: Vec<u32>,
    encrypted: Vec<Int64Array>,
    clear: Vec<ArrayRef>,
}

impl TableKey {
    /// Starts to encrypt the table with this Arrow schema, which belongs to this key, under another
    /// key of the same schema.
    ///
    /// # Errors
    /// Those of [`TableKey::read_rows`]; [`Error::Malformed`] if the keys have different schemas.
    pub fn rekey<'a>(
        &'a self,
        arrow: &ArrowSchema,
        new_key: &'a TableKey,
    ) -> Result<Rekeyer<'a>, Error> {
        if new_key.schema() != self.schema() {
            let reason = "its schema is not that of the old one; decrypt the rows of the table, \
                          and encrypt them under the new key";
            return Err(Error::malformed("the new key", reason));
        }
        let reader = self.read_rows(arrow)?;
        let writer = BlockWriter::new(new_key, reader.info.buckets.clone(), reader.info.blocks)?;
        Ok(Rekeyer { reader, writer })
    }
}

impl Rekeyer<'_> {
    /// Returns the Arrow schema of the new table.
    pub fn arrow_schema(&self) -> SchemaRef {
        self.writer.arrow()
    }

    /// Encrypts the blocks that follow, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// Those of [`RowReader::push`].
    pub fn push(&mut self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        if batch.num_rows() == 0 {
            return Ok(RecordBatch::new_empty(self.arrow_schema()));
        }
        let reader = &self.reader;
        let open = (0..batch.num_rows())
            .into_par_iter()
            .map(|index| open_block(reader, &reader.block(batch, index)?));
        let open = open.collect::<Vec<_>>().into_iter().collect::<Result<Vec<_>, Error>>()?;
        let mut next = 0u32;
        let blocks = open.iter().map(|block| {
            let first = next;
            next += block.slots.len() as u32;
            let (slots, bucket_rows) = (block.slots.clone(), block.bucket_rows.clone());
            BlockRows { rows: (first..next).collect(), slots, bucket_rows }
        });
        let blocks: Vec<_> = blocks.collect();
        let schema = self.writer.schema();
        let encrypted = (0..schema.encrypted.len()).map(|at| {
            open.iter().flat_map(|block| block.encrypted[at].iter()).collect::<Int64Array>()
        });
        let clear = (0..schema.clear.len()).map(|at| {
            let pieces: Vec<_> = open.iter().map(|block| block.clear[at].as_ref()).collect();
            Ok(concat(&pieces)?)
        });
        let (encrypted, clear) =
            (encrypted.collect::<Vec<_>>(), clear.collect::<Result<Vec<_>, Error>>()?);
        let rows = ArrangedRows { blocks: &blocks, encrypted: &encrypted, clear: &clear };
        let written = self.writer.blocks(&rows, self.reader.blocks)?;
        self.reader.blocks += batch.num_rows();
        Ok(written)
    }

    /// Ends the table.
    ///
    /// # Errors
    /// [`Error::Malformed`] unless every block of the table was encrypted again.
    pub fn finish(self) -> Result<(), Error> {
        self.reader.finish()
    }
}

fn open_block(reader: &RowReader<'_>, block: &Block<'_>) -> Result<OpenBlock, Error> {
    let schema = block.schema();
    let (_, slots) = block.places()?;
    let stored = schema.encrypted.iter().map(|column| reader.stored(column, block, &slots));
    let clear = schema.clear.iter().map(|column| Ok(block.clear(&column.name)?.into_array()));
    let bucket_rows = match schema.declared_key() {
        None => Vec::new(),
        // A block has no more rows than slots.
        Some(_) => block.group_rows()?.into_iter().map(|rows| rows as u32).collect(),
    };
    Ok(OpenBlock {
        encrypted: stored.collect::<Result<_, _>>()?,
        clear: clear.collect::<Result<_, Error>>()?,
        slots,
        bucket_rows,
    })
}
