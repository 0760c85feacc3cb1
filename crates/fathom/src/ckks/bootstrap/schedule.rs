//! The numbers of a bootstrapping: primes, layers and the degrees of its polynomials.

use super::super::Spec;
use crate::Error;
use fathom_security::Level;
use std::fmt;
use std::str::FromStr;

/// A set of parameters that can be bootstrapped.
///
/// Secrets are uniform ternary, and all keys together have 128 bits of security by table 5.2 of
/// eprint 2024/463. A second secret of 32 nonzero coefficients lives at the smallest modulus only
/// (Bossuat, Troncoso-Pastoriza, Hubaux, eprint 2022/024), so that no overflow is ever out of the
/// range of the evaluated function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BootstrapSet {
    /// Degree 2^16, scale 2^38: 17 products between two bootstrappings.
    A,
    /// Degree 2^16, scale 2^38: 13 products, each faster than in set A.
    A13,
    /// Degree 2^15, scale 2^38: 4 products.
    C,
    /// Degree 2^16, scale 2^38: 9 products, and the precision that tables of up to 9 bits take.
    T,
}

impl BootstrapSet {
    /// All sets.
    pub const ALL: [BootstrapSet; 4] =
        [BootstrapSet::A, BootstrapSet::A13, BootstrapSet::C, BootstrapSet::T];

    /// Returns the name used on the command line and in result files.
    pub fn name(self) -> &'static str {
        match self {
            BootstrapSet::A => "boot-a",
            BootstrapSet::A13 => "boot-a13",
            BootstrapSet::C => "boot-c",
            BootstrapSet::T => "boot-t",
        }
    }

    /// Returns the description of the parameters that users compute with.
    pub fn spec(self) -> Spec {
        self.schedule().spec()
    }

    /// Returns the numbers of the set.
    pub(in super::super) fn schedule(self) -> Schedule {
        match self {
            BootstrapSet::A => Schedule::of_degree_16(self.name(), 17, vec![41.9; 9]),
            BootstrapSet::A13 => Schedule::of_degree_16(self.name(), 13, vec![43.2; 8]),
            BootstrapSet::C => Schedule {
                name: self.name(),
                degree: 1 << 15,
                base_bits: vec![45.8, 30.0, 30.0],
                depth: 4,
                scale_bits: 38.0,
                series_bits: [38.0, 38.4, 39.4],
                exponential_bits: [39.8, 40.6, 41.2, 42.2, 43.4, 44.4, 45.4, 45.2],
                transform_bits: 44.8,
                special_bits: vec![45.85; 2],
                digit_limbs: 2,
                out_special: 2,
                first_special: 2,
                out_layers: &[7, 7],
                in_layers: &[7, 7],
            },
            BootstrapSet::T => Schedule {
                base_bits: vec![45.8, 40.0, 40.0, 40.0],
                ..Schedule::of_degree_16(self.name(), 9, vec![41.9; 9])
            },
        }
    }
}

impl fmt::Display for BootstrapSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads the name of a set.
impl FromStr for BootstrapSet {
    type Err = Error;

    fn from_str(name: &str) -> Result<BootstrapSet, Error> {
        let found = BootstrapSet::ALL.into_iter().find(|set| set.name() == name);
        found.ok_or_else(|| Error::UnknownPreset { name: name.to_owned() })
    }
}

