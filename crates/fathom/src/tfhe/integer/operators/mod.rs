//! The Rust operators: on operands bound to an evaluator, and on plain values in a scope.

mod bound;
mod clear_left;
mod outcome;
mod plain;
mod scope;

pub use bound::Bound;
pub use outcome::Outcome;
