//! The tables that a bootstrap evaluates: of clear functions and of encrypted values.

mod encrypted_table;
mod error;
pub(in crate::tfhe) mod lut;
pub(in crate::tfhe) mod merge;
mod read;
pub(in crate::tfhe) mod start;
pub(in crate::tfhe) mod table_shape;

pub(in crate::tfhe) use encrypted_table::EncryptedTable;
pub(crate) use encrypted_table::Lookup;
pub use error::TableError;
pub use lut::{Function, Lut};
pub use read::TableRead;
pub(crate) use table_shape::table_shape;
