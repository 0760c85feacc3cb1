//! The planner: the smallest parameters for a circuit, with reasons.
//!
//! A plan is a ring degree, a gadget of key switching and sizes of primes such that a fresh
//! ciphertext survives the circuit with a failure probability of 2^-128, within the largest modulus
//! that the security guidelines allow (eprint 2024/463, table 5.2). The circuit is described by the
//! greatest numbers of operations on one ciphertext: products in a row, rotations and sums before
//! each product and after the last.
//!
//! *Order of the search.* Degrees are tried from 1024 to 65536, and the first with room is taken,
//! since a product at twice the degree takes more than twice the work. At a degree, every gadget is
//! tried, hybrid ones of 1 to 12 primes a digit and positional ones of 6 to 20 bits (`gadgets.rs`).
//! For each, `search.rs` finds the sizes of primes with the fewest bits. The gadget whose product
//! takes the least work is chosen, not the one with the fewest bits, since bits below the limit
//! cost nothing. If no size of prime survives, spare primes are added to the chain: under a large
//! plaintext modulus, a product adds more noise than the prime that it drops takes away.
//!
//! *Why nothing is estimated twice.* The noise is that of [`NoiseModel`], which the operations also
//! use at run time. A plan cannot promise what an evaluator would refuse. The result of the search
//! is realised with primes that exist, checked as any other parameters, and the chain of products
//! is computed again; if the primes there are fall short, which the sizes allow for by 0.3 bits of
//! budget, larger ones are taken, in up to eight attempts.
//!
//! *Wide primes.* Primes have up to 45.86 bits, which every vector kernel supports. Only if no such
//! parameters exist are primes of up to 60 bits tried, which need the portable kernel.

mod gadgets;
mod search;
mod slots;

use super::params::ODD_PRIME;
use super::{Modular, Params, Spec};
use crate::Error;
use crate::rlwe::{Encryption, NoiseModel, product_transforms};
use fathom_ring::is_prime;
use fathom_security::{Level, TABLE_SOURCE};
use gadgets::{best_gadget, describe};
use search::{Candidate, DEGREES, Request, WIDEST_PRIME};
use std::fmt::Write;

/// `log2` of the probability allowed that a ciphertext within its bound decrypts wrongly.
const FAILURE_LOG2: f64 = -128.0;
/// Depths beyond this need larger rings than there are in the security table.
const GREATEST_DEPTH: usize = 63;
/// Results of products that a plan for a depth can add up: more would take a larger degree at
/// depth 5.
const A_FEW: usize = 3;
/// The most rotations or terms of a circuit: more do not fit any ring.
const MOST_STEPS: usize = 1 << 16;
/// Bits of the largest values: a plaintext modulus is a few bits smaller than the primes of the
/// chain.
const MOST_VALUE_BITS: u32 = 40;
/// Bits of the largest prime in a list of plaintext moduli.
const MOST_MODULUS_BITS: u32 = 45;
/// The most primes in such a list.
const MOST_MODULI: usize = 1 << 12;
/// Size in bits of the largest primes that the portable kernel supports.
const WIDE_PRIME: f64 = 60.0;
/// Number of attempts at larger primes if the real sizes of primes fall short.
const ATTEMPTS: usize = 8;

/// Parameters found for a depth, and why these.
#[derive(Clone, Debug)]
pub struct Plan<S: Modular> {
    params: Params<S>,
    request: Request,
    /// The reasons why the other choices were not taken, in the order of the search.
    alternatives: Vec<String>,
    limit: u32,
}

/// The greatest numbers of operations that a computation applies to one ciphertext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Circuit {
    /// Products in a row: the multiplicative depth.
    pub products: usize,
    /// Rotations in a row before each product and after the last.
    pub rotations: usize,
    /// Ciphertexts that are added up before each product and after the last, at least 1.
    pub terms: usize,
    /// Results that are added up at the end, if more than `terms`; at least 1.
    pub results: usize,
    /// The key that encrypts the inputs. The secret key leaves more budget to the circuit.
    pub encryption: Encryption,
}

impl<S: Modular> Params<S> {
    /// Returns the smallest parameters under which a fresh encryption of this kind supports `depth`
    /// products in a row and a sum of a few results, with a failure probability of 2^-128. Same as
    /// [`Params::for_circuit`] without rotations and sums in between.
    ///
    /// # Errors
    /// As [`Params::for_circuit`].
    pub fn for_depth(
        depth: usize,
        plain_modulus: u64,
        encryption: Encryption,
        security: Level,
    ) -> Result<Plan<S>, Error> {
        let results = A_FEW;
        let circuit = Circuit { products: depth, rotations: 0, terms: 1, results, encryption };
        Params::<S>::for_circuit(circuit, plain_modulus, security)
    }

