//! The back end of poulpy that the driver is compiled with: the fastest one whose instructions the
//! compiler may use. `Cargo.toml` depends on the crate under the same conditions.

#[cfg(all(target_feature = "avx512f", target_feature = "avx512vl", target_feature = "avx512ifma"))]
mod chosen {
    pub(crate) use poulpy_cpu_avx512::NTT3x42Ifma as Backend;
    pub(crate) const ISA: &str = "avx512 ifma";
}

#[cfg(all(
    target_feature = "avx2",
    target_feature = "fma",
    not(all(
        target_feature = "avx512f",
        target_feature = "avx512vl",
        target_feature = "avx512ifma"
    ))
))]
mod chosen {
    pub(crate) use poulpy_cpu_avx::NTT4x30Avx as Backend;
    pub(crate) const ISA: &str = "avx2";
}

#[cfg(not(all(target_feature = "avx2", target_feature = "fma")))]
mod chosen {
    pub(crate) use poulpy_cpu_portable::NTT4x30Portable as Backend;
    pub(crate) const ISA: &str = "portable";
}

pub(crate) use chosen::{Backend, ISA};

use poulpy_ckks::layouts::{CKKSCiphertextOwned, CKKSPlaintextOwned};
use poulpy_hal::api::{ScratchOwnedAlloc, ScratchOwnedBorrow};
use poulpy_hal::layouts::{ScratchArena, ScratchOwned};
use std::sync::{Mutex, PoisonError};

/// A ciphertext of the back end.
pub(crate) type Ciphertext = CKKSCiphertextOwned<Backend>;
/// A plaintext of the back end.
pub(crate) type Plaintext = CKKSPlaintextOwned<Backend>;

/// An arena of scratch memory in use.
pub(crate) type Arena<'a> = ScratchArena<'a, Backend>;

/// Scratch memory that the caller of poulpy provides: one arena for each call that runs at once.
pub(crate) struct Scratch {
    bytes: usize,
    idle: Mutex<Vec<ScratchOwned<Backend>>>,
}

impl Scratch {
    /// Prepares for arenas of `bytes` bytes, and allocates the first one.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { bytes, idle: Mutex::new(vec![ScratchOwned::alloc(bytes)]) }
    }

    /// Runs `work` on an arena.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut Arena<'_>) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut arena = taken.unwrap_or_else(|| ScratchOwned::alloc(self.bytes));
        let result = work(&mut arena.borrow());
        idle().push(arena);
        result
    }
}
