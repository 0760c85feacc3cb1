//! Checksums that bind the cells of a table to their places.
//!
//! Every block has a checksum for each of its columns, the numbers of its rows included: those in
//! the clear and those of ciphertexts. It covers the name of the column, the number of the block
//! and the content, and it is keyed with the metadata of the table: its identifier, schema,
//! parameters and keys. A cell of another column, block or table of the same key is therefore not
//! taken for one of this place, although its ciphertext is intact. Readers check the columns that
//! they read.
//!
//! The key of the checksums is public, so that servers check them. Whoever writes a file can write
//! those of any content: they find mistakes, not forgeries.

use crate::Error;
use crate::clear::ClearValues;
use crate::container::hex;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef};
use std::collections::BTreeSet;

/// Bytes of a checksum.
pub(crate) const BYTES: usize = 16;

/// Checksums of one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checksums([u8; 32]);

impl Checksums {
    /// Makes the checksums of the table with this metadata.
    pub(crate) fn of_table(metadata: &str) -> Checksums {
        Checksums(blake3::derive_key("fathom 1 columns checksum", metadata.as_bytes()))
    }

    /// Returns the checksum of the metadata themselves, in hexadecimal.
    pub(crate) fn of_metadata(self) -> String {
        hex(&blake3::keyed_hash(&self.0, b"metadata").as_bytes()[..BYTES])
    }

    /// Returns the checksum of the values of a column in the block of this number.
    ///
    /// # Errors
    /// [`Error::Malformed`] for an array of a type that no column has.
    pub(crate) fn of_values(
        self,
        name: &str,
        block: usize,
        values: &ArrayRef,
    ) -> Result<[u8; BYTES], Error> {
        let mut bytes = Vec::with_capacity(24 + 9 * values.len());
        bytes.extend((block as u64).to_le_bytes());
        bytes.extend((name.len() as u64).to_le_bytes());
        bytes.extend(name.as_bytes());
        bytes.extend((values.len() as u64).to_le_bytes());
        let refuse = || Error::malformed("a block", format!("column {name:?} has no stored type"));
        if let Some(frames) = values.as_fixed_size_binary_opt() {
            append(&mut bytes, frames.iter(), |bytes, frame| {
                bytes.extend((frame.len() as u64).to_le_bytes());
                bytes.extend(frame);
            });
        } else if let Some(values) = values.as_primitive_opt::<Int32Type>() {
            append(&mut bytes, values.iter(), |bytes, value| bytes.extend(value.to_le_bytes()));
        } else {
            match ClearValues::of(values).ok_or_else(refuse)? {
                ClearValues::Bool(values) => {
                    append(&mut bytes, values.iter(), |bytes, value| bytes.push(value.into()));
                }
                ClearValues::Int(values) | ClearValues::Time(values, _) => {
                    append(&mut bytes, values.iter(), |all, value| all.extend(value.to_le_bytes()));
                }
                ClearValues::Float(values) => append(&mut bytes, values.iter(), |all, value| {
                    all.extend(value.to_bits().to_le_bytes());
                }),
                ClearValues::Text(values) => append(&mut bytes, values.iter(), |all, value| {
                    all.extend((value.len() as u64).to_le_bytes());
                    all.extend(value.as_bytes());
                }),
            }
        }
        let hash = blake3::keyed_hash(&self.0, &bytes);
        let (checksum, _) = hash.as_bytes().split_first_chunk().expect("a hash has 32 bytes");
        Ok(*checksum)
    }
}

/// The checksums that a reader of some columns checks, in every block before it uses one.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    checksums: Checksums,
    /// Numbers and names of the columns.
    columns: Vec<(usize, String)>,
}

impl Checked {
    /// Selects those of the columns of a table, in the order of their checksums, that are among
    /// `needed`.
    pub(crate) fn new(
        checksums: Checksums,
        all: Vec<String>,
        needed: &BTreeSet<String>,
    ) -> Checked {
        let columns = all.into_iter().enumerate().filter(|(_, name)| needed.contains(name));
        Checked { checksums, columns: columns.collect() }
    }

    /// Refuses cells of the block of this number that do not fit the stored checksums.
    ///
    /// # Errors
    /// [`Error::Misplaced`] with the column of the first such cell.
    pub(crate) fn check<'a>(
        &self,
        stored: &[u8],
        block: usize,
        values: impl Fn(&str) -> Result<ArrayRef, Error> + 'a,
    ) -> Result<(), Error> {
        for (number, name) in &self.columns {
            let own = stored.chunks(BYTES).nth(*number);
            if own != Some(&self.checksums.of_values(name, block, &values(name)?)?) {
                return Err(Error::Misplaced { column: name.clone(), block });
            }
        }
        Ok(())
    }
}

/// Returns the content of a column in one block.
pub(crate) fn values_of(column: &ArrayRef, block: usize) -> ArrayRef {
    match column.as_list_opt::<i32>() {
        Some(lists) => lists.value(block),
        None => column.slice(block, 1),
    }
}

/// Appends values, each after a byte that says whether it is there.
fn append<T>(
    bytes: &mut Vec<u8>,
    values: impl Iterator<Item = Option<T>>,
    encode: impl Fn(&mut Vec<u8>, T),
) {
    for value in values {
        bytes.push(u8::from(value.is_some()));
        if let Some(value) = value {
            encode(bytes, value);
        }
    }
}
