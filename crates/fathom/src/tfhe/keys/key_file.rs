//! Files of expanded evaluation keys, from which a server starts without expanding seeds.
//!
//! A file is a header of one page and the rows of the keys as they lie in memory, each from the
//! start of a page on. It is read in parallel into memory of huge pages. It is not mapped: the
//! blind rotation reads the whole key, and with the ordinary pages of a mapped file every bootstrap
//! would take longer (docs/decisions/0008-key-files-are-read.md).

use super::automorphism_keys::{AutomorphismKeys, AutomorphismShape};
use super::evaluation_keys::switch_shape;
use super::expand_rows::RowExpander;
use crate::KeyId;
use crate::tfhe::table::table_shape::table_shape;
use crate::tfhe::{Error, EvaluationKeys, Params};
use crate::threads::prelude::*;
use crate::wire::WireError;
use crate::wire::frame::mismatch;
use crate::wire::reader::Reader;
use fathom_ring::{IntegerRow, KeySwitchTable, SwitchKey, TorusRing};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

const MAGIC: [u8; 8] = *b"FATHOMEK";

/// The version of the layout of keys in memory and in files. A test pins the layout.
const VERSION: u16 = 1;

/// Rows are in the byte order of the CPU, in which this number stands in the header.
const BYTE_ORDER: u16 = 0x0102;

/// Rows start at multiples of this, and the header takes as many bytes.
const PAGE: usize = 4096;

/// The number of bytes that a thread reads and hashes at a time.
const CHUNK: usize = 4 << 20;

/// The length of a BLAKE3 hash.
const HASH: usize = 32;

/// The length of the fields of the header, without the hash that follows them.
const FIELDS: usize = MAGIC.len() + 2 + 2 + 32 + 16 + 8;

impl EvaluationKeys {
    /// Writes the expanded keys to a file, which replaces an older one only when it is complete.
    ///
    /// The file holds nothing secret. It takes about [`EvaluationKeys::byte_len`] bytes, and
    /// suits CPUs of this byte order and the version of the library that wrote it.
    ///
    /// # Errors
    /// [`Error::File`] if the system refuses to write.
    pub fn write_to(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let part = path.with_added_extension("part");
        let write = || -> std::io::Result<()> {
            let mut file = File::create(&part)?;
            let rows = self.rows();
            let fields = self.fields();
            let chunks: Vec<&[u8]> = rows.iter().flat_map(|row| row.chunks(CHUNK)).collect();
            let hashes: Vec<_> = chunks.par_iter().map(|chunk| blake3::hash(chunk)).collect();
            let hash = joined(&fields, &hashes);
            file.write_all(&[&fields[..], &hash, &[0; PAGE - FIELDS - HASH]].concat())?;
            for row in rows {
                file.write_all(row)?;
                file.write_all(&[0; PAGE][..row.len().next_multiple_of(PAGE) - row.len()])?;
            }
            file.sync_all()?;
            fs::rename(&part, path)
        };
        write().map_err(|error| refused(path, &error))
    }

    /// Reads the keys of a file that [`EvaluationKeys::write_to`] wrote, on all threads of the
    /// current rayon pool.
    ///
    /// The file is compared with its checksum, which detects accidental errors. As with every
    /// evaluation key, nothing proves who made it.
    ///
    /// # Errors
    /// [`Error::File`] if the system refuses to read; [`Error::ParamsMismatch`] if it belongs to
    /// other parameters; [`WireError::Magic`], [`WireError::Version`], [`WireError::Truncated`],
    /// [`WireError::TrailingBytes`], [`WireError::Malformed`] or [`WireError::Checksum`] if it is
    /// not such a file of this version, or damaged; [`Error::Ring`] if the kernel named in the
    /// environment does not exist.
    pub fn read_from(params: &Params, path: impl AsRef<Path>) -> Result<EvaluationKeys, Error> {
        let path = path.as_ref();
        let io = |error: std::io::Error| refused(path, &error);
        let mut file = File::open(path).map_err(io)?;
        let got = usize::try_from(file.metadata().map_err(io)?.len()).unwrap_or(usize::MAX);
        if got < PAGE {
            return Err(WireError::Truncated { needed: PAGE, got }.into());
        }
        let mut header = [0; PAGE];
        file.read_exact(&mut header).map_err(io)?;
        let (key_id, unit) = check_header(params, &header)?;
        let shape = table_shape(params).unwrap_or(AutomorphismShape::NONE);
        let ring = TorusRing::new(params.spec().degree)?;
        let switch_table = KeySwitchTable::new(switch_shape(params));
        let lengths = lengths(params, &switch_table, &shape);
        let needed = lengths.iter().fold(PAGE, |sum, len| sum + len.next_multiple_of(PAGE));
        if got < needed {
            return Err(WireError::Truncated { needed, got }.into());
        }
        if got > needed {
            return Err(WireError::TrailingBytes { extra: got - needed }.into());
        }
        let mut rotation = RowExpander::new(params, &ring).empty_key();
        let mut switch = IntegerRow::zeroed(switch_table.key_len());
        let mut spectra = AutomorphismKeys::empty_spectra(params, &shape);
        let mut rows = vec![rotation.as_bytes_mut(), switch.as_bytes_mut()];
        rows.extend(spectra.iter_mut().map(fathom_ring::AlignedRow::as_bytes_mut));
        debug_assert!(rows.iter().map(|row| row.len()).eq(lengths));
        let hash = read_rows(path, rows, &header[..FIELDS])?;
        if hash != header[FIELDS..FIELDS + HASH] {
            return Err(WireError::Checksum.into());
        }
        let switch = SwitchKey::from_spectra(switch, unit);
        let automorphisms = AutomorphismKeys::from_spectra(params, &shape, spectra);
        let params = params.clone();
        Ok(EvaluationKeys { params, key_id, ring, rotation, switch_table, switch, automorphisms })
    }

