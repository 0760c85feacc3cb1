//! The sets of numbers of a refresh.

use fathom_base::Error;
use fathom_rings::internals::{ExponentialShape, Order, Schedule};
use std::fmt;
use std::str::FromStr;

/// The numbers of a refresh of BFV and BGV.
///
/// Keys are published under a secret of degree 2^16, with 128 bits of security by table 5.2 of
/// eprint 2024/463.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RefreshSet {
    /// Refreshes, and tables of up to 4 bits.
    Noise,
    /// The same, and tables of up to 8 bits, with keys larger by a third; every evaluation takes
    /// longer.
    Tables,
}

impl RefreshSet {
    /// All sets.
    pub const ALL: [RefreshSet; 2] = [RefreshSet::Noise, RefreshSet::Tables];

    /// Returns the name used on the command line and in result files.
    pub fn name(self) -> &'static str {
        match self {
            RefreshSet::Noise => "refresh",
            RefreshSet::Tables => "refresh-tables",
        }
    }

    /// Returns the numbers of the set.
    pub(super) fn schedule(self) -> Schedule {
        let (bits, depth) = match self {
            RefreshSet::Noise => (REFRESH_BITS, 4),
            RefreshSet::Tables => (REFRESH_TABLE_BITS, 8),
        };
        schedule(self.name(), bits, depth)
    }
}

impl fmt::Display for RefreshSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads the name of a set.
impl FromStr for RefreshSet {
    type Err = Error;

    fn from_str(name: &str) -> Result<RefreshSet, Error> {
        let found = RefreshSet::ALL.into_iter().find(|set| set.name() == name);
        found.ok_or_else(|| Error::UnknownPreset { name: name.to_owned() })
    }
}

/// Bits of a level of the refresh of exact schemes.
const REFRESH_BITS: f64 = 62.0;
/// Bits of a level where the series has more of them: what the modulus has room for.
const REFRESH_TABLE_BITS: f64 = 60.0;

/// Returns the numbers of a refresh of exact schemes, with levels of this size and this number
/// of them for the Fourier series. Levels are two primes, because the error of the evaluation
/// is all that is left of the noise.
fn schedule(name: &'static str, bits: f64, series_depth: usize) -> Schedule {
    Schedule {
        name,
        degree: 1 << 16,
        base_bits: vec![36.0; 2],
        depth: 0,
        scale_bits: bits,
        series_bits: vec![bits; series_depth],
        exponential_bits: vec![bits; 8],
        transform_bits: bits,
        exponential: ExponentialShape { degree: 58, squarings: 2 },
        harmonics: 9,
        order: Order::CoefficientsFirst,
        special_bits: vec![45.8; 9],
        digit_limbs: 12,
        capsule_special: 1,
        out_special: 1,
        first_special: 2,
        out_layers: &[5, 5, 5],
        in_layers: &[5, 5, 5],
    }
}
