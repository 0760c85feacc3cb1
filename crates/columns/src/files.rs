//! Encrypted tables in Parquet files.
//!
//! Ciphertexts are stored plain: no codec compresses them. Clear columns use dictionaries and run
//! lengths, and have statistics. No column has a codec, and pages, groups and dictionaries are
//! bounded, so that a reader decodes at most 64 blocks of values at a time; texts that repeat
//! through a dictionary count each time.
//!
//! Files appear whole or not at all, and replace only files of their own kind.

use crate::clear::ClearValues;
use crate::layout::ROWS;
use crate::stored::stored_values;
use crate::{
    EncryptedResult, EncryptedType, Encryptor, Error, EvaluationKeys, Query, Schema, Server,
    TABLE_METADATA, TableKey,
};
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use fathom_base::whole_file::{Replaces, WholeFile};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::Compression;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnPath;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The most blocks of a row group.
const GROUP_BLOCKS: usize = 64;
/// Blocks of a row group where encrypted values are compared: a block has tens of megabytes.
const COMPARED_GROUP_BLOCKS: usize = 4;
/// The most blocks of a file that is read: 2^32 rows.
const MOST_BLOCKS: i64 = 1 << 20;

/// Encrypts a table to a Parquet file. `progress` is told the number of blocks that are written.
///
/// The file is written beside the path and gets its name when it is whole. It replaces an encrypted
/// table; any other file there, such as a key or a clear table, stays.
///
/// # Errors
/// [`Error::File`], also for a file that is not replaced; [`Error::Parquet`]; those of
/// [`Encryptor::blocks`]. An earlier table is then unchanged.
pub fn write(
    path: &Path,
    encryptor: &Encryptor<'_>,
    mut progress: impl FnMut(usize),
) -> Result<(), Error> {
    let group = group_blocks(encryptor.schema());
    let mut file = TableFile::create(path, encryptor.arrow_schema(), group)?;
    let count = encryptor.block_count();
    for first in (0..count).step_by(group) {
        let end = count.min(first + group);
        file.writer.write(&encryptor.blocks(first..end)?)?;
        progress(end);
    }
    file.finish()
}

/// A file of an encrypted table that gets its name when it is whole.
struct TableFile {
    schema: SchemaRef,
    writer: ArrowWriter<WholeFile>,
}

impl TableFile {
    fn create(path: &Path, schema: SchemaRef, group: usize) -> Result<TableFile, Error> {
        let file = WholeFile::replace(path, Replaces::Starting(b"PAR1"))?;
        check_replaced(path)?;
        let properties = properties(&schema, group);
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties))?;
        Ok(TableFile { schema, writer })
    }

    fn finish(mut self) -> Result<(), Error> {
        // Tools that do not read the Arrow schema find the metadata of the table here.
        let metadata = self.schema.metadata().get(TABLE_METADATA).cloned();
        let pair = KeyValue::new(TABLE_METADATA.to_owned(), metadata);
        self.writer.append_key_value_metadata(pair);
        Ok(self.writer.into_inner()?.finish()?)
    }
}

/// Refuses to replace a Parquet file that is no encrypted table: it may be the only clear one.
fn check_replaced(path: &Path) -> Result<(), Error> {
    let is_empty = |file: &File| file.metadata().is_ok_and(|found| found.len() == 0);
    let Some(file) = File::open(path).ok().filter(|file| !is_empty(file)) else { return Ok(()) };
    let is_special = file.metadata().is_ok_and(|found| !found.is_file());
    let is_table = || {
        let reader = SerializedFileReader::new(file).ok()?;
        let pairs = reader.metadata().file_metadata().key_value_metadata()?;
        Some(pairs.iter().any(|pair| pair.key == TABLE_METADATA))
    };
    if is_special || is_table() == Some(true) {
        return Ok(());
    }
    let text = "a file that is no encrypted table is there, and stays as it is; name another file, \
                or move this one away";
    Err(Error::file(path, std::io::Error::new(std::io::ErrorKind::AlreadyExists, text)))
}

/// Opens a file for an encrypted result, which replaces an earlier result and no other file. It
/// appears when [`WholeFile::write_whole`] has written all of it.
///
/// # Errors
/// [`Error::File`], also for a file that is not replaced.
pub fn create_result(path: &Path) -> Result<WholeFile, Error> {
    Ok(WholeFile::replace(path, Replaces::Starting(crate::result::MAGIC_START))?)
}

/// Returns the blocks of a row group.
fn group_blocks(schema: &Schema) -> usize {
    if schema.block_rows() == ROWS { GROUP_BLOCKS } else { COMPARED_GROUP_BLOCKS }
}

