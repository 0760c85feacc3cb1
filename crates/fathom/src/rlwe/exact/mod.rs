//! Exact integers modulo `t`: the core that BFV and BGV share.
//!
//! Ciphertexts stay in the NTT domain and hide `f m + t e` for a message `m`, a public factor `f`
//! and noise `e` (Brakerski, Gentry, Vaikuntanathan, eprint 2011/277). BFV differs at its border
//! only: `t^-1 mod Q` turns this form into `round(Q m / t) + e'` and back (Alperin-Sheriff and
//! Peikert, eprint 2013/372, appendix A).

mod add;
mod ciphertext;
mod decrypt;
mod dot;
mod encode;
mod encrypt;
mod evaluator;
mod factor;
mod keys;
mod linear_map;
mod mod_switch;
mod multiply;
mod multiply_plain;
mod packed;
mod params;
mod plan;
mod polynomial;
mod presets;
mod rotate;
mod scheme;
#[cfg(test)]
pub(crate) mod tests;

pub use ciphertext::Ciphertext;
pub(crate) use ciphertext::source;
pub use encode::{Multiplicand, Plaintext};
pub use evaluator::Evaluator;
pub use keys::{EvaluationKeys, PublicKey, Rotations, RowSwap, SecretKey};
pub use linear_map::LinearMap;
pub use packed::Packed;
pub use params::{Params, Spec};
pub use plan::Plan;
pub use presets::Preset;
pub(crate) use scheme::sealed;
pub use scheme::{Levels, Scheme};
