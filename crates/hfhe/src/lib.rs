#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod ciphertext;
mod circuit;
mod codec;
pub mod compat;
mod draw;
mod error;
pub(crate) mod field;
mod key;
mod mode;
pub mod native;
pub(crate) mod polynomial;
mod seed;
#[cfg(feature = "serde")]
mod serde_support;
mod text;
mod workers;

pub use ciphertext::Ciphertext;
pub use circuit::{Circuit, Expected, Wire};
pub use error::Error;
pub use field::{Fp, MODULUS};
pub use key::{MaskCache, SecretKey};
pub use mode::{Masks, Mode, Secret};
pub use polynomial::Polynomial;
pub use seed::{KeyId, Seed};
pub use text::Padding;
pub use workers::Workers;
