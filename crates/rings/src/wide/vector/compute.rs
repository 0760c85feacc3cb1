//! Sums and products of vectors, element by element.
//!
//! A vector is one BGV ciphertext for each prime `t_i` of its residues, all under one secret, in
//! one ring and at one level. Sums and products are those of BGV, prime by prime, and the integers
//! follow by the Chinese remainder theorem as long as twice their absolute value is below the
//! product of the primes. Every vector carries a public bound on its values: sums add the bounds,
//! products multiply them, and a result beyond half of the product of the primes is refused before
//! it could wrap around.
//!
//! *One key for all primes.* A relinearisation key whose errors are multiples of every `t_i` would
//! have noise as large as their product. The errors of the key here have the factor 1. A polynomial
//! `c` is divided by `t_i` modulo `Q`, switched, and the result multiplied by `t_i`:
//!
//! ```text
//! t_i (switch(t_i^-1 c))     has the phase     c s^2 + t_i (small)
//! ```
//!
//! The noise is that of a key made for `t_i`, for two more products of rows with constants. All
//! primes share the noise bound of the largest of them.
//!
//! *No switch of the modulus.* Products stay at the level of their operands, and every message
//! keeps the factor 1, which all residues share. Circuits are planned as a whole
//! ([`VectorParams::plan`]).
//!
//! Derivation: docs/maths/gbfv.md.

use super::tables::Residue;
use super::{Element, Residues, Vector, VectorKeys, VectorParams};
use crate::rlwe::{LimbCount, Lineage, Noise, SwitchingKey, same_key};
use crate::wide::WideError;
use crate::{CancelToken, Error, KeyId, cancel};
use fathom_ring::{Eval, Poly};

/// Evaluator of sums, products and inner products of encrypted vectors.
///
/// It holds public keys only: the relinearisation key, or none. It may be shared between threads.
#[derive(Clone, Debug)]
pub struct VectorEvaluator {
    pub(super) keys: VectorKeys,
    cancel: Option<CancelToken>,
}

impl VectorEvaluator {
    /// Creates an evaluator with these keys. Without a relinearisation key, products have three
    /// components.
    pub fn new(keys: &VectorKeys) -> VectorEvaluator {
        VectorEvaluator { keys: keys.clone(), cancel: None }
    }

    /// Returns the same evaluator, whose operations end with [`Error::Cancelled`] once the token is
    /// cancelled. It is read before each operation, and before the key switch of each residue.
    #[must_use]
    pub fn with_cancel(&self, token: &CancelToken) -> VectorEvaluator {
        VectorEvaluator { cancel: Some(token.clone()), ..self.clone() }
    }

    /// Creates an evaluator without keys.
    pub fn without_keys(params: &VectorParams) -> VectorEvaluator {
        VectorEvaluator::new(&crate::rlwe::EvaluationKeys::<Residues>::empty(params))
    }

    /// Returns the parameters of the evaluator.
    pub fn params(&self) -> &VectorParams {
        self.keys.params()
    }

    /// Adds element by element: `decrypt(out)[i] = decrypt(a)[i] + decrypt(b)[i]`.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`], [`Error::ListLength`] for different
    /// lengths, [`Error::NoiseExhausted`], [`WideError::ValuesExceedModuli`],
    /// [`Error::Transparent`].
    pub fn add<T: Element>(&self, a: &Vector<T>, b: &Vector<T>) -> Result<Vector<T>, Error> {
        self.linear("add", a, b, |a, b| Poly::sum(a, b, a.limbs()), Poly::clone)
    }

    /// Subtracts element by element: `decrypt(out)[i] = decrypt(a)[i] - decrypt(b)[i]`.
    ///
    /// # Errors
    /// As [`VectorEvaluator::add`].
    pub fn sub<T: Element>(&self, a: &Vector<T>, b: &Vector<T>) -> Result<Vector<T>, Error> {
        self.linear("sub", a, b, |a, b| Poly::difference(a, b, a.limbs()), Poly::negated)
    }

