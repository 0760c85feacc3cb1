//! Results as a table in Apache Parquet: one row group, one uncompressed page a column, plain
//! values.
//!
//! Source: the format's own description, parquet-format 2.10 (`README.md`, `Encodings.md` and
//! `parquet.thrift`). The metadata are structures in the compact protocol of Thrift.

use crate::record::{Case, Context, TimeNs};

/// First and last bytes of a file.
const MAGIC: &[u8; 4] = b"PAR1";

/// Encodings of `parquet.thrift`.
const PLAIN: i64 = 0;
const RLE: i64 = 3;

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
    let columns = columns(context, cases);
    let mut out = MAGIC.to_vec();
    let mut chunks = Vec::new();
    for column in &columns {
        let offset = out.len();
        let page = column.page();
        let header = page_header(page.len(), cases.len());
        out.extend(header);
        out.extend(page);
        chunks.push(column.chunk(offset, out.len() - offset, cases.len()));
    }
    let bytes = out.len() - MAGIC.len();
    let metadata = Structure::default()
        .integer(1, 1)
        .structures(
            2,
            std::iter::once(root(columns.len())).chain(columns.iter().map(Column::schema)),
        )
        .long(3, cases.len())
        .structures(
            4,
            [Structure::default().structures(1, chunks).long(2, bytes).long(3, cases.len())],
        )
        .text(6, concat!("fathom ", env!("CARGO_PKG_VERSION")))
        .end();
    out.extend(&metadata);
    out.extend(u32::try_from(metadata.len()).expect("metadata are short").to_le_bytes());
    out.extend(MAGIC);
    out
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
    /// Returns the data of its page: which values are present, and the present ones.
    fn page(&self) -> Vec<u8> {
        match &self.values {
            Values::Text(values) => page(values, |text, out| {
                let length = u32::try_from(text.len()).expect("a record is shorter than 4 GiB");
                out.extend(length.to_le_bytes());
                out.extend(text.as_bytes());
            }),
            Values::Integers(values) => {
                page(values, |number, out| out.extend(number.to_le_bytes()))
            }
            Values::Reals(values) => page(values, |number, out| out.extend(number.to_le_bytes())),
        }
    }

    /// Returns the physical type of `parquet.thrift`.
    fn kind(&self) -> i64 {
        match self.values {
            Values::Integers(_) => 2,
            Values::Reals(_) => 5,
            Values::Text(_) => 6,
        }
    }

    /// Returns the `SchemaElement`: an optional value, of UTF-8 if it is text.
    fn schema(&self) -> Structure {
        let element = Structure::default().integer(1, self.kind()).integer(3, 1).text(4, self.name);
        match self.values {
            Values::Text(_) => element.integer(6, 0),
            Values::Integers(_) | Values::Reals(_) => element,
        }
    }

    /// Returns the `ColumnChunk` of `bytes` bytes at `offset`.
    fn chunk(&self, offset: usize, bytes: usize, rows: usize) -> Structure {
        let data = Structure::default()
            .integer(1, self.kind())
            .integers(2, &[PLAIN, RLE])
            .texts(3, &[self.name])
            .integer(4, 0)
            .long(5, rows)
            .long(6, bytes)
            .long(7, bytes)
            .long(9, offset);
        Structure::default().long(2, offset).structure(3, data)
    }
}

/// Returns a page: runs of definition levels (1 if a value is present), then the values.
fn page<T>(values: &[Option<T>], write: impl Fn(&T, &mut Vec<u8>)) -> Vec<u8> {
    let mut levels = Vec::new();
    for run in values.chunk_by(|one, other| one.is_some() == other.is_some()) {
        varint(&mut levels, (run.len() as u64) << 1);
        levels.push(u8::from(run[0].is_some()));
    }
    let mut out = u32::try_from(levels.len()).expect("levels are short").to_le_bytes().to_vec();
    out.extend(levels);
    values.iter().flatten().for_each(|value| write(value, &mut out));
    out
}

/// Returns the `PageHeader` of a data page.
fn page_header(bytes: usize, rows: usize) -> Vec<u8> {
    let size = bytes as i64;
    let data = Structure::default().integer(1, rows as i64).integer(2, PLAIN);
    let data = data.integer(3, RLE).integer(4, RLE);
    Structure::default().integer(1, 0).integer(2, size).integer(3, size).structure(5, data).end()
}

