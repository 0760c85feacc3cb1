//! Parameter sets.

use crate::tfhe::{Error, Name, Space};
pub use fathom_ring::Decomposition;
use fathom_ring::{MAX_EXTENSION, ProductShape};
use fathom_security::{
    BlindRotation, BootstrapNoise, Level, LweKey, LweSecret, check_lwe, log2_failure,
};
use std::fmt;
use std::sync::Arc;

/// The distribution of the small LWE key, and the number of its bits that a step of the blind
/// rotation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyFamily {
    /// Independent uniform bits, the assumption of every TFHE library. The blind rotation takes
    /// `group` of them at a time, with `2^group - 1` keys each.
    Uniform {
        /// Number of bits per step: 1 or 2.
        group: usize,
    },
    /// Blocks of `length` bits, at most one of which is set (eprint 2023/958). **A less studied
    /// assumption.**
    BlockBinary {
        /// Number of bits per block: 2 to 4.
        length: usize,
    },
}

impl KeyFamily {
    /// Returns the number of small key bits per step of the blind rotation.
    pub fn step(self) -> usize {
        match self {
            KeyFamily::Uniform { group } => group,
            KeyFamily::BlockBinary { length } => length,
        }
    }

    /// Returns the selectors of a step, each as a mask of the step's bits. The key holds one
    /// encryption per selector, which is 1 if exactly these bits are set; the exponents of these
    /// bits are then added up.
    pub fn selectors(self) -> impl ExactSizeIterator<Item = u32> {
        let count = match self {
            KeyFamily::Uniform { group } => (1 << group) - 1,
            KeyFamily::BlockBinary { length } => length,
        };
        (0..count).map(move |index| match self {
            KeyFamily::Uniform { .. } => index as u32 + 1,
            KeyFamily::BlockBinary { .. } => 1 << index,
        })
    }

    /// Returns the divisor `d` for which `1 / d` is the mean of a key bit.
    pub(crate) fn mean_divisor(self) -> u64 {
        match self {
            KeyFamily::Uniform { .. } => 2,
            KeyFamily::BlockBinary { length } => length as u64 + 1,
        }
    }
}

/// The description of a parameter set. Standard deviations are relative to the modulus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spec {
    /// A stable name.
    pub name: Name,
    /// Message bits of a block.
    pub message_bits: u32,
    /// Carry bits of a block.
    pub carry_bits: u32,
    /// Dimension of the small LWE key, whose modulus is `2^32`.
    pub small_dimension: usize,
    /// `log2` of the standard deviation of the small LWE noise.
    pub small_deviation_log2: f64,
    /// Distribution of the small LWE key.
    pub family: KeyFamily,
    /// Degree of the GLWE polynomials, whose modulus is `2^64`.
    pub degree: usize,
    /// Degree of the test polynomial divided by [`Spec::degree`]: a power of two, at most 64.
    ///
    /// The modulus switch rounds to this many times more exponents, while keys, ciphertexts and
    /// noise stay those of the degree (Lee, Yoon, PKC 2023).
    pub extension: usize,
    /// Number of mask polynomials of a GLWE ciphertext.
    pub rank: usize,
    /// `log2` of the standard deviation of the GLWE noise.
    pub glwe_deviation_log2: f64,
    /// Decomposition of the masks in the external product.
    pub mask: Decomposition,
    /// Decomposition of the body in the external product.
    pub body: Decomposition,
    /// Decomposition in the key switch.
    pub key_switch: Decomposition,
    /// Degree of the key switch's ring, which divides both dimensions.
    pub key_switch_degree: usize,
    /// Greatest noise variance of a bootstrap's input, in units of the variance of its output.
    pub max_noise_variance: u32,
    /// `log2` of the probability that one bootstrap fails at a noise variance of
    /// `max_noise_variance`.
    pub failure_log2: f64,
}

/// A checked parameter set: its fields are consistent, both keys are secure, and the failure
/// probability is at most the one that it states.
///
/// It is cheap to clone.
#[derive(Clone, PartialEq)]
pub struct Params {
    shared: Arc<Shared>,
}

#[derive(PartialEq)]
struct Shared {
    spec: Spec,
    /// Security of the small key and of the GLWE key.
    security_bits: [f64; 2],
    mask_errors: f64,
    id: [u8; 32],
}

impl fmt::Debug for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Params({})", self.name())
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl TryFrom<Spec> for Params {
    type Error = Error;

    fn try_from(spec: Spec) -> Result<Params, Error> {
        Params::new(spec)
    }
}

