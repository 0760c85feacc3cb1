//! The payloads of variant `payload`.

use crate::Task;

/// Width of a payload.
pub(super) const PAYLOAD_BITS: usize = 16;

/// Returns true if a payload moves with each key.
pub(super) fn has_payloads(task: &Task) -> bool {
    task.variant == "payload"
}
