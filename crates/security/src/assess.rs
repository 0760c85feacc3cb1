//! The assessment of parameters: costs of every attack, the table, and the resulting level.
//!
//! There are two sources of a level, and they answer different questions. The *table* of the
//! security guidelines (eprint 2024/463, table 5.2) states the largest modulus for a degree and a
//! secret; the community reviewed it, and it is a hard limit here. The *estimator* gives the cost
//! of each attack in bits for any degree, modulus and error, and decides alone only where there is
//! no row of the table.
//!
//! The estimator computes closed forms with a search over block sizes, dimensions and numbers of
//! guesses, as the lattice estimator does (Albrecht, Player, Scott, eprint 2015/046), whose results
//! are test vectors:
//!
//! - the primal attack by unique shortest vectors and by bounded-distance decoding (`primal.rs`);
//! - the dual hybrid attack with a Fourier transform over guesses (`dual.rs`);
//! - for sparse secrets, both with guessed zeros, and the rotated primal hybrid of eprint 2026/279
//!   (`hybrid.rs`, `rotated.rs`).
//!
//! *The cost model* is that of the MATZOV report for classical list decoding and core-SVP, `0.257
//! b`, for quantum computers. Every figure names it ([`MODEL`]). Where the probability of a step of
//! an attack is unknown, the step is assumed to succeed, in the attacker's favour. An attack whose
//! cost cannot be computed counts as free, so that an error of the estimator refuses parameters
//! instead of accepting them.
//!
//! *Limits.* Block sizes follow the formula of Chen's thesis, which holds from 50 on
//! (`reduction.rs`). Secrets of a weight below 64 are not assessed but marked as unreviewed,
//! because small improvements of the guessing strategy would change their level. Only the ephemeral
//! secret of a bootstrapping is sparser; [`check_ephemeral`] demands a margin for it.

use crate::dual::dual_hybrid;
use crate::lwe::Lwe;
use crate::primal::{bounded_distance, smallest_block, unique_svp};
use crate::reduction::core_svp;
use crate::rotated;
use crate::table::{covers, strongest_level};
use crate::{
    Adversary, AttackCost, Insecure, Level, STANDARD_ERROR_DEVIATION, SecretDistribution,
    TABLE_SOURCE, max_log_modulus,
};
use std::fmt;

/// The cost model of every figure in bits.
pub const MODEL: &str = "MATZOV list decoding (classical), core-SVP 0.257 (quantum)";
/// Source stated for a level without a row of the table.
const ESTIMATOR_SOURCE: &str = "built-in estimator: primal uSVP, primal BDD, dual hybrid";
/// Source stated for a level of a sparse secret, against which guessing helps.
const SPARSE_SOURCE: &str = "built-in estimator: primal uSVP, primal BDD, dual hybrid with guessed \
     zeros, rotated primal hybrid (eprint 2026/279)";
/// Below this weight, small improvements of the guessing strategy would change the level.
const LOWEST_REVIEWED_WEIGHT: u32 = 64;

/// Costs of the attacks, with their cost model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Log2 of the gates of the primal attack by unique shortest vector (uSVP).
    pub usvp_bits: f64,
    /// Log2 of the gates of the primal attack by bounded-distance decoding (BDD); at most
    /// `usvp_bits`.
    pub bdd_bits: f64,
    /// Log2 of the gates of the dual hybrid attack.
    pub dual_bits: f64,
    /// Log2 of the gates of the rotated primal hybrid; `None` for dense secrets, which are cheaper
    /// to attack without guesses ([`rotated_hybrid`] computes it for them).
    pub rotated_hybrid_bits: Option<f64>,
    /// Classical core-SVP figure `0.292 b`; lower than gate counts by design, for comparison only.
    pub core_svp_bits: f64,
    /// Quantum core-SVP figure, `0.257 b`.
    pub core_svp_quantum_bits: f64,
    /// Block size of the primal attack.
    pub block_size: u32,
    /// Lattice dimension of the primal attack.
    pub dimension: u32,
    /// Name of the cost model.
    pub model: &'static str,
}