impl Params {
    /// Checks a description and returns the parameter set.
    ///
    /// The checks are: each field; the stated failure probability against the noise model; and the
    /// 128-bit security of both keys against every attack of the estimator, including those that
    /// use the rotations of their rings (a few seconds of work each).
    ///
    /// # Errors
    /// [`Error::Spec`] with the field and its bound; [`Error::InsecureKey`] with the cheapest
    /// attack.
    pub fn new(spec: Spec) -> Result<Params, Error> {
        check_fields(&spec)?;
        check_failure(&spec)?;
        let check = |key: LweKey| check_lwe(&key, Level::Bits128);
        let small = match spec.family {
            KeyFamily::Uniform { .. } => LweSecret::Binary,
            KeyFamily::BlockBinary { length } => LweSecret::BlockBinary { length: length as u32 },
        };
        // Packing keys encrypt the small key as polynomials of the larger degree.
        let packing = spec.degree.min(spec.small_dimension.next_power_of_two());
        let small = check(LweKey {
            dimension: spec.small_dimension,
            log_modulus: 32.0,
            log_noise: spec.small_deviation_log2,
            secret: small,
            ring_degree: packing.max(spec.key_switch_degree),
        })?;
        let big = check(LweKey {
            dimension: spec.rank * spec.degree,
            log_modulus: 64.0,
            log_noise: spec.glwe_deviation_log2,
            secret: LweSecret::Binary,
            ring_degree: spec.degree,
        })?;
        Params::with_security(spec, [small.bits, big.bits])
    }

    /// Returns a set whose security was estimated before.
    pub(in crate::tfhe) fn with_security(
        spec: Spec,
        security_bits: [f64; 2],
    ) -> Result<Params, Error> {
        check_fields(&spec)?;
        check_failure(&spec)?;
        let (id, variances) = (identify(&spec), noise(&spec).variances());
        let mask_errors = variances.mask_errors / variances.blind_rotation;
        let shared = Arc::new(Shared { spec, security_bits, mask_errors, id });
        Ok(Params { shared })
    }

    /// Returns the cost of the cheapest attack on the small LWE key and on the GLWE key, in bits of
    /// the estimator's cost model ([`fathom_security::MODEL`]).
    pub fn security_bits(&self) -> [f64; 2] {
        self.shared.security_bits
    }

    /// Returns the greatest noise variance of a block that decryption decodes wrongly with at most
    /// the failure probability of the set. A bootstrap allows less, since it adds noise of its own.
    pub(in crate::tfhe) fn max_noise_variance_decrypted(&self) -> u32 {
        let unit = self.noise().variances().blind_rotation;
        let rare = |noise_variance: u32| {
            let variance = f64::from(noise_variance) * unit;
            log2_failure(self.space().bits(), variance) <= self.spec().failure_log2
        };
        let bits = (0..u32::BITS).rev().map(|bit| 1 << bit);
        bits.fold(
            0,
            |noise_variance, bit| {
                if rare(noise_variance | bit) { noise_variance | bit } else { noise_variance }
            },
        )
    }

    /// Returns `log2` of the failure probability of a bootstrap whose input has `noise_variance`
    /// times the noise variance of a bootstrap's output.
    pub fn failure_log2(&self, noise_variance: f64) -> f64 {
        failure_log2(self.spec(), noise_variance)
    }

    /// Returns the share of a bootstrap's output variance that is due to errors of masks multiplied
    /// by the key, which the coefficients of one accumulator have in common.
    pub(in crate::tfhe) fn mask_errors(&self) -> f64 {
        self.shared.mask_errors
    }

    /// Returns the noise model of a bootstrap.
    pub fn noise(&self) -> BootstrapNoise {
        noise(self.spec())
    }

    /// Returns the stable name of the set.
    pub fn name(&self) -> &str {
        self.spec().name.as_str()
    }

    /// Returns the description that the set was made from.
    pub fn spec(&self) -> &Spec {
        &self.shared.spec
    }

    /// Returns the message space of a block: message, carry and the padding bit.
    pub fn space(&self) -> Space {
        space(self.spec())
    }

    /// Returns the dimension of the LWE ciphertexts of blocks, `rank * degree`.
    pub fn big_dimension(&self) -> usize {
        self.spec().rank * self.spec().degree
    }

    /// Returns the degree of the test polynomial. The modulus switch rounds to exponents modulo
    /// twice this number.
    pub(crate) fn test_degree(&self) -> usize {
        self.spec().extension * self.spec().degree
    }

    /// Returns the greatest noise variance of a bootstrap's input, in units of the variance of its
    /// output.
    pub fn max_noise_variance(&self) -> u32 {
        self.spec().max_noise_variance
    }

