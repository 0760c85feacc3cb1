//! The guidelines' table of largest moduli, and the error for parameters that exceed it.

use crate::{Adversary, Level, SecretDistribution};
use std::fmt;

/// Source of the limits.
pub const TABLE_SOURCE: &str = "Security Guidelines for Implementing Homomorphic Encryption, \
     eprint 2024/463, table 5.2";

/// A row of the table: a degree and the largest log2 of the modulus for 128, 192 and 256 bits.
struct Row {
    degree: usize,
    classical: [Option<u32>; 3],
    quantum: [Option<u32>; 3],
}

/// Makes a row; a limit of zero means that no modulus is allowed.
const fn row(degree: usize, classical: [u32; 3], quantum: [u32; 3]) -> Row {
    Row { degree, classical: limits(classical), quantum: limits(quantum) }
}

const fn limits(bits: [u32; 3]) -> [Option<u32>; 3] {
    let mut limits = [None; 3];
    let mut level = 0;
    while level < 3 {
        if bits[level] > 0 {
            limits[level] = Some(bits[level]);
        }
        level += 1;
    }
    limits
}

/// Ternary secret, error deviation 3.19.
const TERNARY: [Row; 8] = [
    row(1024, [26, 0, 0], [20, 0, 0]),
    row(2048, [53, 36, 27], [40, 29, 22]),
    row(4096, [106, 73, 56], [80, 59, 47]),
    row(8192, [214, 147, 114], [161, 119, 95]),
    row(16384, [430, 297, 230], [322, 239, 192]),
    row(32768, [868, 597, 462], [644, 479, 385]),
    row(65536, [1747, 1199, 929], [1289, 959, 773]),
    row(131_072, [3523, 2411, 1866], [2578, 0, 0]),
];

/// Number of bits that a Gaussian secret adds to the limits, except at the largest degree, where
/// the guidelines give none.
const GAUSSIAN_BONUS: u32 = 2;

/// Returns the largest log2 of the modulus that `level` allows, in bits, or `None` without a row.
///
/// The modulus is the largest one published under the secret: with hybrid key switching, the
/// ciphertext modulus times the special modulus. Only the degrees of the table are supported,
/// powers of two from 1024 to 131072, without interpolation. A sparse secret has no row.
///
/// Source: [`TABLE_SOURCE`]; the error deviation is at least [`crate::STANDARD_ERROR_DEVIATION`].
pub fn max_log_modulus(
    degree: usize,
    secret: SecretDistribution,
    level: Level,
    adversary: Adversary,
) -> Option<u32> {
    let bonus = match secret {
        SecretDistribution::Gaussian if degree < 1 << 17 => GAUSSIAN_BONUS,
        SecretDistribution::Ternary | SecretDistribution::Gaussian => 0,
        SecretDistribution::SparseTernary { .. } => return None,
    };
    let row = TERNARY.iter().find(|row| row.degree == degree)?;
    let limits = match adversary {
        Adversary::Classical => row.classical,
        Adversary::Quantum => row.quantum,
    };
    limits[level as usize].map(|limit| limit + bonus)
}

/// Returns true if the table has rows for `degree` and `secret`.
pub(crate) fn covers(degree: usize, secret: SecretDistribution) -> bool {
    max_log_modulus(degree, secret, Level::Bits128, Adversary::Classical).is_some()
}

/// Returns the highest level whose classical limit is at least `log_modulus` bits.
pub(crate) fn strongest_level(
    degree: usize,
    log_modulus: u32,
    secret: SecretDistribution,
) -> Option<Level> {
    Level::ALL.into_iter().rev().find(|&level| {
        max_log_modulus(degree, secret, level, Adversary::Classical)
            .is_some_and(|limit| log_modulus <= limit)
    })
}

/// Reason why a parameter set was refused: its modulus is too large for its degree.
///
/// The message states the numbers and the smallest change that suffices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct Insecure {
    /// Degree of the ring.
    pub degree: usize,
    /// Log2 of the largest published modulus, rounded up, in bits.
    pub log_modulus: u32,
    /// Largest log2 of the modulus that the level allows, or `None` if the table has no limit.
    pub limit: Option<u32>,
    /// The requested level.
    pub level: Level,
    /// Distribution of the secret.
    pub secret: SecretDistribution,
}

