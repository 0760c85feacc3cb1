//! Keys of torus schemes: LWE and GLWE with binary, block-binary, ternary or Gaussian secrets.
//!
//! A GLWE key of `k` polynomials of degree `N` is estimated as an LWE key of `k N` coefficients
//! whose ring has degree `N`: hybrid attacks may guess any of its `N` rotations at once.

use crate::Level;
use crate::dual::dual_hybrid;
use crate::guess::Guesses;
use crate::hybrid::{Decoding, GuessRange, Hybrid, Search};
use crate::lwe::Lwe;
use crate::primal::{bounded_distance, smallest_block, unique_svp};
use std::fmt;

/// Distribution of the coefficients of an LWE or GLWE secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LweSecret {
    /// Uniform in 0, 1.
    Binary,
    /// Blocks of `length` coefficients, each zero or one unit vector, all equally likely. A less
    /// studied distribution (Lee, Min, Seo, Song, eprint 2023/958).
    BlockBinary {
        /// Number of coefficients in a block, at least 2.
        length: u32,
    },
    /// Uniform in -1, 0, 1.
    Ternary,
    /// The distribution of the error.
    Gaussian,
}

impl LweSecret {
    /// Returns the standard deviation of one coefficient.
    fn deviation(self, error_deviation: f64) -> f64 {
        match self {
            Self::Binary => 0.5,
            Self::BlockBinary { length } => f64::from(length).sqrt() / (f64::from(length) + 1.0),
            Self::Ternary => (2.0f64 / 3.0).sqrt(),
            Self::Gaussian => error_deviation,
        }
    }

    /// Returns the guesses of `guessed` out of `dimension` coordinates, without the block structure
    /// and with the mean weight. Gaussian secrets are not guessed.
    fn guesses(self, dimension: u32, guessed: u32) -> Guesses {
        if guessed == 0 {
            return Guesses::none();
        }
        let (numerator, denominator, values) = match self {
            Self::Binary => (1, 2, 1),
            Self::BlockBinary { length } => (1, u64::from(length) + 1, 1),
            Self::Ternary => (2, 3, 2),
            Self::Gaussian => return Guesses::impossible(),
        };
        let exact = u64::from(dimension) * numerator;
        let weight = ((2 * exact + denominator) / (2 * denominator)) as u32;
        Guesses::coordinates(dimension, weight, values, guessed)
    }
}

impl fmt::Display for LweSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Binary => f.write_str("binary"),
            Self::BlockBinary { length } => write!(f, "block-binary with blocks of {length}"),
            Self::Ternary => f.write_str("ternary"),
            Self::Gaussian => f.write_str("Gaussian"),
        }
    }
}

/// An LWE key, or a GLWE key regarded as one, with the noise of its encryptions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LweKey {
    /// Number of coefficients: `n`, or `k N` of a GLWE key.
    pub dimension: usize,
    /// Log2 of the largest modulus published under the key.
    pub log_modulus: f64,
    /// Log2 of the standard deviation of the noise divided by the modulus; negative.
    pub log_noise: f64,
    /// Distribution of the coefficients.
    pub secret: LweSecret,
    /// Largest ring degree of anything published under the key: `N` for a GLWE key; for an LWE key
    /// the degree of its module key-switching key or packing key; 1 if only plain LWE ciphertexts
    /// are published.
    pub ring_degree: usize,
}

