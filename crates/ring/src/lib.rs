//! Exact ring arithmetic shared by every scheme: residue number systems over negacyclic rings
//! `Z_q[X]/(X^N + 1)`.
//!
//! A [`Ring`] is a degree and two lists of primes: the *chain*, of which a polynomial has a prefix,
//! and the *special* primes, which occur only in key switching. A [`Poly`] has a ring, [`Limbs`]
//! and, in its type, a domain: coefficients ([`Coeff`]) or values in the NTT domain ([`Eval`]).
#![forbid(unsafe_code)]

mod automorphism;
mod basis;
mod block_poly;
mod centered;
#[cfg(doctest)]
mod compile_fail;
mod convert;
mod cut;
mod embedding;
mod error;
mod error_factor;
mod extract;
mod factor_poly;
mod gadget;
mod lift;
mod masked_product;
mod mod_down;
mod per_thread;
mod plain;
mod poly;
mod pool;
mod positional;
mod primes;
mod ring;
mod rng;
mod roots;
mod sample;
mod scale;
mod secret;
#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod test_rings;
mod torus;
mod torus_gadget;
mod torus_maps;
mod torus_words;
mod weighted;
mod wide;
mod wide_gaussian;

// The rings for tests are shared with the tests from outside, which name this crate.
#[cfg(test)]
extern crate self as fathom_ring;

pub use automorphism::{Automorphism, rotation_exponent, rotation_steps, row_swap_exponent};
pub use basis::Limbs;
pub use block_poly::BlockPoly;
pub use embedding::Embedding;
pub use error::Error;
pub use error_factor::ErrorFactor;
pub use extract::CoefficientSum;
pub use factor_poly::FactorPoly;
pub use fathom_kernels::torus::{
    Decomposition, KeySwitchShape, KeySwitchTable, MAX_EXTENSION, PreciseTransform, ProductShape,
    Rotation, SharedRotation, SwitchKey, TorusKernel,
};
pub use fathom_kernels::{
    AlignedRow, IntegerRow, Kernel, Modulus, RealRow, ShortRow, available, wipe,
};
pub use gadget::{Digits, Gadget, GadgetVector};
pub use masked_product::{Masked, MaskedProduct, Message};
pub use mod_down::ModDown;
pub use num_complex::Complex64;
pub use plain::{PlainRing, ToPlain};
pub use poly::{Coeff, Domain, Eval, Poly, Scalar};
pub use pool::{Buffer, Pool};
pub use positional::PositionalGadget;
pub use primes::{is_prime, primes_below};
pub use ring::{Ring, TransformCount};
pub use rng::{SecretRng, Seed};
pub use roots::RootValues;
pub use sample::{
    Gaussian, binary, block_binary, centered_binomial, sparse_ternary, ternary, uniform_eval,
    uniform_noise,
};
pub use scale::ScaleInvariant;
pub use secret::{SecretBits, SecretCoefficients, SecretPoly};
pub use torus::{SecretSpectrum, TorusRing, multiply_short_secret_add};
pub use torus_gadget::{GadgetRows, GadgetScratch};
pub use torus_maps::{
    constant_masks, multiply_monomial, multiply_window, subring_masks, subring_parts,
    torus_automorphism,
};
pub use torus_words::{
    add_words, extend_from_reals, rotated_steps, round_words, short_sum, subtract_secret_multiple,
    subtract_words, write_reals,
};
pub use wide::{Digit, WideCoefficients};
pub use wide_gaussian::WideGaussian;