    /// Negates every element: `decrypt(out)[i] = -decrypt(a)[i]`.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn neg<T: Element>(&self, a: &Vector<T>) -> Result<Vector<T>, Error> {
        self.check_key(&[a])?;
        let negated = |parts: &Vec<Poly<Eval>>| parts.iter().map(Poly::negated).collect();
        Ok(a.computed(a.residues.iter().map(negated).collect(), a.noise, a.largest))
    }

    /// Multiplies element by element: `decrypt(out)[i] = decrypt(a)[i] * decrypt(b)[i]`. The
    /// product is relinearised if there is a key, and otherwise has three components.
    ///
    /// # Errors
    /// As [`VectorEvaluator::add`]; [`Error::Components`] for operands that are products before
    /// relinearisation.
    pub fn mul<T: Element>(&self, a: &Vector<T>, b: &Vector<T>) -> Result<Vector<T>, Error> {
        self.sum_of_products("mul", &[(a, b)])
    }

    /// Squares element by element: `decrypt(out)[i] = decrypt(a)[i]^2`; see
    /// [`VectorEvaluator::mul`].
    ///
    /// # Errors
    /// As [`VectorEvaluator::mul`].
    pub fn square<T: Element>(&self, a: &Vector<T>) -> Result<Vector<T>, Error> {
        self.sum_of_products("square", &[(a, a)])
    }

    /// Adds up a list of at least one vector, element by element.
    ///
    /// # Errors
    /// As [`VectorEvaluator::add`]; [`Error::ListLength`] for an empty list.
    pub fn sum<T: Element>(&self, all: &[Vector<T>]) -> Result<Vector<T>, Error> {
        let (first, rest) =
            all.split_first().ok_or(Error::ListLength { operation: "sum", left: 0, right: 0 })?;
        rest.iter().try_fold(first.clone(), |sum, next| self.add(&sum, next))
    }

    /// Computes the sum of the products of two lists of vectors, relinearised once.
    ///
    /// # Errors
    /// As [`VectorEvaluator::mul`]; [`Error::ListLength`] for lists of different lengths or none.
    pub fn dot<T: Element>(&self, a: &[Vector<T>], b: &[Vector<T>]) -> Result<Vector<T>, Error> {
        if a.is_empty() || a.len() != b.len() {
            return Err(Error::ListLength { operation: "dot", left: a.len(), right: b.len() });
        }
        let pairs: Vec<_> = a.iter().zip(b).collect();
        self.sum_of_products("dot", &pairs)
    }

    fn sum_of_products<T: Element>(
        &self,
        operation: &'static str,
        pairs: &[(&Vector<T>, &Vector<T>)],
    ) -> Result<Vector<T>, Error> {
        let model = &self.params().tables().model;
        let (first, _) = pairs[0];
        let (mut noise, mut lineage) = (Noise::default(), Lineage::none());
        let mut largest = 0.0;
        for (a, b) in pairs {
            self.check_key(&[a, b])?;
            same_length(operation, first.length, a.length)?;
            same_length(operation, a.length, b.length)?;
            a.linear(operation)?;
            b.linear(operation)?;
            let product = model.multiplied(a.noise, b.noise, a.lineage.relation(&b.lineage));
            let sources = a.lineage.union(&b.lineage);
            noise = noise.plus(product, lineage.relation(&sources));
            lineage = lineage.union(&sources);
            largest += a.largest * b.largest;
        }
        let operands: Vec<_> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        self.params().refuse_beyond_budget(operation, noise, &operands)?;
        let tensor = |index: usize| {
            let limbs = first.residues[index][0].limbs();
            let rows: Vec<_> = pairs
                .iter()
                .map(|(a, b)| {
                    let [a, b] = [a, b].map(|v| &v.residues[index]);
                    ([&a[0], &a[1]], [&b[0], &b[1]])
                })
                .collect();
            Vec::from(Poly::tensor(&rows, limbs))
        };
        let residues = (0..first.residues.len()).map(tensor).collect();
        let product = Vector { lineage, ..first.computed(residues, noise, largest) };
        self.checked(self.relinearized(product)?, operation, &operands)
    }

    /// Relinearises a product of three components, if there is a key. With errors of factor 1 in
    /// the key, `c_2` is divided by `t` before the key switch and the result multiplied by `t`.
    fn relinearized<T: Element>(&self, product: Vector<T>) -> Result<Vector<T>, Error> {
        let Some(key) = self.keys.relinearization.as_deref() else { return Ok(product) };
        key.check_level(self.params().vector_level(), format_args!("a product"))?;
        let mut residues = Vec::with_capacity(product.residues.len());
        for (residue, parts) in self.params().tables().residues.iter().zip(&product.residues) {
            let [c0, c1, c2] = parts.as_slice() else { return Ok(product) };
            let switched = self.switched(key, residue, c2)?;
            let joined = [c0, c1].into_iter().zip(&switched).map(|(c, x)| {
                let mut sum = c.clone();
                sum.mul_scalar_add_assign(x, &residue.factor);
                sum
            });
            residues.push(joined.collect());
        }
        let chain = product.limb_count();
        let noise = self.params().tables().model.key_switched(product.noise, chain);
        Ok(product.computed(residues, noise, product.largest))
    }

    /// Switches the key of `c / t`, for the prime `t` of a residue, and divides by the special
    /// prime.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn switched(
        &self,
        key: &SwitchingKey,
        residue: &Residue,
        c: &Poly<Eval>,
    ) -> Result<[Poly<Eval>; 2], Error> {
        cancel::go_on(self.cancel.as_ref())?;
        let context = self.params().context();
        let chain = LimbCount::of(c.limbs());
        let mut quotient = c.clone();
        // The errors of the key are multiples of no t: they become multiples of this one when the
        // result is multiplied by it.
        quotient.mul_scalar_assign(&residue.inverse);
        Ok(key.vector.product(&quotient).map(|x| context.mod_down(x.limbs(), chain).apply(x)))
    }

    fn linear<T: Element>(
        &self,
        operation: &'static str,
        a: &Vector<T>,
        b: &Vector<T>,
        op: impl Fn(&Poly<Eval>, &Poly<Eval>) -> Poly<Eval>,
        alone: impl Fn(&Poly<Eval>) -> Poly<Eval>,
    ) -> Result<Vector<T>, Error> {
        self.check_key(&[a, b])?;
        same_length(operation, a.length, b.length)?;
        let joined = |(a, b): (&Vec<Poly<Eval>>, &Vec<Poly<Eval>>)| {
            let component = |i| match (a.get(i), b.get(i)) {
                (Some(a), Some(b)) => op(a, b),
                (Some(a), None) => a.clone(),
                (None, _) => alone(&b[i]),
            };
            (0..a.len().max(b.len())).map(component).collect()
        };
        let residues = a.residues.iter().zip(&b.residues).map(joined).collect();
        let noise = a.noise.plus(b.noise, a.lineage.relation(&b.lineage));
        let lineage = a.lineage.union(&b.lineage);
        let result = Vector { lineage, ..a.computed(residues, noise, a.largest + b.largest) };
        self.checked(result, operation, &[a, b])
    }

    /// Refuses operands of other parameters or another secret key, and any once it is cancelled.
    pub(super) fn check_key<T: Element>(&self, operands: &[&Vector<T>]) -> Result<(), Error> {
        cancel::go_on(self.cancel.as_ref())?;
        let mut own: Option<KeyId> = self.keys.key;
        operands.iter().try_for_each(|v| {
            self.params().same(&v.params)?;
            same_key(*own.get_or_insert(v.key), v.key)
        })
    }
}

