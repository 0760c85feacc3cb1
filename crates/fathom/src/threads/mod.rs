//! Threads for batches: those of rayon with the feature of that name, else the calling thread
//! alone. Results are the same.

#[cfg(not(feature = "rayon"))]
mod alone;
#[cfg(feature = "rayon")]
mod parallel;

#[cfg(not(feature = "rayon"))]
pub(crate) use alone::{Pool, in_pool, repeat_n};
#[cfg(feature = "rayon")]
pub(crate) use parallel::{Pool, in_pool, repeat_n};

/// The traits of parallel iterators.
pub(crate) mod prelude {
    #[cfg(not(feature = "rayon"))]
    pub(crate) use super::alone::{IndexedParallelIterator, ParallelIterator, ParallelSlices};
    #[cfg(feature = "rayon")]
    pub(crate) use rayon::prelude::{
        IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator, ParallelSlice,
        ParallelSliceMut,
    };
}
