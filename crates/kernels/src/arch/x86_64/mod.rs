//! x86-64: three sets of vector instructions.

mod avx2;
mod avx2_doubles;
mod avx512;
mod avx512_doubles;
mod bits_avx2;
mod bits_avx512;
mod ifma;
mod packed_rows;
mod packed_words;
mod sha256;
mod with;

use crate::torus::TorusKernel;
use crate::{BitKernel, Kernel};

/// Returns the vector kernels for residues that this CPU can run, fastest first.
pub(crate) fn detect() -> Vec<&'static dyn Kernel> {
    let ifma = ifma::Ifma::detect().map(|kernel| kernel as &'static dyn Kernel);
    let avx512 = avx512::Avx512::detect().map(|kernel| kernel as &'static dyn Kernel);
    let avx2 = avx2::Avx2::detect().map(|kernel| kernel as &'static dyn Kernel);
    [ifma, avx512, avx2].into_iter().flatten().collect()
}

/// Returns the vector kernels for floating-point arithmetic that this CPU can run, fastest first.
pub(crate) fn detect_torus() -> Vec<&'static dyn TorusKernel> {
    let avx512 = avx512::Avx512::detect().map(|kernel| kernel as &'static dyn TorusKernel);
    let avx2 = avx2::Avx2::detect().map(|kernel| kernel as &'static dyn TorusKernel);
    [avx512, avx2].into_iter().flatten().collect()
}

/// Returns the vector kernels for rows of bits that this CPU can run, fastest first.
pub(crate) fn detect_bits() -> Vec<&'static dyn BitKernel> {
    let avx512 = bits_avx512::BitsAvx512::detect().map(|kernel| kernel as &'static dyn BitKernel);
    let avx2 = bits_avx2::BitsAvx2::detect().map(|kernel| kernel as &'static dyn BitKernel);
    [avx512, avx2].into_iter().flatten().collect()
}
