//! The refusals of lists of encrypted values.

/// The reason why an operation on a list was refused. It never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// Two lists of an element-wise operation have different lengths.
    #[error("the lists have {left} and {right} elements; give lists of equal length")]
    LengthMismatch {
        /// Number of elements of one list.
        left: usize,
        /// Number of elements of the other.
        right: usize,
    },
    /// The operation is not defined for a list without elements.
    #[error("the list is empty; the operation needs at least one element")]
    EmptyList,
    /// The evaluator has no packing keys, which a compressed list needs.
    #[error("the evaluator has no packing keys; add them with `Evaluator::with_packing_keys`")]
    MissingPackingKeys,
    /// Blocks past the end of a list were requested.
    #[error("blocks up to number {end} were requested, the list has {length}")]
    OutsideList {
        /// One past the last requested block.
        end: usize,
        /// Number of blocks in the list.
        length: usize,
    },
}