/// The attacks that are estimated for an LWE key, with the names given by their authors or by the
/// lattice estimator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attack {
    /// Primal attack by unique shortest vector.
    UniqueSvp,
    /// Primal attack by bounded-distance decoding.
    BoundedDistance,
    /// Dual attack with guessing by a Fourier transform (MATZOV 2022).
    DualHybrid,
    /// Primal hybrid attack with one sieve for each guess.
    PrimalHybrid,
    /// Primal hybrid attack with Babai's rounding for each guess.
    PrimalHybridBabai,
    /// Primal hybrid attack with a meet in the middle, including the probability that the halves
    /// collide.
    PrimalHybridMeet,
    /// Primal hybrid attack with a meet in the middle and one sieve for each half, assuming that
    /// correct halves always collide: a bound that favours the attacker, not a known attack.
    PrimalHybridOptimistic,
    /// [`Self::PrimalHybrid`] on all rotations of a key with a ring (eprint 2026/279).
    RotatedHybrid,
    /// [`Self::PrimalHybridBabai`] on all rotations.
    RotatedHybridBabai,
    /// [`Self::PrimalHybridMeet`] on all rotations, which share the list of one half.
    RotatedHybridMeet,
    /// [`Self::PrimalHybridOptimistic`] on all rotations; not a known attack either.
    RotatedHybridOptimistic,
    /// [`Self::BoundedDistance`] on a block-binary secret whose blocks are transformed to
    /// directions of unequal variance; the lattice is scaled by their geometric mean.
    BlockBoundedDistance,
    /// [`Self::DualHybrid`] with the scaling of [`Self::BlockBoundedDistance`].
    BlockDualHybrid,
    /// The attack [`Self::PrimalHybridOptimistic`] with that scaling, which guesses whole blocks.
    BlockPrimalHybridOptimistic,
    /// [`Self::BlockPrimalHybridOptimistic`] on all rotations, assuming that every rotation
    /// preserves the blocks.
    BlockRotatedHybridOptimistic,
}

impl Attack {
    /// Returns true if the attack uses the rotations of the key in its ring.
    pub fn is_rotated(self) -> bool {
        match self {
            Self::RotatedHybrid
            | Self::RotatedHybridBabai
            | Self::RotatedHybridMeet
            | Self::RotatedHybridOptimistic
            | Self::BlockRotatedHybridOptimistic => true,
            Self::UniqueSvp
            | Self::BoundedDistance
            | Self::DualHybrid
            | Self::PrimalHybrid
            | Self::PrimalHybridBabai
            | Self::PrimalHybridMeet
            | Self::PrimalHybridOptimistic
            | Self::BlockBoundedDistance
            | Self::BlockDualHybrid
            | Self::BlockPrimalHybridOptimistic => false,
        }
    }
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UniqueSvp => "primal uSVP",
            Self::BoundedDistance => "primal BDD",
            Self::DualHybrid => "dual hybrid",
            Self::PrimalHybrid => "primal hybrid",
            Self::PrimalHybridBabai => "primal hybrid, Babai",
            Self::PrimalHybridMeet => "primal hybrid, MITM, Babai",
            Self::PrimalHybridOptimistic => "primal hybrid, optimistic MITM",
            Self::RotatedHybrid => "rotated hybrid",
            Self::RotatedHybridBabai => "rotated hybrid, Babai",
            Self::RotatedHybridMeet => "rotated hybrid, MITM, Babai",
            Self::RotatedHybridOptimistic => "rotated hybrid, optimistic MITM",
            Self::BlockBoundedDistance => "block-aware BDD",
            Self::BlockDualHybrid => "block-aware dual hybrid",
            Self::BlockPrimalHybridOptimistic => "block-aware optimistic MITM",
            Self::BlockRotatedHybridOptimistic => "block-aware rotated optimistic MITM",
        })
    }
}

/// Cost of an attack.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AttackCost {
    /// The attack.
    pub attack: Attack,
    /// Log2 of its gates, in the model [`MODEL`](crate::MODEL).
    pub bits: f64,
    /// Number of guessed secret coordinates, if the attack guesses any.
    pub guessed: Option<u32>,
}

/// The variants of the primal hybrid: search and decoding, the attack on one secret and the attack
/// on its rotations.
const HYBRIDS: [(Search, Decoding, Attack, Attack); 4] = [
    (Search::Exhaustive, Decoding::Sieve, Attack::PrimalHybrid, Attack::RotatedHybrid),
    (Search::Exhaustive, Decoding::Babai, Attack::PrimalHybridBabai, Attack::RotatedHybridBabai),
    (Search::MeetInTheMiddle, Decoding::Babai, Attack::PrimalHybridMeet, Attack::RotatedHybridMeet),
    (
        Search::MeetInTheMiddle,
        Decoding::Sieve,
        Attack::PrimalHybridOptimistic,
        Attack::RotatedHybridOptimistic,
    ),
];

