//! Parameter sets to choose from.

use super::{Params, Product, Spec};
use crate::{Error, SecurityLevel};
use fathom_ring::Gadget;
use std::fmt;
use std::str::FromStr;

/// A ready parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Preset {
    /// Depth 1 at 128 bits, degree 2048: products of integers of up to 256 bits, and sums of 256 of
    /// them, under the secret key; sums of 8 under the public key.
    E4,
    /// Depth 4 at 128 bits, degree 4096: results of up to 4095 bits.
    E4Deep,
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 2] = [Preset::E4, Preset::E4Deep];

    /// Returns the name used on the command line and in result files.
    pub fn name(self) -> &'static str {
        match self {
            Preset::E4 => "e4",
            Preset::E4Deep => "e4d",
        }
    }

    /// Returns the description, of which a caller may change fields.
    pub fn spec(self) -> Spec {
        let (degree, chain, special, product): (_, &[f64], _, _) = match self {
            Preset::E4 => (2048, &[27.0], 26.0, Product::Tensor),
            // docs/maths/gbfv.md says why not two primes of 30 bits beside one of 46.
            Preset::E4Deep => (4096, &[39.0, 39.0], 28.0, Product::ScaleInvariant),
        };
        Spec {
            name: self.name().to_owned(),
            degree,
            chain_bits: chain.to_vec(),
            special_bits: vec![special],
            gadget: Gadget::Hybrid { limbs: 1 },
            product,
            security: SecurityLevel::Bits128,
            failure_log2: -128.0,
        }
    }
}

impl TryFrom<Preset> for Params {
    type Error = Error;

    fn try_from(preset: Preset) -> Result<Params, Error> {
        Params::try_from(preset.spec())
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads the name of a preset.
impl FromStr for Preset {
    type Err = Error;

    fn from_str(name: &str) -> Result<Preset, Error> {
        let found = Preset::ALL.into_iter().find(|preset| preset.name() == name);
        found.ok_or_else(|| Error::UnknownPreset { name: name.to_owned() })
    }
}