    /// Returns the limit of [`Params::max_noise_variance`] for inputs in `space`.
    ///
    /// Each bit less than the set's own space doubles the distance between messages and allows four
    /// times the variance. Larger spaces are not supported: their limit is 0.
    pub(crate) fn max_noise_variance_in(&self, space: Space) -> u32 {
        match self.space().bits().checked_sub(space.bits()) {
            Some(fewer) => self.max_noise_variance().saturating_mul(1 << (2 * fewer)),
            None => 0,
        }
    }

    /// Returns whether bootstraps fail with a probability of more than `2^-128`.
    ///
    /// A failure leaks information on the key. Such a set is therefore only for the IND-CPA model,
    /// in which nobody who may see a decryption, or its failure, is an adversary.
    pub fn is_ind_cpa_only(&self) -> bool {
        self.spec().failure_log2 > -128.0
    }

    /// Returns the number of messages, `2^message_bits`.
    pub fn message_modulus(&self) -> i32 {
        1 << self.spec().message_bits
    }

    /// Checks that `other` is the same parameter set.
    pub(crate) fn same(&self, other: &Params) -> Result<(), Error> {
        if self.id() == other.id() {
            return Ok(());
        }
        Err(Error::ParamsMismatch { left: self.name().to_owned(), right: other.name().to_owned() })
    }

    /// Returns a hash of every field: 32 bytes that identify the parameter set.
    pub fn id(&self) -> [u8; 32] {
        self.shared.id
    }

    /// Returns the first 8 bytes of [`Params::id`], which ciphertexts carry.
    #[inline]
    pub(crate) fn tag(&self) -> u64 {
        u64::from_le_bytes(*self.shared.id.first_chunk().expect("an identifier has 32 bytes"))
    }

    /// Returns the number of bits kept of the bodies of the bootstrapping key. The noise model
    /// includes this rounding.
    pub fn body_bits(&self) -> u32 {
        fathom_security::kept_bits(self.spec().glwe_deviation_log2)
    }

    /// Returns the number of GLWE ciphertexts in the bootstrapping key.
    pub(crate) fn rotation_rows(&self) -> usize {
        self.steps() * self.product_shape().rows_of_step()
    }

    /// Returns the number of module-LWE ciphertexts in the key-switching key.
    pub(crate) fn switch_rows(&self) -> usize {
        self.big_dimension() / self.spec().key_switch_degree * self.spec().key_switch.levels
    }

    /// Returns the number of steps of the blind rotation.
    pub(crate) fn steps(&self) -> usize {
        self.spec().small_dimension / self.spec().family.step()
    }

    /// Returns the shape of the external product in a step of the blind rotation.
    pub(crate) fn product_shape(&self) -> ProductShape {
        let Spec { degree, extension, rank, mask, body, family, .. } = *self.spec();
        ProductShape { degree, extension, rank, mask, body, selectors: family.selectors().len() }
    }

    /// Returns the bound of the uniform noise of GLWE ciphertexts and blocks, in units of `2^-64`.
    pub(crate) fn glwe_noise_bound(&self) -> u64 {
        noise_bound(64.0 + self.spec().glwe_deviation_log2)
    }

    /// Returns the bound of the uniform noise of small LWE ciphertexts, in units of `2^-32`.
    pub(crate) fn small_noise_bound(&self) -> u64 {
        noise_bound(32.0 + self.spec().small_deviation_log2)
    }
}

/// Returns a decomposition in the form of the noise model, whose crate depends on no other.
pub(crate) fn for_noise(digits: Decomposition) -> fathom_security::Decomposition {
    let Decomposition { base_log, levels } = digits;
    fathom_security::Decomposition { base_log, levels: levels as u32 }
}

/// Returns the noise model of a bootstrap.
fn noise(spec: &Spec) -> BootstrapNoise {
    BootstrapNoise {
        lwe_dimension: spec.small_dimension as u32,
        glwe_dimension: spec.rank as u32,
        polynomial_degree: spec.degree as u32,
        extension: spec.extension as u32,
        log_lwe_noise: spec.small_deviation_log2,
        log_glwe_noise: spec.glwe_deviation_log2,
        mask: for_noise(spec.mask),
        body: for_noise(spec.body),
        key_switch: for_noise(spec.key_switch),
        rotation: match spec.family {
            KeyFamily::Uniform { group } => BlindRotation::Grouped { group: group as u32 },
            KeyFamily::BlockBinary { length } => BlindRotation::Block { length: length as u32 },
        },
    }
}

/// Returns the message space of a block.
fn space(spec: &Spec) -> Space {
    Space::within_params(spec.message_bits + spec.carry_bits + 1)
}

/// Returns `log2` of the failure probability of a bootstrap at this noise variance of its input.
fn failure_log2(spec: &Spec, noise_variance: f64) -> f64 {
    noise(spec).log2_failure(space(spec).bits(), noise_variance)
}

