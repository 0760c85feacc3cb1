//! Ready parameter sets, one row each.

use super::{Modular, Params, Spec};
use crate::Error;
use fathom_ring::Gadget;
use fathom_security::Level;
use std::fmt;
use std::str::FromStr;

/// A shipped parameter set, with a fixed depth, degree and security level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Preset {
    /// Depth 1 at 128 bits, degree 4096.
    E1,
    /// Depth 1 at 192 bits, degree 4096.
    E1Bits192,
    /// Depth 1 at 256 bits, degree 4096, without special primes: products need secret-key
    /// encryption.
    E1Bits256,
    /// Depth 2 at 128 bits, degree 4096: for secret-key encryption.
    E1Depth2,
    /// Depth 5 at 128 bits, degree 8192.
    E2,
    /// Depth 3 at 192 bits, degree 8192.
    E2Bits192,
    /// Depth 2 at 256 bits, degree 8192.
    E2Bits256,
    /// Depth 7 at 192 bits, degree 16384.
    E5Bits192,
    /// Depth 5 at 256 bits, degree 16384.
    E5Bits256,
    /// Depth 1 at 128 bits with the 20-bit plaintext modulus 786433, degree 4096.
    E1Plain20,
    /// Depth 1 at 128 bits with the 31-bit plaintext modulus 2013265921, degree 8192.
    E1Plain31,
}

/// One row: name, degree, t, base prime bits, rescale primes (count, bits), special bits, gadget,
/// level.
struct Row {
    name: &'static str,
    degree: usize,
    plain_modulus: u64,
    base: f64,
    rescale: (usize, f64),
    special: &'static [f64],
    gadget: Gadget,
    security: Level,
}

/// 2^16 + 1, 1 modulo 2^16: slots up to degree 32768.
const T17: u64 = 65537;

/// Returns the product of all primes stays below the limit for degree and level in table 5.2 of
/// eprint 2024/463. Where the sum of the sizes is the limit itself, the base prime has as many bits
/// as the noise of rounding needs at failure probability 2^-128, and the special primes get what is
/// left. The rescale primes are as small as the noise bound of the whole depth allows, under
/// public-key encryption unless a preset says otherwise (docs/maths/noise.md).
const fn row(preset: Preset) -> Row {
    const HYBRID_1: Gadget = Gadget::Hybrid { limbs: 1 };
    const HYBRID_2: Gadget = Gadget::Hybrid { limbs: 2 };
    let (name, degree, plain_modulus, base, rescale, special, gadget, security): (
        _,
        _,
        _,
        _,
        _,
        &'static [f64],
        _,
        _,
    ) = match preset {
        Preset::E1 => ("e1", 4096, T17, 30.0, (1, 30.0), &[46.0], HYBRID_2, Level::Bits128),
        Preset::E1Bits192 => {
            ("e1-192", 4096, T17, 27.6, (1, 27.6), &[17.8], HYBRID_1, Level::Bits192)
        }
        Preset::E1Bits256 => {
            let gadget = Gadget::Positional { base_log: 14 };
            ("e1-256", 4096, T17, 28.0, (1, 28.0), &[], gadget, Level::Bits256)
        }
        Preset::E1Depth2 => ("e1d2", 4096, T17, 27.0, (2, 29.5), &[20.0], HYBRID_1, Level::Bits128),
        Preset::E2 => ("e2", 8192, T17, 27.0, (5, 33.5), &[19.5], HYBRID_1, Level::Bits128),
        Preset::E2Bits192 => {
            ("e2-192", 8192, T17, 26.0, (3, 33.1), &[21.7], HYBRID_1, Level::Bits192)
        }
        Preset::E2Bits256 => {
            ("e2-256", 8192, T17, 26.0, (2, 33.0), &[22.0], HYBRID_1, Level::Bits256)
        }
        Preset::E5Bits192 => {
            ("e5-192", 16384, T17, 27.0, (7, 34.6), &[27.7], HYBRID_1, Level::Bits192)
        }
        Preset::E5Bits256 => {
            ("e5-256", 16384, T17, 27.0, (5, 34.5), &[30.0], HYBRID_1, Level::Bits256)
        }
        Preset::E1Plain20 => {
            ("e1-t786433", 4096, 786_433, 33.0, (1, 33.0), &[40.0], HYBRID_2, Level::Bits128)
        }
        Preset::E1Plain31 => {
            let t = 2_013_265_921;
            ("e-t2013265921", 8192, t, 46.0, (1, 46.0), &[46.0], HYBRID_1, Level::Bits128)
        }
    };
    Row { name, degree, plain_modulus, base, rescale, special, gadget, security }
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 11] = [
        Preset::E1,
        Preset::E1Bits192,
        Preset::E1Bits256,
        Preset::E1Depth2,
        Preset::E2,
        Preset::E2Bits192,
        Preset::E2Bits256,
        Preset::E5Bits192,
        Preset::E5Bits256,
        Preset::E1Plain20,
        Preset::E1Plain31,
    ];

    /// Returns the name used on the command line and in result files.
    pub fn name(self) -> &'static str {
        row(self).name
    }

    /// Returns the description, of which a caller may change fields.
    pub fn spec(self) -> Spec {
        let row = row(self);
        let (count, bits) = row.rescale;
        let rescale = std::iter::repeat_n(bits, count);
        Spec {
            name: row.name.to_owned(),
            degree: row.degree,
            plain_modulus: row.plain_modulus,
            chain_bits: std::iter::once(row.base).chain(rescale).collect(),
            special_bits: row.special.to_vec(),
            gadget: row.gadget,
            secret_weight: None,
            security: row.security,
            failure_log2: -128.0,
        }
    }
}

impl<S: Modular> TryFrom<Preset> for Params<S> {
    type Error = Error;

    fn try_from(preset: Preset) -> Result<Params<S>, Error> {
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
