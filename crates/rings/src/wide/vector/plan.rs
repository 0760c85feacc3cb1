//! Planning: the primes and the ring for vectors of a type and a circuit.
//!
//! The results of a circuit have a known number of bits, `2^depth` times those of the inputs and
//! the logarithm of the terms. The primes of the residues need one bit more together. Few large
//! primes take few ciphertexts but a large modulus each, because the noise grows with the prime;
//! many small ones take a small modulus but more ciphertexts. There is no formula for the best
//! split, so all of them are tried: five degrees, up to 48 residue primes, chains of one to six
//! primes, and special primes of 20 to 45 bits where products are relinearised. For each of these
//! the least size of the chain primes that survives the circuit is found by bisection in steps of a
//! quarter of a bit.
//!
//! The candidate with the least work for all elements is taken. The work is the number of
//! ciphertexts times residues and rows, with a small part for the bits of the modulus. A candidate
//! survives if the noise model of the core has budget left after the whole circuit, for operands
//! that share their noise.
//!
//! Residue primes are at most 39.5 bits long, because 64 times a residue prime has to stay below a
//! prime of the ring.

use super::sum::summed_noise;
use super::{Element, VectorParams, VectorSpec};
use crate::rlwe::{
    Bounds, Encryption, LimbCount, NoiseModel, Norms, Relation, SecretBounds, Tails,
};
use crate::{Error, SecurityLevel};
use fathom_ring::{Gadget, is_prime, primes_below};
use fathom_security::{Adversary, SecretDistribution, max_log_modulus};

/// The treatment of products: relinearised to two components, or left with three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relinearization {
    /// Products are relinearised, with a key that the server needs.
    With,
    /// Products keep three components: no key, no work, results half as large again, and no product
    /// of a product.
    Without,
}

/// The operations on each element of a vector, for [`VectorParams::plan`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circuit {
    /// `log2` of the greatest absolute value of an input. Vectors of the planned parameters hold
    /// no greater ones.
    pub input_bits: u32,
    /// Products in a row.
    pub depth: u32,
    /// Results of these products that are added up, at least 1.
    pub sums: u32,
    /// Elements of one vector that are added up, by `VectorEvaluator::sum_slots` or `sum_prefix`; 1
    /// if none are.
    pub summed_slots: u32,
    /// Elements there will be in all, for the choice of the ring degree.
    pub elements: usize,
    /// Key that encrypts the inputs.
    pub encryption: Encryption,
    /// Treatment of products.
    pub relinearization: Relinearization,
    /// The security level.
    pub security: SecurityLevel,
}

impl Circuit {
    /// No ring of the security table has room for more products in a row.
    pub(in crate::wide) const GREATEST_DEPTH: u32 = 63;

    /// Sums of `sums` products of two elements of type `T`: thousands of elements, encrypted under
    /// the secret key, relinearised, 128-bit security.
    pub fn products_of<T: Element>(sums: u32) -> Circuit {
        Circuit {
            input_bits: T::BITS,
            depth: 1,
            sums,
            summed_slots: 1,
            elements: 4096,
            encryption: Encryption::SecretKey,
            relinearization: Relinearization::With,
            security: SecurityLevel::Bits128,
        }
    }

    /// Sums of `sums` elements of type `T`.
    pub fn sums_of<T: Element>(sums: u32) -> Circuit {
        let relinearization = Relinearization::Without;
        Circuit { depth: 0, relinearization, ..Circuit::products_of::<T>(sums) }
    }

    /// Returns the circuit whose results are sums of up to `count` elements of one vector, with the
    /// keys that rotations need.
    #[must_use]
    pub fn sum_slots(self, count: u32) -> Circuit {
        Circuit { summed_slots: count, relinearization: Relinearization::With, ..self }
    }

    /// Refuses numbers of operations that no circuit has.
    pub(in crate::wide) fn check(&self) -> Result<(), Error> {
        let refuse = |field, reason| Err(Error::Spec { field, reason });
        let most = Self::GREATEST_DEPTH;
        if self.depth > most {
            return refuse("depth", format!("{} is more than {most}", self.depth));
        }
        if self.sums == 0 {
            return refuse("sums", "0 results were to be added up; one alone is 1".to_owned());
        }
        let most = DEGREES[DEGREES.len() - 1] as u32;
        if !(1..=most).contains(&self.summed_slots) {
            let reason = format!("{} is not from 1, for none, to {most}", self.summed_slots);
            return refuse("summed_slots", reason);
        }
        if self.relinearization == Relinearization::Without && self.summed_slots > 1 {
            let reason = "rotations need keys; plan with Circuit::sum_slots".to_owned();
            return refuse("relinearization", reason);
        }
        Ok(())
    }

