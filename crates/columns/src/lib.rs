//! Encrypted columns: tables of clear and encrypted columns in Arrow and Parquet, and aggregates
//! that a server computes on them without the secret key.
//!
//! A client declares a [`Schema`], generates a [`TableKey`] and encrypts a record batch with an
//! [`Encryptor`]. The encrypted table is a record batch again, with one row for each block of 4096
//! rows: clear columns are lists, and each limb of an encrypted column is a ciphertext of fixed
//! size. A [`Server`] that has the table answers a [`Query`] with an [`EncryptedResult`], which the
//! client decrypts to an [`Answer`]. Conditions on encrypted columns need [`EvaluationKeys`] on the
//! server, and blocks of 16,384 rows; everything else needs no key there.
//!
//! Ranges of values are declared and enforced, and no sum wraps: a query that the stored layout
//! does not serve is refused with the use to declare and its price in bytes a row
//! ([`Error::MissingUse`]).
//!
//! ```
//! use arrow_array::{Int32Array, RecordBatch, StringArray};
//! use fathom_columns::{
//!     Aggregate, EncryptedResult, Encryptor, Error, Query, Schema, Server, TableKey, Value,
//! };
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), Error> {
//! // The client.
//! let text = "
//!     [[encrypted]]
//!     name = 'salary'
//!     type = 'int32'
//!     uses = ['filter']
//!     [[clear]]
//!     name = 'department'
//!     type = 'text'
//! ";
//! let schema: Schema = toml::from_str(text).unwrap();
//! let key = TableKey::generate(&schema)?;
//! let table = RecordBatch::try_from_iter([
//!     ("salary", Arc::new(Int32Array::from(vec![4000, 5000, 7000])) as _),
//!     ("department", Arc::new(StringArray::from(vec!["ops", "eng", "eng"])) as _),
//! ])?;
//! let encryptor = Encryptor::new(&key, &table)?;
//! let encrypted = encryptor.blocks(0..encryptor.block_count())?;
//!
//! // The server.
//! let server = Server::open(&encrypted.schema())?;
//! let query = Query {
//!     aggregates: vec![Aggregate::Sum("salary".into())],
//!     filter: None,
//!     group_by: vec!["department".into()],
//! };
//! let mut computation = server.start(&query)?;
//! computation.push(&encrypted)?;
//! let sent = computation.finish()?.to_bytes();
//!
//! // The client again.
//! let answer = key.decrypt(&EncryptedResult::from_bytes(&sent)?)?;
//! assert_eq!(answer.rows[0].label.to_string(), "eng");
//! assert_eq!(answer.rows[0].values, [Value::Sum(12_000)]);
//! # Ok(())
//! # }
//! ```
//!
//! # What is public
//!
//! The schema with its ranges, clear columns, which values are missing, the numbers of rows, and
//! the query with its counts, but not the counts of rows that encrypted values select. With a
//! declared key, the sizes of its groups, which the key itself shows. The client learns the sums of
//! the slots, which add up to what it asked for, of its own data. As everywhere in this library,
//! security is IND-CPA: a server that deviates from the protocol can return the result of another
//! computation, and decryptions must not be returned to it.
#![forbid(unsafe_code)]

mod adopt;
mod answer;
mod arrange;
mod array;
mod block;
mod block_writer;
mod checksum;
mod clear;
mod combination;
mod compare;
mod container;
mod decrypt;
mod encrypt;
mod error;
mod evaluation;
#[cfg(feature = "files")]
pub mod files;
mod fold;
#[cfg(feature = "files")]
mod input;
mod intervals;
mod join;
mod key;
mod kind;
mod layout;
mod literal;
mod masked;
mod names;
mod partial;
mod predicate;
mod query;
mod rekey;
mod result;
mod rows;
mod schema;
mod select;
mod selected;
mod selector;
mod server;
mod stored;
mod table;
mod units;
mod uses;

pub use answer::{Answer, AnswerRow, Direction, SortKey, Value};
pub use clear::Label;
pub use combination::Combination;
pub use encrypt::Encryptor;
pub use error::Error;
pub use evaluation::EvaluationKeys;
pub use fold::{GroupPlan, plan_groups};
#[cfg(feature = "files")]
pub use input::read_table;
pub use key::TableKey;
pub use kind::{EncryptedType, Width};
pub use layout::{ColumnPlan, Family, StoredPart, plan};
pub use literal::Literal;
pub use predicate::{Comparison, Predicate};
pub use query::{Aggregate, Query};
pub use rekey::Rekeyer;
pub use result::EncryptedResult;
pub use rows::RowReader;
pub use schema::{ClearColumn, ClearType, EncryptedColumn, Schema};
pub use server::{Computation, Server};
pub use table::{EXTENSION, TABLE_METADATA};
pub use units::TimeUnit;
pub use uses::Use;
