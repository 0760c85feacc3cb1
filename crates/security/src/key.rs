//! Keys of torus schemes: LWE and GLWE with binary, block-binary, ternary or Gaussian secrets.
//!
//! A GLWE key of `k` polynomials of degree `N` is judged as an LWE key of `k N` coefficients: no
//! attack here uses the ring.

use crate::Level;
use crate::dual::dual_hybrid;
use crate::guess::Guesses;
use crate::hybrid::{Decoding, Hybrid, Search};
use crate::lwe::Lwe;
use crate::primal::{bounded_distance, smallest_block, unique_svp};
use std::fmt;

/// How the coefficients of an LWE or GLWE secret are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LweSecret {
    /// Uniform in 0, 1.
    Binary,
    /// Blocks of `length` coefficients, each zero or one unit vector, all equally likely. A less
    /// studied distribution (Lee, Min, Seo, Song, eprint 2023/958).
    BlockBinary {
        /// Coefficients of a block, at least 2.
        length: u32,
    },
    /// Uniform in -1, 0, 1.
    Ternary,
    /// The distribution of the error.
    Gaussian,
}

impl LweSecret {
    /// Standard deviation of one coefficient.
    fn deviation(self, error_deviation: f64) -> f64 {
        match self {
            Self::Binary => 0.5,
            Self::BlockBinary { length } => f64::from(length).sqrt() / (f64::from(length) + 1.0),
            Self::Ternary => (2.0f64 / 3.0).sqrt(),
            Self::Gaussian => error_deviation,
        }
    }

    /// What guessing `guessed` of `dimension` coordinates takes when the structure of blocks is
    /// ignored and the weight is taken at its mean. Nothing of a Gaussian secret is guessed.
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

/// An LWE key, or a GLWE key seen as one, and the noise of what it encrypts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LweKey {
    /// Number of coefficients: `n`, or `k N` of a GLWE key.
    pub dimension: usize,
    /// Log2 of the largest modulus published under the key.
    pub log_modulus: f64,
    /// Log2 of the standard deviation of the noise divided by the modulus; negative.
    pub log_noise: f64,
    /// How the coefficients are drawn.
    pub secret: LweSecret,
}

/// The attacks that are run on an LWE key. Each name is the one that its authors or the lattice
/// estimator give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attack {
    /// Primal attack by unique shortest vector.
    UniqueSvp,
    /// Primal attack by bounded-distance decoding.
    BoundedDistance,
    /// Dual attack with guessing by a Fourier transform (MATZOV 2022).
    DualHybrid,
    /// Primal attack with guessing, one sieve for each guess.
    PrimalHybrid,
    /// Primal attack with guessing, one rounding for each guess.
    PrimalHybridBabai,
    /// Primal attack with guesses met in the middle, and the probability that the halves collide.
    PrimalHybridMeet,
    /// Primal attack with guesses met in the middle, one sieve for each half, as if right halves
    /// always collided: a bound that favours the attacker, not a known attack.
    PrimalHybridOptimistic,
    /// [`Self::BoundedDistance`] on a block-binary secret whose blocks are rotated into directions
    /// of unequal variance: the lattice is stretched by their geometric mean.
    BlockBoundedDistance,
    /// [`Self::DualHybrid`] with that stretch.
    BlockDualHybrid,
    /// [`Self::PrimalHybridOptimistic`] with that stretch, guessing whole blocks.
    BlockPrimalHybridOptimistic,
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
            Self::BlockBoundedDistance => "block-aware BDD",
            Self::BlockDualHybrid => "block-aware dual hybrid",
            Self::BlockPrimalHybridOptimistic => "block-aware optimistic MITM",
        })
    }
}

/// What one attack costs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AttackCost {
    /// Which attack.
    pub attack: Attack,
    /// Log2 of its gates, in the model [`MODEL`](crate::MODEL).
    pub bits: f64,
    /// Number of secret coordinates that it guesses, where it guesses any.
    pub guessed: Option<u32>,
}

