//! The base of both wings of the library, rings (`fathom-rings`) and torus (`fathom-torus`).
//!
//! Users import `fathom`, which exports what they need of this crate. Everything else is for crates
//! of schemes, and changes without notice: the frames of the wire format and their reader, the
//! threads of evaluators, the identities of keys, and files that are written whole.
#![forbid(unsafe_code)]

pub mod cancel;
pub mod error;
mod integer_type;
mod key_id;
mod kind;
mod level;
#[cfg(feature = "serde")]
pub mod serde_support;
pub mod threads;
pub mod value_type;
pub mod whole_file;
pub mod wire;

pub use cancel::CancelToken;
pub use error::{Error, ErrorKind};
pub use key_id::KeyId;
pub use level::{Level, LimbCount};
pub use value_type::{StaticType, ValueType};

/// The failure probability of a `Spec`, as `log2`, for bounds in the worst case: no error exceeds
/// its bound, whatever the samplers draw. The bounds are then those of the largest errors, all of
/// them adding up, and parameters have room for fewer operations.
pub const WORST_CASE: f64 = f64::NEG_INFINITY;

/// The largest number of threads that an evaluator or a pool of workers starts.
pub const MAX_THREADS: usize = 1024;
