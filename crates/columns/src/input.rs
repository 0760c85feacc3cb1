//! Clear tables from CSV and Parquet files, for encryption.

use crate::array::{TWICE, column, type_error};
use crate::clear::clear_values;
use crate::stored::stored_values;
use crate::units::Units;
use crate::{ClearType, EncryptedType, Error, Schema, Width};
use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_select::concat::concat;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::metadata::ColumnChunkMetaData;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Reads the columns of a schema from a Parquet file, or from a CSV file with a line of names whose
/// empty cells are missing values. The extension `.csv` tells which; other columns are left out.
///
/// Parquet files may have no codec, or Snappy.
///
/// # Errors
/// [`Error::Unsupported`] for another codec;
/// [`Error::File`], [`Error::Csv`], [`Error::Parquet`]; [`Error::Type`] for a column that is
/// missing or of another type; [`Error::Cell`] for text that is no value.
pub fn read_table(path: &Path, schema: &Schema) -> Result<RecordBatch, Error> {
    schema.check()?;
    let file = File::open(path).map_err(|error| Error::file(path, error))?;
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) {
        return from_csv(file, schema);
    }
    from_parquet(file, schema)
}

fn from_parquet(file: File, schema: &Schema) -> Result<RecordBatch, Error> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
    // Columns that the schema leaves out are not decoded, so that they may have any codec.
    let fields = builder.schema().fields().iter().enumerate();
    let named = fields.filter(|(_, field)| schema.names().any(|name| name == field.name()));
    let mask = ProjectionMask::roots(builder.parquet_schema(), named.map(|(index, _)| index));
    for group in builder.metadata().row_groups() {
        let leaves = group.columns().iter().enumerate();
        let mut read = leaves.filter(|(leaf, _)| mask.leaf_included(*leaf));
        read.try_for_each(|(_, column)| check_codec(column))?;
    }
    let mut pieces: Vec<Vec<ArrayRef>> = vec![Vec::new(); schema.names().count()];
    let mut first = 0;
    for batch in builder.with_projection(mask).build()? {
        let batch = batch?;
        for (piece, (name, kind)) in pieces.iter_mut().zip(types(schema)) {
            let array = column(&batch, name, &kind.expected())?;
            piece.push(match kind {
                Kind::Encrypted(kind) => kind.array(stored_values(name, array, kind, first)?)?,
                Kind::Clear(kind) => clear_values(name, array, kind, first)?,
            });
        }
        first += batch.num_rows();
    }
    let mut columns = Vec::with_capacity(pieces.len());
    for ((name, kind), pieces) in types(schema).zip(pieces) {
        let pieces: Vec<_> = pieces.iter().map(AsRef::as_ref).collect();
        let joined = if pieces.is_empty() { Cells::new(kind).finish()? } else { concat(&pieces)? };
        columns.push((name, joined, true));
    }
    Ok(RecordBatch::try_from_iter_with_nullable(columns)?)
}

/// Refuses a codec that this build does not read.
fn check_codec(column: &ColumnChunkMetaData) -> Result<(), Error> {
    let codec = column.compression();
    if matches!(codec, Compression::UNCOMPRESSED | Compression::SNAPPY) {
        return Ok(());
    }
    Err(Error::Unsupported {
        operation: "reading",
        column: column.column_path().string(),
        reason: format!(
            "it is compressed with {codec}, which is not built in; write the file without \
             compression, with Snappy (in Python, `compression=\"snappy\"`), or as CSV"
        ),
    })
}

fn from_csv(file: File, schema: &Schema) -> Result<RecordBatch, Error> {
    let mut reader = csv::Reader::from_reader(file);
    let header = reader.headers()?.clone();
    let mut places = Vec::new();
    for (name, kind) in types(schema) {
        let place = header.iter().position(|own| own == name);
        let expected = &kind.expected();
        if header.iter().filter(|own| *own == name).count() > 1 {
            return Err(type_error(name, TWICE, expected));
        }
        places.push(place.ok_or_else(|| type_error(name, "missing", expected))?);
    }
    let mut cells: Vec<Cells> = types(schema).map(|(_, kind)| Cells::new(kind)).collect();
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record)? {
        for ((cells, &place), (name, _)) in cells.iter_mut().zip(&places).zip(types(schema)) {
            let text = record.get(place).unwrap_or_default();
            if !cells.push(text) {
                let line = record.position().map_or(0, csv::Position::line);
                let expected = cells.expected();
                return Err(Error::Cell { line, column: name.to_owned(), expected });
            }
        }
    }
    let columns = types(schema).zip(&mut cells).map(|((name, _), c)| Ok((name, c.finish()?, true)));
    Ok(RecordBatch::try_from_iter_with_nullable(columns.collect::<Result<Vec<_>, Error>>()?)?)
}