/// Estimates the cost of each attack on an LWE key: log2 of its number of gates in the cost model
/// [`MODEL`](crate::MODEL).
///
/// The number of samples is not limited. The ring of a key helps only the primal hybrids, through
/// its rotations. Not modelled: rotations in the dual hybrid (eprint 2026/279), eprint 2026/366
/// (sparse secrets in rings), Arora-Ge and Blum-Kalai-Wasserman (far more expensive with this
/// noise), the guessing of Gaussian secrets, and quantum computers.
///
/// A key of more than 8192 coefficients is estimated as one of 8192, which is at most as secure.
/// The result is empty if the parameters are invalid: fewer than two coefficients, blocks of
/// one coefficient, a modulus outside 2 to 512 bits, a standard deviation of the noise that is not
/// between `2^-log_modulus` and 1/4 of the modulus, or a ring whose degree is 0 or above 2^24.
pub fn estimate_lwe(key: &LweKey) -> Vec<AttackCost> {
    let Some(lwe) = key.problem() else { return Vec::new() };
    let plain = |attack, bits| AttackCost { attack, bits, guessed: None };
    let smallest = smallest_block(&lwe);
    let unique = unique_svp(&lwe, smallest);
    let mut costs = vec![
        plain(Attack::UniqueSvp, unique.log_gates),
        plain(Attack::BoundedDistance, bounded_distance(&lwe, unique).log_gates),
        plain(Attack::DualHybrid, dual_hybrid(&lwe, unique)),
    ];
    let dimension = key.judged_dimension() as u32;
    for rotations in key.rotations() {
        costs.extend(HYBRIDS.map(|(search, decoding, fixed, rotated)| {
            let hybrid = Hybrid { search, decoding, rotations };
            let range = GuessRange::short(decoding, dimension, 1);
            let guesses = |guessed| key.secret.guesses(dimension, guessed);
            let (bits, guessed) = hybrid.cheapest(&lwe, unique.block, range, guesses);
            let attack = if rotations == 1 { fixed } else { rotated };
            AttackCost { attack, bits, guessed: Some(guessed) }
        }));
    }
    if let LweSecret::BlockBinary { length } = key.secret {
        costs.extend(block_aware(&lwe, length, key.rotations()));
    }
    costs
}

/// Estimates the attacks that use the positions of the blocks.
///
/// A block's covariance is `p` on the space orthogonal to the all-one vector and `p^2` along it,
/// with `p = 1/(l+1)`: in rotated coordinates the secret has geometric mean deviation
/// `p^((1 + 1/l)/2)`.
fn block_aware(lwe: &Lwe, length: u32, rotations: impl Iterator<Item = u32>) -> Vec<AttackCost> {
    let l = f64::from(length);
    let secret_deviation = (l + 1.0).powf(-0.5 * (1.0 + 1.0 / l));
    let lwe = Lwe { secret_deviation, ..*lwe };
    let unique = unique_svp(&lwe, smallest_block(&lwe));
    let plain = |attack, bits| AttackCost { attack, bits, guessed: None };
    let mut costs = vec![
        plain(Attack::BlockBoundedDistance, bounded_distance(&lwe, unique).log_gates),
        plain(Attack::BlockDualHybrid, dual_hybrid(&lwe, unique)),
    ];
    let (search, decoding) = (Search::MeetInTheMiddle, Decoding::Sieve);
    let range = GuessRange::short(decoding, lwe.degree as u32, length);
    costs.extend(rotations.map(|rotations| {
        let hybrid = Hybrid { search, decoding, rotations };
        let guesses = |guessed| Guesses::blocks(length, guessed / length);
        let (bits, guessed) = hybrid.cheapest(&lwe, unique.block, range, guesses);
        let attack = match rotations {
            1 => Attack::BlockPrimalHybridOptimistic,
            _ => Attack::BlockRotatedHybridOptimistic,
        };
        AttackCost { attack, bits, guessed: Some(guessed) }
    }));
    costs
}

