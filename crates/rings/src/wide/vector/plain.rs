//! Sums and products of vectors and clear values.

use super::compute::same_length;
use super::{Element, Vector, VectorEvaluator};
use crate::Error;
use crate::rlwe::{Noise, Norms, Relation};
use fathom_ring::{Coeff, Eval, Poly, Scalar};

impl VectorEvaluator {
    /// Multiplies by clear values, as many as `a` has elements:
    /// `decrypt(out)[i] = decrypt(a)[i] * b[i]`. Clear operands are public: the bounds on noise and
    /// values, which travel with the result, tell their size.
    ///
    /// # Errors
    /// As [`VectorEvaluator::add`].
    pub fn mul_plain<T: Element>(&self, a: &Vector<T>, b: &[T]) -> Result<Vector<T>, Error> {
        self.check_key(&[a])?;
        same_length("mul_plain", a.length, b.len())?;
        let (params, context) = (&a.params, a.params.context());
        let limbs = params.vector_level().limbs().chain();
        let mut norms = Norms::of_integer(0.0);
        let mut residues = Vec::with_capacity(a.residues.len());
        for (residue, parts) in params.tables().residues.iter().zip(&a.residues) {
            let lifted = residue.encode(params, b)?;
            norms = norms.greatest(Norms::of(lifted.expose(), &context.roots));
            let lifted = Poly::<Coeff>::from_signed(&context.ring, limbs, lifted.expose());
            let values = lifted.into_eval();
            residues.push(parts.iter().map(|p| Poly::product(p, &values, limbs)).collect());
        }
        let largest = a.largest * largest_of(b);
        let noise = a.noise.times_polynomial(norms);
        self.checked(a.computed(residues, noise, largest), "mul_plain", &[a])
    }

    /// Multiplies every element by a clear value: `decrypt(out)[i] = decrypt(a)[i] * b`. Noise and
    /// values grow by the size of `b`, whatever its type; noise by no more than half of a prime.
    ///
    /// # Errors
    /// As [`VectorEvaluator::add`].
    pub fn mul_scalar<T: Element>(&self, a: &Vector<T>, b: T) -> Result<Vector<T>, Error> {
        self.check_key(&[a])?;
        let ring = &a.params.context().ring;
        let mut greatest = 0;
        let mut residues = a.residues.clone();
        for (residue, parts) in a.params.tables().residues.iter().zip(&mut residues) {
            let centered = residue.modulus.to_signed(b.residue(&residue.modulus));
            greatest = greatest.max(centered.unsigned_abs());
            let scalar = Scalar::from_signed(ring, centered);
            for part in parts {
                part.mul_scalar_assign(&scalar);
            }
        }
        let noise = a.noise.times(greatest as f64);
        let largest = a.largest * b.magnitude() as f64;
        self.checked(a.computed(residues, noise, largest), "mul_scalar", &[a])
    }

    /// Adds clear values, as many as `a` has elements: `decrypt(out)[i] = decrypt(a)[i] + b[i]`.
    ///
    /// # Errors
    /// As [`VectorEvaluator::add`].
    pub fn add_plain<T: Element>(&self, a: &Vector<T>, b: &[T]) -> Result<Vector<T>, Error> {
        self.with_plain("add_plain", a, b, Poly::add_assign)
    }

    /// Subtracts clear values, as many as `a` has elements:
    /// `decrypt(out)[i] = decrypt(a)[i] - b[i]`.
    ///
    /// # Errors
    /// As [`VectorEvaluator::add`].
    pub fn sub_plain<T: Element>(&self, a: &Vector<T>, b: &[T]) -> Result<Vector<T>, Error> {
        self.with_plain("sub_plain", a, b, Poly::sub_assign)
    }

    /// Adds a clear value to every element: `decrypt(out)[i] = decrypt(a)[i] + b`.
    ///
    /// # Errors
    /// As [`VectorEvaluator::add`].
    pub fn add_scalar<T: Element>(&self, a: &Vector<T>, b: T) -> Result<Vector<T>, Error> {
        self.with_plain("add_scalar", a, &vec![b; a.length], Poly::add_assign)
    }

    /// Subtracts a clear value from every element: `decrypt(out)[i] = decrypt(a)[i] - b`.
    ///
    /// # Errors
    /// As [`VectorEvaluator::add`].
    pub fn sub_scalar<T: Element>(&self, a: &Vector<T>, b: T) -> Result<Vector<T>, Error> {
        self.with_plain("sub_scalar", a, &vec![b; a.length], Poly::sub_assign)
    }

    fn with_plain<T: Element>(
        &self,
        operation: &'static str,
        a: &Vector<T>,
        b: &[T],
        op: impl Fn(&mut Poly<Eval>, &Poly<Eval>),
    ) -> Result<Vector<T>, Error> {
        self.check_key(&[a])?;
        same_length(operation, a.length, b.len())?;
        let params = &a.params;
        let limbs = params.vector_level().limbs().chain();
        let mut residues = a.residues.clone();
        for (residue, parts) in params.tables().residues.iter().zip(&mut residues) {
            let lifted = residue.encode(params, b)?.to_eval(&params.context().ring, limbs);
            op(&mut parts[0], lifted.expose());
        }
        let added = Noise::of_message(params.message_norms());
        let noise = a.noise.plus(added, Relation::Independent);
        let largest = a.largest + largest_of(b);
        self.checked(a.computed(residues, noise, largest), operation, &[a])
    }
}

/// Returns the greatest absolute value of clear operands.
fn largest_of<T: Element>(values: &[T]) -> f64 {
    values.iter().map(|value| value.magnitude()).max().unwrap_or(0) as f64
}
