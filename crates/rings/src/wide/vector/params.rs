//! Parameters of vectors: a ring and the primes of the residues.

use super::tables::{Residue, VectorTables};
use super::{Element, Residues, VectorParams, VectorSpec};
use crate::Error;
use crate::rlwe::{
    Bounds, Context, ContextSpec, Level, Noise, NoiseModel, Norms, Params, check_failure,
};
use crate::wide::{Integer, WideError};
use fathom_ring::{ErrorFactor, Gadget};
use fathom_security::SecretDistribution;

/// Bits of the widest elements.
const LARGEST_INPUT: u32 = 128;
/// Bits by which bounds in double precision may be rounded down, in more operations than there are.
const ROUNDING: f64 = 1e-9;

impl VectorParams {
    /// Checks a description and builds its tables.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the product of all primes is too large for the degree and the level,
    /// [`Error::Spec`] or [`Error::Ring`] if a prime does not fit.
    pub(super) fn from_spec(spec: VectorSpec) -> Result<VectorParams, Error> {
        check(&spec)?;
        // Without special primes no key switches, and the gadget is not used.
        let gadget = if spec.special.is_empty() {
            Gadget::Positional { base_log: 20 }
        } else {
            Gadget::Hybrid { limbs: 1 }
        };
        let context = Context::new(ContextSpec {
            degree: spec.degree,
            chain: spec.chain.clone(),
            special: spec.special.clone(),
            gadget,
            error_factor: ErrorFactor::One,
            secret: SecretDistribution::Ternary,
            security: spec.security,
            failure_log2: spec.failure_log2,
            published_log2: 0.0,
        })?;
        let residues: Result<Vec<_>, _> =
            (0..spec.moduli.len()).map(|i| Residue::new(&context, &spec.moduli, i)).collect();
        let greatest = greatest_modulus(&spec);
        let model = NoiseModel {
            error_factor: Norms::of_integer(greatest as f64),
            ..context.model.clone()
        };
        let product_log2 = spec.moduli.iter().map(|&t| (t as f64).log2()).sum();
        let name = format!("vector-{}x{}", spec.degree, spec.moduli.len());
        let distinction = [&[u64::from(spec.input_bits)], spec.moduli.as_slice()].concat();
        let tables = VectorTables { spec, residues: residues?, model, product_log2 };
        Ok(Params::<Residues>::from_distinguished_parts(name, context, tables, &distinction))
    }

    /// Returns the description of these parameters.
    pub(in crate::wide) fn vector_spec(&self) -> &VectorSpec {
        &self.tables().spec
    }

    /// Returns the most elements of a vector: the degree.
    pub fn capacity(&self) -> usize {
        self.degree()
    }

    /// Returns `log2` of the greatest absolute value of an element that is encrypted: that of the
    /// planned circuit.
    pub fn input_bits(&self) -> u32 {
        self.tables().spec.input_bits
    }

    /// Returns the greatest absolute value of a fresh element of type `T`.
    pub(super) fn largest_input<T: Element>(&self) -> f64 {
        f64::from(self.input_bits().min(T::BITS)).exp2()
    }

    /// Refuses elements that are greater than planned. Only a refusal depends on their values.
    pub(super) fn check_inputs<T: Element>(&self, values: &[T]) -> Result<(), Error> {
        let bits = self.input_bits();
        let limit = 1u128.checked_shl(bits).unwrap_or(u128::MAX);
        let beyond = |value: &T| value.magnitude() > limit;
        if values.iter().filter(|value| beyond(value)).count() == 0 {
            return Ok(());
        }
        let index = values.iter().position(beyond).unwrap_or_default();
        Err(WideError::BeyondPlan { index, bits }.into())
    }

    /// Returns `log2` of the greatest absolute value that a result can have.
    pub fn value_bits(&self) -> f64 {
        self.tables().product_log2 - 1.0 - ROUNDING
    }

    pub(in crate::wide) fn message_norms(&self) -> Bounds {
        let greatest = greatest_modulus(&self.tables().spec);
        Bounds::of_coefficients(greatest as f64 / 2.0, self.degree())
    }

