//! The search: for one degree and one gadget, the smallest primes that survive a chain of products.
//!
//! The unknowns are the size of the first prime, which the result keeps, the common size of the
//! other chain primes, one of which each product drops, and the sizes of the special primes. A
//! candidate survives if a chain of squares of the same ciphertext, the worst case of related
//! noise, with the rotations and sums of the request keeps 0.3 bits of budget at every step
//! (`Request::chain`).
//!
//! Special primes follow from the rest: as few and as short as keep the noise of a key switch below
//! the noise to which it is added. Where the circuit rotates, that is the rounding error; where
//! only products switch keys, it stays 4 bits below the noise of the product or of the division
//! that follows, which saves about 18 bits for a plaintext modulus of 17 bits
//! (`docs/maths/key_switch.md`).
//!
//! Sizes are multiples of a quarter of a bit. For growing first primes, the least size of the
//! others never grows, so one sweep with a bisection at each step visits a staircase instead of the
//! whole square of sizes (`Request::least_models`). The rounding of the special primes to steps
//! leaves gaps in what survives, and the sweep may therefore miss the best sizes by one step; a
//! test compares it with trying all of them.
//!
//! Bits that are left below the limit are given to the special primes, until key switching is 2
//! bits below rounding (`Request::widened`): they make results better and cost nothing.

use crate::SecurityLevel;
use crate::rlwe::{
    Bounds, Encryption, Level, LimbCount, Noise, NoiseModel, Relation, product_cost,
};
use fathom_ring::Gadget;
use fathom_security::{Adversary, SecretDistribution, max_log_modulus};

/// Largest prime size, in bits, that every vector kernel supports, and bits by which a prime is
/// larger than the plaintext modulus.
pub(super) use super::super::params::{ROOM_FOR_ERRORS, WIDEST_PRIME};

/// The degrees that are tried, smallest first.
pub(super) const DEGREES: [usize; 7] = [1024, 2048, 4096, 8192, 16384, 32768, 65536];

/// Bits of budget that a plan keeps at every level: primes are a little smaller than the powers of
/// two that it is made with.
const SPARE_BUDGET: f64 = 0.3;

/// Sizes of primes are multiples of this, in bits.
const STEP: f64 = 0.25;
/// Bits by which the noise of a key switch stays below the noise it is added to.
const KEY_SWITCH_MARGIN: f64 = 4.0;

/// More special primes than this are never the best choice.
const MOST_SPECIAL_PRIMES: f64 = 16.0;

/// The requirements of the caller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Request {
    /// Products in a row.
    pub(super) depth: usize,
    /// Rotations in a row before each product and after the last.
    pub(super) rotations: usize,
    /// Ciphertexts added up before each product and after the last.
    pub(super) terms: usize,
    /// Results added up at the end.
    pub(super) results: usize,
    /// The smallest degree allowed.
    pub(super) least_degree: usize,
    /// Primes of the chain beyond one for each product and one for the result. A large plaintext
    /// modulus takes them: a product then adds more noise than the prime that it drops takes away.
    pub(super) spare_primes: usize,
    /// The largest size of a prime, in bits.
    pub(super) widest: f64,
    pub(super) plain_modulus: u64,
    /// The key that encrypts the inputs.
    pub(super) encryption: Encryption,
    pub(super) security: SecurityLevel,
    pub(super) failure_log2: f64,
}

/// Reason why a degree with a gadget does not satisfy a request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Rejection {
    /// The security level has no row for the degree.
    NoLimit,
    /// No prime sizes up to the largest one survive the chain.
    PrimesTooSmall,
    /// All primes together need this many bits, but only so many are allowed.
    Modulus { needed: f64, limit: u32 },
    /// The smallest primes that hold the messages have this many bits together already.
    LeastModulus { least: f64, limit: u32 },
}

/// Sizes that survive, with their cost.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) model: NoiseModel,
    /// Word operations of one product at the top level, about.
    pub(super) cost: f64,
    /// The largest modulus allowed, in bits.
    pub(super) limit: u32,
    /// The spare primes of the chain.
    pub(super) spare_primes: usize,
}

impl Request {
    pub(super) fn limit(&self, degree: usize) -> Option<u32> {
        let secret = SecretDistribution::Ternary;
        max_log_modulus(degree, secret, self.security, Adversary::Classical)
    }

    /// Returns the number of chain primes of a fresh ciphertext: one more than there are products,
    /// and the spare ones.
    pub(super) fn limbs(&self) -> LimbCount {
        Level::new(self.depth + self.spare_primes).limbs()
    }

    /// Returns the norms of any message.
    fn message(&self, model: &NoiseModel) -> Bounds {
        model.message_of_coefficients(self.plain_modulus as f64 / 2.0)
    }

    /// Returns the noise after the rotations and the sum of `terms` results at one level.
    fn rotated_and_added(
        &self,
        model: &NoiseModel,
        noise: Noise,
        limbs: LimbCount,
        terms: usize,
    ) -> Noise {
        // Every rotation adds the same term, independently of the others.
        let term = model.key_switched(Noise::default(), limbs);
        noise.plus_independent(term.of_independent(self.rotations)).times(terms as f64)
    }

