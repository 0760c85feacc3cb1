//! The planner: the smallest parameters for a depth and a precision.

use super::encoding::LARGEST_DEGREE;
use super::{Ckks, Mode, Spec};
use crate::Error;
use crate::rlwe::{Bounds, Context, Encryption, LimbCount, Noise, NoiseModel, Params, Relation};
use fathom_security::{Adversary, Level, SecretDistribution, max_log_modulus};

/// The degrees that are tried, smallest first.
pub(super) const DEGREES: [usize; 7] = [1024, 2048, 4096, 8192, 16384, 32768, LARGEST_DEGREE];
/// `log2` of the probability allowed that an error exceeds its bound.
const FAILURE_LOG2: f64 = -128.0;
/// Bits of the base prime above the scale: the range of results.
const RANGE_BITS: f64 = 8.0;
/// Sizes of primes that every vector kernel supports are below this.
pub(super) const WIDEST: f64 = 45.8;
/// The largest scale, in bits. Its primes are for the portable kernel; double precision, in which
/// slots are encoded and decoded, ends here too.
pub(super) const LARGEST_SCALE: u32 = 58;
/// Sizes of the primes beside such a scale.
const WIDEST_PORTABLE: f64 = 60.0;
/// Most primes in a digit.
const LONGEST_DIGIT: usize = 8;
/// Bits of the special primes above a digit that products need.
pub(super) const LEAST_MARGIN_BITS: f64 = 1.0;

/// The sizes that a set of parameters is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) degree: usize,
    pub(super) depth: usize,
    pub(super) scale_bits: f64,
    /// Bits of the base prime above the scale.
    pub(super) range_bits: f64,
    /// Bits of the special primes above a digit: the error of a key switch falls by as many.
    pub(super) margin_bits: f64,
}

impl<M: Mode> Params<Ckks<M>> {
    /// Returns the smallest parameters under which a fresh encryption of this kind, of slots up to
    /// 1 in absolute value, can be squared `depth` times in a row with an error below
    /// `2^-precision_bits` in every slot, except with probability 2^-128.
    ///
    /// Results have a range of `2^7`. Tries degrees from 1024 to 65536; at the first one with room,
    /// the least scale that is precise enough, and the digits of key switching that take the fewest
    /// transforms.
    ///
    /// # Errors
    /// [`Error::Spec`], which names the bits needed and allowed, if there is no such set.
    pub fn for_precision(
        depth: usize,
        precision_bits: f64,
        encryption: Encryption,
        security: Level,
    ) -> Result<Self, Error> {
        if !(0.125..=40.0).contains(&precision_bits) || depth > 48 {
            let reason = format!(
                "{precision_bits} bits at depth {depth}: the precision is 1/8 to 40 bits, the \
                 depth up to 48"
            );
            return Err(Error::Spec { field: "precision_bits", reason });
        }
        let mut tried = Vec::new();
        for degree in DEGREES {
            let Some(limit) = limit_bits(degree, security) else { continue };
            // The error is at least that of rounding, some bits above the precision.
            let least = (precision_bits + 12.0).max(21.5).ceil() as u32;
            for scale_bits in (least..=LARGEST_SCALE).map(scale_of) {
                let (range_bits, margin_bits) = (RANGE_BITS, LEAST_MARGIN_BITS);
                let sizes = Sizes { degree, depth, scale_bits, range_bits, margin_bits };
                let Some(spec) = sizes.smallest(security) else { break };
                // There may be too few primes near a small scale.
                let Ok(params) = Self::new(spec) else { continue };
                if params.chain_error_bits(encryption) < -precision_bits {
                    return Ok(params);
                }
            }
            tried.push(format!("degree {degree} has {limit} bits"));
        }
        let reason = format!(
            "no set keeps {precision_bits} bits through {depth} products at {security}: {}; lower \
             the depth, the precision or the security",
            tried.join(", ")
        );
        Err(Error::Spec { field: "precision_bits", reason })
    }