    pub(super) fn vector_budget(&self, noise: Noise) -> f64 {
        self.tables().model.budget_bits(noise, self.top_level().limbs())
    }

    pub(super) fn vector_level(&self) -> Level {
        self.top_level()
    }

    /// Returns the digits of a value in mixed radix, each centred, from its residues: the value is
    /// the sum of `digit[i] * t_0 ... t_(i-1)`, and at most half of the product in absolute value.
    pub(super) fn mixed_digits(&self, residue: impl Fn(usize) -> u64, digits: &mut [i64]) {
        for (i, table) in self.tables().residues.iter().enumerate() {
            let m = &table.modulus;
            let known = digits[..i]
                .iter()
                .zip(&table.mixed_weights)
                .fold(0, |sum, (&d, &w)| m.add(sum, m.mul(m.from_signed(d), w)));
            digits[i] = m.to_signed(m.mul(m.sub(residue(i), known), table.mixed_inverse));
        }
    }

    /// Returns the products of the first 0, 1, ... primes modulo `2^128`.
    pub(super) fn word_weights(&self) -> Vec<u128> {
        let moduli = &self.tables().spec.moduli;
        let products = moduli.iter().scan(1u128, |product, &t| {
            let weight = *product;
            *product = product.wrapping_mul(u128::from(t));
            Some(weight)
        });
        products.collect()
    }

    /// Returns the integer with these digits in mixed radix, by Horner's rule from the highest.
    pub(super) fn integer_of_digits(&self, digits: &[i64]) -> Integer {
        let moduli = &self.tables().spec.moduli;
        let bits = (self.tables().product_log2.ceil() as usize).next_multiple_of(64);
        let mut words = vec![0u64; bits / 64 + 1];
        for (&digit, &t) in digits.iter().zip(moduli).rev() {
            let mut carry = 0;
            for word in &mut words {
                (*word, carry) = word.carrying_mul(t, carry);
            }
            crate::wide::limbs::subtract_signed(&mut words, -i128::from(digit));
        }
        let sign = crate::wide::limbs::sign(&words);
        crate::wide::limbs::negate_if(&mut words, sign);
        words.pop();
        Integer::from_parts(sign, words, bits as u32)
    }
}

/// Returns the greatest of the moduli, of which there is at least one.
fn greatest_modulus(spec: &VectorSpec) -> u64 {
    spec.moduli.iter().copied().max().expect("a set without moduli is refused")
}

fn check(spec: &VectorSpec) -> Result<(), Error> {
    let refuse = |field, reason: String| Err(Error::Spec { field, reason });
    if !spec.degree.is_power_of_two() || spec.degree < 1024 {
        return refuse("degree", format!("{} is not a power of two from 1024 on", spec.degree));
    }
    if spec.moduli.is_empty() || spec.moduli.len() > 64 {
        return refuse("moduli", format!("{} are not between 1 and 64", spec.moduli.len()));
    }
    let step = 2 * spec.degree as u64;
    if let Some(t) = spec.moduli.iter().find(|&&t| t % step != 1) {
        return refuse("moduli", format!("{t} is not 1 modulo {step}, so it has no slots"));
    }
    if spec.special.len() > 1 || spec.chain.len() > 8 {
        return refuse("chain", "at most 8 primes and one special prime".to_owned());
    }
    let primes = || spec.chain.iter().chain(&spec.special);
    if let Some(t) = spec.moduli.iter().find(|t| primes().any(|p| p == *t)) {
        return refuse("moduli", format!("{t} is a prime of the ring as well"));
    }
    if spec.input_bits > LARGEST_INPUT {
        let reason = format!("{} are more than {LARGEST_INPUT}", spec.input_bits);
        return refuse("input_bits", reason);
    }
    // Errors times t plus a message are lifted without a division.
    let greatest = greatest_modulus(spec);
    if let Some(q) = spec.chain.iter().find(|&&q| q / 64 < greatest) {
        return refuse("chain", format!("{q} is not above 64 times {greatest}"));
    }
    check_failure(spec.failure_log2)?;
    Ok(())
}
