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
    /// A range was requested that ends before it starts, or past the end of a list or string.
    #[error("the range {start}..{end} is not within 0..{length}; give a range within it")]
    OutsideList {
        /// The first requested element.
        start: usize,
        /// One past the last requested element.
        end: usize,
        /// Number of elements.
        length: usize,
    },
    /// A string is longer than its capacity.
    #[error("{bytes} bytes do not fit a capacity of {capacity}; take a greater capacity")]
    Capacity {
        /// Length of the string.
        bytes: usize,
        /// The capacity.
        capacity: usize,
    },
    /// More elements were requested than a list or string holds.
    #[error("{requested} elements were requested, the limit is {limit}")]
    TooLong {
        /// The requested number.
        requested: usize,
        /// The limit.
        limit: usize,
    },
}