    /// Returns the noise at each level of a chain of squares, top level first, before the rotations
    /// and sums there, or `None` if any step could decrypt wrongly. Every budget keeps `spare`
    /// bits.
    pub(super) fn chain(
        &self,
        model: &NoiseModel,
        fresh: Encryption,
        spare: f64,
    ) -> Option<Vec<Noise>> {
        let mut noise = fresh.noise(model, self.message(model));
        let fits = |noise: Noise, limbs| model.budget_bits(noise, limbs) >= spare;
        if !fits(noise, self.limbs()) {
            return None;
        }
        let mut all = vec![noise];
        let levels = self.spare_primes..self.depth + self.spare_primes;
        for level in levels.rev().map(Level::new) {
            let (limbs, next) = (level.above().limbs(), level.limbs());
            noise = self.rotated_and_added(model, noise, limbs, self.terms);
            if !fits(noise, limbs) {
                return None;
            }
            // A square: the operands share all randomness, which is the worst case of a product.
            let product = model.multiplied(noise, noise, Relation::Any);
            if !fits(product, limbs) {
                return None;
            }
            noise = model.product_switched(product, limbs, next);
            all.push(noise);
            if !fits(noise, next) {
                return None;
            }
        }
        let last = Level::new(self.spare_primes).limbs();
        let terms = self.terms.max(self.results);
        let result = self.rotated_and_added(model, noise, last, terms);
        fits(result, last).then_some(all)
    }

    pub(super) fn survives(&self, model: &NoiseModel) -> bool {
        let survives = |&fresh| self.chain(model, fresh, SPARE_BUDGET).is_some();
        self.encryption.served().iter().rev().all(survives)
    }

    /// Finds the candidate with the fewest bits in total for this degree and gadget, up to one
    /// step.
    pub(super) fn smallest(&self, base: &NoiseModel) -> Result<Candidate, Rejection> {
        let limit = self.limit(base.degree).ok_or(Rejection::NoLimit)?;
        // Where even the smallest primes are too many there is nothing to search for.
        let least = self.least_bits(base.degree) * self.limbs().get() as f64;
        if least > f64::from(limit) && self.least_bits(base.degree) <= self.widest {
            return Err(Rejection::LeastModulus { least, limit });
        }
        let total = |model: &NoiseModel| model.log2_modulus(self.limbs()) + model.special_log2();
        let best = self.least_models(base).into_iter().min_by(|a, b| total(a).total_cmp(&total(b)));
        let best = best.ok_or(Rejection::PrimesTooSmall)?;
        let needed = total(&best);
        if needed <= f64::from(limit) {
            let model = self.widened(best, f64::from(limit) - needed);
            let cost = product_cost(&model);
            return Ok(Candidate { cost, limit, model, spare_primes: self.spare_primes });
        }
        Err(Rejection::Modulus { needed, limit })
    }

    /// Sizes that survive, among them the fewest bits in all, up to one step: for first primes from
    /// small to large, the least size of the other primes wherever it falls.
    fn least_models(&self, base: &NoiseModel) -> Vec<NoiseModel> {
        let sizes: Vec<f64> = steps(self.least_bits(base.degree), self.widest).collect();
        let model = |first: f64, rescale: f64| {
            let mut chain_bits = vec![rescale; self.limbs().get()];
            chain_bits[0] = first;
            self.with_special_primes(NoiseModel { chain_bits, ..base.clone() })
        };
        let survivor = |first, rescale| model(first, rescale).filter(|m| self.survives(m));
        if self.limbs().get() == 1 {
            return sizes.iter().filter_map(|&first| survivor(first, first)).collect();
        }
        let mut found = Vec::new();
        // More bits hardly ever hurt: the sizes that survive are the last ones, and a larger first
        // prime leaves no fewer of them. With the same others it only adds bits.
        let mut known = sizes.len();
        for &first in &sizes {
            if known == 0 || survivor(first, sizes[known - 1]).is_none() {
                continue;
            }
            let smaller = &sizes[..known - 1];
            known = smaller.partition_point(|&rescale| survivor(first, rescale).is_none());
            found.extend(survivor(first, sizes[known]));
        }
        found
    }

