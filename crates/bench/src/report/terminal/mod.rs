//! Tables on the terminal.

pub mod applications;
pub mod factors;
mod kernels;
pub mod plan;
pub mod ratios;
pub mod refreshes;
pub mod table;
pub mod verdict;
pub mod verified;
