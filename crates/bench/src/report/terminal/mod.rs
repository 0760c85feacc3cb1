//! Tables on the terminal.

pub mod ratios;
pub mod table;
pub mod verdict;
pub mod verified;
