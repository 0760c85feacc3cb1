//! Combinations of ciphertexts in the raised ring.

use super::program::{Combination, Held, Machine, Signs, Sum};
use super::slot_map::{Pair, embedding_of, encoded, encoded_poly};
use super::stages::Stages;
use fathom_base::{CancelToken, Error, cancel};
use fathom_ring::{BlockPoly, Coeff, Complex64, Eval, Limbs, Poly};
use fathom_rings::internals::{Context, SwitchingKey, wide_scalar};
use std::f64::consts::SQRT_2;
use std::sync::Arc;

/// A ciphertext that knows its rung and its scale and nothing else. Clones share the components.
#[derive(Clone, Debug)]
pub(super) struct Encrypted {
    pub(super) parts: Arc<Pair>,
    pub(super) rung: usize,
    pub(super) scale: f64,
}

impl Held for Encrypted {
    fn level(&self) -> usize {
        self.rung
    }

    fn scale(&self) -> f64 {
        self.scale
    }
}

/// Computes combinations of ciphertexts.
#[derive(Debug)]
pub(super) struct Arithmetic<'a> {
    pub(super) stages: &'a Stages,
    pub(super) relinearization: &'a SwitchingKey,
    pub(super) units: &'a Units,
    pub(super) cancel: Option<&'a CancelToken>,
}

/// Polynomials whose values in the slots of a bootstrapping are units.
#[derive(Debug)]
pub(super) struct Units {
    /// `X^(N/2)`: the imaginary unit in every slot.
    pub(super) imaginary: Poly<Eval>,
    /// `X^(N/4) - X^(3N/4)`: the square root of 2 in slots of even number, its negative in those
    /// of odd number.
    alternating: Poly<Eval>,
}

impl Units {
    pub(super) fn new(context: &Context) -> Units {
        let degree = context.degree();
        let limbs = Limbs::chain(context.ring.chain_len());
        let sum = |terms: &[(usize, i64)]| {
            let mut coefficients = vec![0; degree];
            for &(k, sign) in terms {
                coefficients[k] = sign;
            }
            Poly::<Coeff>::from_signed(&context.ring, limbs, &coefficients).into_eval()
        };
        Units {
            imaginary: sum(&[(degree / 2, 1)]),
            alternating: sum(&[(degree / 4, 1), (3 * degree / 4, -1)]),
        }
    }

    /// Returns the polynomial that real numbers are multiples of, unless it is 1, and its value in
    /// slots of even number.
    fn real(&self, signs: Signs) -> (Option<&Poly<Eval>>, f64) {
        match signs {
            Signs::Equal | Signs::Packed(_) => (None, 1.0),
            Signs::Alternating => (Some(&self.alternating), SQRT_2),
        }
    }
}

impl Machine for Arithmetic<'_> {
    type Value = Encrypted;
    type Error = Error;

    fn prime(&self, level: usize) -> f64 {
        self.stages.divisor(level)
    }

    fn combine(&mut self, all: &Combination<'_, Encrypted>) -> Result<Vec<Encrypted>, Error> {
        if let Signs::Packed(_) = all.signs {
            let each = all.sums.iter().enumerate();
            return each.map(|(i, sum)| self.combined(all, sum, self.packed(all, i))).collect();
        }
        let [bodies, masks] = [0, 1].map(|half| self.linear(all, half));
        let linear = bodies.into_iter().zip(masks).map(|(body, mask)| [body, mask]);
        all.sums.iter().zip(linear).map(|(sum, linear)| self.combined(all, sum, linear)).collect()
    }
}

