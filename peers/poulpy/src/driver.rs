//! poulpy behind the driver protocol.

use crate::backend::{Arena, Backend, Ciphertext, Plaintext, Scratch};
use crate::keys::{Count, Keys};
use crate::operations;
use crate::params::HEADROOM;
use crate::refusal::{guarded, no_keys, refusal};
use crate::session::PoulpySession;
use fathom_drivers::protocol::{
    CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, Numbers, Refusal,
};
use fathom_drivers::session::{Bind, Session};
use poulpy_ckks::api::{CKKSDecryptOps, CKKSEncodingHostOps};
use poulpy_ckks::layouts::CKKSPlaintextAlloc;
use poulpy_ckks::{CKKSInfos, CKKSModuleInfos, SetCKKSInfos};
use poulpy_core::GLWENormalize;
use poulpy_core::layouts::LWEInfos;
use poulpy_hal::layouts::Module;

/// The most bits of a coefficient that poulpy decodes.
const MOST_DECODED: usize = 127;
/// The Galois element of the complex conjugation.
const CONJUGATION: i64 = -1;

impl Session for PoulpySession {
    type Ciphertext = Ciphertext;
    type Plaintext = Plaintext;

    fn generate_keys(&mut self) -> Result<(), Refusal> {
        let generate = || Keys::generate(&self.module, &self.shape, &self.scratch);
        self.keys = Some(guarded(generate)?);
        Ok(())
    }

    fn generate_rotation_keys(&mut self, steps: &[i64], row_swap: bool) -> Result<(), Refusal> {
        let slots = self.shape.n as i64 / 2;
        let steps = steps.iter().filter(|steps| steps.rem_euclid(slots) != 0);
        let elements = steps.map(|steps| self.module.ckks_galois_element(*steps));
        let elements: Vec<i64> = elements.chain(row_swap.then_some(CONJUGATION)).collect();
        let keys = self.keys.as_mut().ok_or_else(no_keys)?;
        guarded(|| keys.generate_rotations(&self.module, &self.shape, &self.scratch, &elements))
    }

    fn key_bytes(&self) -> KeyBytes {
        let Some(keys) = &self.keys else { return KeyBytes::default() };
        let sizes = keys.sizes(&self.module, &self.shape);
        KeyBytes {
            sk: sizes.secret,
            pk: sizes.public,
            relin: sizes.tensor,
            galois: sizes.rotation * keys.rotations.len() as u64,
            ..KeyBytes::default()
        }
    }

    fn encode(&self, values: &Numbers, encoding: Encoding) -> Result<Plaintext, Refusal> {
        let values = slots(encoding, || Ok(values.to_reals()))?;
        if values.len() > self.shape.n / 2 {
            let message = format!("{} values do not fit in {}", values.len(), self.shape.n / 2);
            return Err(Refusal::new(Code::BadRequest, message));
        }
        guarded(|| self.encoded(&values))?
    }

    fn decode(&self, plaintext: &Plaintext, encoding: Encoding) -> Result<Numbers, Refusal> {
        slots(encoding, || {
            let zeros = vec![0.0_f64; self.shape.n / 2];
            let (mut real, mut imaginary) = (zeros.clone(), zeros);
            let decode = |arena: &mut Arena<'_>| {
                let module = &self.module;
                module.ckks_decode_slots_host_into(plaintext, &mut real, &mut imaginary, arena)
            };
            guarded(|| self.scratch.with(decode))?.map_err(refusal)?;
            Ok(real.into())
        })
    }

    fn encrypt(
        &self,
        plaintext: &Plaintext,
        key: KeyKind,
        level: Option<u32>,
    ) -> Result<Ciphertext, Refusal> {
        let depth = self.shape.depth;
        let level = level.map_or(depth, |level| level as usize);
        if level > depth {
            return Err(Refusal::unsupported(format!("there are levels 0 to {depth}")));
        }
        guarded(|| self.encrypt_with(plaintext, key, level))?
    }

    fn decrypt(&self, ciphertext: &Ciphertext) -> Result<Plaintext, Refusal> {
        let secret = &self.keys()?.secret;
        let width = ciphertext.k().as_usize().min(MOST_DECODED);
        guarded(|| {
            let (n, radix) = (ciphertext.n(), ciphertext.base2k());
            let mut plaintext = self.module.ckks_plaintext_alloc(n, radix, width.into());
            plaintext.set_meta(ciphertext.meta());
            let decrypt = |arena: &mut Arena<'_>| {
                self.module.ckks_decrypt(&mut plaintext, ciphertext, secret, arena)
            };
            self.scratch.with(decrypt).map_err(refusal)?;
            Ok(plaintext)
        })?
    }

    fn vectors() -> Vec<(&'static str, Bind<Self>)> {
        operations::vectors()
    }

    fn ciphertext_bytes(&self, ciphertext: &Ciphertext) -> CiphertextBytes {
        let packed = written(&self.module, ciphertext);
        let theory = (2 * self.shape.n * ciphertext.k().as_usize()).div_ceil(8) as u64;
        CiphertextBytes { packed, seeded: None, theory }
    }

    fn level(&self, ciphertext: &Ciphertext) -> Option<u32> {
        let room = ciphertext.log_budget().saturating_sub(HEADROOM);
        Some((room / self.shape.scale) as u32)
    }
}

/// Returns the length of a serialisation. poulpy writes a word of 64 bits for each limb of a
/// coefficient, and refuses sums whose carries are not propagated yet, which is done here.
pub(crate) fn written(module: &Module<Backend>, ciphertext: &Ciphertext) -> u64 {
    let mut canonical = ciphertext.clone();
    let bytes = module.glwe_normalize_tmp_bytes();
    let normalize = |arena: &mut Arena<'_>| module.glwe_normalize_assign(&mut canonical, arena);
    Scratch::new(bytes).with(normalize);
    let mut written = Count(0);
    canonical.write_live_to(&mut written).map_or(0, |()| written.0)
}

/// Runs `work` for values in slots, the only encoding of CKKS here.
fn slots<R>(encoding: Encoding, work: impl FnOnce() -> Result<R, Refusal>) -> Result<R, Refusal> {
    match encoding {
        Encoding::Slots => work(),
        Encoding::Complex | Encoding::Coefficients | Encoding::Integer(_) => {
            Err(Refusal::unsupported("CKKS of poulpy encodes reals in slots here"))
        }
    }
}
