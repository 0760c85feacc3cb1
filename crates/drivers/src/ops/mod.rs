//! Operations: what a case computes, on which operands, and what its result must be.
//!
//! Verbs of the ring schemes are rows of `fathom_verbs`; cases that are more than one verb are rows
//! of `table.rs`, and operations of TFHE those of `torus_rows.rs`.

pub mod arithmetic;
mod catalog;
mod op;
mod row;
mod table;
pub mod torus;
mod torus_rows;

pub use crate::scheme::{Scheme, SchemeKind};
pub use catalog::Operation;
pub use fathom_verbs::RotationKeys;
pub use op::{Inputs, Measure, Op, Operand, Oracle, Subject};
pub use row::{Arguments, Count, Request, Row};
pub use table::{BOOTSTRAP, ROWS, TABLE};