/// Returns the `SchemaElement` of a row.
fn root(columns: usize) -> Structure {
    Structure::default().text(4, "case").integer(5, columns as i64)
}

/// A structure in the compact protocol of Thrift; fields are added in the order of their numbers.
#[derive(Default)]
struct Structure {
    bytes: Vec<u8>,
    last: u8,
}

impl Structure {
    /// Adds the header of a field: its distance from the last one, and its type.
    fn field(&mut self, number: u8, kind: u8) {
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    fn integer(mut self, number: u8, value: i64) -> Self {
        self.field(number, 5);
        varint(&mut self.bytes, zigzag(value));
        self
    }

    fn long(mut self, number: u8, value: usize) -> Self {
        self.field(number, 6);
        varint(&mut self.bytes, zigzag(value as i64));
        self
    }

    fn text(mut self, number: u8, value: &str) -> Self {
        self.field(number, 8);
        binary(&mut self.bytes, value);
        self
    }

    fn structure(mut self, number: u8, value: Self) -> Self {
        self.field(number, 12);
        self.bytes.extend(value.end());
        self
    }

    fn structures(mut self, number: u8, values: impl IntoIterator<Item = Self>) -> Self {
        let values: Vec<Self> = values.into_iter().collect();
        self.list(number, values.len(), 12);
        for value in values {
            self.bytes.extend(value.end());
        }
        self
    }

    fn integers(mut self, number: u8, values: &[i64]) -> Self {
        self.list(number, values.len(), 5);
        for value in values {
            varint(&mut self.bytes, zigzag(*value));
        }
        self
    }

    fn texts(mut self, number: u8, values: &[&str]) -> Self {
        self.list(number, values.len(), 8);
        for value in values {
            binary(&mut self.bytes, value);
        }
        self
    }

    /// Adds the header of a list.
    fn list(&mut self, number: u8, length: usize, kind: u8) {
        self.field(number, 9);
        if length < 15 {
            self.bytes.push((length as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            varint(&mut self.bytes, length as u64);
        }
    }

    /// Returns the bytes, with the mark of the end.
    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn zigzag(value: i64) -> u64 {
    (value.cast_unsigned() << 1) ^ (value >> 63).cast_unsigned()
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn binary(out: &mut Vec<u8>, text: &str) {
    varint(out, text.len() as u64);
    out.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::sample;

    #[test]
    fn a_structure_is_that_of_the_compact_protocol() {
        // Field 1 (integer, zigzag 2), field 4 (text of 2 bytes), field 9 (long 300), end.
        let bytes = Structure::default().integer(1, 1).text(4, "ab").long(9, 300).end();
        assert_eq!(bytes, [0x15, 2, 0x38, 2, b'a', b'b', 0x56, 0xd8, 4, 0]);
        let long = Structure::default().integers(2, &[-1; 15]).end();
        assert_eq!(long[..3], [0x29, 0xf5, 15]);
        assert!(long[3..18].iter().all(|byte| *byte == 1));
    }

    #[test]
    fn a_page_says_which_values_are_present() {
        let values = [Some(7u8), Some(8), None, None, None, Some(9)];
        let bytes = page(&values, |value, out| out.push(*value));
        assert_eq!(bytes, [6, 0, 0, 0, 4, 1, 6, 0, 2, 1, 7, 8, 9]);
    }

    #[test]
    fn every_case_is_a_row_and_its_record_is_whole() {
        let (context, cases) = crate::record::read(&sample::run_with_peers()).unwrap();
        let rows: Vec<&Case> = cases.iter().collect();
        let bytes = file(context.as_ref(), &rows);
        assert!(bytes.starts_with(MAGIC) && bytes.ends_with(MAGIC));
        let [end @ .., _, _, _, _] = &bytes[..] else { panic!("the file is too short") };
        let length = u32::from_le_bytes(*end.last_chunk().unwrap()) as usize;
        let metadata = &end[end.len() - 4 - length..end.len() - 4];
        assert_eq!(metadata[..2], [0x15, 2], "the version comes first");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (data, names) = (text(end), text(metadata));
        for column in columns(None, &[]) {
            assert!(names.contains(column.name), "{}", column.name);
        }
        for case in cases {
            assert!(data.contains(&serde_json::to_string(&case).unwrap()), "{}", case.id);
        }
    }
}
