//! fhe.rs behind the driver protocol.

use crate::keys::Keys;
use crate::operations;
use crate::refusal::{guarded, refusal};
use crate::session::{Encoded, FheSession};
use fathom_drivers::protocol::{
    CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, Noise, Numbers, Refusal,
};
use fathom_drivers::session::{Bind, Session};
use fhe::bfv::Ciphertext;
use fhe_traits::{FheDecoder, FheDecrypter, Serialize};

impl Session for FheSession {
    type Ciphertext = Ciphertext;
    type Plaintext = Encoded;

    fn generate_keys(&mut self) -> Result<(), Refusal> {
        self.keys = Some(guarded(|| Keys::generate(&self.bfv))??);
        Ok(())
    }

    fn generate_rotation_keys(&mut self, steps: &[i64], row_swap: bool) -> Result<(), Refusal> {
        let row = self.bfv.degree() as i64 / 2;
        let steps = steps.iter().map(|steps| steps.rem_euclid(row) as usize);
        let steps: Vec<usize> = steps.filter(|steps| *steps != 0).collect();
        let missing = || Refusal::new(Code::BadRequest, "`keygen` comes first");
        let keys = self.keys.as_mut().ok_or_else(missing)?;
        guarded(|| keys.generate_rotations(&steps, row_swap))?
    }

    fn key_bytes(&self) -> KeyBytes {
        let Some(keys) = &self.keys else { return KeyBytes::default() };
        let length = |bytes: Vec<u8>| bytes.len() as u64;
        KeyBytes {
            sk: length(keys.secret.to_bytes()),
            pk: length(keys.public.to_bytes()),
            relin: keys.relin().map_or(0, |key| length(key.to_bytes())),
            galois: keys.rotations.as_ref().map_or(0, |keys| length(keys.to_bytes())),
            ..KeyBytes::default()
        }
    }

    fn encode(&self, values: &Numbers, encoding: Encoding) -> Result<Encoded, Refusal> {
        let values = values.integers()?;
        if values.len() > self.bfv.degree() {
            let message = format!("{} values do not fit in {}", values.len(), self.bfv.degree());
            return Err(Refusal::new(Code::BadRequest, message));
        }
        let t = i128::from(self.bfv.plaintext());
        let reduce = |value: &i64| i128::from(*value).rem_euclid(t) as u64;
        let values: Vec<u64> = values.iter().map(reduce).collect();
        let plaintext = self.encoded(&values, encoding, 0)?;
        Ok(Encoded { plaintext, source: Some((values, encoding)) })
    }

    fn decode(&self, plaintext: &Encoded, encoding: Encoding) -> Result<Numbers, Refusal> {
        let layout = self.layout(encoding, plaintext.plaintext.level())?;
        let decode = || Vec::<u64>::try_decode(&plaintext.plaintext, layout);
        let values = guarded(decode)?.map_err(|error| {
            Refusal::new(Code::BadRequest, format!("the plaintext has another encoding: {error}"))
        })?;
        Ok(values.into_iter().map(u64::cast_signed).collect::<Vec<_>>().into())
    }

    fn encrypt(
        &self,
        plaintext: &Encoded,
        key: KeyKind,
        level: Option<u32>,
    ) -> Result<Ciphertext, Refusal> {
        let Some(level) = level else { return self.encrypt_with(&plaintext.plaintext, key) };
        let top = self.bfv.max_level();
        let dropped = top.checked_sub(level as usize);
        let missing = || Refusal::unsupported(format!("there are levels 0 to {top}"));
        let decrypted = || Refusal::new(Code::BadRequest, "a decrypted plaintext has its level");
        let (values, encoding) = plaintext.source.as_ref().ok_or_else(decrypted)?;
        let lower = self.encoded(values, *encoding, dropped.ok_or_else(missing)?)?;
        self.encrypt_with(&lower, key)
    }

    fn decrypt(&self, ciphertext: &Ciphertext) -> Result<Encoded, Refusal> {
        let secret = &self.keys()?.secret;
        let plaintext = guarded(|| secret.try_decrypt(ciphertext))?.map_err(refusal)?;
        Ok(Encoded { plaintext, source: None })
    }

    fn vectors() -> Vec<(&'static str, Bind<Self>)> {
        operations::vectors()
    }

    /// Returns the sizes. fhe.rs serialises a seed instead of the second polynomial if it has one.
    fn ciphertext_bytes(&self, ciphertext: &Ciphertext) -> CiphertextBytes {
        let written = ciphertext.to_bytes().len() as u64;
        let whole = Ciphertext::new(ciphertext.to_vec(), &self.bfv).ok();
        let packed = whole.map_or(written, |whole| whole.to_bytes().len() as u64);
        let bits = crate::modulus::log_modulus(ciphertext[0].ctx().moduli());
        let coefficients = ciphertext.len() * self.bfv.degree();
        let theory = (coefficients as f64 * bits / 8.0).ceil() as u64;
        CiphertextBytes { packed, seeded: (written < packed).then_some(written), theory }
    }

    fn level(&self, ciphertext: &Ciphertext) -> Option<u32> {
        Some(ciphertext[0].ctx().moduli().len() as u32 - 1)
    }

    fn noise(&self, ciphertext: &Ciphertext) -> Noise {
        let budget = |keys: &Keys| guarded(|| keys.budget(ciphertext)).ok()?.ok();
        let measured_budget_bits = self.keys.as_ref().and_then(budget);
        Noise { measured_budget_bits, tracked_budget_bits: None }
    }
}