    /// Adds the smallest special primes that keep the noise of key switching below the noise it is
    /// added to; adds none for the positional gadget, if its digits are short enough.
    fn with_special_primes(&self, mut model: NoiseModel) -> Option<NoiseModel> {
        let noise = model.secret_key_noise(self.message(&model));
        let product = model.bound_bits(model.multiplied(noise, noise, Relation::Any));
        let floor = model.bound_bits(model.rounding_error(2));
        // Where rotations switch keys, what is added may be as large as rounding; where products
        // do, it stays below the noise that the switch of the modulus divides.
        let rotated = self.depth == 0 || self.rotations > 0;
        let margin = if rotated { 0.0 } else { KEY_SWITCH_MARGIN };
        // Without rotations, the last level has no key switch: only products switch keys, and each
        // leaves its level.
        let lowest = self.spare_primes + usize::from(!rotated);
        let excess = (lowest..=self.depth + self.spare_primes)
            .map(|level| {
                let allowed =
                    if rotated { floor } else { product.max(floor + model.chain_bits[level]) };
                let error = model.key_switch_error(Level::new(level).limbs());
                model.bound_bits(error) + margin - allowed
            })
            .fold(0.0, f64::max);
        let Gadget::Hybrid { .. } = model.gadget else {
            return (excess <= 0.0).then_some(model);
        };
        // Special primes of equal size, as few as possible: each one more is a row more in every
        // key.
        let count = (excess / (self.widest - STEP)).ceil().max(1.0);
        if count > MOST_SPECIAL_PRIMES {
            return None;
        }
        let least = self.least_special_bits(model.degree);
        let each = ((excess / count) / STEP).ceil() * STEP;
        model.special_bits = vec![each.max(least); count as usize];
        Some(model)
    }

    /// Spends bits that cost nothing: special primes up to where key switching is below rounding.
    fn widened(&self, mut model: NoiseModel, room: f64) -> NoiseModel {
        let mut room = room;
        let floor = model.bound_bits(model.rounding_error(2)) - KEY_SWITCH_MARGIN / 2.0;
        let excess = model.bound_bits(model.key_switch_error(self.limbs())) - floor;
        let count = model.special_bits.len() as f64;
        for bits in &mut model.special_bits {
            let wanted = (excess.max(0.0) / count).min(room / count).min(self.widest - *bits);
            let added = (wanted / STEP).floor().max(0.0) * STEP;
            *bits += added;
            room -= added;
        }
        model
    }

    /// Returns the least size of chain primes. They leave room for the messages, and are large
    /// enough for several to be 1 modulo twice the degree.
    fn least_bits(&self, degree: usize) -> f64 {
        let supply = (degree as f64).log2() + 6.0;
        round_up((self.plain_modulus as f64).log2() + ROOM_FOR_ERRORS).max(supply).max(14.0)
    }

    fn least_special_bits(&self, degree: usize) -> f64 {
        let supply = (degree as f64).log2() + 6.0;
        round_up((self.plain_modulus as f64).log2() + 1.0).max(supply).max(14.0)
    }
}

fn round_up(bits: f64) -> f64 {
    (bits / STEP).ceil() * STEP
}

fn steps(from: f64, to: f64) -> impl Iterator<Item = f64> {
    let count = ((to - from) / STEP).floor() as i32 + 1;
    (0..count).map(move |k| from + f64::from(k) * STEP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rlwe::{Norms, SecretBounds, Tails};

    /// The least size of the other primes for every first prime, one by one.
    fn exhaustive(request: &Request, base: &NoiseModel) -> Option<f64> {
        let sizes = || steps(request.least_bits(base.degree), request.widest);
        let total = |m: &NoiseModel| m.log2_modulus(request.limbs()) + m.special_log2();
        let best = sizes().filter_map(|first| {
            sizes().find_map(|rescale| {
                let mut chain_bits = vec![rescale; request.depth + 1];
                chain_bits[0] = first;
                let model =
                    request.with_special_primes(NoiseModel { chain_bits, ..base.clone() })?;
                request.survives(&model).then(|| total(&model))
            })
        });
        best.min_by(f64::total_cmp)
    }

    #[test]
    fn the_sweep_finds_what_trying_everything_finds_within_a_step() {
        for (depth, degree, plain_modulus) in
            [(0, 4096, 65537), (1, 4096, 257), (3, 8192, 65537), (5, 16384, 786_433)]
        {
            let security = SecurityLevel::Bits128;
            let request = Request {
                depth,
                rotations: depth,
                terms: depth + 1,
                results: 4,
                least_degree: 0,
                spare_primes: 0,
                widest: WIDEST_PRIME,
                plain_modulus,
                encryption: Encryption::PublicKey,
                security,
                failure_log2: -128.0,
            };
            for gadget in [
                Gadget::Hybrid { limbs: 1 },
                Gadget::Hybrid { limbs: 2 },
                Gadget::Positional { base_log: 16 },
                Gadget::Positional { base_log: 8 },
            ] {
                let base = NoiseModel {
                    degree,
                    error_factor: Norms::of_integer(plain_modulus as f64),
                    secret: SecretBounds::new(SecretDistribution::Ternary, degree),
                    gadget,
                    chain_bits: Vec::new(),
                    special_bits: Vec::new(),
                    tails: Tails::new(-128.0, degree),
                };
                let total = |m: &NoiseModel| m.log2_modulus(request.limbs()) + m.special_log2();
                let found = request.least_models(&base);
                let found = found.iter().map(total).min_by(f64::total_cmp);
                // Special primes are rounded to steps, so that sizes which survive may have gaps:
                // the sweep may miss the best by a step.
                let near = match (found, exhaustive(&request, &base)) {
                    (Some(found), Some(least)) => (0.0..=STEP).contains(&(found - least)),
                    (found, least) => found == least,
                };
                assert!(near, "{depth} {degree} {gadget:?}: {found:?}");
            }
        }
    }
}
