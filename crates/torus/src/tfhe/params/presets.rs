//! The parameter sets that the library provides; docs/maths/tfhe-parameters.md derives them.

use super::preset_table::SMALL_SETS;
use crate::tfhe::{Decomposition, Error, KeyFamily, Name, Params, Spec};
use std::str::FromStr;

/// Returns a decomposition into `levels` digits of `base_log` bits.
const fn digits(base_log: u32, levels: usize) -> Decomposition {
    Decomposition { base_log, levels }
}

/// Uniform key bits, taken in pairs: half the steps of the blind rotation, at 1.5 times the key
/// size. docs/maths/tfhe-parameters.md gives the noise of the alternatives.
const PAIRS: KeyFamily = KeyFamily::Uniform { group: 2 };

/// Messages of 2 bits with 2 bits of carry, at a failure probability of `2^-128`.
const U22: Spec = Spec {
    name: Name::of("u_2_2_128"),
    message_bits: 2,
    carry_bits: 2,
    small_dimension: 896,
    small_deviation_log2: -19.2,
    family: PAIRS,
    degree: 2048,
    extension: 1,
    rank: 1,
    glwe_deviation_log2: -47.8,
    mask: digits(23, 1),
    body: digits(20, 1),
    key_switch: digits(1, 17),
    key_switch_degree: 128,
    max_noise_variance: 148,
    failure_log2: -128.0,
};

/// The parameters of tfhe-rs 1.8 for the same messages, for comparing the algorithms alone. The
/// small dimension is 918 there; the noise deviations are the same.
const TFHE_RS_22: Spec = Spec {
    name: Name::of("tfhe_rs_2_2"),
    small_dimension: 928,
    small_deviation_log2: -19.7925,
    glwe_deviation_log2: -47.7925,
    mask: digits(23, 1),
    body: digits(23, 1),
    key_switch: digits(4, 4),
    key_switch_degree: 32,
    max_noise_variance: 25,
    // The bound is `2^-129.6` there; this set has ten key bits more.
    failure_log2: -127.0,
    ..U22
};

/// Each set with the security of its small key and of its GLWE key in bits, which a test estimates
/// again.
const SETS: [(Spec, [f64; 2]); 2] = [(U22, [134.8, 134.6]), (TFHE_RS_22, [135.9, 134.6])];

impl Params {
    /// The name of the parameter set of encrypted integers: messages of 2 bits with 2 bits of
    /// carry.
    pub const INTEGERS: &str = "u_2_2_128";

    /// The name of the parameter set of gates: single bits, with room for the noise of a gate's
    /// inputs.
    pub const GATES: &str = "u_bool_128";

    /// Returns all parameter sets that the library provides.
    pub fn presets() -> Vec<Params> {
        SETS.iter().chain(&SMALL_SETS).map(|&(spec, bits)| shipped(spec, bits)).collect()
    }

    /// Returns the parameter set with this name.
    ///
    /// # Errors
    /// [`Error::UnknownPreset`] if there is none.
    pub fn preset(name: &str) -> Result<Params, Error> {
        let set = SETS.iter().chain(&SMALL_SETS).find(|(spec, _)| spec.name.as_str() == name);
        set.map(|&(spec, bits)| shipped(spec, bits))
            .ok_or_else(|| Error::UnknownPreset { name: name.to_owned() })
    }
}

/// Reads the name of a parameter set that the library provides; sets are displayed by their names.
///
/// ```
/// # use fathom_torus as fathom;
/// use fathom::tfhe::Params;
///
/// let params: Params = "u_2_2_128".parse()?;
/// assert_eq!(params.to_string(), Params::INTEGERS);
/// # Ok::<(), fathom::Error>(())
/// ```
impl FromStr for Params {
    type Err = Error;

    fn from_str(name: &str) -> Result<Params, Error> {
        Params::preset(name)
    }
}

fn shipped(spec: Spec, security_bits: [f64; 2]) -> Params {
    Params::with_security(spec, security_bits).expect("a test builds every preset")
}
