//! A row of the table.

use fathom::tfhe::Block;

/// One row of the table, as digits.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) salary: &'a [Block],
    pub(super) hours: &'a [Block],
    pub(super) bonus: &'a [Block],
}
