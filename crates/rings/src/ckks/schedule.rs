//! The numbers of a bootstrapping: primes, layers and the degrees of its polynomials.

use super::Spec;
use crate::Error;
use crate::rlwe::{Level, LimbCount};
use fathom_security::Level as SecurityLevel;
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
    /// Degree 2^16, scale 2^45: 10 products, with errors about a hundred times smaller than in
    /// set A.
    B,
}

impl BootstrapSet {
    /// All sets.
    pub const ALL: [BootstrapSet; 5] =
        [BootstrapSet::A, BootstrapSet::A13, BootstrapSet::C, BootstrapSet::T, BootstrapSet::B];

    /// Returns the name used on the command line and in result files.
    pub fn name(self) -> &'static str {
        match self {
            BootstrapSet::A => "boot-a",
            BootstrapSet::A13 => "boot-a13",
            BootstrapSet::C => "boot-c",
            BootstrapSet::T => "boot-t",
            BootstrapSet::B => "boot-b",
        }
    }

    /// Returns the description of the parameters that users compute with.
    pub fn spec(self) -> Spec {
        self.schedule().spec()
    }

    /// Returns the numbers of the set.
    pub(crate) fn schedule(self) -> Schedule {
        match self {
            BootstrapSet::A => Schedule::of_degree_16(self.name(), 17, vec![41.9; 9]),
            BootstrapSet::A13 => Schedule::of_degree_16(self.name(), 13, vec![43.2; 8]),
            BootstrapSet::C => Schedule {
                name: self.name(),
                degree: 1 << 15,
                base_bits: vec![45.8, 30.0, 30.0],
                depth: 4,
                scale_bits: 38.0,
                series_bits: vec![38.0, 38.4, 39.4],
                exponential_bits: vec![39.8, 40.6, 41.2, 42.2, 43.4, 44.4, 45.4, 45.2],
                transform_bits: 44.8,
                exponential: ExponentialShape { degree: 31, squarings: 3 },
                harmonics: 7,
                order: Order::SlotsFirst,
                special_bits: vec![45.85; 2],
                digit_limbs: 2,
                capsule_special: 1,
                out_special: 2,
                first_special: 2,
                out_layers: &[7, 7],
                in_layers: &[7, 7],
            },
            BootstrapSet::T => Schedule {
                base_bits: vec![45.8, 40.0, 40.0, 40.0],
                ..Schedule::of_degree_16(self.name(), 9, vec![41.9; 9])
            },
            BootstrapSet::B => Schedule::precise(self.name(), 10),
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

/// The order of the two maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The map from slots to coefficients comes first, at the lowest levels, and its inverse after
    /// the modulus is raised.
    SlotsFirst,
    /// The map from coefficients to slots comes after the modulus is raised, and its inverse at the
    /// end: for values that stand in the coefficients.
    CoefficientsFirst,
}

/// The approximation of the exponential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExponentialShape {
    /// Degree as a sum of Chebyshev polynomials.
    pub degree: usize,
    /// Number of squarings that follow.
    pub squarings: usize,
}

impl ExponentialShape {
    /// Returns the levels before the squarings.
    pub fn depth(self) -> usize {
        self.degree.ilog2() as usize + 1
    }
}

/// The numbers of a bootstrapping. Sizes of primes are in bits, listed from the lowest level up. A
/// level beyond `WIDEST_SINGLE` consists of two primes.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The name of the set.
    pub name: &'static str,
    /// Ring degree `N`.
    pub degree: usize,
    /// The last prime, and one for every factor of the map from slots to coefficients.
    pub base_bits: Vec<f64>,
    /// The products that users of the parameters have.
    pub depth: usize,
    /// `log2` of the scale of users.
    pub scale_bits: f64,
    /// The levels of the Fourier series.
    pub series_bits: Vec<f64>,
    /// The levels of the exponential and its squarings.
    pub exponential_bits: Vec<f64>,
    /// The levels of the factors of the map from coefficients to slots, but for the first, which
    /// takes none, and where that map comes first also of the map back.
    pub transform_bits: f64,
    /// The approximation of the exponential.
    pub exponential: ExponentialShape,
    /// Number of sines in the series that approximates the identity.
    pub harmonics: usize,
    /// The order of the two maps.
    pub order: Order,
    /// The special primes.
    pub special_bits: Vec<f64>,
    /// Primes in a digit of key switching.
    pub digit_limbs: usize,
    /// The number of special primes of the key that switches to the sparse secret.
    pub capsule_special: usize,
    /// The number of special primes of the keys of the map from slots to coefficients.
    pub out_special: usize,
    /// The number of special primes of the keys of the first factor of the map to slots.
    pub first_special: usize,
    /// The layers in each factor of the map from slots to coefficients.
    pub out_layers: &'static [usize],
    /// The layers in each factor of the map from coefficients to slots.
    pub in_layers: &'static [usize],
}

