//! Arithmetic: sums, products, quotients, powers and roots, and the carries and columns that they
//! share.

mod abs;
pub(super) mod carry;
pub(super) mod columns;
pub(super) mod divide;
mod divide_clear;
mod dot_clear;
mod multiples;
mod multiply;
mod multiply_clear;
mod power;
mod sum;
mod table;
