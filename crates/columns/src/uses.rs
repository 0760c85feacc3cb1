//! The uses of a column.

use serde::{Deserialize, Serialize};

/// An operation that a column serves beyond sums, means and counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Use {
    /// Variances: the squares of the values are stored beside them.
    Variance,
    /// Sums of selected rows: predicates over clear columns, and groups of any clear column.
    Filter,
    /// Encrypted predicates: comparisons of the encrypted values with constants and other columns,
    /// and sums of the rows that they select.
    Compare,
    /// Sums of the rows that encrypted predicates on other columns select.
    Select,
}

impl std::fmt::Display for Use {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Use::Variance => "variance",
            Use::Filter => "filter",
            Use::Compare => "compare",
            Use::Select => "select",
        })
    }
}