fn properties(schema: &SchemaRef, group: usize) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::UNCOMPRESSED)
        .set_max_row_group_row_count(Some(group));
    for field in schema.fields() {
        if matches!(field.data_type(), DataType::FixedSizeBinary(_)) {
            let column = ColumnPath::from(field.name().as_str());
            properties = properties
                .set_column_dictionary_enabled(column.clone(), false)
                .set_column_statistics_enabled(column, EnabledStatistics::None);
        }
    }
    properties.build()
}

/// A Parquet file with an encrypted table, whose metadata has been checked.
pub struct EncryptedFile {
    /// The file that was checked: another one at its path is not read.
    file: File,
    server: Server,
}

impl EncryptedFile {
    /// Opens a file and checks that it holds an encrypted table, and that no page of it makes a
    /// reader allocate more values than 64 blocks hold. The file stays open: one that replaces it
    /// at its path is not read.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::Parquet`] and [`Error::Malformed`] for a file that is none, or was
    /// written with a codec; [`Error::Fathom`] for its parameters.
    pub fn open(path: &Path) -> Result<EncryptedFile, Error> {
        let file = File::open(path).map_err(|error| Error::file(path, error))?;
        guarded(|| {
            let server = Server::open(builder(&file)?.schema())?;
            check_pages(&file, server.schema().block_rows())?;
            Ok(EncryptedFile { file, server })
        })
    }

    /// Gives the server of the table its evaluation keys, for predicates on encrypted columns.
    ///
    /// # Errors
    /// [`Error::OtherKey`] for keys of another table.
    pub fn with_evaluation_keys(self, keys: &EvaluationKeys) -> Result<EncryptedFile, Error> {
        Ok(EncryptedFile { server: self.server.with_evaluation_keys(keys)?, ..self })
    }

    /// Returns the server of the table.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Answers a query on all blocks, reading only the columns that it needs. `progress` is told
    /// the number of blocks that are done.
    ///
    /// # Errors
    /// Those of [`Server::start`] and [`Computation::push`](crate::Computation::push);
    /// [`Error::Parquet`].
    pub fn run(
        &self,
        query: &Query,
        mut progress: impl FnMut(usize),
    ) -> Result<EncryptedResult, Error> {
        let needed = self.server.columns(query)?;
        let mut computation = self.server.start(query)?;
        guarded(|| {
            let builder = builder(&self.file)?;
            let roots = (builder.schema().fields().iter().enumerate())
                .filter(|(_, field)| needed.contains(field.name()))
                .map(|(index, _)| index)
                .collect::<Vec<_>>();
            let batch = group_blocks(self.server.schema());
            let mask = ProjectionMask::roots(builder.parquet_schema(), roots);
            let reader: ParquetRecordBatchReader =
                builder.with_projection(mask).with_batch_size(batch).build()?;
            for batch in reader {
                let batch: RecordBatch = batch?;
                computation.push(&batch)?;
                progress(computation.block_count());
            }
            computation.finish()
        })
    }
}

impl EncryptedFile {
    /// Decrypts all rows of the table and gives them to `write` as CSV, batch by batch, after a
    /// line of names. [`read_table`](crate::read_table) reads that text again, but for empty texts,
    /// which are missing values there. `progress` is told the number of blocks that are done.
    ///
    /// # Errors
    /// Those of [`TableKey::read_rows`] and [`RowReader`](crate::RowReader); [`Error::Parquet`].
    /// The rows written before an error are right.
    pub fn decrypt_rows(
        &self,
        key: &TableKey,
        mut write: impl FnMut(&[u8]),
        mut progress: impl FnMut(usize),
    ) -> Result<(), Error> {
        guarded(|| {
            let builder = builder(&self.file)?;
            let mut reader = key.read_rows(builder.schema())?;
            let schema = reader.schema();
            let mut text = csv::Writer::from_writer(Vec::new());
            text.write_record(schema.fields().iter().map(|field| field.name()))?;
            let blocks = builder.with_batch_size(group_blocks(self.server.schema())).build()?;
            let mut done = 0;
            for batch in blocks {
                let batch = batch?;
                let rows = reader.push(&batch)?;
                let columns = Shown::of(&rows, self.server.schema())?;
                for row in 0..rows.num_rows() {
                    text.write_record(columns.iter().map(|column| column.cell(row)))?;
                }
                text.flush().map_err(csv::Error::from)?;
                write(text.get_ref());
                text = csv::Writer::from_writer(Vec::new());
                done += batch.num_rows();
                progress(done);
            }
            reader.finish()?;
            write(&text.into_inner().unwrap_or_default());
            Ok(())
        })
    }
}