impl Estimate {
    /// Returns log2 of the gates of the cheapest attack. An attack whose cost cannot be computed
    /// counts as free.
    pub fn cheapest_bits(&self) -> f64 {
        let costs = [Some(self.usvp_bits), Some(self.bdd_bits), Some(self.dual_bits)];
        let known = costs.into_iter().chain([self.rotated_hybrid_bits]).flatten();
        known.fold(f64::INFINITY, |least, bits| if bits >= least { least } else { bits.max(0.0) })
    }
}

/// Authority behind a security level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Badge {
    /// A row of the guidelines' table covers these parameters.
    StandardTable,
    /// No row covers them; the level comes from the estimator's attacks.
    Estimator,
    /// Attacks that are not modelled may be cheaper, so no level is claimed.
    Unreviewed,
}

impl fmt::Display for Badge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StandardTable => "standard table",
            Self::Estimator => "estimator",
            Self::Unreviewed => "unreviewed assumption",
        })
    }
}

/// Security of a parameter set, with its source.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Assessment {
    /// Log2 of the gates of the cheapest attack of the estimator.
    pub classical_bits: f64,
    /// Quantum core-SVP figure of the primal attack.
    pub quantum_bits: f64,
    /// Highest level reached: by the table if it has a row, else by `classical_bits`.
    pub level: Option<Level>,
    /// Name of the cost model.
    pub model: &'static str,
    /// Source of `level`.
    pub source: &'static str,
    /// Authority behind `level`.
    pub badge: Badge,
}

/// Checks that a modulus is small enough for a level, with error deviation 3.19.
///
/// `log_modulus_bits` is log2 of the largest modulus published under the secret: with hybrid key
/// switching, the product of the ciphertext modulus and the special modulus. It is rounded up.
/// The table decides in well under a microsecond; a sparse secret has no row in it and is assessed
/// by the estimator.
///
/// # Errors
/// [`Insecure`] if the modulus exceeds the limit, if the degree has none, if a sparse secret has
/// fewer than 64 nonzero coefficients, or if `log_modulus_bits` is not a number.
pub fn check(
    degree: usize,
    log_modulus_bits: f64,
    secret: SecretDistribution,
    level: Level,
) -> Result<(), Insecure> {
    let limit = max_log_modulus(degree, secret, level, Adversary::Classical);
    let reached = if covers(degree, secret) {
        strongest_level(degree, rounded_up(log_modulus_bits), secret)
    } else if matches!(secret, SecretDistribution::SparseTernary { .. }) {
        let assessment = assess(degree, log_modulus_bits, secret, STANDARD_ERROR_DEVIATION);
        assessment.level.filter(|_| assessment.badge == Badge::Estimator)
    } else {
        None
    };
    if reached >= Some(level) {
        return Ok(());
    }
    Err(Insecure { degree, log_modulus: rounded_up(log_modulus_bits), limit, level, secret })
}

/// Bits by which the cheapest attack on an ephemeral secret must exceed the level: the attacks on
/// such sparse secrets are recent, and improvements are more likely than for dense ones.
const EPHEMERAL_MARGIN: f64 = 16.0;

/// Checks a sparse ternary secret with this many nonzero coefficients that encrypts nothing but
/// other secrets, at the small modulus of an encapsulated bootstrapping (eprint 2022/024).
///
/// Returns log2 of the gates of the cheapest attack, the rotated primal hybrid of eprint 2026/279
/// included. Its dual form and the attack of eprint 2026/366 are not modelled; the margin of 16
/// bits above the level is for them.
///
/// `log_modulus_bits` as in [`check`], of the key that switches to the secret.
///
/// # Errors
/// [`Insecure`] if the cheapest attack has fewer bits than the level and the margin.
pub fn check_ephemeral(
    degree: usize,
    log_modulus_bits: f64,
    weight: u32,
    level: Level,
) -> Result<f64, Insecure> {
    let secret = SecretDistribution::SparseTernary { weight };
    let bits = assess(degree, log_modulus_bits, secret, STANDARD_ERROR_DEVIATION).classical_bits;
    if bits >= f64::from(level.bits()) + EPHEMERAL_MARGIN {
        return Ok(bits);
    }
    Err(Insecure { degree, log_modulus: rounded_up(log_modulus_bits), limit: None, level, secret })
}

