//! The operands of each variant.

use crate::Task;

/// Returns true if `c` is as wide as a product.
pub(super) fn wide_bound(task: &Task) -> bool {
    matches!(task.variant.as_str(), "w1" | "w3-select")
}

/// Returns true if the function has a fourth operand.
pub(super) fn has_d(task: &Task) -> bool {
    task.variant.starts_with("w3")
}