    /// Returns the smallest parameters under which a fresh ciphertext supports a circuit, with a
    /// failure probability of 2^-128.
    ///
    /// A peak of the noise at one root of `X^N + 1`, which squaring amplifies, is allowed for:
    /// docs/maths/noise.md. Tries degrees from 1024 to 65536 and, for the first one with room under
    /// the security table, every gadget; takes the one whose product takes the least work. The
    /// noise is that of the library's own model; nothing is estimated twice. Every plan has as many
    /// slots as its degree.
    ///
    /// # Errors
    /// [`Error::Spec`], which names the bits needed and allowed, if there is no such set, or if the
    /// plaintext modulus is not an odd prime, or has no slots at the degree that the circuit takes:
    /// then it names one that has, or the greatest depth. [`Error::Ring`] if there are not enough
    /// primes.
    pub fn for_circuit(
        circuit: Circuit,
        plain_modulus: u64,
        security: Level,
    ) -> Result<Plan<S>, Error> {
        planned(&Request::new(circuit, plain_modulus, security)?)
    }

    /// Returns the smallest parameters with at least `slots` slots for values of `value_bits` bits,
    /// with a plaintext modulus that the library finds. Values are below `2^value_bits`; signed
    /// ones need a bit more.
    ///
    /// # Errors
    /// As [`Params::for_circuit`], for the largest degree; [`Error::Spec`] for more than 65536
    /// slots or 40 bits.
    pub fn for_slots(
        slots: usize,
        value_bits: u32,
        circuit: Circuit,
        security: Level,
    ) -> Result<Plan<S>, Error> {
        if value_bits > MOST_VALUE_BITS {
            let reason = format!("{value_bits} bits are more than {MOST_VALUE_BITS}");
            return Err(Error::Spec { field: "value_bits", reason });
        }
        let reason = format!("{slots} are more than the {} of the largest ring", DEGREES[6]);
        let mut refused = Error::Spec { field: "slots", reason };
        for degree in DEGREES.into_iter().filter(|degree| *degree >= slots) {
            let least = 1 << value_bits;
            let plain_modulus = Params::<S>::batching_primes(degree, least, 1)?[0];
            let request = Request::new(circuit, plain_modulus, security)?;
            match planned::<S>(&Request { least_degree: slots, ..request }) {
                // At a larger degree than the modulus was chosen for, a smaller one may do.
                Ok(plan) if plan.params().degree() <= degree => return Ok(plan),
                Ok(_) => {}
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    /// Returns the `count` smallest primes from `least` on that have slots at `degree`: plaintext
    /// moduli that are 1 modulo twice the degree, in ascending order.
    ///
    /// # Errors
    /// [`Error::Spec`] unless the degree is a power of two from 64 to 2^17 and the primes are below
    /// 2^45, or for more than 4096 primes.
    pub fn batching_primes(degree: usize, least: u64, count: usize) -> Result<Vec<u64>, Error> {
        if !degree.is_power_of_two() || !(64..=1 << 17).contains(&degree) {
            let reason = format!("{degree} is not a power of two from 64 to 2^17");
            return Err(Error::Spec { field: "degree", reason });
        }
        if count > MOST_MODULI {
            let reason = format!("{count} are more than {MOST_MODULI}");
            return Err(Error::Spec { field: "count", reason });
        }
        let mut found: Vec<u64> = Vec::new();
        while found.len() < count {
            let from = found.last().map_or(least, |last| last + 1);
            let next = slots::smallest_with_slots(from, degree);
            let Some(next) = next.filter(|t| *t < 1 << MOST_MODULUS_BITS) else {
                let reason = format!("no prime from {from} to 2^45 has slots at degree {degree}");
                return Err(Error::Spec { field: "plain_modulus", reason });
            };
            found.push(next);
        }
        Ok(found)
    }
}

impl Request {
    /// Checks the requirements.
    fn new(circuit: Circuit, plain_modulus: u64, security: Level) -> Result<Request, Error> {
        let Circuit { products: depth, rotations, terms, results, encryption } = circuit;
        let refuse = |field, reason| Err(Error::Spec { field, reason });
        if !is_prime(plain_modulus) || plain_modulus == 2 {
            return refuse("plain_modulus", format!("{plain_modulus} is not an {ODD_PRIME}"));
        }
        if depth > GREATEST_DEPTH {
            let reason = format!(
                "{depth} is more than {GREATEST_DEPTH}, the most that any ring of the security \
                 table allows; split the computation and encrypt again in between, or use TFHE"
            );
            return refuse("depth", reason);
        }
        for (field, number) in [("terms", terms), ("results", results)] {
            if !(1..=MOST_STEPS).contains(&number) {
                return refuse(field, format!("{number} is not from 1 to {MOST_STEPS}"));
            }
        }
        if rotations > MOST_STEPS {
            return refuse("rotations", format!("{rotations} are more than {MOST_STEPS}"));
        }
        let failure_log2 = FAILURE_LOG2;
        let least_degree = DEGREES[0];
        Ok(Request {
            depth,
            rotations,
            terms,
            results,
            least_degree,
            spare_primes: 0,
            widest: WIDEST_PRIME,
            plain_modulus,
            encryption,
            security,
            failure_log2,
        })
    }
}

/// Finds the smallest parameters that a request allows: with primes that every vector kernel
/// supports, or else with wide ones.
fn planned<S: Modular>(request: &Request) -> Result<Plan<S>, Error> {
    match planned_within(request) {
        Err(Error::Spec { field: "depth", .. }) => {
            planned_within(&Request { widest: WIDE_PRIME, ..*request })
        }
        other => other,
    }
}

fn planned_within<S: Modular>(request: &Request) -> Result<Plan<S>, Error> {
    let mut alternatives = Vec::new();
    for degree in DEGREES.into_iter().filter(|degree| *degree >= request.least_degree) {
        let Some(best) = best_gadget(request, degree, &mut alternatives) else { continue };
        if !slots::are_there(request.plain_modulus, degree) {
            return Err(slots::absent(request, degree));
        }
        let (limit, spare_primes) = (best.limit, best.spare_primes);
        let request = Request { spare_primes, ..*request };
        if let Some(params) = realised(&request, best)? {
            return Ok(Plan { params, request, alternatives, limit });
        }
        alternatives.push(format!("degree {degree}: the primes there are fall short"));
    }
    Err(Error::Spec { field: "depth", reason: refusal(request, &alternatives) })
}

impl<S: Modular> Plan<S> {
    /// Returns the parameters.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// Returns the parameters and drops the explanation.
    pub fn into_params(self) -> Params<S> {
        self.params
    }

    /// Returns the bits of noise budget after each product of a chain, starting with those of a
    /// fresh ciphertext, under the encryption that was planned for.
    pub fn budget_bits(&self) -> Vec<f64> {
        let model: &NoiseModel = &self.params.context().model;
        let chain = self.request.chain(model, self.request.encryption, 0.0);
        let chain = chain.expect("the search kept sets that survive the circuit");
        let limbs = self.request.limbs().up_to().rev();
        chain.iter().zip(limbs).map(|(&noise, limbs)| model.budget_bits(noise, limbs)).collect()
    }

    /// Bytes of residues in a fresh ciphertext: under the secret key, which sends one polynomial,
    /// and under the public key.
    pub fn ciphertext_bytes(&self) -> [usize; 2] {
        let polynomial = self.polynomial_bytes(self.params.chain());
        [polynomial, 2 * polynomial]
    }

    /// Bytes of residues in the relinearisation key, or in the key of one rotation: one polynomial
    /// for each digit.
    pub fn key_bytes(&self) -> usize {
        let model: &NoiseModel = &self.params.context().model;
        let all = [self.params.chain(), self.params.special()].concat();
        model.gadget.digits_of(&model.chain_bits) * self.polynomial_bytes(&all)
    }

    fn polynomial_bytes(&self, primes: &[u64]) -> usize {
        let bits = |q: &u64| (u64::BITS - q.leading_zeros()) as usize;
        primes.iter().map(bits).sum::<usize>() * self.params.degree() / 8
    }

    /// Returns an explanation of the choice in numbers, line by line: what was chosen, what was
    /// rejected and why, and what to change to get more.
    pub fn explanation(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.explain(&mut text);
        text
    }

    fn explain(&self, out: &mut String) -> std::fmt::Result {
        let (params, request) = (&self.params, &self.request);
        let model: &NoiseModel = &params.context().model;
        let assessment = params.assessment();
        writeln!(
            out,
            "depth {} modulo t = {} at {} security, failure probability 2^{}",
            request.depth, request.plain_modulus, request.security, request.failure_log2
        )?;
        writeln!(
            out,
            "circuit     {} rotations and a sum of {} before each product, a sum of {} at the end",
            request.rotations,
            request.terms,
            request.terms.max(request.results)
        )?;
        let key = match request.encryption {
            Encryption::SecretKey => "the secret key only",
            Encryption::PublicKey => "either key",
        };
        writeln!(out, "encryption  under {key}")?;
        writeln!(out, "degree      {}, {} slots", params.degree(), params.slot_count())?;
        let log_q = model.log2_modulus(params.top_level().limbs());
        writeln!(out, "log2 Q      {log_q:.2} = {}", sum(&model.chain_bits))?;
        writeln!(out, "log2 P      {:.2} = {}", model.special_log2(), sum(&model.special_bits))?;
        if request.widest > WIDEST_PRIME {
            writeln!(out, "primes      wider than {WIDEST_PRIME} bits: the portable kernel")?;
        }
        writeln!(
            out,
            "log2 QP     {:.2} of {} allowed ({TABLE_SOURCE})",
            params.log2_largest_modulus(),
            self.limit
        )?;
        writeln!(
            out,
            "security    {:.0} bits classical, {:.0} quantum ({})",
            assessment.classical_bits, assessment.quantum_bits, assessment.model
        )?;
        writeln!(
            out,
            "gadget      {}, {} transforms a product",
            describe(model.gadget),
            product_transforms(model)
        )?;
        let budgets: Vec<_> = self.budget_bits().iter().map(|b| format!("{b:.1}")).collect();
        writeln!(out, "budget      {} bits after 0, 1, ... products", budgets.join(", "))?;
        let [secret, public] = self.ciphertext_bytes();
        writeln!(out, "ciphertext  {secret} bytes (secret key, seeded), {public} (public key)")?;
        writeln!(out, "key         {} bytes each (relinearisation, rotation)", self.key_bytes())?;
        for alternative in &self.alternatives {
            writeln!(out, "not taken   {alternative}")?;
        }
        writeln!(
            out,
            "for more    one more product: depth {}; rotations or sums: Params::for_circuit",
            request.depth + 1
        )
    }
}

fn sum(bits: &[f64]) -> String {
    let terms: Vec<_> = bits.iter().map(|b| format!("{b:.2}")).collect();
    if terms.is_empty() { "nothing".to_owned() } else { terms.join(" + ") }
}

/// Returns the reason of a refusal, with that of the largest degree alone: those of smaller ones
/// follow from it.
fn refusal(request: &Request, alternatives: &[String]) -> String {
    let Request { depth, terms, results, rotations, plain_modulus, security, .. } = *request;
    let largest = DEGREES[DEGREES.len() - 1];
    let survives =
        |request: &Request| best_gadget(request, largest, &mut Vec::new()).map(|_| ()).is_some();
    let alone = Request { terms: 1, results: 1, rotations: 0, ..*request };
    let remedy = if terms > 1 && survives(&Request { terms: 1, ..*request }) {
        format!("without the sums of {terms} terms there is one: lower the terms")
    } else if results > 1 && survives(&Request { results: 1, ..*request }) {
        format!("without the sum of {results} results there is one: lower the results")
    } else if rotations > 0 && survives(&Request { rotations: 0, ..*request }) {
        format!("without the {rotations} rotations there is one: lower the rotations")
    } else if alone != *request && survives(&alone) {
        "without sums and rotations there is one: lower the terms, results and rotations".to_owned()
    } else {
        "lower the depth, the plaintext modulus or the security level".to_owned()
    };
    format!(
        "no set survives {depth} products modulo {plain_modulus} at {security} security: {}; \
         {remedy}",
        alternatives.last().map_or("no degree has room", String::as_str)
    )
}

/// Finds primes for a candidate, larger than planned where primes of the planned sizes run out;
/// returns `None` if there is no room for them.
fn realised<S: Modular>(
    request: &Request,
    candidate: Candidate,
) -> Result<Option<Params<S>>, Error> {
    let mut model = candidate.model;
    let total = |m: &NoiseModel| m.log2_modulus(request.limbs()) + m.special_log2();
    for _ in 0..ATTEMPTS {
        if total(&model) > f64::from(candidate.limit) {
            return Ok(None);
        }
        let params = Params::<S>::new(Spec {
            name: format!("depth-{}", request.depth),
            degree: model.degree,
            plain_modulus: request.plain_modulus,
            chain_bits: model.chain_bits.clone(),
            special_bits: model.special_bits.clone(),
            gadget: model.gadget,
            secret_weight: None,
            security: request.security,
            failure_log2: request.failure_log2,
        })?;
        if request.survives(&params.context().model) {
            return Ok(Some(params));
        }
        for bits in &mut model.chain_bits {
            *bits = (*bits + 0.1).min(request.widest);
        }
    }
    Ok(None)
}