impl LweKey {
    fn judged_dimension(&self) -> usize {
        self.dimension.min(LARGEST_DIMENSION)
    }

    /// Iterates over the numbers of rotations for the hybrid attacks: one, and all if the key has a
    /// ring.
    fn rotations(&self) -> impl Iterator<Item = u32> {
        let ring = (self.ring_degree > 1).then_some(self.ring_degree as u32);
        std::iter::once(1).chain(ring)
    }

    /// Returns the LWE instance in units of its modulus, or `None` if the parameters are invalid.
    fn problem(&self) -> Option<Lwe> {
        let blocks = match self.secret {
            LweSecret::BlockBinary { length } => length >= 2,
            LweSecret::Binary | LweSecret::Ternary | LweSecret::Gaussian => true,
        };
        let sensible = blocks
            && self.dimension >= 2
            && (1..=LARGEST_RING_DEGREE).contains(&self.ring_degree)
            && self.log_modulus >= 2.0
            && self.log_modulus <= LARGEST_LOG_MODULUS
            && self.log_noise < -2.0
            && self.log_noise > -self.log_modulus;
        sensible.then(|| {
            let error_deviation = (self.log_modulus + self.log_noise).exp2();
            Lwe {
                degree: self.judged_dimension() as f64,
                log_modulus: self.log_modulus,
                secret_deviation: self.secret.deviation(error_deviation),
                error_deviation,
            }
            .normal_form()
        })
    }
}

/// Largest dimension estimated; larger keys are estimated as this one, which is at most as secure.
const LARGEST_DIMENSION: usize = 8192;
/// Largest ring degree of a key.
const LARGEST_RING_DEGREE: usize = 1 << 24;
/// Torus schemes use 32, 64 and 128 bits.
const LARGEST_LOG_MODULUS: f64 = 512.0;

/// Checks that every attack on a key costs at least `level`, and returns the cheapest. An attack
/// whose cost cannot be computed counts as free.
///
/// # Errors
/// [`InsecureKey`] with the cheapest attack if it costs less, or without one if the parameters are
/// invalid for [`estimate_lwe`].
pub fn check_lwe(key: &LweKey, level: Level) -> Result<AttackCost, InsecureKey> {
    let counted = |cost: AttackCost| {
        let bits = if cost.bits.is_nan() { 0.0 } else { cost.bits };
        AttackCost { bits, ..cost }
    };
    let costs = estimate_lwe(key).into_iter().map(counted);
    let cheapest = costs.min_by(|a, b| a.bits.total_cmp(&b.bits));
    match cheapest {
        Some(cost) if cost.bits >= f64::from(level.bits()) => Ok(cost),
        cheapest => Err(InsecureKey { key: *key, level, cheapest }),
    }
}

/// Reason why an LWE or GLWE key was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub struct InsecureKey {
    /// The key that was refused.
    pub key: LweKey,
    /// The requested level.
    pub level: Level,
    /// The cheapest attack, or `None` if the parameters are invalid.
    pub cheapest: Option<AttackCost>,
}

impl fmt::Display for InsecureKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LweKey { dimension, log_modulus, log_noise, secret, .. } = self.key;
        write!(
            f,
            "a {secret} key of dimension {dimension} with noise 2^{log_noise} of a modulus of \
             {log_modulus} bits"
        )?;
        match self.cheapest {
            Some(AttackCost { attack, bits, .. }) => write!(
                f,
                " falls to the attack {attack} in 2^{bits:.1} gates, below {}: raise the \
                 dimension or the noise",
                self.level
            ),
            None => f.write_str(" is no key: the noise must lie between one unit and 1/4"),
        }
    }
}