    /// Returns the rows in the order of the file.
    fn rows(&self) -> Vec<&[u8]> {
        let mut rows = vec![self.rotation.as_bytes(), self.switch.spectra().as_bytes()];
        rows.extend(self.automorphisms.spectra().map(fathom_ring::AlignedRow::as_bytes));
        rows
    }

    /// Returns the fields of the header.
    fn fields(&self) -> Vec<u8> {
        let mut fields = Vec::with_capacity(FIELDS);
        fields.extend(MAGIC);
        fields.extend(VERSION.to_le_bytes());
        fields.extend(BYTE_ORDER.to_ne_bytes());
        fields.extend(self.params.id());
        fields.extend(self.key_id.to_bytes());
        fields.extend(self.switch.unit().to_le_bytes());
        debug_assert_eq!(fields.len(), FIELDS);
        fields
    }
}

/// Returns the length in bytes of each row.
fn lengths(params: &Params, table: &KeySwitchTable, shape: &AutomorphismShape) -> Vec<usize> {
    let rotation = 8 * params.steps() * params.product_shape().step_len();
    let mut lengths = vec![rotation, 4 * table.key_len()];
    let rank = params.spec().rank;
    let automorphism = 8 * (rank + 1) * rank * shape.digits.levels * params.spec().degree;
    lengths.extend((0..shape.doublings).map(|_| automorphism));
    lengths
}

/// Checks the header and returns the key's identifier and the unit of the key-switching key.
fn check_header(params: &Params, header: &[u8; PAGE]) -> Result<(KeyId, f64), Error> {
    let mut fields = Reader::new(header);
    if fields.array()? != MAGIC {
        return Err(WireError::Magic.into());
    }
    let version = fields.u16()?;
    if version != VERSION {
        return Err(WireError::Version { got: version }.into());
    }
    if u16::from_ne_bytes(fields.array()?) != BYTE_ORDER {
        return Err(WireError::Malformed { field: "byte order" }.into());
    }
    let params_id = fields.array()?;
    if params_id != params.id() {
        return Err(mismatch(&params.id(), &params_id));
    }
    let key_id = KeyId::from_bytes(fields.array()?);
    let key_id = key_id.ok_or(WireError::Malformed { field: "key id" })?;
    let unit = f64::from_le_bytes(fields.array()?);
    if !(unit.is_normal() && unit > 0.0) {
        return Err(WireError::Malformed { field: "unit" }.into());
    }
    if header[FIELDS + HASH..].iter().any(|&byte| byte != 0) {
        return Err(WireError::Malformed { field: "filling" }.into());
    }
    Ok((key_id, unit))
}

/// Fills the rows from the file, and returns the hash of the fields and the rows.
fn read_rows(path: &Path, rows: Vec<&mut [u8]>, fields: &[u8]) -> Result<[u8; HASH], Error> {
    let mut start = PAGE;
    let mut chunks: Vec<(usize, &mut [u8])> = rows
        .into_iter()
        .flat_map(|row| {
            let first = start;
            start += row.len().next_multiple_of(PAGE);
            row.chunks_mut(CHUNK).enumerate().map(move |(i, chunk)| (first + i * CHUNK, chunk))
        })
        .collect();
    let read = |(offset, chunk): &mut (usize, &mut [u8])| -> std::io::Result<blake3::Hash> {
        // Every thread has a position of its own in the file.
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(*offset as u64))?;
        file.read_exact(chunk)?;
        Ok(blake3::hash(chunk))
    };
    let hashes = chunks.par_chunks_mut(1).map(|chunk| read(&mut chunk[0]));
    let hashes: std::io::Result<Vec<_>> = hashes.collect();
    Ok(joined(fields, &hashes.map_err(|error| refused(path, &error))?))
}

/// Returns the hash of the fields and of the hashes of the rows' chunks.
fn joined(fields: &[u8], hashes: &[blake3::Hash]) -> [u8; HASH] {
    let mut hasher = blake3::Hasher::new_derive_key("fathom 1 key file");
    hasher.update(fields);
    for hash in hashes {
        hasher.update(hash.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

fn refused(path: &Path, error: &std::io::Error) -> Error {
    Error::File { path: path.display().to_string(), reason: error.to_string() }
}
