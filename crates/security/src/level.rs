//! Security levels, secret distributions and adversaries.

use std::fmt;

/// Standard deviation of the error in the guidelines' table.
pub const STANDARD_ERROR_DEVIATION: f64 = 3.19;

/// A security level, ordered from weak to strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Breaking takes at least 2^128 operations.
    Bits128,
    /// Breaking takes at least 2^192 operations.
    Bits192,
    /// Breaking takes at least 2^256 operations.
    Bits256,
}

impl Level {
    /// Every level, weakest first.
    pub const ALL: [Self; 3] = [Self::Bits128, Self::Bits192, Self::Bits256];

    /// Returns the level as a number of bits: 128, 192 or 256.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bits128 => 128,
            Self::Bits192 => 192,
            Self::Bits256 => 256,
        }
    }

    /// Returns the highest level that `bits` reaches, or `None` below 128.
    pub(crate) fn reached_by(bits: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|level| bits >= f64::from(level.bits()))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bits", self.bits())
    }
}

impl TryFrom<u32> for Level {
    type Error = UnknownLevel;

    fn try_from(bits: u32) -> Result<Self, UnknownLevel> {
        Self::ALL.into_iter().find(|level| level.bits() == bits).ok_or(UnknownLevel(bits))
    }
}

/// A number of bits that is not a security level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a security level: use 128, 192 or 256")]
pub struct UnknownLevel(pub u32);

/// Distribution of the coefficients of the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SecretDistribution {
    /// Uniform in -1, 0, 1.
    Ternary,
    /// Exactly `weight` coefficients are -1 or 1, the others 0.
    SparseTernary {
        /// Number of coefficients that are not zero, at most the degree.
        weight: u32,
    },
    /// The distribution of the error.
    Gaussian,
}

impl SecretDistribution {
    /// Returns the standard deviation of one coefficient of a secret of `degree` coefficients.
    pub(crate) fn deviation(self, degree: f64, error_deviation: f64) -> f64 {
        match self {
            Self::Ternary => (2.0f64 / 3.0).sqrt(),
            Self::SparseTernary { weight } => (f64::from(weight) / degree).min(1.0).sqrt(),
            Self::Gaussian => error_deviation,
        }
    }
}

impl fmt::Display for SecretDistribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ternary => f.write_str("ternary"),
            Self::SparseTernary { weight } => write!(f, "sparse ternary of weight {weight}"),
            Self::Gaussian => f.write_str("Gaussian"),
        }
    }
}

/// Type of the attacker's computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Adversary {
    /// Classical gates, cost model MATZOV.
    Classical,
    /// Quantum core-SVP exponent 0.257 (Chailloux and Loyer, Asiacrypt 2021).
    Quantum,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_its_number_of_bits() {
        for level in Level::ALL {
            assert_eq!(Level::try_from(level.bits()), Ok(level));
            assert_eq!(level.to_string(), format!("{} bits", level.bits()));
        }
        assert_eq!(Level::try_from(127), Err(UnknownLevel(127)));
        assert!(Level::Bits128 < Level::Bits192 && Level::Bits192 < Level::Bits256);
    }

    #[test]
    fn a_level_is_reached_only_in_full() {
        assert_eq!(Level::reached_by(127.99), None);
        assert_eq!(Level::reached_by(128.0), Some(Level::Bits128));
        assert_eq!(Level::reached_by(300.0), Some(Level::Bits256));
        assert_eq!(Level::reached_by(f64::NAN), None);
    }
}
