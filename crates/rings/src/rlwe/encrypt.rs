//! Encryption of encoded messages under the secret key and under the public key.

use super::{
    Bounds, Ciphertext, Level, Lineage, Mechanics, Noise, Params, PublicKey, SecretKey, source,
};
use fathom_ring::{
    Masked, Message, Poly, SecretCoefficients, SecretPoly, SecretRng, ternary, uniform_eval,
};

/// A message as a polynomial of integers, ready to be encrypted.
pub(crate) struct Encoded<'a, S: Mechanics> {
    /// The coefficients of a polynomial within the norms of `bound`.
    pub(crate) coefficients: &'a SecretCoefficients,
    pub(crate) bound: Bounds,
    pub(crate) meta: S::Meta,
}

/// The public statements of a fresh encryption about its message.
pub(crate) struct Fresh<S: Mechanics> {
    pub(crate) meta: S::Meta,
    pub(crate) noise: Noise,
    pub(crate) facts: S::Facts,
}

impl<S: Mechanics> Fresh<S> {
    /// Describes an encryption of any message at `level`, with this noise.
    pub(crate) fn of_noise(params: &Params<S>, level: Level, noise: Noise) -> Fresh<S> {
        Fresh { meta: S::fresh_meta(params, level), noise, facts: S::Facts::default() }
    }
}

impl<S: Mechanics> SecretKey<S> {
    /// Encrypts at `level`, which is not above the top, with a seeded mask.
    pub(crate) fn encrypt_encoded(
        &self,
        message: &Encoded<'_, S>,
        level: Level,
        rng: &mut SecretRng,
    ) -> Ciphertext<S> {
        let context = self.params.context();
        let limbs = level.limbs().chain();
        let noise = context.model.secret_key_noise(message.bound);
        let fresh = Fresh { meta: message.meta, noise, facts: S::Facts::default() };
        self.encrypt_hidden(fresh, level, rng, |error| {
            error.plus(message.coefficients.expose()).to_eval(&context.ring, limbs)
        })
    }

    /// Encrypts what `hide` makes of an error.
    pub(crate) fn encrypt_hidden(
        &self,
        Fresh { meta, noise, facts }: Fresh<S>,
        level: Level,
        rng: &mut SecretRng,
        hide: impl FnOnce(SecretCoefficients) -> SecretPoly,
    ) -> Ciphertext<S> {
        let context = self.params.context();
        let limbs = level.limbs().chain();
        let seed = rng.next_seed();
        let c1 = uniform_eval(&context.ring, limbs, &seed);
        let error = context.spec.error_factor.multiple(context.sample_error(rng));
        let hidden = hide(error);
        let mut c0 = Poly::product(&c1, self.s.expose(), limbs);
        c0.neg_assign();
        c0.add_assign(hidden.expose());
        Ciphertext {
            params: self.params.clone(),
            key: self.id,
            meta,
            facts,
            noise,
            lineage: Lineage::of(source(&c1)),
            fresh: true,
            seed: Some(seed),
            parts: vec![c0, c1],
        }
    }

    /// Encrypts zero at the top level.
    pub(crate) fn encrypt_zero(&self, rng: &mut SecretRng) -> Ciphertext<S> {
        let level = self.params.top_level();
        let coefficients = SecretCoefficients::new(vec![0; self.params.degree()]);
        let meta = S::zero_meta(&self.params, level);
        let bound = S::message_bound(&self.params);
        let zero = Encoded { coefficients: &coefficients, bound, meta };
        self.encrypt_encoded(&zero, level, rng)
    }
}

impl<S: Mechanics> PublicKey<S> {
    /// Encrypts at the top level: modulo all primes, then divided by the special ones, which leaves
    /// only the noise of rounding. Without special primes the noise is that of the public key.
    ///
    /// Transforms at `l` limbs with `K` special primes: `3 (l + K)`.
    pub(crate) fn encrypt_encoded(
        &self,
        message: &Encoded<'_, S>,
        rng: &mut SecretRng,
    ) -> Ciphertext<S> {
        let noise = self.params.context().model.public_key_noise(message.bound);
        let small = Message::Small(message.coefficients);
        let fresh = Fresh { meta: message.meta, noise, facts: S::Facts::default() };
        self.encrypt_with(fresh, small, rng)
    }

    /// Encrypts coefficients.
    pub(crate) fn encrypt_with(
        &self,
        Fresh { meta, noise, facts }: Fresh<S>,
        message: Message<'_>,
        rng: &mut SecretRng,
    ) -> Ciphertext<S> {
        let context = self.params.context();
        // One small secret masks both components; each has an error of its own.
        let u = ternary(rng, context.degree());
        let [first, second] = [(); 2].map(|()| context.sample_encryption_error(rng));
        let masked = [
            Masked { key: &self.b, error: &first, message },
            Masked { key: &self.a, error: &second, message: Message::None },
        ];
        let parts = context.masked_product().apply(&u, masked);
        Ciphertext {
            params: self.params.clone(),
            key: self.key,
            meta,
            facts,
            noise,
            lineage: Lineage::of(source(&parts[1])),
            fresh: true,
            seed: None,
            parts: parts.into(),
        }
    }
}
