//! Combinations of ciphertexts in the raised ring.

use super::super::align::wide_scalar;
use super::program::{Combination, Held, Machine};
use super::slot_map::Pair;
use crate::rlwe::{Context, Level, LimbCount, SwitchingKey};
use crate::{CancelToken, Error, cancel};
use fathom_ring::{Coeff, Complex64, Eval, Limbs, Poly};
use std::sync::Arc;

/// A ciphertext that knows its scale and nothing else. Clones share the components.
#[derive(Clone, Debug)]
pub(super) struct Encrypted {
    pub(super) parts: Arc<Pair>,
    pub(super) scale: f64,
}

impl Held for Encrypted {
    fn level(&self) -> usize {
        LimbCount::of(self.parts[0].limbs()).level().get()
    }

    fn scale(&self) -> f64 {
        self.scale
    }
}

/// Computes combinations of ciphertexts.
#[derive(Debug)]
pub(super) struct Arithmetic<'a> {
    pub(super) context: &'a Context,
    pub(super) relinearization: &'a SwitchingKey,
    pub(super) imaginary: &'a Poly<Eval>,
    pub(super) cancel: Option<&'a CancelToken>,
}

/// Returns the polynomial `X^(N/2)`, whose value in every slot of a bootstrapping is the imaginary
/// unit.
pub(super) fn imaginary_unit(context: &Context) -> Poly<Eval> {
    let degree = context.degree();
    let coefficients: Vec<i64> = (0..degree).map(|k| i64::from(k == degree / 2)).collect();
    let limbs = Limbs::chain(context.ring.chain_len());
    Poly::<Coeff>::from_signed(&context.ring, limbs, &coefficients).into_eval()
}

impl Machine for Arithmetic<'_> {
    type Value = Encrypted;
    type Error = Error;

    fn prime(&self, level: usize) -> f64 {
        self.context.spec.chain[level] as f64
    }

    fn combine(&mut self, sum: Combination<'_, Encrypted>) -> Result<Encrypted, Error> {
        cancel::go_on(self.cancel)?;
        let (from, scale) = (Level::new(sum.level).limbs(), sum.scale);
        let to = LimbCount::of(Limbs::chain(from.get() - 1));
        let wide = scale * self.prime(sum.level);
        let chain = from.chain();
        let mut linear = [0, 1].map(|half| self.linear(&sum.terms, half, wide, chain));
        if sum.pairs.is_empty() {
            let [c0, c1] = linear.map(|half| half.unwrap_or_else(|| self.zero(chain)));
            let c0 = self.plus_constant(c0, sum.constant * wide);
            let down = self.context.mod_down(chain, to);
            let parts = Arc::new([c0, c1].map(|half| down.apply(half)));
            return Ok(Encrypted { parts, scale });
        }
        let pairs = sum.pairs.iter();
        let rows: Vec<_> = pairs.map(|[a, b]| (a.parts.each_ref(), b.parts.each_ref())).collect();
        let [t0, t1, t2] = Poly::tensor(&rows, chain);
        let [t0, t1] = [(0, t0), (1, t1)].map(|(half, mut part)| {
            if let Some(addend) = linear[half].take() {
                part.add_assign(&addend);
            }
            part
        });
        let t0 = self.plus_constant(t0, sum.constant * wide);
        let [x0, x1] = self.relinearization.vector.product(&t2);
        let down = self.context.mod_down(x0.limbs(), to);
        let parts = Arc::new([down.apply_with(x0, &t0), down.apply_with(x1, &t1)]);
        Ok(Encrypted { parts, scale })
    }
}

impl Arithmetic<'_> {
    fn zero(&self, limbs: Limbs) -> Poly<Eval> {
        Poly::zero(&self.context.ring, limbs)
    }

    /// Computes one component of the sum of the terms at the scale of the sum; `None` if there are
    /// no terms.
    fn linear(
        &self,
        terms: &[(&Encrypted, Complex64)],
        half: usize,
        wide: f64,
        limbs: Limbs,
    ) -> Option<Poly<Eval>> {
        let sum_of = |part: fn(&Complex64) -> f64| {
            let present: Vec<_> = terms.iter().filter(|(_, c)| part(c) != 0.0).collect();
            let polys: Vec<_> = present.iter().map(|(term, _)| &term.parts[half]).collect();
            let weight = |(term, c): &&(&Encrypted, Complex64)| {
                (part(c) * (wide / term.scale)).round() as i128
            };
            let weights = vec![present.iter().map(weight).collect()];
            (!polys.is_empty()).then(|| Poly::weighted_sums(&polys, &weights, limbs).pop())?
        };
        let (real, imaginary) = (sum_of(|c| c.re), sum_of(|c| c.im));
        let Some(imaginary) = imaginary else { return real };
        let mut sum = real.unwrap_or_else(|| self.zero(limbs));
        sum.mul_add_assign(&imaginary, self.imaginary);
        Some(sum)
    }

    /// Adds a complex number, already at the scale of the polynomial.
    fn plus_constant(&self, mut sum: Poly<Eval>, constant: Complex64) -> Poly<Eval> {
        let ring = &self.context.ring;
        if constant.re != 0.0 {
            sum.add_constant_assign(&wide_scalar(ring, constant.re.round() as i128));
        }
        if constant.im != 0.0 {
            let scalar = wide_scalar(ring, constant.im.round() as i128);
            sum.mul_scalar_add_assign(self.imaginary, &scalar);
        }
        sum
    }
}
