//! Expansion of a list of coefficients, as in private information retrieval.
//!
//! `X -> X^(N/2^i + 1)` maps `X^j` to `X^j` if `2^i` divides `j` and the rest of the quotient by 2
//! is 0, and to `-X^j` if it is 1. A ciphertext plus and minus its image, the latter divided by
//! `X^(2^i)`, are therefore encryptions of twice the coefficients of both kinds. After `log2` of
//! the number of coefficients rounds each is alone (Angel, Chen, Laine and Setty, eprint 2017/1142,
//! section 3.3).

use super::{Modular, Multiplicand, Plaintext};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator, Params, Rotations};

const OPERATION: &str = "expand";

/// The number of coefficients is at most the degree divided by this: the automorphisms are then
/// rotations.
const LEAST_PART: usize = 4;

impl Rotations {
    /// Returns the rotations that `Evaluator::expand` needs keys for at this degree and number of
    /// coefficients: one for each bit of the number. More than `degree / 4` coefficients are
    /// treated as that many. No ring has a degree that is not a power of two, or is below 4: there
    /// are no rotations for it.
    pub fn for_expansion(degree: usize, count: usize) -> Rotations {
        if !degree.is_power_of_two() || degree < LEAST_PART {
            return Rotations::none();
        }
        let rounds = count.min(degree / LEAST_PART).next_power_of_two().ilog2();
        let exponents = (0..rounds).map(|round| (degree >> round) + 1).collect();
        Rotations::of_exponents(degree, &exponents)
    }
}

impl<S: Modular> Params<S> {
    /// Encodes a list of values, each below `t`, for `Evaluator::expand`: as coefficients, divided
    /// by the number of them, filled up to a power of two, which the expansion multiplies by.
    ///
    /// # Errors
    /// [`Error::ValueOutOfRange`]; [`Error::Shape`] for an empty list or more than `N/4` values;
    /// [`Error::Spec`] for an even plaintext modulus.
    pub fn encode_expandable(&self, values: &[u64]) -> Result<Plaintext<S>, Error> {
        let count = check_count(self, OPERATION, values.len())?;
        self.check_unsigned(values)?;
        let t = self.plain().modulus();
        let inverse = t.inverse(t.reduce(count as u64)).ok_or_else(|| Error::Spec {
            field: "plain_modulus",
            reason: format!("{count} has no inverse modulo {}", self.plain_modulus()),
        })?;
        let scaled: Vec<u64> = values.iter().map(|&value| t.mul(value, inverse)).collect();
        self.encode_coefficients(&scaled)
    }
}

impl<S: Modular> Evaluator<S> {
    /// Expands an encryption of [`Params::encode_expandable`] into one ciphertext for each of its
    /// `count` values, which then is in every slot: `decrypt(out[i]) = values[i]`. With a row of a
    /// database as a plaintext for each, [`Evaluator::dot_plain`] returns the row that a list of
    /// one 1 and zeros selects: a private lookup with a query of one ciphertext.
    ///
    /// Key switches: one less than `count`, rounded up to a power of two. Noise: the bound is
    /// multiplied by that power, and every round adds that of a key switch. Needs the keys of
    /// [`Rotations::for_expansion`].
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`], [`Error::MissingGaloisKey`], [`Error::KeyLevel`],
    /// [`Error::Components`], [`Error::ParamsMismatch`]; [`Error::Shape`] for a count of 0 or
    /// beyond `N/4`.
    pub fn expand(&self, query: &Ciphertext<S>, count: usize) -> Result<Vec<Ciphertext<S>>, Error> {
        let rounds = check_count(&self.params, OPERATION, count)?.ilog2();
        self.check_key(&[query])?;
        let mut expanded = vec![query.clone()];
        for round in 0..rounds {
            let exponent = (self.params.degree() >> round) + 1;
            let divisor = self.inverse_of_power(1 << round)?;
            // The odd half of the coefficients follows the even half, up to the count.
            let mut odd = Vec::new();
            for own in &mut expanded {
                let image = self.permuted(own, exponent, format_args!("expansion"))?;
                if odd.len() + (1 << round) < count {
                    odd.push(self.mul_plain(&self.sub(own, &image)?, &divisor)?);
                }
                *own = self.add(own, &image)?;
            }
            expanded.append(&mut odd);
        }
        Ok(expanded)
    }

    /// Returns `X^-power`, for a power from 1 to `N - 1`.
    fn inverse_of_power(&self, power: usize) -> Result<Multiplicand<S>, Error> {
        let degree = self.params.degree();
        let mut coefficients = vec![0; degree];
        // X^N = -1.
        coefficients[degree - power] = -1;
        Ok(self.params.encode_coefficients_signed(&coefficients)?.to_multiplicand())
    }
}

/// Returns the count, rounded up to a power of two.
pub(super) fn check_count<S: Modular>(
    params: &Params<S>,
    operation: &'static str,
    count: usize,
) -> Result<usize, Error> {
    let limit = params.degree() / LEAST_PART;
    if count == 0 || count > limit {
        let (wanted, got) = (format!("a list of 1 to {limit} values"), count.to_string());
        return Err(Error::Shape { operation, wanted, got });
    }
    Ok(count.next_power_of_two())
}
