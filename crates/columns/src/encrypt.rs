//! Encryption of a table, block by block.

use crate::arrange::{Arrangement, BlockRows};
use crate::checksum::{BYTES, values_of};
use crate::clear::{
    ClearValues, column, integers, normalized, not_integers, not_of_kind, type_error,
};
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
use std::ops::Range;
use std::sync::Arc;

/// The place of the checksums among the columns of a file.
const CHECKSUMS: usize = 1;

/// Encrypts the rows of one table.
///
/// The table is a record batch with the columns of the schema, in any order: integers of any width
/// for encrypted columns, and what [`ClearType`](crate::ClearType) names for clear ones. Other
/// columns are left out. Rows that are appended later are a table of their own, encrypted under the
/// same key: queries take any number of them.
pub struct Encryptor<'a> {
    key: &'a TableKey,
    info: TableInfo,
    arrow: SchemaRef,
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
        let info = TableInfo::new(schema.clone(), key.public_parts(), buckets, blocks)?;
        let params = info.families.keys().map(|f| (*f, key.secret(*f).params().clone()));
        let sizes = Sizes::with_params(schema, params.collect())?;
        let arrow = Arc::new(info.arrow(|family, part| sizes.bytes(family, part) as i32));
        Ok(Encryptor { key, info, arrow, arrangement, encrypted, clear })
    }

    /// Returns the Arrow schema of the encrypted table.
    pub fn arrow_schema(&self) -> SchemaRef {
        self.arrow.clone()
    }

    /// Returns the schema of the table.
    pub fn schema(&self) -> &Schema {
        self.key.schema()
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
        let arrow = &self.arrow;
        let rows = blocks.iter().map(|block| block.rows.len() as i32);
        // The checksums follow once the other columns are there.
        let rows: ArrayRef = Arc::new(rows.collect::<Int32Array>());
        let mut columns = vec![rows.clone(), rows];
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
        for values in &self.clear {
            columns.push(list(arrow, columns.len(), lengths(), take(values, &order, None)?)?);
        }
        for (description, values) in schema.encrypted.iter().zip(&self.encrypted) {
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

/// Reads the values of a column to encrypt.
fn checked_values(description: &EncryptedColumn, table: &RecordBatch) -> Result<Int64Array, Error> {
    let name = &description.name;
    let expected = "an integer column";
    let array = column(table, name, expected)?;
    let values = integers(array).ok_or_else(|| not_integers(name, array, 0, expected))?;
    if !description.nulls
        && let Some(row) = (0..values.len()).find(|&row| values.is_null(row))
    {
        return Err(Error::Null { row, column: name.clone() });
    }
    let [low, high] = description.limits();
    let outside = |&row: &usize| values.is_valid(row) && !(low..=high).contains(&values.value(row));
    if let Some(row) = (0..values.len()).find(outside) {
        return Err(Error::ValueOutOfRange { row, column: name.clone(), low, high });
    }
    Ok(values)
}

fn clear_columns(schema: &Schema, table: &RecordBatch) -> Result<Vec<ArrayRef>, Error> {
    let one = |description: &crate::ClearColumn| {
        let (name, kind) = (&description.name, description.kind);
        let array = column(table, name, kind.name())?;
        normalized(array, kind).ok_or_else(|| not_of_kind(name, array, 0, kind))
    };
    schema.clear.iter().map(one).collect()
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
