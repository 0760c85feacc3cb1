//! The carry out of the last digit.

/// The treatment of the carry out of the last digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CarryOut {
    /// The carry is dropped: arithmetic modulo the width.
    Dropped,
    /// The carry is returned.
    Kept,
}
