//! The standard BFV form, with the message in the most significant bits, and its conversion.
//!
//! If `c` hides `f m + t e`, then `t^-1 c mod Q` hides `round(Q m' / t) + e'` with
//! `m' = -f m / Q mod t` and `e'` close to `e`: from `t^-1 = (1 + k Q) / t mod Q` with
//! `k = -Q^-1 mod t`. Multiplication by `t` converts back (Alperin-Sheriff and Peikert, eprint
//! 2013/372, appendix A).

use super::{Ciphertext, Params, standard_factor};
use crate::rlwe::modular::factor::quotient;
use crate::rlwe::{Level, LimbCount, Lineage, Noise};
use crate::{Error, KeyId};
use fathom_ring::{Eval, Modulus, Poly, Scalar};

/// A ciphertext in the form of the BFV paper: `c0 + c1 s = round(Q m / t) + e mod Q`.
#[derive(Clone, Debug)]
pub struct MsbCiphertext {
    pub(crate) params: Params,
    /// The secret key that decrypts it.
    pub(crate) key: KeyId,
    pub(crate) parts: Vec<Poly<Eval>>,
    /// The message stands with this factor; 1 for fresh ciphertexts.
    pub(crate) factor: u64,
    /// The noise of the phase times `t`.
    pub(crate) noise: Noise,
    /// The fresh encryptions it was computed from.
    pub(crate) lineage: Lineage,
}

impl MsbCiphertext {
    /// Returns the factor `g` of the message modulo `t`: the phase is `round(Q g m / t) + e`.
    pub fn factor(&self) -> u64 {
        self.factor
    }

    /// Returns the components, as NTT values modulo each prime of the level.
    pub fn components(&self) -> &[Poly<Eval>] {
        &self.parts
    }

    /// Returns the identifier of the secret key that decrypts the ciphertext.
    pub fn key_id(&self) -> KeyId {
        self.key
    }

    /// Returns the number of primes that can still be dropped.
    pub fn level(&self) -> Level {
        LimbCount::of(self.parts[0].limbs()).level()
    }
}

impl Ciphertext {
    /// Converts to the standard BFV form by one multiplication by a constant.
    pub fn to_msb(&self) -> MsbCiphertext {
        let t = self.params.plain().modulus();
        let standard = standard_factor(&self.params, self.level());
        let factor = quotient(t, self.meta, standard);
        let inverse = |m: &Modulus| {
            m.inverse(m.reduce(t.value())).expect("the primes of Q differ from the prime t")
        };
        let scalar = Scalar::new(&self.params.context().ring, inverse);
        let parts = scaled(&self.parts, &scalar);
        MsbCiphertext {
            params: self.params.clone(),
            key: self.key,
            parts,
            factor,
            noise: self.noise,
            lineage: self.lineage.clone(),
        }
    }
}

impl Params {
    /// Takes a ciphertext in the form of the BFV paper back into this library's. One multiplication
    /// by a constant.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::NoiseExhausted`].
    pub fn from_msb(&self, a: &MsbCiphertext) -> Result<Ciphertext, Error> {
        self.same(&a.params)?;
        let t = self.plain().modulus();
        let scalar = Scalar::new(&self.context().ring, |m| m.reduce(t.value()));
        let parts = scaled(&a.parts, &scalar);
        let factor = t.mul(a.factor, standard_factor(self, a.level()));
        let ciphertext = Ciphertext {
            params: self.clone(),
            key: a.key,
            parts,
            meta: factor,
            facts: (),
            noise: a.noise,
            lineage: a.lineage.clone(),
            fresh: false,
            seed: None,
        };
        ciphertext.checked("from_msb", &[])
    }
}

fn scaled(parts: &[Poly<Eval>], scalar: &Scalar) -> Vec<Poly<Eval>> {
    let mut parts = parts.to_vec();
    for p in &mut parts {
        p.mul_scalar_assign(scalar);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bfv::{Preset, SecretKey};
    use crate::rlwe::modular::tests::phase;
    use fathom_ring::SecretRng;
    use num_bigint::BigInt;

    /// The phase is `round(Q m / t) + e` with an error of a few bits, for both kinds of encryption.
    #[test]
    fn fresh_ciphertexts_have_the_phase_of_the_bfv_paper() {
        for preset in [Preset::E1, Preset::E1Bits256, Preset::E2, Preset::E1Plain31] {
            let mut rng = SecretRng::insecure_from_seed(8);
            let params = Params::preset(preset).unwrap();
            let secret = SecretKey::generate(&params, &mut rng);
            let public = secret.public_key(&mut rng);
            let t = params.plain_modulus();
            let values: Vec<u64> = (0..params.degree()).map(|_| rng.next_word() % t).collect();
            let plain = params.encode_coefficients(&values).unwrap();
            let fresh = secret.encrypt(&plain, &mut rng).unwrap();
            let other = public.encrypt(&plain, &mut rng).unwrap();
            for (c, bound) in [(fresh, 30), (other, 4000)] {
                let msb = c.to_msb();
                assert_eq!(msb.factor(), 1);
                let (phase, q) = phase(&secret, msb.components());
                for (phase, &m) in phase.iter().zip(&values) {
                    let scaled = (&q * m * 2u32 + t) / (t * 2);
                    let mut error = (phase - scaled) % &q;
                    if &error * 2 > q {
                        error -= &q;
                    } else if &error * 2 < -&q {
                        error += &q;
                    }
                    let within = error < BigInt::from(bound) && error > BigInt::from(-bound);
                    assert!(within, "{}: {error}", preset.name());
                }
            }
        }
    }
}
