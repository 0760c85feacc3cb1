//! Polynomials of an encrypted value.
//!
//! `p = sum_j h_j x^(2^j) + c_0` with `deg h_j < 2^j`: the coefficients of `h_j` are those of `p`
//! from `2^j` to `2^(j+1) - 1`. All products of one such sum are formed at one level and added up
//! before they are relinearised and switched together; the `h_j` are evaluated in the same way
//! (Paterson and Stockmeyer, 1973, with giant steps that are powers of two). Every product with an
//! integer modulo `t` comes before a switch, which divides its noise away, so integers cost no
//! level of their own.

use super::Modular;
use super::factor::quotient;
use crate::Error;
use crate::rlwe::{Bounds, Ciphertext, Evaluator, Level, Noise, Relation};
use fathom_ring::{Modulus, Scalar};
use std::collections::BTreeMap;

const OPERATION: &str = "evaluate_polynomial";

impl<S: Modular> Evaluator<S> {
    /// Evaluates a polynomial: `decrypt(out) = sum_i coefficients[i] * decrypt(x)^i`, in every
    /// slot; coefficients below `t`, lowest first.
    ///
    /// For degree `d` the result is `m = ceil(log2(d + 1))` levels below `x`, or `m - 1` if `d` is
    /// a power of two and the leading coefficient is 1 or -1. Where these levels are missing, fewer
    /// are used as long as the noise fits. Relinearisations: `m - 1` squares, and at most 1, 2, 4,
    /// 8 for `m = 2, 3, 4, 5`. Noise: at every level that of one product, whatever the
    /// coefficients.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`] if the levels do not suffice; [`Error::ValueOutOfRange`] for a
    /// coefficient not below `t`;
    /// [`Error::Components`], [`Error::ParamsMismatch`], [`Error::MissingRelinearizationKey`].
    pub fn evaluate_polynomial(
        &self,
        x: &Ciphertext<S>,
        coefficients: &[u64],
    ) -> Result<Ciphertext<S>, Error> {
        self.check_key(&[x])?;
        x.pair(OPERATION)?;
        let t = self.params.plain_modulus();
        if let Some(index) = coefficients.iter().position(|&c| c >= t) {
            return Err(Error::ValueOutOfRange { index, low: 0, high: t as i128 - 1 });
        }
        let coefficients = trimmed(coefficients);
        if let [] | [_] = coefficients {
            let zero = self.mul_scalar(x, 0)?;
            let constant = coefficients.first().map_or(0, |&c| c as i64);
            return self.add_scalar(&zero, constant);
        }
        Evaluation::new(self, x).root(coefficients)
    }
}

/// The powers of one value, each at the levels where it was needed.
struct Evaluation<'a, S: Modular> {
    evaluator: &'a Evaluator<S>,
    /// `x^(2^j)` at number `j`, each at the highest level it can have.
    squares: Vec<Ciphertext<S>>,
    /// `x^(2^j)` at lower levels, at `(j, level)`.
    lowered: BTreeMap<(usize, Level), Ciphertext<S>>,
}

/// A sum to be formed before one relinearisation.
struct Accumulation {
    level: Level,
    factor: u64,
    /// True if the highest power, alone, is formed inside the sum as a product of its square root.
    split_top: bool,
}

impl<'a, S: Modular> Evaluation<'a, S> {
    fn new(evaluator: &'a Evaluator<S>, x: &Ciphertext<S>) -> Self {
        Evaluation { evaluator, squares: vec![x.clone()], lowered: BTreeMap::new() }
    }