pub(super) fn same_length(operation: &'static str, left: usize, right: usize) -> Result<(), Error> {
    if left == right { Ok(()) } else { Err(Error::ListLength { operation, left, right }) }
}

impl<T: Element> Vector<T> {
    /// Creates a vector computed from this one.
    pub(super) fn computed(
        &self,
        residues: Vec<Vec<Poly<Eval>>>,
        noise: Noise,
        largest: f64,
    ) -> Vector<T> {
        Vector {
            params: self.params.clone(),
            key: self.key,
            residues,
            noise,
            lineage: self.lineage.clone(),
            largest,
            length: self.length,
            fresh: false,
            seed: None,
            word: self.word,
        }
    }

    /// Refuses a vector of three components for each prime.
    pub(super) fn linear(&self, operation: &'static str) -> Result<(), Error> {
        let got = self.component_count();
        if got == 2 { Ok(()) } else { Err(Error::Components { operation, expected: 2, got }) }
    }

    /// Refuses a result that could decrypt wrongly, or has values that could wrap around.
    pub(super) fn checked(
        self,
        operation: &'static str,
        operands: &[&Vector<T>],
    ) -> Result<Vector<T>, Error> {
        let (bits, limit_bits) = (self.largest.log2(), self.params.value_bits());
        self.params.refuse_beyond_budget(operation, self.noise, operands)?;
        if bits <= limit_bits {
            return Ok(self);
        }
        Err(WideError::ValuesExceedModuli { operation, bits, limit_bits }.into())
    }

    pub(super) fn limb_count(&self) -> LimbCount {
        LimbCount::of(self.residues[0][0].limbs())
    }
}

impl VectorParams {
    /// Refuses a result of this noise if it could decrypt wrongly. What is left is the budget of
    /// the weakest operand, and 0 without operands: for an encryption.
    pub(super) fn refuse_beyond_budget<T: Element>(
        &self,
        operation: &'static str,
        noise: Noise,
        operands: &[&Vector<T>],
    ) -> Result<(), Error> {
        let after = self.vector_budget(noise);
        if after >= 0.0 {
            return Ok(());
        }
        let budgets = operands.iter().map(|operand| operand.noise_budget_bits().max(0.0));
        let left_bits = budgets.reduce(f64::min).unwrap_or(0.0);
        let remedy = if operands.is_empty() {
            "plan the parameters for Encryption::PublicKey"
        } else {
            "plan the parameters for a circuit of more products or sums"
        };
        Err(Error::NoiseExhausted {
            operation,
            level: self.vector_level(),
            needed_bits: left_bits - after,
            left_bits,
            remedy,
        })
    }
}