/// The numbers of a bootstrapping. Sizes of primes are in bits, listed from the lowest level up.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Schedule {
    pub(in super::super) name: &'static str,
    pub(super) degree: usize,
    /// The last prime, and one for every factor of the map from slots to coefficients.
    pub(super) base_bits: Vec<f64>,
    /// The products that users of the parameters have.
    pub(super) depth: usize,
    pub(super) scale_bits: f64,
    /// The primes of the Fourier series.
    pub(super) series_bits: [f64; SERIES_DEPTH],
    /// The primes of the exponential and its squarings.
    pub(super) exponential_bits: [f64; EXPONENTIAL_DEPTH + SQUARINGS],
    /// The primes of the factors of the map from coefficients to slots, but for the first, which
    /// takes none.
    pub(super) transform_bits: f64,
    pub(super) special_bits: Vec<f64>,
    pub(super) digit_limbs: usize,
    /// The number of special primes of the keys of the map from slots to coefficients.
    pub(super) out_special: usize,
    /// The number of special primes of the keys of the first factor of the map to slots.
    pub(super) first_special: usize,
    /// The layers in each factor of the map from slots to coefficients.
    pub(super) out_layers: &'static [usize],
    /// The layers in each factor of the map from coefficients to slots.
    pub(super) in_layers: &'static [usize],
}

/// Size in bits of the special prime of the key that switches to the sparse secret.
pub(super) const CAPSULE_BITS: f64 = 45.8;
/// Number of nonzero coefficients of the sparse secret.
pub(super) const SPARSE_WEIGHT: u32 = 32;
/// Ratio of the last prime to the largest coefficient of a message.
pub(super) const RATIO: f64 = 8.0;
/// Number of sines in the series that approximates the identity.
pub(super) const HARMONICS: usize = 7;
/// Levels of the series: `log2` of its degree, rounded up.
pub(super) const SERIES_DEPTH: usize = 3;
/// Degree of the exponential as a sum of Chebyshev polynomials.
pub(super) const EXPONENTIAL_DEGREE: usize = 31;
/// Levels of the exponential before it is squared.
pub(super) const EXPONENTIAL_DEPTH: usize = 5;
/// Number of squarings of the exponential.
pub(super) const SQUARINGS: usize = 3;
/// Bound on the argument of the exponential, in turns: an overflow and a message of at most 16.5
/// together, and errors.
pub(in super::super) const COVER: f64 = 16.55;

impl Schedule {
    /// Returns the description of the parameters that users compute with.
    pub(in super::super) fn spec(&self) -> Spec {
        Spec {
            name: self.name.to_owned(),
            degree: self.degree,
            base_bits: self.base_bits.clone(),
            depth: self.depth,
            scale_bits: self.scale_bits,
            special_bits: self.special_bits.clone(),
            digit_limbs: self.digit_limbs,
            magnitude: 1.0,
            security: Level::Bits128,
            failure_log2: -128.0,
        }
    }

    /// Returns the set of degree 2^16 with this many products, these special primes and as many
    /// primes in a digit. The product of a digit's primes must not exceed that of the special ones.
    fn of_degree_16(name: &'static str, depth: usize, special_bits: Vec<f64>) -> Schedule {
        Schedule {
            name,
            degree: 1 << 16,
            base_bits: vec![45.8, 30.0, 30.0, 30.0],
            depth,
            scale_bits: 38.0,
            series_bits: [42.0, 42.0, 42.6],
            exponential_bits: [42.6, 43.0, 43.8, 44.4, 45.0, 45.6, 45.8, 45.8],
            transform_bits: 45.6,
            digit_limbs: special_bits.len(),
            special_bits,
            out_special: 4,
            first_special: 2,
            out_layers: &[5, 5, 5],
            in_layers: &[5, 5, 5],
        }
    }

    /// Returns the sizes of the primes above those of the users' levels, from the lowest up.
    pub(super) fn upper_bits(&self) -> Vec<f64> {
        let transforms = std::iter::repeat_n(self.transform_bits, self.in_layers.len() - 1);
        self.series_bits.iter().chain(&self.exponential_bits).copied().chain(transforms).collect()
    }

    /// Returns the widths and the functions of set A at a small degree, which has no security.
    #[cfg(test)]
    pub(in super::super) fn toy() -> Schedule {
        Schedule {
            degree: 1 << 10,
            depth: 2,
            out_layers: &[3, 3, 3],
            in_layers: &[3, 3, 3],
            ..Schedule::of_degree_16("boot-toy", 2, vec![45.0; 9])
        }
    }
}
