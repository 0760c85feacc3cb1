//! The query: ranges and widths that the specification states.

use std::ops::RangeInclusive;

use crate::Task;

/// Width of the columns `salary` and `hours`.
pub(super) const BITS: usize = 8;
/// Width of the column `bonus`.
pub(super) const BONUS_BITS: usize = 10;
/// Number of groups.
pub(super) const GROUPS: usize = 8;
/// Width of a count of rows.
pub(super) const COUNT_BITS: usize = 16;
/// Width of a sum of bonuses.
pub(super) const SUM_BITS: usize = 24;
/// The greatest number of rows whose sum of bonuses has [`SUM_BITS`] bits.
pub(super) const MOST_ROWS: usize = 1 << (SUM_BITS - BONUS_BITS);

/// The products `salary * hours` of selected rows.
pub(super) const PRODUCTS: RangeInclusive<u64> = 5000..=6000;
/// The totals `salary + bonus` of selected rows.
pub(super) const TOTALS: RangeInclusive<u64> = 700..=800;

/// Returns true if the query selects the row.
pub(super) fn selects(salary: u64, hours: u64, bonus: u64) -> bool {
    PRODUCTS.contains(&(salary * hours)) && TOTALS.contains(&(salary + bonus))
}

/// The functions of the selected rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aggregate {
    /// The truth value of each row.
    Rows,
    /// The number of rows.
    Count,
    /// The sum of bonuses.
    Sum,
    /// The sum of bonuses of each group.
    Groups,
}

impl Aggregate {
    /// Returns the function of a variant.
    pub(super) fn of(task: &Task) -> Self {
        match task.variant.as_str() {
            "count" => Self::Count,
            "sum" => Self::Sum,
            "group-by" => Self::Groups,
            _ => Self::Rows,
        }
    }
}