    /// Returns `log2` of the error bound of a slot after a chain of squares down to the last level,
    /// by the library's own noise model.
    fn chain_error_bits(&self, encryption: Encryption) -> f64 {
        let errors = encryption.served().iter().map(|&fresh| self.chain_error_bits_of(fresh));
        errors.max_by(f64::total_cmp).expect("some encryption is served")
    }

    /// Returns the error bound for one kind of fresh encryption.
    fn chain_error_bits_of(&self, fresh: Encryption) -> f64 {
        let context: &Context = self.context();
        let model: &NoiseModel = &context.model;
        let noise = fresh.noise(model, self.fresh_message());
        let encoding = super::encode::encoding_error(self, self.largest_scale());
        let mut noise = Noise { rest: noise.rest.plus(encoding), ..noise };
        let (top, last) = (self.top_level(), self.last_level());
        for level in (last.get()..top.get()).rev().map(crate::rlwe::Level::new) {
            let (from, to): (LimbCount, LimbCount) = (level.above().limbs(), level.limbs());
            let product = model.multiplied(noise, noise, Relation::Any);
            noise = model.product_switched(product, from, to);
            let left_bits = [(product, from), (noise, to)].map(|(n, l)| model.budget_bits(n, l));
            if !left_bits.iter().all(|left| *left >= 0.0) {
                return f64::INFINITY;
            }
        }
        let error = model.norms(noise).root / self.level_scale(last);
        // Decoding in double precision, and roundings of the scale.
        (error + 2f64.powi(-38)).log2()
    }

    fn fresh_message(&self) -> Bounds {
        Bounds::of_root_values(self.magnitude() * self.largest_scale())
    }
}

/// Returns the scale, in bits, that is tried for a whole number of them: the one next to the widest
/// primes of vector kernels stands for the scale of those.
pub(super) fn scale_of(bits: u32) -> f64 {
    if bits == WIDEST.ceil() as u32 { WIDEST } else { f64::from(bits) }
}

/// Returns `log2` of the largest modulus at a degree and a level of security.
pub(super) fn limit_bits(degree: usize, security: Level) -> Option<f64> {
    let secret = SecretDistribution::Ternary;
    max_log_modulus(degree, secret, security, Adversary::Classical).map(f64::from)
}

impl Sizes {
    /// Returns the description with the cheapest key switching among those within the security
    /// limit; `None` if there is none.
    pub(super) fn smallest(self, security: Level) -> Option<Spec> {
        let Sizes { degree, depth, scale_bits, range_bits, margin_bits } = self;
        let limit = limit_bits(degree, security)?;
        let base = scale_bits + range_bits;
        let widest = if scale_bits <= WIDEST { WIDEST } else { WIDEST_PORTABLE };
        let base_bits = if base <= widest { vec![base] } else { vec![base / 2.0; 2] };
        let chain = base + depth as f64 * scale_bits;
        let limbs = base_bits.len() + depth;
        let candidates = (1..=LONGEST_DIGIT.min(limbs)).filter_map(|digit| {
            let first: f64 = base_bits.iter().take(digit).sum();
            let rest = digit.saturating_sub(base_bits.len()) as f64 * scale_bits;
            let largest = (first + rest).max(digit.min(depth) as f64 * scale_bits);
            let special = ((largest + margin_bits) / widest).ceil();
            let bits = ((largest + margin_bits) / special).max(21.5);
            let digits = limbs.div_ceil(digit) as f64;
            let transforms = digits * (limbs as f64 + special) + 2.0 * special + 2.0 * limbs as f64;
            let fits = chain + special * bits <= limit && special as usize <= LONGEST_DIGIT;
            fits.then(|| (transforms, digit, vec![bits; special as usize]))
        });
        let (_, digit_limbs, special_bits) = candidates.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(Spec {
            name: format!("depth-{depth}-scale-{scale_bits}"),
            degree,
            base_bits,
            depth,
            scale_bits,
            special_bits,
            digit_limbs,
            magnitude: 1.0,
            security,
            failure_log2: FAILURE_LOG2,
        })
    }
}
