//! The instruction sets: for each, a token that proves its presence, its [`crate::lanes::Lanes`]
//! and its [`crate::Kernel`].

mod bits;
mod instantiate;
mod scalar;
mod scalar_doubles;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use crate::torus::TorusKernel;
use crate::{BitKernel, Kernel};
pub(crate) use bits::PortableBits;
pub(crate) use scalar::Portable;

/// Returns the kernels for residues that this CPU can run, fastest first.
pub(crate) fn detect() -> Vec<&'static dyn Kernel> {
    let mut kernels: Vec<&'static dyn Kernel> = Vec::new();
    #[cfg(target_arch = "x86_64")]
    kernels.extend(x86_64::detect());
    kernels.push(&Portable);
    kernels
}

/// Returns the kernels for floating-point arithmetic that this CPU can run, fastest first.
pub(crate) fn detect_torus() -> Vec<&'static dyn TorusKernel> {
    let mut kernels: Vec<&'static dyn TorusKernel> = Vec::new();
    #[cfg(target_arch = "x86_64")]
    kernels.extend(x86_64::detect_torus());
    kernels.push(&Portable);
    kernels
}

/// Returns the kernels for rows of bits that this CPU can run, fastest first.
pub(crate) fn detect_bits() -> Vec<&'static dyn BitKernel> {
    let mut kernels: Vec<&'static dyn BitKernel> = Vec::new();
    #[cfg(target_arch = "x86_64")]
    kernels.extend(x86_64::detect_bits());
    kernels.push(&PortableBits);
    kernels
}
