//! Results as a table in Apache Parquet: a row for each case.

use std::sync::Arc;

use fathom_cases::record::{Case, Context, TimeNs};
use parquet::basic::{ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

/// The values of a column; `None` is null.
enum Values {
    Text(Vec<Option<String>>),
    Integers(Vec<Option<u64>>),
    Reals(Vec<Option<f64>>),
}

struct Column {
    name: &'static str,
    values: Values,
}

/// Returns the cases as a Parquet file: a row for each, the figures that comparisons need as
/// columns, and the whole record as JSON.
pub(super) fn file(context: Option<&Context>, cases: &[&Case]) -> Vec<u8> {
    written(&columns(context, cases)).expect("columns of the schema fit into memory")
}

fn written(columns: &[Column]) -> Result<Vec<u8>> {
    let fields = columns.iter().map(|column| column.schema().map(Arc::new));
    let schema = Type::group_type_builder("case").with_fields(fields.collect::<Result<_>>()?);
    let properties = WriterProperties::builder()
        .set_created_by(concat!("fathom ", env!("CARGO_PKG_VERSION")).into())
        .build();
    let mut out = Vec::new();
    let mut file =
        SerializedFileWriter::new(&mut out, Arc::new(schema.build()?), Arc::new(properties))?;
    let mut rows = file.next_row_group()?;
    for column in columns {
        let mut writer = rows.next_column()?.expect("the schema has this column");
        column.write(&mut writer)?;
        writer.close()?;
    }
    rows.close()?;
    file.close()?;
    Ok(out)
}

fn columns(context: Option<&Context>, cases: &[&Case]) -> Vec<Column> {
    let text = |name, value: &dyn Fn(&Case) -> Option<String>| Column {
        name,
        values: Values::Text(cases.iter().map(|case| value(case)).collect()),
    };
    let integer = |name, value: &dyn Fn(&Case) -> Option<u64>| Column {
        name,
        values: Values::Integers(cases.iter().map(|case| value(case)).collect()),
    };
    let time = |case: &Case, field: fn(&TimeNs) -> u64| Some(field(case.time_ns.as_ref()?));
    let interval = |case: &Case, end: usize| Some(case.time_ns.as_ref()?.ci95?[end]);
    let security = |case: &&Case| case.security.as_ref()?.classical;
    vec![
        text("started", &|_| Some(context?.started.clone())),
        text("cpu", &|_| Some(context?.machine.cpu.clone())),
        text("case", &|case| Some(case.id.clone())),
        text("question", &|case| case.question.clone()),
        text("library", &|case| Some(case.lib.name.clone())),
        text("library_version", &|case| Some(case.lib.version.clone())),
        text("scheme", &|case| Some(case.scheme.clone())),
        text("params", &|case| Some(case.params.as_ref()?.name.clone())),
        text("op", &|case| Some(case.op.clone())),
        text("status", &|case| Some(case.verify.status.word().into())),
        text("provenance", &|case| Some(case.provenance.clone())),
        integer("slots", &|case| Some(case.lane.slots as u64)),
        integer("threads", &|case| Some(case.lane.threads as u64)),
        integer("op_threads", &|case| Some(case.lane.op_threads as u64)),
        integer("samples", &|case| Some(case.time_ns.as_ref()?.n as u64)),
        integer("median_ns", &|case| time(case, |time| time.median)),
        integer("ci95_low_ns", &|case| interval(case, 0)),
        integer("ci95_high_ns", &|case| interval(case, 1)),
        integer("min_ns", &|case| time(case, |time| time.min)),
        integer("ct_out_bytes", &|case| case.bytes.ct_out),
        integer("pk_bytes", &|case| case.bytes.pk),
        integer("checked", &|case| Some(case.verify.checked)),
        Column {
            name: "security_bits",
            values: Values::Reals(cases.iter().map(security).collect()),
        },
        text("record", &|case| serde_json::to_string(case).ok()),
    ]
}

impl Column {
    /// Returns its type: an optional value, of UTF-8 if it is text.
    fn schema(&self) -> Result<Type> {
        let (physical, converted) = match self.values {
            Values::Text(_) => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
            Values::Integers(_) => (Physical::INT64, ConvertedType::NONE),
            Values::Reals(_) => (Physical::DOUBLE, ConvertedType::NONE),
        };
        Type::primitive_type_builder(self.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_converted_type(converted)
            .build()
    }

    fn write(&self, writer: &mut SerializedColumnWriter<'_>) -> Result<()> {
        match &self.values {
            Values::Text(values) => {
                write::<ByteArrayType, _>(writer, values, |text| ByteArray::from(text.as_str()))
            }
            Values::Integers(values) => {
                write::<Int64Type, _>(writer, values, |count| *count as i64)
            }
            Values::Reals(values) => write::<DoubleType, _>(writer, values, |real| *real),
        }
    }
}

/// Writes the values that are present, and for each row whether it has one.
fn write<D: DataType, T>(
    writer: &mut SerializedColumnWriter<'_>,
    values: &[Option<T>],
    convert: impl Fn(&T) -> D::T,
) -> Result<()> {
    let present: Vec<D::T> = values.iter().flatten().map(convert).collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    writer.typed::<D>().write_batch(&present, Some(&levels), None)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;
    use crate::report::tests::sample;

    #[test]
    fn every_case_is_a_row_and_its_record_is_whole() {
        let (context, cases) = fathom_cases::record::read(&sample::run_with_peers()).unwrap();
        let bytes = file(context.as_ref(), &cases.iter().collect::<Vec<_>>());
        let mut stored = tempfile::tempfile().unwrap();
        stored.write_all(&bytes).unwrap();
        let reader = SerializedFileReader::new(stored).unwrap();
        let names = reader.metadata().file_metadata().schema_descr().clone();
        let column =
            |name: &str| names.columns().iter().position(|column| column.name() == name).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), cases.len());
        for (row, case) in rows.iter().zip(&cases) {
            let record = serde_json::to_string(case).unwrap();
            assert_eq!(*row.get_string(column("record")).unwrap(), record);
            assert_eq!(*row.get_string(column("case")).unwrap(), case.id);
            let median = case.time_ns.as_ref().map(|time| time.median as i64);
            assert_eq!(row.get_long(column("median_ns")).ok(), median, "{}", case.id);
        }
        assert!(cases.iter().any(|case| case.time_ns.is_none()), "a null is among them");
    }
}