    fn modulus(&self) -> &'a Modulus {
        self.evaluator.params.plain().modulus()
    }

    /// Evaluates the whole polynomial, with the factor of a fresh message wherever it can be chosen
    /// freely.
    fn root(&mut self, p: &[u64]) -> Result<Ciphertext<S>, Error> {
        let params = &self.evaluator.params;
        let (length, t) = (bit_length(p), self.modulus());
        let leading = t.to_signed(p[p.len() - 1]).unsigned_abs();
        let lacks_levels = self.squares[0].level().get() < length;
        if (p.len() - 1).is_power_of_two() && (leading == 1 || lacks_levels) {
            return self.power_of_two_degree(p);
        }
        self.square_up_to(length - 1)?;
        let level = self.squares[length - 1].level();
        let target = level.next_or_last();
        let factor = S::fresh_factor(params, target);
        if length == 1 {
            return self.linear(p, target, factor);
        }
        let factor = self.factor_before_switch(factor, level, target);
        let sum = self.sum(p, &Accumulation { level, factor, split_top: false })?;
        self.evaluator.linearised(OPERATION, &sum, target, &self.squares[0])
    }

    /// Evaluates a polynomial whose degree is a power of two without a level for the leading
    /// coefficient, which would multiply noise that no switch divides away before the last one.
    fn power_of_two_degree(&mut self, p: &[u64]) -> Result<Ciphertext<S>, Error> {
        let length = bit_length(p);
        if length == 1 {
            let t = self.modulus();
            let scaled = self.evaluator.mul_scalar(&self.squares[0], t.to_signed(p[1]))?;
            return self.evaluator.add_scalar(&scaled, t.to_signed(p[0]));
        }
        self.square_up_to(length - 2)?;
        let root = &self.squares[length - 2];
        let (level, factor) = (root.level(), self.modulus().mul(root.meta, root.meta));
        let sum = self.sum(p, &Accumulation { level, factor, split_top: true })?;
        self.evaluator.linearised(OPERATION, &sum, level.next_or_last(), &self.squares[0])
    }

    fn square_up_to(&mut self, exponent: usize) -> Result<(), Error> {
        while self.squares.len() <= exponent {
            let square = self.evaluator.square(&self.squares[self.squares.len() - 1])?;
            self.squares.push(square);
        }
        Ok(())
    }

    /// Evaluates `p`, of degree at least 1, at exactly this level and with this factor.
    fn node(&mut self, p: &[u64], target: Level, factor: u64) -> Result<Ciphertext<S>, Error> {
        let length = bit_length(p);
        if length == 1 {
            return self.linear(p, target, factor);
        }
        let level = self.squares[length - 1].level().min(target.above());
        // Factors are decided from the result backwards. All terms of a sum then have one factor,
        // and a multiplier that gives it to a term acts before a switch, which divides its noise
        // away.
        let factor = self.factor_before_switch(factor, level, target);
        let sum = self.sum(p, &Accumulation { level, factor, split_top: false })?;
        let result = self.evaluator.linearised(OPERATION, &sum, target, &self.squares[0])?;
        self.evaluator.mod_switch_to(&result, target)
    }

    /// Computes `c_1 x + c_0`: `x` with another factor, which a multiplier before the switch gives
    /// it, plus a constant.
    fn linear(&mut self, p: &[u64], target: Level, factor: u64) -> Result<Ciphertext<S>, Error> {
        let (t, x) = (self.modulus(), &self.squares[0]);
        let wanted = self.factor_before_switch(t.mul(factor, p[1]), x.level(), target);
        let scaled = self.evaluator.scaled(x, ratio(t, wanted, x.meta));
        let lowered = self.evaluator.mod_switch_to(&scaled, target)?;
        // With a factor of its own this is still x, which other terms at this level may read.
        self.lowered.entry((0, target)).or_insert_with(|| lowered.clone());
        // Read with the factor that was asked for instead of its own, it is c_1 x.
        let mut result = Ciphertext { meta: factor, ..lowered };
        add_constant(&mut result, p[0]);
        result.checked(OPERATION, &[&self.squares[0]])
    }

    /// Computes `sum_j h_j x^(2^j) + c_0`, with three components if any product is among the terms.
    fn sum(&mut self, p: &[u64], shape: &Accumulation) -> Result<Ciphertext<S>, Error> {
        let t = self.modulus();
        let mut products = Vec::new();
        let mut multiples = Vec::new();
        for j in (0..bit_length(p)).rev() {
            let h = trimmed(&p[1 << j..p.len().min(2 << j)]);
            match *h {
                [] => {}
                [c] if shape.split_top && j + 1 == bit_length(p) => {
                    let root = self.power(j - 1, shape.level)?.clone();
                    let mut scaled = self.evaluator.scaled(&root, t.to_signed(c));
                    // The factor of the root is kept although the polynomial is multiplied: the
                    // message is c times that of the root, and the product c x^(2^j).
                    scaled.meta = root.meta;
                    products.push((scaled, j - 1));
                }
                [c] => multiples.push((j, c)),
                _ => {
                    let known = self.power(j, shape.level)?.meta;
                    let factor = t.from_signed(ratio(t, shape.factor, known));
                    products.push((self.node(h, shape.level, factor)?, j));
                }
            }
        }
        let mut sum = self.products(&products, shape)?;
        for (j, c) in multiples {
            self.add_multiple(&mut sum, j, c, shape)?;
        }
        add_constant(&mut sum, p[0]);
        self.evaluator.check_noise_and_mask(sum, OPERATION, &[&self.squares[0]])
    }

    /// Computes the sum of the tensor products of ciphertexts with powers, at the level of the sum;
    /// an empty sum has two components.
    fn products(
        &self,
        factors: &[(Ciphertext<S>, usize)],
        shape: &Accumulation,
    ) -> Result<Ciphertext<S>, Error> {
        if factors.is_empty() {
            let x = &self.squares[0];
            let limbs = shape.level.limbs().chain();
            let zero = fathom_ring::Poly::zero(x.parts[0].ring(), limbs);
            let nothing = Noise::default();
            let sum = x.with(vec![zero.clone(), zero], nothing);
            return Ok(Ciphertext { meta: shape.factor, ..sum });
        }
        let pairs: Vec<_> =
            factors.iter().map(|(h, j)| (h, self.present(*j, shape.level))).collect();
        self.evaluator.tensor_of(OPERATION, &pairs)
    }

    fn add_multiple(
        &mut self,
        sum: &mut Ciphertext<S>,
        j: usize,
        c: u64,
        shape: &Accumulation,
    ) -> Result<(), Error> {
        let t = self.modulus();
        let power = self.power(j, shape.level)?;
        let multiplier = ratio(t, t.mul(shape.factor, c), power.meta);
        let scalar = Scalar::from_signed(power.parts[0].ring(), multiplier);
        for (target, part) in sum.parts.iter_mut().zip(&power.parts) {
            target.mul_scalar_add_assign(part, &scalar);
        }
        sum.noise =
            sum.noise.plus(power.noise.times(multiplier.unsigned_abs() as f64), Relation::Any);
        Ok(())
    }

    /// Returns `x^(2^j)` at this level, at or below the highest one it can have.
    fn power(&mut self, j: usize, level: Level) -> Result<&Ciphertext<S>, Error> {
        if self.squares[j].level() != level && !self.lowered.contains_key(&(j, level)) {
            let lowered = self.evaluator.mod_switch_to(&self.squares[j], level)?;
            self.lowered.insert((j, level), lowered);
        }
        Ok(self.present(j, level))
    }

    fn present(&self, j: usize, level: Level) -> &Ciphertext<S> {
        if self.squares[j].level() == level {
            return &self.squares[j];
        }
        self.lowered.get(&(j, level)).expect("`power` lowers each square before it is used")
    }

    /// Returns the factor that becomes `factor` in a switch from `level` to `target`.
    fn factor_before_switch(&self, factor: u64, level: Level, target: Level) -> u64 {
        let t = self.modulus();
        let unit = self.evaluator.params.switched_factor(1, level, target);
        t.from_signed(ratio(t, factor, unit))
    }
}

/// Adds an integer to every slot; the noise check is the caller's.
fn add_constant<S: Modular>(a: &mut Ciphertext<S>, c: u64) {
    let t = a.params.plain().modulus();
    let lifted = t.to_signed(t.mul(a.meta, c));
    let scalar = Scalar::from_signed(a.parts[0].ring(), lifted);
    a.parts[0].add_constant_assign(&scalar);
    a.noise.message = a.noise.message.plus(Bounds::of_root_values(lifted.unsigned_abs() as f64));
}

/// Returns `numerator / denominator` modulo `t`, centred.
fn ratio(t: &Modulus, numerator: u64, denominator: u64) -> i64 {
    t.to_signed(quotient(t, numerator, denominator))
}

/// Removes leading zeros.
fn trimmed(p: &[u64]) -> &[u64] {
    let length = p.iter().rposition(|&c| c != 0).map_or(0, |i| i + 1);
    &p[..length]
}

/// Returns the number of binary digits of the degree: `ceil(log2(degree + 1))`.
fn bit_length(p: &[u64]) -> usize {
    (p.len() - 1).checked_ilog2().map_or(0, |bits| bits as usize + 1)
}
