//! Ready parameter sets, one row each.

use super::{Ckks, Mode, Spec};
use crate::Error;
use crate::rlwe::Params;
use fathom_security::Level;
use std::fmt;
use std::str::FromStr;

/// A shipped parameter set, with a fixed depth, scale and degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Preset {
    /// Depth 1, scale `2^31`, degree 4096.
    E3Depth1,
    /// Depth 2, scale `2^38`, degree 8192.
    E3Small,
    /// Depth 6, scale `2^38`, degree 16384.
    E3,
    /// Depth 6, scale `2^44`, degree 16384.
    E3Precise,
}

/// One row: name, degree, base prime bits, depth, scale bits, special prime bits, primes in a
/// digit. All sets have dense ternary secrets and 128 bits of security.
struct Row {
    name: &'static str,
    degree: usize,
    base: &'static [f64],
    depth: usize,
    scale: f64,
    special: &'static [f64],
    digit: usize,
}

/// Returns the row of a preset. The product of all primes stays below the limit for degree and
/// level in table 5.2 of eprint 2024/463. The special primes are larger than a digit, so that
/// rotations are as precise as products, except at depth 1, where the special prime is half a
/// digit.
const fn row(preset: Preset) -> Row {
    match preset {
        Preset::E3Depth1 => Row {
            name: "e3d1",
            degree: 4096,
            base: &[38.0],
            depth: 1,
            scale: 31.0,
            special: &[37.0],
            digit: 1,
        },
        Preset::E3Small => Row {
            name: "e3s",
            degree: 8192,
            base: &[46.0],
            depth: 2,
            scale: 38.0,
            special: &[46.0, 46.0],
            digit: 2,
        },
        Preset::E3 => Row {
            name: "e3",
            degree: 16384,
            base: &[46.0],
            depth: 6,
            scale: 38.0,
            special: &[42.0, 42.0, 42.0],
            digit: 3,
        },
        Preset::E3Precise => Row {
            name: "e3p",
            degree: 16384,
            base: &[27.0, 27.0],
            depth: 6,
            scale: 44.0,
            special: &[46.0, 46.0],
            digit: 2,
        },
    }
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 4] = [Preset::E3Depth1, Preset::E3Small, Preset::E3, Preset::E3Precise];

    /// Returns the name used on the command line and in result files.
    pub fn name(self) -> &'static str {
        row(self).name
    }

    /// Returns the description, of which a caller may change fields.
    pub fn spec(self) -> Spec {
        let row = row(self);
        Spec {
            name: row.name.to_owned(),
            degree: row.degree,
            base_bits: row.base.to_vec(),
            depth: row.depth,
            scale_bits: row.scale,
            special_bits: row.special.to_vec(),
            digit_limbs: row.digit,
            magnitude: 1.0,
            security: Level::Bits128,
            failure_log2: -128.0,
        }
    }
}

impl<M: Mode> TryFrom<Preset> for Params<Ckks<M>> {
    type Error = Error;

    fn try_from(preset: Preset) -> Result<Params<Ckks<M>>, Error> {
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