/// Assesses a parameter set; never fails, and claims no level below 128 bits.
///
/// `log_modulus_bits` as in [`check`]; `error_deviation` is the standard deviation of the error.
/// The table is used if it has the degree and the secret and if the error deviation is at least
/// [`STANDARD_ERROR_DEVIATION`]; otherwise the estimator is used.
pub fn assess(
    degree: usize,
    log_modulus_bits: f64,
    secret: SecretDistribution,
    error_deviation: f64,
) -> Assessment {
    let estimate = estimate(degree, log_modulus_bits, secret, error_deviation);
    let classical_bits = estimate.cheapest_bits();
    let (badge, level) = if covers(degree, secret) && error_deviation >= STANDARD_ERROR_DEVIATION {
        let level = strongest_level(degree, rounded_up(log_modulus_bits), secret);
        (Badge::StandardTable, level)
    } else if is_too_sparse(secret) {
        (Badge::Unreviewed, None)
    } else {
        (Badge::Estimator, Level::reached_by(classical_bits))
    };
    Assessment {
        classical_bits,
        quantum_bits: estimate.core_svp_quantum_bits,
        level,
        model: MODEL,
        source: match (badge, secret) {
            (Badge::StandardTable, _) => TABLE_SOURCE,
            (_, SecretDistribution::SparseTernary { .. }) => SPARSE_SOURCE,
            (_, SecretDistribution::Ternary | SecretDistribution::Gaussian) => ESTIMATOR_SOURCE,
        },
        badge,
    }
}

/// Estimates the costs of the known attacks on a ring-LWE key of `degree` coefficients.
///
/// `log_modulus_bits` is log2 of the largest modulus published under the secret, and
/// `error_deviation` the standard deviation of the error, which a Gaussian secret has too. Against
/// a sparse secret, every attack may first guess the positions of zeros, which divides its success
/// probability by the expected number of guesses, and the rotated primal hybrid is also run. The
/// estimate is zero bits if an input is not a positive finite number, or the modulus is below two.
pub fn estimate(
    degree: usize,
    log_modulus_bits: f64,
    secret: SecretDistribution,
    error_deviation: f64,
) -> Estimate {
    let Some(lwe) = problem(degree, log_modulus_bits, secret, error_deviation) else {
        return BROKEN;
    };
    match secret {
        SecretDistribution::SparseTernary { weight } => estimate_sparse(lwe, weight),
        SecretDistribution::Ternary | SecretDistribution::Gaussian => estimate_dense(lwe),
    }
}

/// Returns the cost of the cheapest known form of the primal hybrid that guesses all rotations of a
/// ternary secret at once (eprint 2026/279). `None` if an input is not a positive finite number, if
/// the secret is Gaussian, or if no number of guesses succeeds. Takes up to seconds at large
/// degrees.
///
/// `log_modulus_bits` and `error_deviation` as in [`assess`].
pub fn rotated_hybrid(
    degree: usize,
    log_modulus_bits: f64,
    secret: SecretDistribution,
    error_deviation: f64,
) -> Option<AttackCost> {
    let lwe = problem(degree, log_modulus_bits, secret, error_deviation)?.normal_form();
    rotated::cheapest(&lwe, secret, smallest_block(&lwe))
}

/// Returns the LWE instance of the parameters, or `None` if an input is not a positive finite
/// number, or the modulus is below two.
fn problem(
    degree: usize,
    log_modulus: f64,
    secret: SecretDistribution,
    error_deviation: f64,
) -> Option<Lwe> {
    let positive = |x: f64| x.is_finite() && x > 0.0;
    if degree == 0 || !is_length(log_modulus) || !positive(error_deviation) {
        return None;
    }
    let degree = degree.min(LARGEST_DEGREE) as f64;
    let secret_deviation = secret.deviation(degree, error_deviation);
    Some(Lwe { degree, log_modulus, secret_deviation, error_deviation })
}

/// Largest degree estimated; larger ones, which no library uses, are estimated as this degree,
/// which is at most as secure.
const LARGEST_DEGREE: usize = 1 << 24;

