//! The scale-invariant product of BFV, computed in an extended RNS basis.
//!
//! For operands modulo `Q` and an error factor `t`, an integer or a polynomial, it computes
//! `round(t / Q * x)` of the exact product `x`, with auxiliary primes `B`: extend to `Q B`,
//! multiply, divide by `Q` into `B`, return to `Q` (Halevi, Polyakov, Shoup, eprint 2018/117).

use crate::convert::BasisConverter;
use crate::{Coeff, Error, ErrorFactor, Eval, FactorPoly, Limbs, Poly, Ring, primes_below};
use fathom_kernels::Constant;
use std::sync::Arc;

/// Size in bits of an auxiliary prime, below the limit of the vector kernels.
const AUXILIARY_BITS: f64 = 45.8;

/// Products whose extended operands are in memory at the same time.
const PRODUCTS_AT_ONCE: usize = 8;

/// Two polynomials in `Y` of degree 1.
type Pair<'a> = ([&'a Poly<Eval>; 2], [&'a Poly<Eval>; 2]);

/// Tables for the scale-invariant product at one level.
#[derive(Debug)]
pub struct ScaleInvariant {
    /// The ring with chain `Q` and special primes `B`.
    wide: Arc<Ring>,
    narrow: Limbs,
    from_chain: BasisConverter,
    from_auxiliary: BasisConverter,
    /// `t` modulo all of these primes.
    factor: FactorPoly,
    /// `1 / Q` modulo each auxiliary prime.
    inverse: Vec<Constant>,
    /// The number of products whose sum the auxiliary primes hold.
    capacity: usize,
}

impl ScaleInvariant {
    /// Makes the tables for polynomials over the first `chain` primes of `ring` and the error
    /// factor `factor`, for sums of at most `capacity` products.
    ///
    /// # Errors
    /// [`Error::PrimeSupply`] if there are not enough auxiliary primes; those of
    /// [`ErrorFactor::check`].
    pub fn new(
        ring: &Arc<Ring>,
        chain: usize,
        factor: ErrorFactor,
        capacity: usize,
    ) -> Result<ScaleInvariant, Error> {
        let degree = ring.degree();
        let primes: Vec<u64> = (0..chain).map(|i| ring.modulus(i).value()).collect();
        // |t x / Q| <= |t|_1 N Q / 2 for each product; the sum must stay below B / 4, so that the
        // centred conversion back to Q is exact.
        let size = match factor {
            ErrorFactor::One | ErrorFactor::Integer(_) => factor.integer() as f64,
            ErrorFactor::Linear(b) => f64::from(b) + 1.0,
        };
        let bits = ring.log2_product(Limbs::chain(chain)) + (degree as f64).log2() + size.log2();
        let bits = bits + (capacity as f64).log2();
        let count = ((bits + 2.0) / (AUXILIARY_BITS - 0.1)).ceil() as usize;
        let auxiliary = primes_below(AUXILIARY_BITS, 2 * degree as u64, count, &primes)?;
        let wide = Ring::with_kernel(degree, &primes, &auxiliary, Some(ring.kernel()))?;
        let sources: Vec<usize> = (0..chain).collect();
        let targets: Vec<usize> = (chain..chain + count).collect();
        let constant = |i: usize, v: u64| wide.modulus(i).constant(v);
        let product = |i: usize| {
            let m = wide.modulus(i);
            primes.iter().fold(1, |acc, &q| m.mul(acc, m.reduce(q)))
        };
        let factor = FactorPoly::new(&wide, factor)?;
        let inverse = targets
            .iter()
            .map(|&i| {
                constant(i, wide.modulus(i).inverse(product(i)).expect("the primes are distinct"))
            })
            .collect();
        let from_chain = BasisConverter::new(&wide, &sources, 1);
        let from_auxiliary = BasisConverter::new(&wide, &targets, 1);
        let narrow = Limbs::chain(chain);
        Ok(ScaleInvariant { wide, narrow, from_chain, from_auxiliary, factor, inverse, capacity })
    }

    /// Returns the largest number of products that [`ScaleInvariant::tensor`] adds up.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns `round(t / Q * x)` for the sum `x` of the products `(a0 + a1 Y)(b0 + b1 Y)` of at
    /// least one and at most [`ScaleInvariant::capacity`] pairs, as the coefficients of
    /// `1, Y, Y^2`, modulo `Q`.
    pub fn tensor(&self, pairs: &[Pair<'_>]) -> [Poly<Eval>; 3] {
        debug_assert!((1..=self.capacity).contains(&pairs.len()));
        let ring = pairs[0].0[0].ring();
        let mut sum: Option<[Poly<Eval>; 3]> = None;
        for pairs in pairs.chunks(PRODUCTS_AT_ONCE) {
            let extend = |half: &[&Poly<Eval>; 2]| half.map(|p| self.extend(p));
            let extended: Vec<_> = pairs.iter().map(|(a, b)| [extend(a), extend(b)]).collect();
            let rows: Vec<Pair<'_>> =
                extended.iter().map(|[a, b]| (a.each_ref(), b.each_ref())).collect();
            let products = Poly::tensor(&rows, self.wide.all_limbs());
            match &mut sum {
                None => sum = Some(products),
                Some(sum) => sum.iter_mut().zip(&products).for_each(|(s, p)| s.add_assign(p)),
            }
        }
        let sum = sum.expect("there is at least one pair");
        sum.map(|p| self.scale_down(p).moved_to(ring))
    }

    /// Extends a polynomial from `Q` to `Q B`, centred.
    fn extend(&self, p: &Poly<Eval>) -> Poly<Eval> {
        let prepared = self.from_chain.prepare(|i| p.row_of(i));
        let mut out = Poly::uninitialized(&self.wide, self.wide.all_limbs());
        for (row, prime) in self.wide.prime_indices(out.limbs()).enumerate() {
            if prime < self.narrow.chain_count() {
                out.row_mut(row).copy_from_slice(p.row_of(prime));
            } else {
                self.from_chain.convert(&prepared, prime, out.row_mut(row));
                self.wide.forward(prime, out.row_mut(row));
            }
        }
        out
    }

    /// Returns `round(t / Q * x)`, from `Q B` back to `Q`.
    fn scale_down(&self, mut x: Poly<Eval>) -> Poly<Eval> {
        let kernel = self.wide.kernel();
        for row in 0..x.limbs().len() {
            kernel.mul_assign(self.wide.modulus(row), x.row_mut(row), self.factor.row(row));
        }
        let residue = self.from_chain.prepare(|i| x.row_of(i));
        let mut delta = self.wide.pool().take(self.wide.degree());
        for (inverse, prime) in self.inverse.iter().zip(self.narrow.chain_count()..) {
            self.from_chain.convert_to_eval(&residue, prime, &mut delta);
            let m = self.wide.modulus(prime);
            kernel.mod_down_assign(m, x.row_of_mut(prime), &delta, inverse, None);
        }
        let quotient = self.from_auxiliary.prepare(|i| x.row_of(i));
        let mut out = Poly::<Coeff>::uninitialized(&self.wide, self.narrow);
        for prime in 0..self.narrow.chain_count() {
            self.from_auxiliary.convert(&quotient, prime, out.row_mut(prime));
        }
        out.into_eval()
    }
}
