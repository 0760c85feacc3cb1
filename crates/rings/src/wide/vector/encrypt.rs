//! Encryption and decryption of vectors.

use super::tables::Residue;
use super::{Element, Encryption, Vector, VectorParams, VectorPublicKey, VectorSecretKey};
use crate::Error;
use crate::rlwe::{Lineage, same_key, source};
use crate::wide::Integer;
use fathom_ring::{
    Eval, Masked, Message, Poly, SecretCoefficients, SecretPoly, SecretRng, Seed, ternary,
    uniform_eval,
};
use std::marker::PhantomData;
use zeroize::Zeroizing;

impl VectorSecretKey {
    /// Encrypts values, at most as many as the degree. The result is seeded: its wire form holds
    /// one polynomial for each prime instead of two.
    ///
    /// # Errors
    /// [`Error::TooManyValues`]; [`WideError::BeyondPlan`](crate::wide::WideError::BeyondPlan)
    /// for an element beyond [`VectorParams::input_bits`]; [`Error::NoiseExhausted`] if the
    /// parameters have no noise budget for it.
    pub fn encrypt<T: Element>(
        &self,
        values: &[T],
        rng: &mut SecretRng,
    ) -> Result<Vector<T>, Error> {
        let params = &self.params;
        params.check_inputs(values)?;
        let context = params.context();
        let limbs = params.vector_level().limbs().chain();
        let seed = rng.next_seed();
        let mut residues = Vec::with_capacity(params.tables().residues.len());
        for (i, residue) in params.tables().residues.iter().enumerate() {
            let c1 = mask(params, &seed, i);
            let t = residue.modulus.value().cast_signed();
            let error = context.sample_error(rng).scaled(t);
            let hidden = error.plus(residue.encode(params, values)?.expose());
            let mut c0 = Poly::product(&c1, self.s.expose(), limbs);
            c0.neg_assign();
            c0.add_assign(hidden.to_eval(&context.ring, limbs).expose());
            residues.push(vec![c0, c1]);
        }
        Vector::fresh(self.params(), self.id, residues, values.len(), Some(seed))
            .checked("encrypt", &[])
    }

    /// Decrypts all elements as integers.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`]; [`Error::NoiseExhausted`] if the noise
    /// bound is past the limit, as only a vector from outside can have;
    /// [`WideError::BeyondBound`](crate::wide::WideError::BeyondBound) for an element that is
    /// greater than the vector claims.
    pub fn decrypt<T: Element>(&self, vector: &Vector<T>) -> Result<Vec<Integer>, Error> {
        let values = self.decrypt_with(vector, VectorParams::integer_of_digits)?;
        let bits = vector.value_bits();
        values.iter().try_for_each(|value| value.check_width(bits))?;
        Ok(values)
    }

    /// Decrypts all elements modulo the power of two of their type: as wrapping arithmetic on
    /// machine words would give them. A false bound of a sender, which [`VectorSecretKey::decrypt`]
    /// refuses, is not noticed.
    ///
    /// # Errors
    /// As [`VectorSecretKey::decrypt`].
    pub fn decrypt_wrapping<T: Element>(&self, vector: &Vector<T>) -> Result<Vec<T>, Error> {
        let weights = self.params.word_weights();
        self.decrypt_with(vector, |_, digits| {
            let terms = digits.iter().zip(&weights);
            T::wrapped(terms.fold(0u128, |sum, (&digit, &weight)| {
                sum.wrapping_add((i128::from(digit) as u128).wrapping_mul(weight))
            }))
        })
    }

    fn decrypt_with<T: Element, R>(
        &self,
        vector: &Vector<T>,
        read: impl Fn(&VectorParams, &[i64]) -> R,
    ) -> Result<Vec<R>, Error> {
        let params = &self.params;
        params.same(&vector.params)?;
        same_key(self.id, vector.key)?;
        params.refuse_beyond_budget("decrypt", vector.noise, &[vector])?;
        let mut slots = Vec::with_capacity(vector.residues.len());
        for (residue, parts) in params.tables().residues.iter().zip(&vector.residues) {
            let phase = self.phase_of(parts);
            let coefficients = residue.to_plain(params.context()).apply(phase.expose());
            let values = residue.plain(params.degree())?.coefficients_to_slots(coefficients);
            slots.push(Zeroizing::new(values.expect("parameters refuse primes without slots")));
        }
        let mut digits = Zeroizing::new(vec![0i64; slots.len()]);
        let value = |index: usize| {
            params.mixed_digits(|i| slots[i][index], &mut digits);
            read(params, &digits)
        };
        Ok((0..vector.length).map(value).collect())
    }