impl Insecure {
    /// Returns the smallest degree of the table that allows this modulus at this level, and its
    /// limit.
    pub(crate) fn sufficient_degree(&self) -> Option<(usize, u32)> {
        let secret = match self.secret {
            SecretDistribution::SparseTernary { .. } => SecretDistribution::Ternary,
            SecretDistribution::Ternary | SecretDistribution::Gaussian => self.secret,
        };
        TERNARY.iter().find_map(|row| {
            let limit = max_log_modulus(row.degree, secret, self.level, Adversary::Classical)?;
            (limit >= self.log_modulus).then_some((row.degree, limit))
        })
    }

    fn write_remedy(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if matches!(self.secret, SecretDistribution::SparseTernary { .. }) {
            f.write_str("use a ternary secret, or ")?;
        } else if let Some(limit) = self.limit {
            write!(f, "remove {} bits from the modulus, or ", self.log_modulus - limit)?;
        }
        match self.sufficient_degree() {
            Some((degree, limit)) => write!(f, "use degree {degree} (limit {limit} bits)"),
            None => f.write_str("ask for a lower level"),
        }
    }
}

impl fmt::Display for Insecure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { degree, log_modulus, limit, level, secret } = self;
        write!(f, "degree {degree} with a {log_modulus}-bit modulus and a {secret} secret ")?;
        match limit {
            Some(limit) => write!(f, "exceeds the limit of {limit} bits for {level}: ")?,
            None => write!(f, "has no known limit for {level}: ")?,
        }
        self.write_remedy(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(degree: usize, level: Level) -> Option<u32> {
        max_log_modulus(degree, SecretDistribution::Ternary, level, Adversary::Classical)
    }

    #[test]
    fn only_exact_degrees_have_a_limit() {
        assert_eq!(limit(4096, Level::Bits128), Some(106));
        assert_eq!(limit(1024, Level::Bits192), None);
        for degree in [0, 1023, 512, 5000, 262_144] {
            assert_eq!(limit(degree, Level::Bits128), None, "degree {degree}");
        }
    }

    #[test]
    fn limits_fall_with_the_level_and_rise_with_the_degree() {
        for row in &TERNARY {
            for limits in [row.classical, row.quantum] {
                assert!(limits.windows(2).all(|pair| pair[1] < pair[0] || pair[0].is_none()));
            }
            assert!(row.quantum < row.classical, "degree {}", row.degree);
        }
        for (pair, level) in TERNARY.windows(2).flat_map(|pair| Level::ALL.map(|l| (pair, l))) {
            let [small, large] = [&pair[0], &pair[1]].map(|row| row.classical[level as usize]);
            // Limits are approximately proportional to the degree.
            let (Some(small), Some(large)) = (small, large) else { continue };
            assert!((2 * small - 2..=2 * small + 32).contains(&large), "{small} then {large}");
        }
    }

    #[test]
    fn a_gaussian_secret_is_worth_two_bits_and_a_sparse_one_has_no_row() {
        let of = |secret| max_log_modulus(8192, secret, Level::Bits192, Adversary::Quantum);
        assert_eq!(of(SecretDistribution::Gaussian), Some(121));
        assert_eq!(of(SecretDistribution::SparseTernary { weight: 192 }), None);
    }

    #[test]
    fn the_refusal_names_the_numbers_and_the_remedy() {
        let refused = Insecure {
            degree: 4096,
            log_modulus: 109,
            limit: Some(106),
            level: Level::Bits128,
            secret: SecretDistribution::Ternary,
        };
        assert_eq!(
            refused.to_string(),
            "degree 4096 with a 109-bit modulus and a ternary secret exceeds the limit of 106 bits \
             for 128 bits: remove 3 bits from the modulus, or use degree 8192 (limit 214 bits)"
        );
        let hopeless = Insecure { log_modulus: 9000, ..refused };
        assert!(hopeless.to_string().ends_with("or ask for a lower level"));
    }
}