/// Refuses a set that fails more often than it states, or of which that cannot be computed.
fn check_failure(spec: &Spec) -> Result<(), Error> {
    let failure = failure_log2(spec, f64::from(spec.max_noise_variance));
    if failure <= spec.failure_log2 {
        return Ok(());
    }
    let variance = spec.max_noise_variance;
    let reason = format!("the noise model gives 2^{failure:.1} at noise variance {variance}");
    Err(Error::Spec { field: "failure_log2", reason })
}

/// Returns a hash of every field.
pub(super) fn identify(spec: &Spec) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key("fathom 2 tfhe parameters");
    hasher.update(spec.name.as_str().as_bytes()).update(&[0]);
    let (family, step) = match spec.family {
        KeyFamily::Uniform { group } => (0, group),
        KeyFamily::BlockBinary { length } => (1, length),
    };
    let digits = [spec.mask, spec.body, spec.key_switch]
        .map(|digits| [digits.base_log.into(), digits.levels as u64])
        .concat();
    let numbers = [
        spec.message_bits.into(),
        spec.carry_bits.into(),
        spec.small_dimension as u64,
        spec.small_deviation_log2.to_bits(),
        family,
        step as u64,
        spec.degree as u64,
        spec.extension as u64,
        spec.rank as u64,
        spec.glwe_deviation_log2.to_bits(),
        spec.key_switch_degree as u64,
        spec.max_noise_variance.into(),
        spec.failure_log2.to_bits(),
    ];
    for number in numbers.into_iter().chain(digits) {
        hasher.update(&number.to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}

/// Returns the least bound such that integers uniform on `-bound..=bound` have at least this
/// standard deviation. Their variance is `bound (bound + 1) / 3`.
fn noise_bound(deviation_log2: f64) -> u64 {
    let variance = (2.0 * deviation_log2).exp2();
    ((3.0 * variance + 0.25).sqrt() - 0.5).ceil() as u64
}

fn refuse(field: &'static str, reason: &str) -> Result<(), Error> {
    Err(Error::Spec { field, reason: reason.to_owned() })
}

/// Checks every field by itself and in relation to the others.
fn check_fields(spec: &Spec) -> Result<(), Error> {
    let bits = spec.message_bits.saturating_add(spec.carry_bits).saturating_add(1);
    if spec.message_bits == 0 || !(2..=12).contains(&bits) {
        return refuse("message_bits", "message and carry have 1 to 11 bits together");
    }
    if !spec.degree.is_power_of_two() || !(256..=65_536).contains(&spec.degree) {
        return refuse("degree", "a power of two in 256..=65536");
    }
    if !spec.extension.is_power_of_two() || spec.extension > MAX_EXTENSION {
        return refuse("extension", "a power of two up to 64");
    }
    if spec.extension * spec.degree < 1 << bits {
        return refuse("degree", "at least one coefficient for half a box of the table");
    }
    if !(1..=3).contains(&spec.rank) {
        return refuse("rank", "1 to 3 mask polynomials");
    }
    let step = spec.family.step();
    let allowed = if matches!(spec.family, KeyFamily::Uniform { .. }) { 1..=2 } else { 2..=4 };
    if !allowed.contains(&step) {
        return refuse("family", "groups of 1 or 2 uniform bits, or blocks of 2 to 4");
    }
    check_decompositions(spec)
}

fn check_decompositions(spec: &Spec) -> Result<(), Error> {
    let small = spec.key_switch_degree;
    if !small.is_power_of_two() || !(16..=256).contains(&small) {
        return refuse("key_switch_degree", "a power of two in 16..=256");
    }
    let (n, step) = (spec.small_dimension, spec.family.step());
    if n == 0 || n > 1 << 14 || !n.is_multiple_of(step) || !n.is_multiple_of(small) {
        return refuse(
            "small_dimension",
            "a multiple of the step and of the key switch's degree, at most 16384",
        );
    }
    for digits in [spec.mask, spec.body, spec.key_switch] {
        let sum = digits.base_log as usize * digits.levels;
        if digits.base_log == 0 || digits.base_log > 32 || !(1..=52).contains(&sum) {
            return refuse("decomposition", "1 to 52 bits in digits of 1 to 32");
        }
    }
    if !(-64.0..0.0).contains(&spec.glwe_deviation_log2)
        || !(-32.0..0.0).contains(&spec.small_deviation_log2)
    {
        return refuse("deviation", "below 1 and not below one unit of the modulus");
    }
    // Half of the bootstraps at most, and a number.
    if !(spec.failure_log2.is_finite() && spec.failure_log2 <= -1.0) {
        return refuse("failure_log2", "a finite number up to -1");
    }
    Ok(())
}
