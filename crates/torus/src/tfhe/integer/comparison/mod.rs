//! Comparisons, and selections by their results.

mod compare;
mod flags;
mod select;