/// What each attack on an LWE key costs, in gates of the model [`MODEL`](crate::MODEL).
///
/// The number of samples is not limited. Not modelled: attacks that use the ring of a GLWE key,
/// Arora-Ge and Blum-Kalai-Wasserman (far more expensive with this noise), the guessing of
/// Gaussian secrets, and quantum computers.
///
/// A key of more than 8192 coefficients is judged as one of 8192, which is never safer. Empty where
/// the key is no key: fewer than two coefficients, blocks of one, a modulus outside 2 to 512 bits,
/// or a noise that is not between `2^-log_modulus` and 1/4.
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
    let forms = [
        (Attack::PrimalHybrid, Search::Exhaustive, Decoding::Sieve),
        (Attack::PrimalHybridBabai, Search::Exhaustive, Decoding::Babai),
        (Attack::PrimalHybridMeet, Search::MeetInTheMiddle, Decoding::Babai),
        (Attack::PrimalHybridOptimistic, Search::MeetInTheMiddle, Decoding::Sieve),
    ];
    for (attack, search, decoding) in forms {
        let guesses = |guessed| key.secret.guesses(dimension, guessed);
        let hybrid = Hybrid { search, decoding };
        let (bits, guessed) = hybrid.cheapest(&lwe, unique.block, 1, guesses);
        costs.push(AttackCost { attack, bits, guessed: Some(guessed) });
    }
    if let LweSecret::BlockBinary { length } = key.secret {
        costs.extend(block_aware(&lwe, length));
    }
    costs
}

/// The attacks that know where the blocks are.
///
/// A block's covariance is `p` on the space orthogonal to the all-one vector and `p^2` along it,
/// with `p = 1/(l+1)`: in rotated coordinates the secret has geometric mean deviation
/// `p^((1 + 1/l)/2)`.
fn block_aware(lwe: &Lwe, length: u32) -> [AttackCost; 3] {
    let l = f64::from(length);
    let secret_deviation = (l + 1.0).powf(-0.5 * (1.0 + 1.0 / l));
    let lwe = Lwe { secret_deviation, ..*lwe };
    let unique = unique_svp(&lwe, smallest_block(&lwe));
    let hybrid = Hybrid { search: Search::MeetInTheMiddle, decoding: Decoding::Sieve };
    let guesses = |guessed| Guesses::blocks(length, guessed / length);
    let (bits, guessed) = hybrid.cheapest(&lwe, unique.block, length, guesses);
    [
        AttackCost {
            attack: Attack::BlockBoundedDistance,
            bits: bounded_distance(&lwe, unique).log_gates,
            guessed: None,
        },
        AttackCost {
            attack: Attack::BlockDualHybrid,
            bits: dual_hybrid(&lwe, unique),
            guessed: None,
        },
        AttackCost { attack: Attack::BlockPrimalHybridOptimistic, bits, guessed: Some(guessed) },
    ]
}

impl LweKey {
    fn judged_dimension(&self) -> usize {
        self.dimension.min(LARGEST_DIMENSION)
    }

    /// The problem in the units of its modulus, or `None` where it is none.
    fn problem(&self) -> Option<Lwe> {
        let blocks = match self.secret {
            LweSecret::BlockBinary { length } => length >= 2,
            LweSecret::Binary | LweSecret::Ternary | LweSecret::Gaussian => true,
        };
        let sensible = blocks
            && self.dimension >= 2
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

/// Larger keys are judged as this one, which is never safer.
const LARGEST_DIMENSION: usize = 8192;
/// Torus schemes use 32, 64 and 128 bits.
const LARGEST_LOG_MODULUS: f64 = 512.0;

/// Checks that every attack on a key costs at least `level`, and tells the cheapest.
///
/// # Errors
/// [`InsecureKey`] with the cheapest attack where it costs less, or with none where the key is no
/// key for [`estimate_lwe`].
pub fn check_lwe(key: &LweKey, level: Level) -> Result<AttackCost, InsecureKey> {
    let cheapest = estimate_lwe(key).into_iter().min_by(|a, b| a.bits.total_cmp(&b.bits));
    match cheapest {
        Some(cost) if cost.bits >= f64::from(level.bits()) => Ok(cost),
        cheapest => Err(InsecureKey { key: *key, level, cheapest }),
    }
}

/// Why an LWE or GLWE key was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub struct InsecureKey {
    /// The key.
    pub key: LweKey,
    /// The level asked for.
    pub level: Level,
    /// The cheapest attack, or `None` where the numbers describe no key.
    pub cheapest: Option<AttackCost>,
}

impl fmt::Display for InsecureKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LweKey { dimension, log_modulus, log_noise, secret } = self.key;
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
