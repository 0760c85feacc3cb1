//! Parameters of exact integers: an unchecked description in, a checked and secure set out.

use super::{Factor, Integer, Params, Product, Spec, Tables, factor};
use crate::Error;
use crate::rlwe::{Bounds, Context, ContextSpec, Level, check_failure};
use crate::wide::WideError;
use fathom_ring::{ErrorFactor, primes_below};
use fathom_security::SecretDistribution;

/// The base in which integers are written: the plaintext modulus is `X - 2`.
const BASE: u32 = 2;

/// Smaller rings are not secure with any useful modulus.
const LEAST_DEGREE: usize = 1024;

impl TryFrom<Spec> for Params {
    type Error = Error;

    fn try_from(spec: Spec) -> Result<Params, Error> {
        check(&spec)?;
        let step = 2 * spec.degree as u64;
        let mut taken = Vec::new();
        let mut find = |bits: &[f64]| -> Result<Vec<u64>, Error> {
            let first = taken.len();
            for bits in bits {
                let found = primes_below(*bits, step, 1, &taken)?;
                taken.extend(found);
            }
            Ok(taken[first..].to_vec())
        };
        let chain = find(&spec.chain_bits)?;
        let special = find(&spec.special_bits)?;
        let context = Context::new(ContextSpec {
            degree: spec.degree,
            chain,
            special,
            gadget: spec.gadget,
            error_factor: ErrorFactor::Linear(BASE),
            secret: SecretDistribution::Ternary,
            security: spec.security,
            failure_log2: spec.failure_log2,
            published_log2: 0.0,
        })?;
        let name = spec.name.clone();
        let distinction = [u64::from(spec.product == Product::ScaleInvariant)];
        Ok(Params::from_distinguished_parts(name, context, Tables { spec }, &distinction))
    }
}

impl Params {
    /// Returns the description these parameters were made from.
    pub fn spec(&self) -> &Spec {
        &self.tables().spec
    }

    /// Returns the algorithm that multiplies ciphertexts.
    pub fn product(&self) -> Product {
        self.tables().spec.product
    }

    /// Returns the width in bits of the widest message: `N - 1`.
    pub fn widest_bits(&self) -> u32 {
        self.degree() as u32 - 1
    }

    /// Returns the bound on messages whose width in bits is `bits`.
    pub(super) fn bound_of_width(&self, bits: u32) -> Bounds {
        match self.product() {
            Product::Tensor => Integer::digits_bound(bits),
            // Multiplied by the modulus, any integer is wide.
            Product::ScaleInvariant => Integer::digits_bound(self.widest_bits()),
        }
    }

    /// Refuses integers of more bits than messages have.
    pub(super) fn check_bits(&self, bits: u32) -> Result<(), Error> {
        let widest = self.widest_bits();
        if bits <= widest { Ok(()) } else { Err(WideError::TooWide { bits, widest }.into()) }
    }

    pub(super) fn fresh_factor(&self, level: Level) -> Factor {
        match self.product() {
            Product::Tensor => Factor::default(),
            Product::ScaleInvariant => Factor::negated_modulus(level.limbs().get()),
        }
    }
}

fn check(spec: &Spec) -> Result<(), Error> {
    let refuse = |field, reason: String| Err(Error::Spec { field, reason });
    if spec.name.len() > Spec::LONGEST_NAME {
        return refuse("name", format!("it has more than {} bytes", Spec::LONGEST_NAME));
    }
    if spec.degree < LEAST_DEGREE {
        let reason = format!("{} is below {LEAST_DEGREE}", spec.degree);
        return refuse("degree", reason);
    }
    let sizes = [("chain_bits", &spec.chain_bits), ("special_bits", &spec.special_bits)];
    for (field, bits) in sizes {
        if let Some(bits) = bits.iter().find(|b| !(14.0..=45.86).contains(*b)) {
            return refuse(field, format!("a prime of {bits} bits is not between 14 and 45.86"));
        }
        if bits.len() > factor::MOST_PRIMES {
            let reason = format!("{} primes are more than {}", bits.len(), factor::MOST_PRIMES);
            return refuse(field, reason);
        }
    }
    // Decryption reads the phase as 128-bit integers.
    let log_q: f64 = spec.chain_bits.iter().sum();
    if !(..=126.0).contains(&log_q) {
        return refuse("chain_bits", format!("{log_q} bits together are more than 126"));
    }
    check_failure(spec.failure_log2)?;
    Ok(())
}
