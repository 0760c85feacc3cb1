//! Encryption of plaintexts modulo `t`.

use super::{Modular, Plaintext};
use crate::Error;
use crate::rlwe::encrypt::Encoded;
use crate::rlwe::{Ciphertext, Level, PublicKey, SecretKey};
use fathom_ring::SecretRng;

/// Encrypts under the secret key. The caller checks level and noise.
pub(super) fn encrypt_sk<S: Modular>(
    secret: &SecretKey<S>,
    plaintext: &Plaintext<S>,
    level: Level,
    rng: &mut SecretRng,
) -> Result<Ciphertext<S>, Error> {
    let params = &secret.params;
    params.same(plaintext.params())?;
    let meta = S::fresh_factor(params, level);
    let (coefficients, bound) = (plaintext.scaled(meta), params.message_norms());
    Ok(secret.encrypt_encoded(&Encoded { coefficients: &coefficients, bound, meta }, level, rng))
}

/// Encrypts under the public key. The caller checks the noise.
pub(super) fn encrypt_pk<S: Modular>(
    public: &PublicKey<S>,
    plaintext: &Plaintext<S>,
    rng: &mut SecretRng,
) -> Result<Ciphertext<S>, Error> {
    let params = &public.params;
    params.same(plaintext.params())?;
    let meta = S::fresh_factor(params, params.top_level());
    let (coefficients, bound) = (plaintext.scaled(meta), params.message_norms());
    Ok(public.encrypt_encoded(&Encoded { coefficients: &coefficients, bound, meta }, rng))
}
