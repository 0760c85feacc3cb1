//! Division by primes with rounding: mod-down, rescaling, modulus switching.
//!
//! A polynomial `x` over the primes `from` is divided by the product `D` of those not in `to`:
//!
//! ```text
//! out = (x - delta) / D     modulo each prime of `to`
//! ```
//!
//! The division is exact, because `delta` is congruent to `x` modulo `D`. The choice of `delta` in
//! its residue class decides what the division means. The representative nearest to zero gives
//! rounding to the nearest integer. For BGV, `delta` must also be a multiple of the plaintext
//! modulus `t`, so that the message changes by the known factor `D^-1 mod t` alone; `t` times the
//! centred representative of `x / t` modulo `D` is such a number, with `|delta| <= t D / 2`.
//!
//! *Bounds.* As integers, `out = x / D - delta / D` with `|delta / D| <= t/2`. `delta` is spread
//! evenly over the multiples of `t` in its interval, so that the rounding error has the variance
//! `t^2 / 12` in a coefficient. The base conversion behind `delta` may exceed the interval by a
//! relative `2^-45` (`convert.rs`), which does not change the congruence.
//!
//! *Cost.* One inverse transform for each dropped prime and one forward transform for each kept
//! one. The subtraction, the product with `D^-1` and, in [`ModDown::apply_with`], the addition of
//! `P addend / D` are one pass over each kept row. That addend is the part of a ciphertext which a
//! key switch does not change; joining it to the division makes relinearisation and modulus switch
//! one conversion with one rounding instead of two (`docs/maths/key_switch.md`).
//!
//! Only the residues of `P addend` modulo a dropped *chain* prime enter `delta`, because `P` is
//! zero modulo the special primes.

use crate::convert::BasisConverter;
use crate::{ErrorFactor, Eval, FactorPoly, Limbs, Poly, Ring};
use fathom_kernels::Constant;
use std::sync::Arc;

/// The division by the product `D` of the primes that are in `from` but not in `to`.
///
/// The result is `(x - delta) / D`, where `delta` is congruent to `x` modulo `D`, a multiple of the
/// error factor `t`, namely `t` times the centred representative of `x / t` modulo `D`.
/// [`ErrorFactor::One`] rounds to the nearest integer; [`ErrorFactor::Integer`] preserves
/// `x / D mod t` exactly, as BGV needs (Gentry, Halevi, Smart, eprint 2012/099, appendix D);
/// [`ErrorFactor::Linear`] preserves it modulo `X - b` (docs/maths/gbfv.md).
#[derive(Debug)]
pub struct ModDown {
    from: Limbs,
    to: Limbs,
    converter: BasisConverter,
    /// The indices of the dropped primes in the ring, in the order of the rows.
    dropped: Vec<usize>,
    /// The polynomial part of the error factor, if it is not 1.
    factor: Option<FactorPoly>,
    /// `1 / D` modulo each prime of `to`.
    inverses: Vec<Constant>,
    /// `P / D` modulo each prime of `to`, with `P` the product of the dropped special primes.
    addend_factors: Vec<Constant>,
    /// `P` modulo each dropped chain prime.
    special_products: Vec<(usize, Constant)>,
}

impl ModDown {
    /// Creates the tables for the division of polynomials over `from` by the product of the primes
    /// that are not in `to`. The limbs `to` are the first chain primes of `from`. The rounding
    /// error is a multiple of `factor`, which must pass [`ErrorFactor::check`].
    pub fn new(ring: &Arc<Ring>, from: Limbs, to: Limbs, factor: ErrorFactor) -> ModDown {
        debug_assert!(to.within(from) && to.special_count() == 0);
        let kept: Vec<usize> = ring.prime_indices(to).collect();
        let dropped: Vec<usize> = ring.prime_indices(from).filter(|i| !kept.contains(i)).collect();
        let product = |at: usize, special_only: bool| {
            let m = ring.modulus(at);
            let factors = dropped.iter().filter(|&&i| !special_only || i >= ring.chain_len());
            factors.fold(1, |acc, &i| m.mul(acc, m.reduce(ring.modulus(i).value())))
        };
        let inverse = |at: usize| {
            let inverse = ring.modulus(at).inverse(product(at, false));
            inverse.expect("the primes of a ring are distinct, so each is a unit modulo the others")
        };
        let constant = |at: usize, c: u64| ring.modulus(at).constant(c);
        ModDown {
            from,
            to,
            inverses: kept.iter().map(|&i| constant(i, inverse(i))).collect(),
            addend_factors: kept
                .iter()
                .map(|&i| constant(i, ring.modulus(i).mul(inverse(i), product(i, true))))
                .collect(),
            special_products: dropped
                .iter()
                .filter(|&&i| i < ring.chain_len())
                .map(|&i| (i, constant(i, product(i, true))))
                .collect(),
            converter: BasisConverter::new(ring, &dropped, factor.integer()),
            factor: FactorPoly::polynomial_part(ring, factor),
            dropped,
        }
    }

    /// Returns the limbs of the input.
    pub fn from(&self) -> Limbs {
        self.from
    }

    /// Returns the limbs of the result.
    pub fn to(&self) -> Limbs {
        self.to
    }

    /// Returns `x / D`, rounded. Takes one inverse transform for each dropped prime and one forward
    /// for each remaining prime.
    pub fn apply(&self, x: Poly<Eval>) -> Poly<Eval> {
        self.divide(x, None)
    }

    /// Returns `(x + P addend) / D`, rounded, with `P` the product of the dropped special primes:
    /// adds the part of a ciphertext that needs no key switching and divides once. Takes the same
    /// transforms as [`ModDown::apply`].
    pub fn apply_with(&self, mut x: Poly<Eval>, addend: &Poly<Eval>) -> Poly<Eval> {
        let ring = Arc::clone(x.ring());
        // Modulo a special prime P is zero, so that only the dropped primes of the chain see the
        // addend before the division.
        for (i, special) in &self.special_products {
            let row = x.row_of_mut(*i);
            let m = ring.modulus(*i);
            ring.kernel().mul_constant_add_assign(m, row, addend.row_of(*i), special);
        }
        self.divide(x, Some(addend))
    }

    fn divide(&self, mut x: Poly<Eval>, addend: Option<&Poly<Eval>>) -> Poly<Eval> {
        debug_assert!(x.limbs() == self.from);
        let ring = Arc::clone(x.ring());
        // The rows of the dropped primes are converted in place: they are not needed afterwards.
        let (kept, dropped) = x.split_rows(self.to.len());
        if let Some(factor) = &self.factor {
            let rows = dropped.chunks_exact_mut(ring.degree());
            rows.zip(&self.dropped).for_each(|(row, &prime)| factor.divide_row(prime, row));
        }
        let prepared = self.converter.prepare_in_place(dropped, None);
        let mut delta = ring.pool().take(ring.degree());
        let mut quotient = self.factor.as_ref().map(|_| ring.pool().take(ring.degree()));
        for (row, acc) in kept.chunks_exact_mut(ring.degree()).enumerate() {
            if let (Some(factor), Some(quotient)) = (&self.factor, &mut quotient) {
                self.converter.convert_to_eval(&prepared, row, quotient);
                factor.multiply_row(row, quotient, &mut delta);
            } else {
                self.converter.convert_to_eval(&prepared, row, &mut delta);
            }
            let addend = addend.map(|a| (a.row(row), &self.addend_factors[row]));
            let (m, inverse) = (ring.modulus(row), &self.inverses[row]);
            ring.kernel().mod_down_assign(m, acc, &delta, inverse, addend);
        }
        x.truncate(self.to);
        x
    }
}