impl Arithmetic<'_> {
    fn zero(&self, limbs: Limbs) -> Poly<Eval> {
        Poly::zero(&self.stages.raised.ring, limbs)
    }

    /// Computes one sum, of which the multiples of terms are given at the scale before division.
    fn combined(
        &self,
        all: &Combination<'_, Encrypted>,
        sum: &Sum<'_, Encrypted>,
        linear: [Option<Poly<Eval>>; 2],
    ) -> Result<Encrypted, Error> {
        cancel::go_on(self.cancel)?;
        let (rung, scale, context) = (all.level - 1, all.scale, &self.stages.raised);
        let (from, to) = (self.stages.limbs(all.level), self.stages.limbs(rung));
        let (chain, constant) = (from.chain(), sum.constant * scale * self.prime(all.level));
        if sum.pairs.is_empty() {
            let [c0, c1] = linear.map(|half| half.unwrap_or_else(|| self.zero(chain)));
            let c0 = self.plus_constant(c0, constant, all.signs);
            let down = context.mod_down(chain, to);
            let parts = Arc::new([c0, c1].map(|half| down.apply(half)));
            return Ok(Encrypted { parts, rung, scale });
        }
        let pairs = sum.pairs.iter();
        let rows: Vec<_> = pairs.map(|[a, b]| (a.parts.each_ref(), b.parts.each_ref())).collect();
        let [t0, t1, t2] = Poly::tensor(&rows, chain);
        let [add0, add1] = linear;
        let [t0, t1] = [(add0, t0), (add1, t1)].map(|(addend, mut part)| {
            if let Some(addend) = addend {
                part.add_assign(&addend);
            }
            part
        });
        let t0 = self.plus_constant(t0, constant, all.signs);
        let [x0, x1] = self.relinearization.vector.product(&t2);
        let down = context.mod_down(x0.limbs(), to);
        let parts = Arc::new([down.apply_with(x0, &t0), down.apply_with(x1, &t1)]);
        Ok(Encrypted { parts, rung, scale })
    }

    /// Computes one component of the multiples of terms in every sum, at the scale before the
    /// division; `None` for sums without terms. The terms are read once for all sums.
    fn linear(&self, all: &Combination<'_, Encrypted>, half: usize) -> Vec<Option<Poly<Eval>>> {
        let wide = all.scale * self.prime(all.level);
        let limbs = self.stages.limbs(all.level).chain();
        let (real_unit, unit) = self.units.real(all.signs);
        // Both parts of the weights of every sum; rows of zeros are left out.
        let parts: [&dyn Fn(Complex64) -> f64; 2] = [&|c| c.re / unit, &|c| c.im];
        let row = |sum: &Sum<'_, Encrypted>, part: &dyn Fn(Complex64) -> f64| {
            let scaled = |(term, c): (&&Encrypted, &Complex64)| part(*c) * (wide / term.scale);
            let row: Vec<f64> = all.terms.iter().zip(&sum.weights).map(scaled).collect();
            row.iter().any(|w| *w != 0.0).then(|| row.iter().map(|w| w.round() as i128).collect())
        };
        let rows: Vec<[Option<Vec<i128>>; 2]> =
            all.sums.iter().map(|sum| parts.map(|part| row(sum, part))).collect();
        let present: Vec<_> = rows.iter().map(|row| row.each_ref().map(Option::is_some)).collect();
        let weights: Vec<_> = rows.into_iter().flatten().flatten().collect();
        if weights.is_empty() {
            return present.iter().map(|_| None).collect();
        }
        let polys: Vec<_> = all.terms.iter().map(|term| &term.parts[half]).collect();
        let mut sums = Poly::weighted_sums(&polys, &weights, limbs).into_iter();
        let joined = |[real, imaginary]: [bool; 2]| {
            let real = real.then(|| sums.next()).flatten().map(|mut real| {
                if let Some(unit) = real_unit {
                    real.mul_assign(unit);
                }
                real
            });
            let Some(imaginary) = imaginary.then(|| sums.next()).flatten() else { return real };
            let mut sum = real.unwrap_or_else(|| self.zero(limbs));
            sum.mul_add_assign(&imaginary, &self.units.imaginary);
            Some(sum)
        };
        present.into_iter().map(joined).collect()
    }

    /// Computes the multiples of terms and the constant of a sum whose weights are polynomials, at
    /// the scale before the division.
    fn packed(&self, all: &Combination<'_, Encrypted>, index: usize) -> [Option<Poly<Eval>>; 2] {
        let (context, period) = (&self.stages.raised, self.stages.slots());
        let (sum, wide) = (&all.sums[index], all.scale * self.prime(all.level));
        let limbs = self.stages.limbs(all.level).chain();
        let embedding = embedding_of(2 * period);
        let at = |weight: Complex64| -> Vec<_> {
            (0..2 * period).map(|slot| all.signs.at(index, slot, period, weight)).collect()
        };
        let weighted = all.terms.iter().zip(&sum.weights).filter(|(_, w)| w.norm() > 0.0);
        let (terms, weights): (Vec<_>, Vec<_>) = weighted
            .map(|(term, weight)| {
                let scale = wide / term.scale;
                (&term.parts, encoded(context, &embedding, &at(*weight), scale, limbs))
            })
            .unzip();
        let weights: Vec<_> = weights.iter().collect();
        let mut halves = [0, 1].map(|half| {
            let terms: Vec<_> = terms.iter().map(|parts| &parts[half]).collect();
            (!terms.is_empty()).then(|| BlockPoly::dot(&weights, &terms, limbs))
        });
        if sum.constant.norm() > 0.0 {
            let constant = encoded_poly(context, &embedding, &at(sum.constant), wide, limbs);
            match &mut halves[0] {
                Some(body) => body.add_assign(&constant),
                body => *body = Some(constant),
            }
        }
        halves
    }

    /// Adds a complex number, already at the scale of the polynomial, unless the weights are
    /// polynomials: then it is one of those.
    fn plus_constant(&self, mut sum: Poly<Eval>, constant: Complex64, signs: Signs) -> Poly<Eval> {
        if let Signs::Packed(_) = signs {
            return sum;
        }
        let ring = &self.stages.raised.ring;
        let (real_unit, unit) = self.units.real(signs);
        if constant.re != 0.0 {
            let scalar = wide_scalar(ring, (constant.re / unit).round() as i128);
            match real_unit {
                None => sum.add_constant_assign(&scalar),
                Some(unit) => sum.mul_scalar_add_assign(unit, &scalar),
            }
        }
        if constant.im != 0.0 {
            let scalar = wide_scalar(ring, constant.im.round() as i128);
            sum.mul_scalar_add_assign(&self.units.imaginary, &scalar);
        }
        sum
    }
}