    /// Returns the number of products, or inputs, in a result.
    pub(in crate::wide) fn terms(&self) -> f64 {
        f64::from(self.sums) * f64::from(self.summed_slots)
    }

    /// Returns `log2` of the greatest absolute value of a result.
    pub(in crate::wide) fn result_bits(&self) -> f64 {
        f64::from(self.input_bits) * f64::from(self.depth).exp2() + self.terms().log2()
    }
}

/// The degrees that are tried.
const DEGREES: [usize; 5] = [2048, 4096, 8192, 16384, 32768];
/// `log2` of the probability allowed that a ciphertext within its bound decrypts wrongly.
const FAILURE_LOG2: f64 = -128.0;
/// Largest prime size, in bits, that every vector kernel supports.
const WIDEST_PRIME: f64 = 45.86;
/// Largest prime of the residues, in bits: 64 times it must stay below a prime of the ring.
const WIDEST_RESIDUE: f64 = 39.5;
/// Bits by which the primes that exist may fall short of those planned.
const SPARE: f64 = 0.1;
/// More primes of the residues than this are never the best choice.
const MOST_RESIDUES: usize = 48;

/// Sizes of rings and primes that support a circuit.
#[derive(Clone, Debug)]
struct Candidate {
    degree: usize,
    /// Primes of the residues, all of the same size in bits.
    residues: usize,
    residue_bits: f64,
    chain: usize,
    chain_bits: f64,
    special_bits: Option<f64>,
    /// Element operations for all elements, about.
    cost: f64,
}

impl VectorParams {
    /// Finds the primes and the ring for a circuit: those that take the least work for all
    /// elements.
    ///
    /// # Errors
    /// [`Error::Spec`] if no ring of the security table serves the circuit; [`Error::Ring`] if
    /// there are not enough primes.
    pub fn plan(circuit: &Circuit) -> Result<VectorParams, Error> {
        circuit.check()?;
        if circuit.relinearization == Relinearization::Without && circuit.depth > 1 {
            let reason = format!("{} products in a row need a relinearisation key", circuit.depth);
            return Err(Error::Spec { field: "relinearization", reason });
        }
        let mut candidates: Vec<Candidate> =
            DEGREES.into_iter().flat_map(|degree| circuit.candidates(degree)).collect();
        candidates.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        for candidate in candidates {
            let Ok(spec) = candidate.spec(circuit) else { continue };
            let params = VectorParams::from_spec(spec)?;
            let budget = circuit.budget(&params.tables().model, params.message_norms());
            if params.value_bits() >= circuit.result_bits() && budget >= 0.0 {
                return Ok(params);
            }
        }
        let reason = format!(
            "no ring of the security table holds results of {:.0} bits after {} products at {} \
             security; lower the depth, the width or the security level",
            circuit.result_bits(),
            circuit.depth,
            circuit.security
        );
        Err(Error::Spec { field: "circuit", reason })
    }
}

impl Circuit {
    /// Returns the candidates at one degree, one for each number of residue primes.
    fn candidates(&self, degree: usize) -> Vec<Candidate> {
        if degree < self.summed_slots as usize {
            return Vec::new();
        }
        let secret = SecretDistribution::Ternary;
        let Some(limit) = max_log_modulus(degree, secret, self.security, Adversary::Classical)
        else {
            return Vec::new();
        };
        // Centred: twice the greatest value.
        let total = self.result_bits() + 1.0;
        (1..=MOST_RESIDUES)
            .filter_map(|residues| {
                let least = (2.0 * degree as f64).log2() + 3.0;
                let residue_bits = (total / residues as f64 + SPARE / 2.0).max(least);
                (residue_bits <= WIDEST_RESIDUE)
                    .then(|| self.smallest(degree, residues, residue_bits, f64::from(limit)))?
            })
            .collect()
    }

