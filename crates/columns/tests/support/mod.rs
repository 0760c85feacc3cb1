//! Tables of random rows.

#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]
#![allow(dead_code, reason = "each test program uses a part")]

use arrow_array::{Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use fathom_columns::files::{EncryptedFile, write};
use fathom_columns::{
    Aggregate, Answer, EncryptedResult, Encryptor, Error, Query, Schema, TableKey,
};
use std::path::Path;
use std::sync::Arc;

pub(crate) mod command;
pub(crate) mod grid;
pub(crate) mod limits;
mod numbers;

pub(crate) use numbers::Numbers;

pub(crate) const PLAIN: &str = "
    [[encrypted]]
    name = 'amount'
    type = 'int32'
    [[encrypted]]
    name = 'age'
    type = 'uint8'
    range = [0, 150]
    uses = ['variance']
    nulls = true
    [[clear]]
    name = 'dept'
    type = 'text'
    group_by = true
    [[clear]]
    name = 'year'
    type = 'int64'
";
pub(crate) const MASKED: &str = "
    [[encrypted]]
    name = 'amount'
    type = 'int32'
    uses = ['variance', 'filter']
    nulls = true
    [[clear]]
    name = 'dept'
    type = 'text'
    [[clear]]
    name = 'score'
    type = 'float64'
";

/// The rows of a test: amount, age, department, year, score.
pub(crate) struct Clear {
    pub(crate) amount: Vec<Option<i32>>,
    pub(crate) age: Vec<Option<i32>>,
    pub(crate) dept: Vec<Option<String>>,
    pub(crate) year: Vec<i64>,
    pub(crate) score: Vec<Option<f64>>,
}

impl Clear {
    pub(crate) fn random(rows: usize, seed: u64, missing: u64) -> Clear {
        let mut numbers = Numbers(seed);
        let mut all = Clear {
            amount: Vec::new(),
            age: Vec::new(),
            dept: Vec::new(),
            year: Vec::new(),
            score: Vec::new(),
        };
        for _ in 0..rows {
            let there = |n: u64| missing == 0 || !n.is_multiple_of(missing);
            let n = numbers.next();
            all.amount.push(Some(numbers.next() as i32).filter(|_| there(n)));
            all.age.push(Some((numbers.next() % 151) as i32).filter(|_| !n.is_multiple_of(7)));
            all.dept.push(Some(format!("dept {}", n % 11)).filter(|_| !n.is_multiple_of(97)));
            all.year.push(2000 + (numbers.next() % 20) as i64);
            all.score.push(Some((n % 1000) as f64 / 10.0).filter(|_| !n.is_multiple_of(13)));
        }
        if let Some(first) = all.amount.first_mut() {
            *first = Some(i32::MIN);
        }
        if let Some(last) = all.amount.last_mut() {
            *last = Some(i32::MAX);
        }
        all
    }

    pub(crate) fn batch(&self) -> RecordBatch {
        RecordBatch::try_from_iter_with_nullable([
            ("amount", Arc::new(Int32Array::from(self.amount.clone())) as _, true),
            ("age", Arc::new(Int32Array::from(self.age.clone())) as _, true),
            ("dept", Arc::new(StringArray::from(self.dept.clone())) as _, true),
            ("year", Arc::new(Int64Array::from(self.year.clone())) as _, true),
            ("score", Arc::new(Float64Array::from(self.score.clone())) as _, true),
        ])
        .unwrap()
    }

    /// Returns the count, the sum, the mean and the variance of values that are there.
    pub(crate) fn totals(values: impl Iterator<Item = Option<i32>>) -> (u64, i128, f64, f64) {
        let values: Vec<i128> = values.flatten().map(i128::from).collect();
        let n = values.len() as i128;
        let sum: i128 = values.iter().sum();
        let squares: i128 = values.iter().map(|v| v * v).sum();
        let variance = (n * squares - sum * sum) as f64 / n as f64 / n as f64;
        (n as u64, sum, sum as f64 / n as f64, variance)
    }
}

pub(crate) fn schema(text: &str) -> Schema {
    toml::from_str(text).unwrap()
}

pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

pub(crate) fn encrypt(key: &TableKey, clear: &Clear, path: &Path) {
    let encryptor = Encryptor::new(key, &clear.batch()).unwrap();
    let mut written = 0;
    write(path, &encryptor, |blocks| written = blocks).unwrap();
    assert_eq!(written, encryptor.block_count());
}

/// The server: a path in, bytes out.
pub(crate) fn serve(path: &Path, query: &Query) -> Result<Vec<u8>, Error> {
    Ok(EncryptedFile::open(path)?.run(query, |_| {})?.to_bytes())
}

pub(crate) fn ask(key: &TableKey, path: &Path, query: &Query) -> Answer {
    let bytes = serve(path, query).unwrap();
    key.decrypt(&EncryptedResult::from_bytes(&bytes).unwrap()).unwrap()
}

pub(crate) fn all_of(column: &str) -> Vec<Aggregate> {
    let name = || column.to_owned();
    vec![
        Aggregate::Count,
        Aggregate::CountOf(name()),
        Aggregate::Sum(name()),
        Aggregate::Mean(name()),
    ]
}

pub(crate) fn query(aggregates: Vec<Aggregate>) -> Query {
    Query { aggregates, filter: None, group_by: Vec::new() }
}

/// Changes the header of a sealed object, a result or keys, and its checksum.
pub(crate) fn with_header(bytes: &[u8], change: impl FnOnce(&mut serde_json::Value)) -> Vec<u8> {
    let (length, rest) = bytes[8..].split_first_chunk::<8>().unwrap();
    let (header, blobs) = rest.split_at(u64::from_le_bytes(*length) as usize);
    let mut header: serde_json::Value = serde_json::from_slice(header).unwrap();
    change(&mut header["content"]);
    let header = serde_json::to_vec(&header).unwrap();
    let mut changed = bytes[..8].to_vec();
    changed.extend((header.len() as u64).to_le_bytes());
    changed.extend(header);
    changed.extend(&blobs[..blobs.len() - 16]);
    let checksum = blake3::hash(&changed);
    changed.extend(&checksum.as_bytes()[..16]);
    changed
}
