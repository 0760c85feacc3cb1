//! An encrypted file and the results of queries on it, which every reader must reproduce byte for
//! byte: the Python package compares with the same files.
//!
//! `cargo test -p fathom-columns --test columns_tests write_the_golden_results -- --ignored` writes
//! the results anew, and `write_the_golden_table` the key and the table. A version of the layout
//! that needs another table needs another number.

#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

use crate::support::schema;
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use fathom_columns::files::{EncryptedFile, write};
use fathom_columns::{EncryptedResult, Encryptor, Error, Query, Server, TableKey};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Serialize, Deserialize)]
struct Golden {
    provenance: String,
    results: Vec<Recorded>,
}

/// The result of a query on the file.
#[derive(Serialize, Deserialize)]
struct Recorded {
    query: Query,
    byte_len: usize,
    /// The last 16 bytes in hexadecimal: the BLAKE3 of all others.
    checksum: String,
    /// The decrypted rows, each with its label.
    rows: serde_json::Value,
}

const SCHEMA: &str = "
    [[encrypted]]
    name = 'amount'
    type = 'int16'
    [[encrypted]]
    name = 'bonus'
    type = 'uint8'
    uses = ['filter']
    nulls = true
    [[clear]]
    name = 'dept'
    type = 'text'
    [[clear]]
    name = 'year'
    type = 'int64'
";

const QUERIES: [&str; 3] = [
    r#"{"aggregates": ["count", {"sum": "amount"}, {"mean": "amount"}]}"#,
    r#"{"aggregates": [{"sum": "bonus"}, {"count_of": "bonus"}],
        "filter": {"compare": {"column": "year", "relation": "less", "literal": 2003}}}"#,
    r#"{"aggregates": ["count", {"mean": "bonus"}], "group_by": "dept"}"#,
];

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn recorded() -> Vec<Recorded> {
    let key = TableKey::from_secret_bytes(&std::fs::read(file("golden.key")).unwrap()).unwrap();
    let table = EncryptedFile::open(&file("golden.parquet")).unwrap();
    let record = |text: &&str| {
        let query: Query = serde_json::from_str(text).unwrap();
        let bytes = table.run(&query, |_| {}).unwrap().to_bytes();
        let answer = key.decrypt(&EncryptedResult::from_bytes(&bytes).unwrap()).unwrap();
        let tail = bytes.last_chunk::<16>().unwrap();
        Recorded {
            query,
            byte_len: bytes.len(),
            checksum: format!("{:032x}", u128::from_be_bytes(*tail)),
            rows: serde_json::to_value(answer.rows).unwrap(),
        }
    };
    QUERIES.iter().map(record).collect()
}

#[test]
fn results_on_the_golden_file_have_the_golden_bytes() {
    let golden = std::fs::read_to_string(file("golden.json")).unwrap();
    let golden: Golden = serde_json::from_str(&golden).unwrap();
    let found = recorded();
    assert_eq!(golden.results.len(), found.len());
    for (golden, found) in golden.results.iter().zip(&found) {
        assert_eq!(golden.query, found.query);
        assert_eq!(golden.rows, found.rows);
        assert_eq!((golden.byte_len, &golden.checksum), (found.byte_len, &found.checksum));
    }
}

/// Ciphertexts of version 1 were not bound to their places.
#[test]
fn a_table_of_version_1_is_refused_with_the_remedy() {
    let metadata = std::fs::read_to_string(file("metadata-1.json")).unwrap();
    let refused = Server::from_metadata(&metadata).unwrap_err();
    assert!(matches!(refused, Error::Version { found: 1, reads: 2 }), "{refused}");
    assert!(refused.to_string().contains("encrypt the clear table again"), "{refused}");
}

#[test]
#[ignore = "it writes the files that the other test reads"]
fn write_the_golden_table() {
    let key = TableKey::generate(&schema(SCHEMA)).unwrap();
    let rows = 0..4099i64;
    let column = |value: fn(i64) -> Option<i64>| {
        Arc::new(rows.clone().map(value).collect::<Int64Array>()) as ArrayRef
    };
    let dept: StringArray =
        rows.clone().map(|row| ["ops", "eng"].get(row as usize % 3).copied()).collect();
    let table = RecordBatch::try_from_iter_with_nullable([
        ("amount", column(|row| Some((row * 7919) % 65_536 - 32_768)), true),
        ("bonus", column(|row| Some(row % 251).filter(|_| row % 5 > 0)), true),
        ("dept", Arc::new(dept) as ArrayRef, true),
        ("year", column(|row| Some(2000 + row % 7).filter(|_| row % 11 > 0)), true),
    ]);
    std::fs::write(file("golden.key"), key.to_secret_bytes()).unwrap();
    let encryptor = Encryptor::new(&key, table.as_ref().unwrap()).unwrap();
    write(&file("golden.parquet"), &encryptor, |_| {}).unwrap();
}

#[test]
#[ignore = "it writes the file that the other test reads"]
fn write_the_golden_results() {
    let provenance = "Encrypted and computed by this crate at layout version 2, and decrypted with \
                      the key beside it, which protects nothing. A layout that needs other bytes \
                      needs another version. Results state the parameters and blocks of their \
                      sums.";
    let golden = Golden { provenance: provenance.to_owned(), results: recorded() };
    let text = serde_json::to_string_pretty(&golden).unwrap();
    std::fs::write(file("golden.json"), text + "\n").unwrap();
}
