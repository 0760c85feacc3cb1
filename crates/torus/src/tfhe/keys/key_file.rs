//! Files of expanded evaluation keys, from which a server starts without expanding seeds.
//!
//! A file is a header of one page and the rows of the keys as they lie in memory, each from the
//! start of a page on. It is read in parallel into memory of huge pages. It is not mapped: the
//! blind rotation reads the whole key, and with the ordinary pages of a mapped file every bootstrap
//! would take longer (docs/decisions/0008-key-files-are-read.md).

use super::automorphism_keys::{AutomorphismKeys, AutomorphismShape};
use super::evaluation_keys::switch_shape;
use super::expand_rows::RowExpander;
use super::key_source::Source;
use crate::KeyId;
use crate::tfhe::keys::table_shape::table_shape;
use crate::tfhe::{Error, EvaluationKeys, Params};
use crate::threads::share;
use crate::whole_file::{NotWritten, Replaces, WholeFile};
use crate::wire::WireError;
use crate::wire::frame::mismatch;
use crate::wire::reader::Reader;
use fathom_ring::{IntegerRow, KeySwitchTable, SwitchKey, TorusRing};
use std::io::Write;
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
    /// Several processes may write the same file: it is that of one of them. A file of another kind
    /// is not replaced.
    ///
    /// The file holds nothing secret. It takes about [`EvaluationKeys::byte_len`] bytes, and
    /// suits CPUs of this byte order and the version of the library that wrote it. A process that
    /// is killed leaves a file behind whose name ends in `.part-` and a number.
    ///
    /// # Errors
    /// [`Error::File`] if the system refuses to write, or a file of another kind is there.
    pub fn write_to(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let not_written = |error: NotWritten| refused(path, &error.source);
        let mut file = WholeFile::replace(path, Replaces::Starting(&MAGIC)).map_err(not_written)?;
        self.write_rows(&mut file).map_err(|error| refused(path, &error))?;
        file.finish().map_err(not_written)
    }

    /// Encodes the expanded keys as in a file ([`EvaluationKeys::write_to`]), for other stores.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(file_len(self.rows().iter().map(|row| row.len())));
        self.write_rows(&mut bytes).expect("memory takes any number of bytes");
        bytes
    }

    /// Reads the keys of a file that [`EvaluationKeys::write_to`] wrote, on several
    /// [threads](crate::tfhe#threads).
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
        let file = Source::open(path).map_err(|error| refused(path, &error))?;
        EvaluationKeys::from_source(params, &file, |error| refused(path, &error))
    }

    /// Reads the bytes that [`EvaluationKeys::to_bytes`] returned, or those of a file; as
    /// [`EvaluationKeys::read_from`].
    ///
    /// # Errors
    /// As [`EvaluationKeys::read_from`], but for the file.
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<EvaluationKeys, Error> {
        let in_memory = |error| refused(Path::new("bytes in memory"), &error);
        EvaluationKeys::from_source(params, &Source::Bytes(bytes), in_memory)
    }

    fn from_source(
        params: &Params,
        source: &Source<'_>,
        refused: impl Fn(std::io::Error) -> Error + Copy,
    ) -> Result<EvaluationKeys, Error> {
        let got = source.len().map_err(refused)?;
        if got < PAGE {
            return Err(WireError::Truncated { needed: PAGE, got }.into());
        }
        let mut header = [0; PAGE];
        source.read_at(0, &mut header).map_err(refused)?;
        let (key_id, unit) = check_header(params, &header)?;
        let shape = table_shape(params).unwrap_or(AutomorphismShape::NONE);
        let ring = TorusRing::new(params.spec().degree)?;
        let switch_table = KeySwitchTable::new(switch_shape(params));
        let lengths = lengths(params, &switch_table, &shape);
        let needed = file_len(lengths.iter().copied());
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
        let hash = read_rows(source, rows, &header[..FIELDS]).map_err(refused)?;
        if hash != header[FIELDS..FIELDS + HASH] {
            return Err(WireError::Checksum.into());
        }
        let switch = SwitchKey::from_spectra(switch, unit);
        let automorphisms = AutomorphismKeys::from_spectra(params, &shape, spectra);
        let params = params.clone();
        Ok(EvaluationKeys { params, key_id, ring, rotation, switch_table, switch, automorphisms })
    }

    /// Writes the header and the rows.
    fn write_rows(&self, out: &mut impl Write) -> std::io::Result<()> {
        let (rows, fields) = (self.rows(), self.fields());
        let chunks: Vec<&[u8]> = rows.iter().flat_map(|row| row.chunks(CHUNK)).collect();
        let hash = joined(&fields, &share(chunks.iter(), || (), |(), chunk| blake3::hash(chunk)));
        out.write_all(&[&fields[..], &hash, &[0; PAGE - FIELDS - HASH]].concat())?;
        for row in rows {
            out.write_all(row)?;
            out.write_all(&[0; PAGE][..row.len().next_multiple_of(PAGE) - row.len()])?;
        }
        Ok(())
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
        return Err(WireError::Version { got: version, reads: VERSION }.into());
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

/// Returns the length of a file with rows of these lengths.
fn file_len(rows: impl Iterator<Item = usize>) -> usize {
    rows.fold(PAGE, |sum, len| sum + len.next_multiple_of(PAGE))
}

/// Fills the rows from the source, and returns the hash of the fields and the rows.
fn read_rows(
    source: &Source<'_>,
    rows: Vec<&mut [u8]>,
    fields: &[u8],
) -> std::io::Result<[u8; HASH]> {
    let mut start = PAGE;
    let chunks: Vec<(usize, &mut [u8])> = rows
        .into_iter()
        .flat_map(|row| {
            let first = start;
            start += row.len().next_multiple_of(PAGE);
            row.chunks_mut(CHUNK).enumerate().map(move |(i, chunk)| (first + i * CHUNK, chunk))
        })
        .collect();
    let read = |(): &mut (), (offset, chunk): (usize, &mut [u8])| {
        source.read_at(offset, chunk).map(|()| blake3::hash(chunk))
    };
    let hashes = share(chunks.into_iter(), || (), read);
    let hashes = hashes.into_iter().collect::<std::io::Result<Vec<_>>>()?;
    Ok(joined(fields, &hashes))
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
