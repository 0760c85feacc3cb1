//! Operations: what a case computes, on which operands, and what its result must be.
//!
//! A new operation is a row of the table with its oracle (`table.rs`) and an entry of the drivers
//! that support it.

pub mod arithmetic;
mod catalog;
mod op;
mod row;
mod table;
pub mod torus;
mod torus_rows;

pub use crate::scheme::{Scheme, SchemeKind};
pub use catalog::Operation;
pub use op::{Inputs, Measure, Op, Operand, Oracle, RotationKeys, Subject};
pub use row::{Arguments, Count, Request, Row};
pub use table::{BOOTSTRAP, ROWS, TABLE};