    /// Finds the ring with the fewest bits, at most `limit`, for residue primes of this number and
    /// size.
    fn smallest(
        &self,
        degree: usize,
        residues: usize,
        residue_bits: f64,
        limit: f64,
    ) -> Option<Candidate> {
        let largest = (residue_bits + SPARE).exp2();
        let message = Bounds::of_coefficients(largest / 2.0, degree);
        let fits = |chain: usize, chain_bits: f64, special_bits: Option<f64>| {
            let model = Self::model(degree, largest, vec![chain_bits; chain], special_bits);
            self.budget(&model, message) >= 0.0
        };
        let rows = |chain: usize| match self.relinearization {
            Relinearization::Without => 3.0 * chain as f64,
            Relinearization::With => 3.0 * chain as f64 + 12.0 * (chain * (chain + 3)) as f64,
        };
        let specials: Vec<Option<f64>> = match self.relinearization {
            Relinearization::Without => vec![None],
            Relinearization::With => (20..=45).map(|bits| Some(f64::from(bits))).collect(),
        };
        let least = (residue_bits + SPARE + 6.0).max((degree as f64).log2() + 8.0);
        let mut best: Option<(f64, Candidate)> = None;
        for chain in 1..=6 {
            for special_bits in &specials {
                let room = limit - special_bits.unwrap_or(0.0);
                let widest = (room / chain as f64).min(WIDEST_PRIME);
                let steps = ((widest - least) / 0.25).floor();
                if steps < 0.0 {
                    continue;
                }
                let sizes: Vec<f64> =
                    (0..=steps as u32).map(|k| least + 0.25 * f64::from(k)).collect();
                // A larger prime never hurts, so that the sizes that survive are the last ones.
                let at = sizes.partition_point(|&bits| !fits(chain, bits - SPARE, *special_bits));
                let Some(&chain_bits) = sizes.get(at) else { continue };
                let batches = self.elements.div_ceil(degree).max(1) as f64;
                let cost = batches * degree as f64 * residues as f64 * rows(chain);
                let special_bits = *special_bits;
                let bits = chain_bits * chain as f64 + special_bits.unwrap_or(0.0);
                let candidate = Candidate {
                    degree,
                    residues,
                    residue_bits,
                    chain,
                    chain_bits,
                    special_bits,
                    cost: cost * (1.0 + bits / 4096.0),
                };
                if best.as_ref().is_none_or(|(least, _)| candidate.cost < *least) {
                    best = Some((candidate.cost, candidate));
                }
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    fn model(
        degree: usize,
        largest: f64,
        chain_bits: Vec<f64>,
        special_bits: Option<f64>,
    ) -> NoiseModel {
        NoiseModel {
            degree,
            error_factor: Norms::of_integer(largest),
            secret: SecretBounds::new(SecretDistribution::Ternary, degree),
            gadget: Gadget::Hybrid { limbs: 1 },
            chain_bits,
            special_bits: special_bits.into_iter().collect(),
            tails: Tails::new(FAILURE_LOG2, degree),
        }
    }

    /// Returns the bits of noise budget after the circuit, for operands that may share their noise;
    /// none for more products than any ring has room for.
    pub(in crate::wide) fn budget(&self, model: &NoiseModel, message: Bounds) -> f64 {
        if self.depth > Circuit::GREATEST_DEPTH {
            return f64::NEG_INFINITY;
        }
        let limbs = LimbCount::of(fathom_ring::Limbs::chain(model.chain_bits.len()));
        let mut noise = self.encryption.greatest_noise(model, message);
        for _ in 0..self.depth {
            noise = model.multiplied(noise, noise, Relation::Any);
            if self.relinearization == Relinearization::With {
                noise = model.key_switched(noise, limbs);
            }
        }
        // Whichever sum comes first: this order has more key switches.
        let noise = summed_noise(model, noise, self.summed_slots as usize, limbs);
        model.budget_bits(noise.times(f64::from(self.sums)), limbs)
    }
}

impl Candidate {
    /// Finds primes of these sizes.
    fn spec(&self, circuit: &Circuit) -> Result<VectorSpec, Error> {
        let step = 2 * self.degree as u64;
        let moduli = smallest_primes(self.residue_bits, step, self.residues)?;
        let mut taken = moduli.clone();
        let chain = primes_below(self.chain_bits, step, self.chain, &taken)?;
        taken.extend(&chain);
        let special = match self.special_bits {
            Some(bits) => primes_below(bits, step, 1, &taken)?,
            None => Vec::new(),
        };
        Ok(VectorSpec {
            degree: self.degree,
            input_bits: circuit.input_bits,
            moduli,
            chain,
            special,
            security: circuit.security,
            failure_log2: FAILURE_LOG2,
        })
    }
}

/// Returns the smallest `count` primes from `2^bits` on that are 1 modulo `step`.
fn smallest_primes(bits: f64, step: u64, count: usize) -> Result<Vec<u64>, Error> {
    let first = bits.exp2() as u64 / step;
    let end = (bits + SPARE).exp2() as u64 / step;
    let primes = (first..=end).map(|k| k * step + 1).filter(|&t| is_prime(t));
    let found: Vec<u64> = primes.take(count).collect();
    if found.len() == count {
        return Ok(found);
    }
    let found = found.len();
    Err(fathom_ring::Error::PrimeSupply { bits, step, wanted: count, found }.into())
}
