//! Homomorphic encryption with BFV, BGV, CKKS, TFHE and HFHE, and with noise bounds that the
//! library tracks.
//!
//! | module | scheme | plaintexts |
//! |---|---|---|
//! | [`bfv`] | Brakerski, Fan, Vercauteren | integers modulo `t`; levels are automatic |
//! | [`bgv`] | Brakerski, Gentry, Vaikuntanathan | the same, with levels in the caller's hands |
//! | [`ckks`] | Cheon, Kim, Kim, Song | real and complex numbers, with an error bound |
//! | [`exact`] | Chen, Laine, Player, Xia | 64-bit, 128-bit and wider integers |
//! | [`tfhe`] | Chillotti, Gama, Georgieva, Izabachène | bits, small integers, machine integers |
//! | [`hfhe`] | PVAC, **experimental**, secret-key, not compact | integers modulo `2^127 - 1` |
//!
//! Every ciphertext carries a public bound on its noise. An operation that could exceed the limit
//! returns [`Error::NoiseExhausted`] with the numbers and the remedy, so that a wrong answer is
//! never returned silently.
//!
//! Security is IND-CPA only: nobody who may choose ciphertexts may learn decryptions, decryption
//! errors or measured noise.
#![forbid(unsafe_code)]

pub mod bfv;
pub mod bgv;
pub mod ckks;
#[cfg(doctest)]
mod compile_fail;
mod error;
pub mod exact;
pub mod hfhe;
mod key_id;
pub mod lwe;
pub mod prelude;
pub mod rlwe;
pub mod tfhe;
pub mod wire;

pub use error::Error;
pub use fathom_ring::{Gadget, SecretRng};
pub use fathom_security::{Assessment, Badge, Level as SecurityLevel};
pub use key_id::KeyId;

/// The largest number of threads that an evaluator or a pool of workers starts.
pub const MAX_THREADS: usize = 1024;

/// The code in README.md, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
