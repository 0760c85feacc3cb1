//! Operations on slices of integers: element by element, extremes, sorting, search and reading at
//! an encrypted index.

mod counting_sort;
mod extreme;
mod lookup;
mod lookup_clear;
mod merge_sort;
mod rank_sort;
mod search;
mod sort;
