//! The forms that store polynomials: native, and compatible with decoys generated at serialisation.

use super::form::Form;
use crate::protocol::{CiphertextBytes, KeyBytes};
use fathom::SecretRng;
use fathom::wire::WireObject;
use fathom_hfhe::compat::{self, Compat};
use fathom_hfhe::native::{self, Native};
use fathom_hfhe::{Ciphertext, Error, Fp, Mode, SecretKey, Workers};

/// Ciphertexts that are stored as polynomials.
pub(super) struct Plain<M>(std::marker::PhantomData<M>);

/// A mode with its key generation.
pub(super) trait Keyed: Mode {
    const ASSUMPTION: &'static str;
    fn generate(rng: &mut SecretRng) -> Result<SecretKey<Self>, Error>;
    fn key_bytes(key: &SecretKey<Self>) -> KeyBytes;
}

impl Keyed for Native {
    const ASSUMPTION: &'static str = "BLAKE3 is a PRF";

    fn generate(rng: &mut SecretRng) -> Result<native::SecretKey, Error> {
        Ok(native::SecretKey::generate(rng))
    }

    fn key_bytes(_: &native::SecretKey) -> KeyBytes {
        KeyBytes { sk: native::SecretKey::secret_byte_len() as u64, ..KeyBytes::default() }
    }
}

impl Keyed for Compat {
    const ASSUMPTION: &'static str = "SHA-256 and AES-256 are PRFs";

    fn generate(rng: &mut SecretRng) -> Result<compat::SecretKey, Error> {
        compat::SecretKey::generate(rng, &Workers::one())
    }

    fn key_bytes(secret: &compat::SecretKey) -> KeyBytes {
        KeyBytes {
            sk: compat::SecretKey::secret_byte_len() as u64,
            pk: secret.public().byte_len() as u64,
            ..KeyBytes::default()
        }
    }
}

impl<M: Keyed> Form for Plain<M> {
    const NAME: &'static str = M::NAME;
    const ASSUMPTION: &'static str = M::ASSUMPTION;
    type Key = SecretKey<M>;
    type Ciphertext = Ciphertext<M>;

    fn generate(rng: &mut SecretRng) -> Result<SecretKey<M>, Error> {
        M::generate(rng)
    }

    fn encrypt(key: &SecretKey<M>, value: Fp, mut rng: SecretRng) -> Result<Ciphertext<M>, Error> {
        Ok(key.encrypt(value, &mut rng))
    }

    fn decrypt(key: &SecretKey<M>, x: &Ciphertext<M>) -> Result<Fp, Error> {
        key.decrypt_any_circuit(x)
    }

    fn add(x: &Ciphertext<M>, y: &Ciphertext<M>) -> Result<Ciphertext<M>, Error> {
        x.add(y)
    }

    fn mul_scalar(x: &Ciphertext<M>, factor: Fp) -> Ciphertext<M> {
        x.mul_scalar(factor)
    }

    fn mul(
        _: &SecretKey<M>,
        [x, y]: [&Ciphertext<M>; 2],
        _: SecretRng,
    ) -> Result<Ciphertext<M>, Error> {
        x.mul(y)
    }

    fn add_scalar(
        x: &Ciphertext<M>,
        constant: Fp,
        _: &Ciphertext<M>,
    ) -> Result<Ciphertext<M>, Error> {
        Ok(x.add_scalar(constant))
    }

    fn bytes(x: &Ciphertext<M>) -> CiphertextBytes {
        let (packed, theory) = (x.byte_len() as u64, x.information_len() as u64);
        CiphertextBytes { packed, seeded: None, theory }
    }

    fn key_bytes(key: &SecretKey<M>) -> KeyBytes {
        M::key_bytes(key)
    }
}
