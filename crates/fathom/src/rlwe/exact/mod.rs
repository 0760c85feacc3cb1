//! Exact integers modulo `t`: the encoding that BFV and BGV share.
//!
//! Ciphertexts stay in the NTT domain and hide `f m + t e` for a message `m`, a public factor `f`
//! and noise `e` (Brakerski, Gentry, Vaikuntanathan, eprint 2011/277). BFV differs at its border
//! only: `t^-1 mod Q` turns this form into `round(Q m / t) + e'` and back (Alperin-Sheriff and
//! Peikert, eprint 2013/372, appendix A).

pub(crate) mod codec;
mod decrypt;
mod encode;
mod encrypt;
pub(crate) mod factor;
mod linear_map;
mod mul_plain;
mod params;
mod plan;
mod polynomial;
mod presets;
mod scheme;
#[cfg(test)]
pub(crate) mod tests;

pub use super::{
    Ciphertext, EvaluationKeys, Evaluator, Level, Levels, LinearMap, Packed, Params, PublicKey,
    Rotations, RowSwap, SecretKey,
};
pub use encode::{Multiplicand, Plaintext};
pub use params::Spec;
pub(crate) use params::Tables;
pub(crate) use params::WIDEST_PRIME;
pub use plan::Plan;
pub use presets::Preset;
pub use scheme::Scheme;
