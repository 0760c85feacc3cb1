//! The tables of clear functions that a bootstrap evaluates.

pub(in crate::tfhe) mod lut;
pub(in crate::tfhe) mod start;

pub use fathom_base::error::TableError;
pub use lut::{Function, Lut};