/// Size in bits up to which a level is one prime.
const WIDEST_SINGLE: f64 = 46.0;
/// Bound on the argument of the exponential, in turns: an overflow and a message of at most 16.5
/// together, and errors.
pub const COVER: f64 = 16.55;

impl Schedule {
    /// Returns the description of the parameters that users compute with.
    pub fn spec(&self) -> Spec {
        Spec {
            name: self.name.to_owned(),
            degree: self.degree,
            base_bits: self.base_bits.clone(),
            depth: self.depth,
            scale_bits: self.scale_bits,
            special_bits: self.special_bits.clone(),
            digit_limbs: self.digit_limbs,
            magnitude: 1.0,
            security: SecurityLevel::Bits128,
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
            series_bits: vec![42.0, 42.0, 42.6],
            exponential_bits: vec![42.6, 43.0, 43.8, 44.4, 45.0, 45.6, 45.8, 45.8],
            transform_bits: 45.6,
            exponential: ExponentialShape { degree: 31, squarings: 3 },
            harmonics: 7,
            order: Order::SlotsFirst,
            digit_limbs: special_bits.len(),
            capsule_special: 1,
            special_bits,
            out_special: 4,
            first_special: 2,
            out_layers: &[5, 5, 5],
            in_layers: &[5, 5, 5],
        }
    }

    /// Returns the set of degree 2^16 and scale 2^45 with this many products. The levels of its
    /// evaluation are two primes.
    fn precise(name: &'static str, depth: usize) -> Schedule {
        Schedule {
            base_bits: vec![45.8, 44.0, 44.0, 44.0],
            scale_bits: 45.0,
            series_bits: vec![52.0, 52.5, 53.5],
            exponential_bits: vec![54.0, 54.0, 54.5, 55.0, 55.5, 56.0, 56.5, 54.0],
            transform_bits: 54.0,
            exponential: ExponentialShape { degree: 54, squarings: 2 },
            capsule_special: 2,
            ..Schedule::of_degree_16(name, depth, vec![45.4; 8])
        }
    }

    /// Returns the scale of the results of a series where no parameters of users determine it.
    pub fn result_scale(&self) -> f64 {
        self.scale_bits.exp2()
    }

    /// Returns the sizes of the primes of each level above those of the users, from the lowest up.
    pub fn upper_bits(&self) -> Vec<Vec<f64>> {
        let transforms = |count| std::iter::repeat_n(self.transform_bits, count);
        let evaluated = self.series_bits.iter().chain(&self.exponential_bits).copied();
        let levels = transforms(self.late_layers().len())
            .chain(evaluated)
            .chain(transforms(self.in_layers.len() - 1));
        // The vector kernels take no wider primes: a wider level is two primes of half its size.
        let primes = |bits: f64| match bits {
            bits if bits <= WIDEST_SINGLE => vec![bits],
            bits => vec![bits / 2.0; 2],
        };
        levels.map(primes).collect()
    }

    /// Returns the layers of the factors of the map from slots to coefficients that follow the
    /// series.
    pub fn late_layers(&self) -> &'static [usize] {
        match self.order {
            Order::SlotsFirst => &[],
            Order::CoefficientsFirst => self.out_layers,
        }
    }

    /// Returns the number of primes of the modulus that is raised.
    pub fn last_limbs(&self) -> LimbCount {
        let level = match self.order {
            Order::SlotsFirst => 0,
            Order::CoefficientsFirst => self.base_bits.len() - 1,
        };
        Level::new(level).limbs()
    }

    /// Returns the number of levels of the series, the exponential and its squarings.
    pub fn evaluated_depth(&self) -> usize {
        self.series_bits.len() + self.exponential_bits.len()
    }
}
