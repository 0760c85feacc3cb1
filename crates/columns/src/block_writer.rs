//! The blocks of an encrypted table, from rows that have their slots.

use crate::arrange::{BlockRows, Bucket};
use crate::checksum::{BYTES, values_of};
use crate::layout::{Sizes, limb};
use crate::table::{TableInfo, limb_column};
use crate::{EncryptedColumn, Error, Schema, TableKey};
use arrow_array::{
    Array, ArrayRef, BooleanArray, FixedSizeBinaryArray, Int32Array, Int64Array, ListArray,
    RecordBatch, UInt32Array,
};
use arrow_buffer::{Buffer, OffsetBuffer};
use arrow_schema::{DataType, Schema as ArrowSchema, SchemaRef};
use arrow_select::take::take;
use fathom::prelude::*;
use rayon::prelude::*;
use std::sync::Arc;

/// The place of the checksums among the columns of a file.
const CHECKSUMS: usize = 1;

/// Rows in blocks: their places, and their values in the order of their numbers.
pub(crate) struct ArrangedRows<'a> {
    pub(crate) blocks: &'a [BlockRows],
    /// The stored integers of each encrypted column.
    pub(crate) encrypted: &'a [Int64Array],
    /// The values of each clear column.
    pub(crate) clear: &'a [ArrayRef],
}

/// Encrypts the blocks of one table.
pub(crate) struct BlockWriter<'a> {
    key: &'a TableKey,
    info: TableInfo,
    arrow: SchemaRef,
}

impl<'a> BlockWriter<'a> {
    /// Describes a new table of `blocks` blocks.
    ///
    /// # Errors
    /// Those of [`TableInfo::new`].
    pub(crate) fn new(
        key: &'a TableKey,
        buckets: Vec<Bucket>,
        blocks: usize,
    ) -> Result<BlockWriter<'a>, Error> {
        let schema = key.schema();
        let info = TableInfo::new(schema.clone(), key.public_parts(), buckets, blocks)?;
        let params = info.families.keys().map(|f| (*f, key.secret(*f).params().clone()));
        let sizes = Sizes::with_params(schema, params.collect())?;
        let arrow = Arc::new(info.arrow(|family, part| sizes.bytes(family, part) as i32));
        Ok(BlockWriter { key, info, arrow })
    }

    /// Returns the Arrow schema of the encrypted table.
    pub(crate) fn arrow(&self) -> SchemaRef {
        self.arrow.clone()
    }

    /// Returns the schema of the table.
    pub(crate) fn schema(&self) -> &'a Schema {
        self.key.schema()
    }

    /// Encrypts blocks, the first of which has this number in the table.
    ///
    /// # Errors
    /// [`Error::Fathom`].
    pub(crate) fn blocks(
        &self,
        rows: &ArrangedRows<'_>,
        first: usize,
    ) -> Result<RecordBatch, Error> {
        let blocks = rows.blocks;
        let arrow = &self.arrow;
        let counts = blocks.iter().map(|block| block.rows.len() as i32);
        // The checksums follow once the other columns are there.
        let counts: ArrayRef = Arc::new(counts.collect::<Int32Array>());
        let mut columns = vec![counts.clone(), counts];
        let schema = self.key.schema();
        if schema.declared_key().is_some() {
            let counts = blocks.iter().flat_map(|b| b.bucket_rows.iter().map(|&rows| rows as i32));
            let lengths = blocks.iter().map(|block| block.bucket_rows.len());
            let counts = Arc::new(counts.collect::<Int32Array>());
            columns.push(list(arrow, columns.len(), lengths, counts)?);
        }
        let order: UInt32Array =
            blocks.iter().flat_map(|block| block.rows.iter().copied()).collect();
        let lengths = || blocks.iter().map(|block| block.rows.len());
        for values in rows.clear {
            columns.push(list(arrow, columns.len(), lengths(), take(values, &order, None)?)?);
        }
        for (description, values) in schema.encrypted.iter().zip(rows.encrypted) {
            if description.nulls {
                let valid = order.values().iter().map(|&row| values.is_valid(row as usize));
                let valid = Arc::new(valid.map(Some).collect::<BooleanArray>());
                columns.push(list(arrow, columns.len(), lengths(), valid)?);
            }
            columns.extend(self.encrypted_blocks(description, values, blocks)?);
        }
        columns[CHECKSUMS] = self.checksums(&columns, first, blocks.len())?;
        Ok(RecordBatch::try_new(arrow.clone(), columns)?)
    }

    /// Computes the checksums of the columns of this many blocks from the first one on.
    fn checksums(
        &self,
        columns: &[ArrayRef],
        first: usize,
        blocks: usize,
    ) -> Result<ArrayRef, Error> {
        let (names, checksums) = (self.info.checked_names(), self.info.checksums());
        let mut bytes = Vec::with_capacity(blocks * names.len() * BYTES);
        for block in 0..blocks {
            for name in &names {
                let column = &columns[self.arrow.index_of(name)?];
                let values = values_of(column, block);
                bytes.extend(checksums.of_values(name, first + block, &values)?);
            }
        }
        let width = (names.len() * BYTES) as i32;
        Ok(Arc::new(FixedSizeBinaryArray::try_new(width, Buffer::from_vec(bytes), None)?))
    }

    /// Encrypts one column: an array for each limb.
    fn encrypted_blocks(
        &self,
        description: &EncryptedColumn,
        values: &Int64Array,
        blocks: &[BlockRows],
    ) -> Result<Vec<ArrayRef>, Error> {
        let limbs: Vec<_> = description.limbs().collect();
        let frames: Vec<Vec<Vec<u8>>> = blocks
            .par_iter()
            .map(|block| {
                let mut rng = SecretRng::from_os().map_err(fathom::Error::from)?;
                let mut slots = zeroize::Zeroizing::new(vec![0u64; self.key.schema().block_rows()]);
                let frame = |&(component, index): &(_, u32)| {
                    for (&row, &slot) in block.rows.iter().zip(&block.slots) {
                        let row = row as usize;
                        // Which values are missing is public.
                        slots[slot as usize] = if values.is_null(row) {
                            0
                        } else {
                            limb(description.stored(component, values.value(row)), component, index)
                        };
                    }
                    let secret = self.key.secret(description.family(component));
                    let message = secret.params().encode(&slots)?;
                    let level = component.level(secret.params());
                    Ok(secret.encrypt_at(&message, level, &mut rng)?.to_bytes())
                };
                limbs.iter().map(frame).collect::<Result<_, Error>>()
            })
            .collect::<Result<_, Error>>()?;
        (limbs.iter().enumerate())
            .map(|(at, &(component, index))| {
                let name = limb_column(&description.name, component, index);
                let DataType::FixedSizeBinary(width) =
                    *self.arrow.field_with_name(&name)?.data_type()
                else {
                    return Err(Error::malformed("the schema", "a limb is no ciphertext"));
                };
                let joined: Vec<u8> =
                    frames.iter().flat_map(|own| own[at].iter().copied()).collect();
                let array = FixedSizeBinaryArray::try_new(width, Buffer::from_vec(joined), None)?;
                Ok(Arc::new(array) as ArrayRef)
            })
            .collect()
    }
}

/// Makes the list column at an index of the schema.
fn list(
    schema: &ArrowSchema,
    at: usize,
    lengths: impl Iterator<Item = usize>,
    values: ArrayRef,
) -> Result<ArrayRef, Error> {
    let DataType::List(item) = schema.field(at).data_type() else {
        return Err(Error::malformed("the schema", "a clear column is no list"));
    };
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(item.clone(), offsets, values, None)?))
}
