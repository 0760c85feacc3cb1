//! Security estimates for lattice parameters.
//!
//! There are two sources of a security level, and each result names its source:
//!
//! - **the table**: the largest modulus that the 2024 security guidelines (eprint 2024/463,
//!   table 5.2) allow for a degree, a secret and a level. [`check`] enforces it as a hard limit;
//! - **the estimator**: closed-form costs of the primal and the dual lattice attacks for any
//!   degree, modulus and error. [`estimate`] gives each attack, [`assess()`] the verdict.
//!
//! Keys of torus schemes have no table: [`estimate_lwe`] estimates primal, dual and hybrid attacks
//! on them, [`check_lwe`] refuses keys below a level, and [`BootstrapNoise`] computes the failure
//! probability of a bootstrapping with such keys.
//!
//! Every result in bits names its cost model. The formulas are derived in `docs/decisions` and in
//! the modules that contain them.
//!
//! ```
//! use fathom_security::{Level, SecretDistribution, check};
//!
//! let secret = SecretDistribution::Ternary;
//! assert!(check(4096, 106.0, secret, Level::Bits128).is_ok());
//!
//! let refused = check(4096, 109.0, secret, Level::Bits128).unwrap_err();
//! assert_eq!(refused.limit, Some(106));
//! ```

#![forbid(unsafe_code)]

mod assess;
mod bootstrap;
mod dual;
mod guess;
mod hybrid;
mod key;
mod key_spread;
mod level;
mod lwe;
mod packing;
mod primal;
mod reduction;
mod rotated;
mod special;
mod table;
mod tail;

pub use assess::{
    Assessment, Badge, Estimate, MODEL, assess, check, check_ephemeral, estimate, rotated_hybrid,
};
pub use bootstrap::{
    BlindRotation, BootstrapNoise, Decomposition, NoiseVariances, SWITCH_KEY_ROUNDING, kept_bits,
    log2_failure,
};
pub use key::{Attack, AttackCost, InsecureKey, LweKey, LweSecret, check_lwe, estimate_lwe};
pub use level::{Adversary, Level, STANDARD_ERROR_DEVIATION, SecretDistribution, UnknownLevel};
pub use table::{Insecure, TABLE_SOURCE, max_log_modulus};
pub use tail::log2_gaussian_tail;
