//! The verbs of the ring schemes: one row each, which everything else follows.
//!
//! A row of `table.rs` states the name of a method of `Evaluator`, its operands, how it is called,
//! what it computes on clear values, the rotation keys and the work that it takes, and how the
//! driver protocol and the documents name it. Rows stand in four macros by the schemes that have
//! them: [`ring_verbs!`] (all, wide integers among them), [`slot_verbs!`] (BFV, BGV and CKKS),
//! [`exact_verbs!`] (BFV and BGV) and [`real_verbs!`] (CKKS).
//!
//! Facts are data: [`verbs`]. Calls need the types of a scheme, which this crate does not know:
//! a program that calls verbs defines a macro of its own with one arm for each kind of operands
//! ([`Takes`]), and hands its name to the macros of the table, which expand it once with all rows.
//! A closure such as `|e, a, b| e.add(a, b)` is then compiled in the program, for its evaluator.
//!
//! | what follows | where |
//! |---|---|
//! | cases, with operands, arguments, keys and oracles | `crates/drivers/src/ops/table.rs` |
//! | calls of the engine behind the driver protocol | `crates/drivers/src/engine/ring.rs` |
//! | the law and the bound of every verb, on random messages | `crates/rings/tests/verbs` |
//! | random circuits of mixed keys, and near the bound on noise | `mixing`, `noise_search` there |
//! | calls and counted work of the Python package | `bindings/python/src/verbs.rs` |
//! | `docs/ring-verbs.md`, which is part of the driver protocol | [`page`] |
#![forbid(unsafe_code)]

mod arithmetic;
mod page;
mod table;
mod verb;

pub use arithmetic::{Arithmetic, Clear, Given, Modulo, Real};
pub use page::page;
pub use table::{clear, verb, verbs};
pub use verb::{Cost, RotationKeys, Schemes, Takes, Verb, Work};
