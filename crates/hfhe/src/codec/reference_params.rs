//! The parameter file of the reference implementation, `params.json`.

use crate::Error;
use crate::compat::{
    DECOY_BITS, DEPTH_SLOPE_BITS, EDGE_BUDGET, NOISE_DENOMINATOR, NOISE_ENTROPY_BITS,
    PAIR_FRACTION, PublicKey, SAMPLES, SECRET_BITS, SUBGROUP_ORDER,
};
use fathom::wire::WireError;
use std::collections::BTreeMap;

/// The greatest length of a parameter file, which has ten short lines.
const MAX_BYTES: usize = 4096;

/// Name and value of every parameter; all are fixed.
const PARAMETERS: [(&str, f64); 10] = [
    ("m_bits", DECOY_BITS as f64),
    ("B", SUBGROUP_ORDER as f64),
    ("lpn_t", SAMPLES as f64),
    ("lpn_n", SECRET_BITS as f64),
    ("lpn_tau_num", 1.0),
    ("lpn_tau_den", NOISE_DENOMINATOR as f64),
    ("noise_entropy_bits", NOISE_ENTROPY_BITS),
    ("depth_slope_bits", DEPTH_SLOPE_BITS),
    ("tuple2_fraction", PAIR_FRACTION),
    ("edge_budget", EDGE_BUDGET as f64),
];

impl PublicKey {
    /// Returns the parameter file of the reference: one flat JSON object, the same for every key.
    pub fn reference_params_json() -> String {
        let lines = PARAMETERS.map(|(name, value)| format!("  \"{name}\": {value}"));
        format!("{{\n{}\n}}\n", lines.join(",\n"))
    }

    /// Checks a parameter file of the reference. All keys have the same parameters.
    ///
    /// # Errors
    /// [`WireError::Range`] for more than 4096 bytes; [`WireError::Malformed`] with the name of the
    /// first parameter that is missing or has another value, or with `params.json` if the file is
    /// not a flat object of numbers or has other names.
    pub fn check_reference_params_json(bytes: &[u8]) -> Result<(), Error> {
        const FILE: WireError = WireError::Malformed { field: "params.json" };
        if bytes.len() > MAX_BYTES {
            let (value, limit) = (bytes.len() as u64, MAX_BYTES as u64);
            return Err(WireError::Range { field: "length of params.json", value, limit }.into());
        }
        let found: BTreeMap<&str, f64> = serde_json::from_slice(bytes).map_err(|_| FILE)?;
        for (field, value) in PARAMETERS {
            if found.get(field) != Some(&value) {
                return Err(WireError::Malformed { field }.into());
            }
        }
        if found.len() == PARAMETERS.len() { Ok(()) } else { Err(FILE.into()) }
    }
}