/// The type of a column.
#[derive(Clone, Copy)]
enum Kind {
    Encrypted(EncryptedType),
    Clear(ClearType),
}

impl Kind {
    fn expected(self) -> String {
        match self {
            Kind::Encrypted(kind) => kind.column(),
            Kind::Clear(kind) => kind.name().to_owned(),
        }
    }
}

/// Returns the names of all columns, and their types.
fn types(schema: &Schema) -> impl Iterator<Item = (&str, Kind)> {
    let encrypted = schema.encrypted.iter();
    let encrypted = encrypted.map(|own| (own.name.as_str(), Kind::Encrypted(own.kind)));
    encrypted.chain(schema.clear.iter().map(|own| (own.name.as_str(), Kind::Clear(own.kind))))
}

/// The cells of a column of text.
enum Cells {
    /// Encrypted ones, as stored integers, and clear integers and times.
    Int(Int64Builder, EncryptedType),
    Bool(BooleanBuilder),
    Float(Float64Builder),
    Text(StringBuilder),
}

impl Cells {
    fn new(kind: Kind) -> Cells {
        let integers = |kind| Cells::Int(Int64Builder::new(), kind);
        match kind {
            Kind::Encrypted(kind) => integers(kind),
            Kind::Clear(ClearType::Int64) => integers(EncryptedType::Int(Width::Int64)),
            Kind::Clear(ClearType::Date) => integers(EncryptedType::Date),
            Kind::Clear(ClearType::Timestamp(unit)) => integers(EncryptedType::Timestamp(unit)),
            Kind::Clear(ClearType::Bool) => Cells::Bool(BooleanBuilder::new()),
            Kind::Clear(ClearType::Float64) => Cells::Float(Float64Builder::new()),
            Kind::Clear(ClearType::Text) => Cells::Text(StringBuilder::new()),
        }
    }

    /// Appends a cell; returns false if the text is no value of the column.
    fn push(&mut self, text: &str) -> bool {
        /// Reads a cell, in which empty text is a missing value.
        fn cell<T>(text: &str, value: Option<T>, append: impl FnOnce(Option<T>)) -> bool {
            let is_cell = text.is_empty() || value.is_some();
            if is_cell {
                append(value);
            }
            is_cell
        }
        match self {
            Cells::Int(all, kind) => {
                let value = kind.parse(text.trim()).and_then(Units::whole);
                cell(text, value, |value| all.append_option(value))
            }
            Cells::Bool(all) => {
                cell(text, text.trim().parse().ok(), |value| all.append_option(value))
            }
            Cells::Float(all) => {
                cell(text, text.trim().parse().ok(), |value| all.append_option(value))
            }
            Cells::Text(all) => {
                all.append_option(Some(text).filter(|text| !text.is_empty()));
                true
            }
        }
    }

    fn expected(&self) -> String {
        match self {
            Cells::Int(_, kind) => kind.described(),
            Cells::Bool(_) => "true or false".to_owned(),
            Cells::Float(_) => "a number".to_owned(),
            Cells::Text(_) => "text".to_owned(),
        }
    }

    fn finish(&mut self) -> Result<ArrayRef, Error> {
        Ok(match self {
            Cells::Int(all, kind) => kind.array(all.finish())?,
            Cells::Bool(all) => Arc::new(all.finish()),
            Cells::Float(all) => Arc::new(all.finish()),
            Cells::Text(all) => Arc::new(all.finish()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::basic::ZstdLevel;
    use parquet::schema::parser::parse_message_type;
    use parquet::schema::types::SchemaDescriptor;

    #[test]
    fn a_codec_that_is_not_built_in_is_refused_with_the_remedy() {
        let schema = parse_message_type("message m { required int32 age; }").unwrap();
        let schema = SchemaDescriptor::new(Arc::new(schema));
        let column = |codec| {
            let column = ColumnChunkMetaData::builder(schema.column(0)).set_compression(codec);
            check_codec(&column.build().unwrap())
        };
        column(Compression::UNCOMPRESSED).unwrap();
        column(Compression::SNAPPY).unwrap();
        let refused = column(Compression::ZSTD(ZstdLevel::default())).unwrap_err().to_string();
        assert!(refused.contains("age") && refused.contains("snappy"), "{refused}");
    }
}