impl EncryptedFile {
    /// Encrypts the table under another key of the same schema to another file, as by [`write()`].
    /// `progress` is told the number of blocks that are written.
    ///
    /// # Errors
    /// Those of [`TableKey::rekey`], [`Rekeyer::push`](crate::Rekeyer::push) and [`write()`].
    pub fn rekey(
        &self,
        key: &TableKey,
        new_key: &TableKey,
        path: &Path,
        mut progress: impl FnMut(usize),
    ) -> Result<(), Error> {
        guarded(|| {
            let builder = builder(&self.file)?;
            let mut rekeyer = key.rekey(builder.schema(), new_key)?;
            let group = group_blocks(self.server.schema());
            let mut file = TableFile::create(path, rekeyer.arrow_schema(), group)?;
            let mut done = 0;
            for batch in builder.with_batch_size(group).build()? {
                let batch = batch?;
                file.writer.write(&rekeyer.push(&batch)?)?;
                done += batch.num_rows();
                progress(done);
            }
            rekeyer.finish()?;
            file.finish()
        })
    }
}

/// A column of rows, as text.
enum Shown {
    Encrypted(Int64Array, EncryptedType),
    Clear(ClearValues),
}

impl Shown {
    /// Reads the columns of rows, encrypted ones first.
    fn of(rows: &RecordBatch, schema: &Schema) -> Result<Vec<Shown>, Error> {
        let columns = rows.columns().iter().zip(schema.names()).enumerate();
        let shown = |(number, (column, name)): (usize, (&ArrayRef, &str))| {
            if let Some(own) = schema.encrypted.get(number) {
                return Ok(Shown::Encrypted(stored_values(name, column, own.kind, 0)?, own.kind));
            }
            let values = ClearValues::of(column).map(Shown::Clear);
            values.ok_or_else(|| Error::malformed("a block", "a clear column has no clear type"))
        };
        columns.map(shown).collect()
    }

    /// Returns a cell; a missing value is empty.
    fn cell(&self, row: usize) -> String {
        match self {
            Shown::Encrypted(stored, _) if stored.is_null(row) => String::new(),
            Shown::Encrypted(stored, kind) => kind.show(stored.value(row)),
            Shown::Clear(values) => values.text(row),
        }
    }
}

fn builder(file: &File) -> Result<ParquetRecordBatchReaderBuilder<File>, Error> {
    Ok(ParquetRecordBatchReaderBuilder::try_new(copied(file)?)?)
}

/// Returns another handle of an open file.
fn copied(file: &File) -> Result<File, Error> {
    file.try_clone().map_err(|error| Error::file(Path::new("an open file"), error))
}

/// Refuses codecs, pages with more values than blocks have rows, and dictionaries of more values
/// than they have bits.
fn check_pages(file: &File, block_rows: usize) -> Result<(), Error> {
    let reader = SerializedFileReader::new(copied(file)?)?;
    let metadata: &ParquetMetaData = reader.metadata();
    let refuse = |reason: &str| Err(Error::malformed("an encrypted file", reason));
    if !(0..=MOST_BLOCKS).contains(&metadata.file_metadata().num_rows()) {
        return refuse("it states more than 2^20 blocks");
    }
    for (number, group) in metadata.row_groups().iter().enumerate() {
        if !(0..=GROUP_BLOCKS as i64).contains(&group.num_rows()) {
            return refuse("a row group states more than 64 blocks");
        }
        let blocks = group.num_rows() as u64;
        let most = blocks * block_rows as u64;
        let pages = reader.get_row_group(number)?;
        for (index, column) in group.columns().iter().enumerate() {
            if column.compression() != Compression::UNCOMPRESSED {
                return refuse("a column has a codec; write it without compression");
            }
            let mut pages = pages.get_column_page_reader(index)?;
            let mut values = 0u64;
            while let Some(page) = pages.peek_next_page()? {
                if page.is_dict {
                    let Some(page) = pages.get_next_page()? else { break };
                    // The reader makes room for as many values before it decodes them.
                    if page.num_values() as usize > 8 * page.buffer().len() {
                        return refuse("a dictionary has more values than bits");
                    }
                    continue;
                }
                let own = page.num_levels.or(page.num_rows).unwrap_or(0);
                values = values.saturating_add(own as u64);
                if values > most.max(blocks) {
                    return refuse("a page has more values than the blocks have rows");
                }
                pages.skip_next_page()?;
            }
        }
    }
    Ok(())
}

/// Turns a panic of the Parquet reader, which files of strangers may find, into an error.
fn guarded<T>(read: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(Error::malformed("an encrypted file", "its pages contradict its metadata"))
    })
}
