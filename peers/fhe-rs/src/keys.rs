//! Keys of fhe.rs, and the operations that use them.

use crate::modulus::log_modulus;
use crate::refusal::refusal;
use fathom_drivers::protocol::{Code, Refusal};
use fhe::bfv::{
    BfvParameters, Ciphertext, EvaluationKey, EvaluationKeyBuilder, Multiplicator, PublicKey,
    RelinearizationKey, SecretKey,
};
use fhe_math::rns::{RnsContext, ScalingFactor};
use fhe_math::zq::primes::generate_prime;
use num_bigint::BigUint;
use std::sync::Arc;

/// Bits of the primes by which products extend their basis, the maximum of fhe.rs.
const EXTENSION_BITS: usize = 62;

/// All keys of a session.
pub(crate) struct Keys {
    bfv: Arc<BfvParameters>,
    pub(crate) secret: SecretKey,
    pub(crate) public: PublicKey,
    /// `None` with a single modulus, for which fhe.rs has no key switching.
    relin: Option<Relin>,
    /// Rotation keys; `None` until they are requested.
    pub(crate) rotations: Option<EvaluationKey>,
}

/// The relinearisation key and the products that use it.
struct Relin {
    key: RelinearizationKey,
    multiplicator: Multiplicator,
}

impl Keys {
    /// Generates a secret, public and relinearisation key.
    pub(crate) fn generate(bfv: &Arc<BfvParameters>) -> Result<Self, Refusal> {
        let mut rng = rand::rng();
        let secret = SecretKey::random(bfv, &mut rng);
        let public = PublicKey::new(&secret, &mut rng);
        let relin = (bfv.max_level() > 0).then(|| Relin::generate(bfv, &secret)).transpose()?;
        Ok(Self { bfv: bfv.clone(), secret, public, relin, rotations: None })
    }

    /// Returns the relinearisation key.
    pub(crate) fn relin(&self) -> Result<&RelinearizationKey, Refusal> {
        self.parts().map(|relin| &relin.key)
    }

    /// Returns the relinearised product.
    pub(crate) fn multiply(&self, x: &Ciphertext, y: &Ciphertext) -> Result<Ciphertext, Refusal> {
        self.parts()?.multiplicator.multiply(x, y).map_err(refusal)
    }

    /// Returns the rotation keys.
    pub(crate) fn rotations(&self) -> Result<&EvaluationKey, Refusal> {
        let missing = || Refusal::new(Code::BadRequest, "`keygen` was not asked for rotations");
        self.rotations.as_ref().ok_or_else(missing)
    }

    fn parts(&self) -> Result<&Relin, Refusal> {
        let missing = || Refusal::unsupported("fhe.rs switches no keys under a single modulus");
        self.relin.as_ref().ok_or_else(missing)
    }

    /// Generates rotation keys, which replace the present ones.
    pub(crate) fn generate_rotations(
        &mut self,
        steps: &[usize],
        row_swap: bool,
    ) -> Result<(), Refusal> {
        self.parts()?;
        let mut builder = EvaluationKeyBuilder::new(&self.secret).map_err(refusal)?;
        for steps in steps {
            builder.enable_column_rotation(*steps).map_err(refusal)?;
        }
        if row_swap {
            builder.enable_row_rotation().map_err(refusal)?;
        }
        self.rotations = Some(builder.build(&mut rand::rng()).map_err(refusal)?);
        Ok(())
    }

    /// Returns the number of bits between the noise and the limit of correct decryption, q / 2t.
    pub(crate) fn budget(&self, ciphertext: &Ciphertext) -> Result<f64, Refusal> {
        // SAFETY: the method is unsafe only because its time depends on the noise; the keys of a
        // driver protect no data.
        #[expect(unsafe_code, reason = "the only way to the noise")]
        let noise = unsafe { self.secret.measure_noise(ciphertext) }.map_err(refusal)?;
        let moduli = ciphertext[0].ctx().moduli();
        let limit = log_modulus(moduli) - (self.bfv.plaintext() as f64).log2() - 1.0;
        Ok((limit - noise as f64).max(0.0))
    }
}

impl Relin {
    /// Generates a key and the second of the two product strategies in the benchmarks of fhe.rs:
    /// the right factor is scaled to a basis P, so that an extension of the length of Q suffices.
    fn generate(bfv: &Arc<BfvParameters>, secret: &SecretKey) -> Result<Self, Refusal> {
        let key = RelinearizationKey::new(secret, &mut rand::rng()).map_err(refusal)?;
        let moduli = bfv.moduli();
        let bits: usize = bfv.moduli_sizes().iter().sum();
        let mut extended = moduli.to_vec();
        let mut bound = 1 << EXTENSION_BITS;
        while extended.len() < moduli.len() + bits.div_ceil(EXTENSION_BITS) {
            let prime = generate_prime(EXTENSION_BITS, 2 * bfv.degree() as u64, bound);
            let none = || Refusal::unsupported("there are too few primes for products");
            bound = prime.ok_or_else(none)?;
            if !extended.contains(&bound) {
                extended.push(bound);
            }
        }
        let modulus = |moduli: &[u64]| {
            let context = RnsContext::new(moduli).map_err(|error| refusal(error.into()))?;
            Ok::<BigUint, Refusal>(context.modulus().clone())
        };
        let (q, p) = (modulus(moduli)?, modulus(&extended[moduli.len()..])?);
        let mut multiplicator = Multiplicator::new(
            ScalingFactor::one(),
            ScalingFactor::new(&p, &q),
            &extended,
            ScalingFactor::new(&BigUint::from(bfv.plaintext()), &p),
            bfv,
        )
        .map_err(refusal)?;
        multiplicator.enable_relinearization(&key).map_err(refusal)?;
        Ok(Self { key, multiplicator })
    }
}
