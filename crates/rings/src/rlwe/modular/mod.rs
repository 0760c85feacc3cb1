//! Exact integers modulo `t`: the encoding that BFV and BGV share.
//!
//! Ciphertexts stay in the NTT domain and hide `f m + t e` for a message `m`, a public factor `f`
//! and noise `e` (Brakerski, Gentry, Vaikuntanathan, eprint 2011/277). BFV differs only in its
//! interface: multiplication by `t^-1 mod Q` converts this form to `round(Q m / t) + e'`, and
//! multiplication by `t` converts back (Alperin-Sheriff and Peikert, eprint 2013/372, appendix A).

pub(crate) mod codec;
mod encode;
mod encrypt;
mod expand;
pub(crate) mod factor;
mod interleave;
mod linear_map;
mod mechanics;
mod mul_plain;
pub(crate) mod params;
mod plan;
mod polynomial;
mod presets;
mod scheme;
#[cfg(test)]
pub(crate) mod tests;
mod weighted_sum;

pub use super::{
    Ciphertext, Encoding, Encryption, EvaluationKeys, Evaluator, GaloisKeys, Level, Levels,
    LinearMap, Packed, Params, PublicKey, RelinearizationKey, Rotations, RowSwap, SecretKey,
};
pub use encode::{Multiplicand, Plaintext};
pub(crate) use params::WIDEST_PRIME;
pub use plan::{Circuit, Plan};
pub use presets::Preset;
pub(crate) use scheme::Tables;
pub use scheme::{Modular, Spec};