    fn phase_of(&self, parts: &[Poly<Eval>]) -> SecretPoly {
        let s = self.s.expose();
        let mut parts = parts.iter().rev();
        let last = parts.next().expect("a vector has at least two components for each prime");
        let mut phase = SecretPoly::new(last.clone());
        for part in parts {
            phase.expose_mut().mul_assign(s);
            phase.expose_mut().add_assign(part);
        }
        phase
    }

    /// **Debug only**: returns the bits between the largest coefficient of any phase and the limit,
    /// measured with the secret key. Programs use [`Vector::noise_budget_bits`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn debug_vector_budget_bits<T: Element>(&self, vector: &Vector<T>) -> Result<f64, Error> {
        self.params.same(&vector.params)?;
        same_key(self.id, vector.key)?;
        let largest = vector.residues.iter().map(|parts| {
            self.phase_of(parts).expose().clone().into_coeff().log2_largest_centered()
        });
        let limit =
            self.params.context().model.log2_modulus(self.params.vector_level().limbs()) - 1.0;
        Ok(limit - largest.fold(0.0, f64::max))
    }
}

impl VectorPublicKey {
    /// Encrypts values under the public key, at most as many as the degree.
    ///
    /// # Errors
    /// As [`VectorSecretKey::encrypt`]: parameters that are planned for the secret key may have no
    /// budget for the noise of the public key.
    pub fn encrypt<T: Element>(
        &self,
        values: &[T],
        rng: &mut SecretRng,
    ) -> Result<Vector<T>, Error> {
        let params = &self.params;
        params.check_inputs(values)?;
        let context = params.context();
        let limbs = params.vector_level().limbs().chain();
        let mut residues = Vec::with_capacity(params.tables().residues.len());
        for residue in &params.tables().residues {
            let u = ternary(rng, context.degree());
            let [first, second] = [(); 2].map(|()| context.sample_encryption_error(rng));
            let masked = [
                Masked { key: &self.b, error: &first, message: Message::None },
                Masked { key: &self.a, error: &second, message: Message::None },
            ];
            let mut parts = Vec::from(context.masked_product().apply(&u, masked));
            for part in &mut parts {
                part.mul_scalar_assign(&residue.factor);
            }
            let message = residue.encode(params, values)?.to_eval(&context.ring, limbs);
            parts[0].add_assign(message.expose());
            residues.push(parts);
        }
        Vector::fresh(params, self.key, residues, values.len(), None).checked("encrypt", &[])
    }
}

/// Returns the uniform component for prime `index`.
pub(super) fn mask(params: &VectorParams, seed: &Seed, index: usize) -> Poly<Eval> {
    let limbs = params.vector_level().limbs().chain();
    uniform_eval(&params.context().ring, limbs, &seed.child(index as u32))
}

impl Residue {
    /// Returns the centred coefficients of the polynomial whose slots hold the values.
    pub(super) fn encode<T: Element>(
        &self,
        params: &VectorParams,
        values: &[T],
    ) -> Result<SecretCoefficients, Error> {
        let (given, capacity) = (values.len(), params.capacity());
        if given > capacity {
            return Err(Error::TooManyValues { given, capacity });
        }
        let residues: Vec<u64> = values.iter().map(|value| value.residue(&self.modulus)).collect();
        let residues = Zeroizing::new(residues);
        let plain = self.plain(params.degree())?;
        let coefficients = plain.slots_to_coefficients(&residues, 1);
        let coefficients = coefficients.expect("parameters refuse primes without slots");
        Ok(plain.scaled_centered(&Zeroizing::new(coefficients), 1))
    }
}

impl<T: Element> Vector<T> {
    pub(super) fn fresh(
        params: &VectorParams,
        key: crate::KeyId,
        residues: Vec<Vec<Poly<Eval>>>,
        length: usize,
        seed: Option<Seed>,
    ) -> Vector<T> {
        let encryption = if seed.is_some() { Encryption::SecretKey } else { Encryption::PublicKey };
        Vector {
            params: params.clone(),
            key,
            noise: encryption.noise(&params.tables().model, params.message_norms()),
            lineage: Lineage::of(source(&residues[0][1])),
            residues,
            largest: params.largest_input::<T>(),
            length,
            fresh: true,
            seed,
            word: PhantomData,
        }
    }
}
