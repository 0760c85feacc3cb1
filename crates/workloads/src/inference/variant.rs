//! The two functions of the workload.

use crate::Task;

/// Returns true if pixels and weights are integers.
pub(super) fn is_quantized(task: &Task) -> bool {
    task.variant == "quantized"
}