/// Estimates every attack without guessing zeros.
fn estimate_dense(lwe: Lwe) -> Estimate {
    let lwe = lwe.normal_form();
    let smallest = smallest_block(&lwe);
    let unique = unique_svp(&lwe, smallest);
    let (core_svp_bits, core_svp_quantum_bits) = core_svp(smallest);
    Estimate {
        usvp_bits: unique.log_gates,
        bdd_bits: bounded_distance(&lwe, unique).log_gates,
        dual_bits: dual_hybrid(&lwe, unique),
        rotated_hybrid_bits: None,
        core_svp_bits,
        core_svp_quantum_bits,
        block_size: unique.block,
        dimension: unique.dimension,
        model: MODEL,
    }
}

/// Estimates, for each attack, the cheaper of guessing no zeros and of guessing the number of zeros
/// for which the primal attack is cheapest.
fn estimate_sparse(lwe: Lwe, weight: u32) -> Estimate {
    let weight = weight.min(lwe.degree as u32);
    if weight == 0 {
        return BROKEN;
    }
    let step = (lwe.degree as u32 - weight) / ZEROS_STEPS;
    let cost = |zeros: u32| {
        let rest = lwe.without_zeros(zeros, weight).normal_form();
        unique_svp(&rest, smallest_block(&rest)).log_gates + log_guesses(lwe.degree, zeros, weight)
    };
    let zeros = (0..ZEROS_STEPS)
        .map(|count| count * step)
        .min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
        .unwrap_or(0);
    let none = estimate_dense(lwe);
    let secret = SecretDistribution::SparseTernary { weight };
    let hybrid = rotated::cheapest(&lwe.normal_form(), secret, none.block_size);
    let some = estimate_dense(lwe.without_zeros(zeros, weight));
    let guesses = log_guesses(lwe.degree, zeros, weight);
    let classical = |none: f64, some: f64| none.min(some + guesses);
    Estimate {
        usvp_bits: classical(none.usvp_bits, some.usvp_bits),
        bdd_bits: classical(none.bdd_bits, some.bdd_bits),
        dual_bits: classical(none.dual_bits, some.dual_bits),
        rotated_hybrid_bits: hybrid.map(|cost| cost.bits),
        core_svp_bits: classical(none.core_svp_bits, some.core_svp_bits),
        // Quantum search needs the square root of the number of guesses.
        core_svp_quantum_bits: none
            .core_svp_quantum_bits
            .min(some.core_svp_quantum_bits + 0.5 * guesses),
        ..some
    }
}

/// Number of different counts of guessed zeros that are tried.
const ZEROS_STEPS: u32 = 64;

/// Returns log2 of the expected number of tries until `zeros` random coordinates out of `degree`
/// avoid all `weight` nonzero ones.
fn log_guesses(degree: f64, zeros: u32, weight: u32) -> f64 {
    let zeros = f64::from(zeros);
    (0..weight).map(f64::from).map(|i| ((degree - i) / (degree - zeros - i)).log2()).sum()
}

fn is_too_sparse(secret: SecretDistribution) -> bool {
    match secret {
        SecretDistribution::SparseTernary { weight } => weight < LOWEST_REVIEWED_WEIGHT,
        SecretDistribution::Ternary | SecretDistribution::Gaussian => false,
    }
}

/// Returns true for the length of a modulus, which is at least two. Below it, block sizes without
/// end would be searched.
fn is_length(log_modulus_bits: f64) -> bool {
    log_modulus_bits.is_finite() && log_modulus_bits >= 1.0
}

/// Returns the modulus length for the table: rounded up, and longer than every limit if the input
/// is not a valid length.
fn rounded_up(log_modulus_bits: f64) -> u32 {
    if is_length(log_modulus_bits) { log_modulus_bits.ceil() as u32 } else { u32::MAX }
}

/// The estimate for parameters that offer no security.
const BROKEN: Estimate = Estimate {
    usvp_bits: 0.0,
    bdd_bits: 0.0,
    dual_bits: 0.0,
    rotated_hybrid_bits: None,
    core_svp_bits: 0.0,
    core_svp_quantum_bits: 0.0,
    block_size: 0,
    dimension: 0,
    model: MODEL,
};
