//! The rows of the tables.

pub mod keys;
pub mod shortint;
