//! Threads: pools of rayon and threads of one call with the feature `rayon`, else the calling
//! thread alone. Results are the same.

#[cfg(not(feature = "rayon"))]
mod alone;
#[cfg(feature = "rayon")]
mod parallel;

#[cfg(not(feature = "rayon"))]
pub use alone::Pool;
#[cfg(not(feature = "rayon"))]
pub use alone::{in_pool, share};
#[cfg(feature = "rayon")]
pub use parallel::Pool;
#[cfg(feature = "rayon")]
pub use parallel::{in_pool, share};
