//! Presets of poulpy that can be bootstrapped, behind the driver protocol.

use crate::backend::{Arena, Backend, Ciphertext, Plaintext, Scratch};
use crate::keys::{length, source};
use crate::refusal::{guarded, internal, no_keys, refusal};
use fathom_drivers::available_bytes;
use fathom_drivers::protocol::{
    Args, CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, Numbers, ParamsInfo, PublishedKeys,
    Refusal,
};
use fathom_drivers::session::{Bind, Call, Item, ItemOf, Session};
use poulpy_ckks::api::{
    CKKSAllOpsTmpBytes, CKKSBootstrappingOps, CKKSDecryptOps, CKKSEncodingHostOps, CKKSEncryptOps,
};
use poulpy_ckks::layouts::{
    BootstrappingContextPrepared, BootstrappingKeysPrepared, CKKSCiphertextAlloc,
    CKKSPlaintextAlloc,
};
use poulpy_ckks::presets::bootstrapping::{BootstrappingPreset, all};
use poulpy_ckks::{CKKSInfos, CKKSLayout, SetCKKSInfos};
use poulpy_core::api::{GLWESecretPreparedFactory, GLWESecretSampling};
use poulpy_core::layouts::{
    BackendGLWESecret, BackendGLWESecretPrepared, GLWEAutomorphismKeyCompressedAlloc,
    GLWESecretAlloc, GLWESwitchingKeyCompressedAlloc, GLWETensorKeyCompressedAlloc, LWEInfos,
};
use poulpy_hal::AlignedBuf;
use poulpy_hal::layouts::Module;

/// log2 of the probability that a bootstrap fails by a sum that wraps around.
const FAILURE_BITS: usize = 128;
/// Bits above the scale that are decoded.
const DECODED: usize = 8;
/// Standard deviation of the errors, which the bounds of the presets assume.
const SIGMA: f64 = 3.2;

/// Returns the presets that the driver runs, the smallest first. Those with a second ring for a
/// part of the circuit are left out.
pub(crate) fn presets() -> Result<Vec<BootstrappingPreset>, Refusal> {
    let mut presets = all().map_err(internal)?;
    presets.retain(|preset| preset.keys_layout().conversion_keys.is_none());
    presets.sort_by_key(BootstrappingPreset::log_n);
    Ok(presets)
}

/// A preset, and its keys once they are made.
pub(crate) struct BootstrapSession {
    preset: BootstrappingPreset,
    module: Module<Backend>,
    keys: Option<Keys>,
}

/// The keys of a preset, and what a bootstrap needs besides.
struct Keys {
    raw: BackendGLWESecret<Backend>,
    secret: BackendGLWESecretPrepared<Backend>,
    context: BootstrappingContextPrepared<Backend, f64>,
    bootstrapping: BootstrappingKeysPrepared<AlignedBuf, Backend>,
    scratch: Scratch,
}

impl BootstrapSession {
    /// Opens the preset of a name, with limbs as wide as the back end allows. The keys are those of
    /// rotations by powers of two: half as many, for the same number of key switches.
    pub(crate) fn open(name: &str) -> Result<(Self, ParamsInfo), Refusal> {
        let unknown = || Refusal::unsupported(format!("poulpy has no preset {name} here"));
        let preset = presets()?.into_iter().find(|preset| preset.name() == name);
        let preset = preset.ok_or_else(unknown)?;
        let preset = preset.with_power_of_two_keys().map_err(internal)?;
        let most = preset.max_backend_base2k::<Backend, Backend>(FAILURE_BITS);
        let preset = if most < preset.base2k() {
            preset.with_backend_base2k::<Backend, Backend>(FAILURE_BITS).map_err(internal)?
        } else {
            preset
        };
        let module = Module::<Backend>::new(preset.n() as u64);
        let session = Self { preset, module, keys: None };
        let params = session.describe();
        Ok((session, params))
    }

    fn describe(&self) -> ParamsInfo {
        let preset = &self.preset;
        let levels = (preset.output_k() - preset.input_k()) / preset.log_delta();
        ParamsInfo {
            name: preset.name().into(),
            n: preset.n(),
            log_q: preset.output_k() as f64,
            log_qp: self.widest_key() as f64,
            plain_modulus: 0,
            scale_bits: Some(preset.log_delta() as f64),
            word_bits: None,
            slots: preset.n() / 2,
            levels: levels as u32,
            secret: sparse(preset.dense_secret_hamming_weight()),
            sigma: SIGMA,
            depth: levels as u32,
            p_fail_log2: None,
            explanation: Some(format!(
                "preset of poulpy with limbs of {} bits: {} bits after a bootstrap, of which {} \
                 remain for the next one",
                preset.base2k(),
                preset.output_k(),
                preset.input_k()
            )),
            character: None,
            torus: None,
        }
    }

    /// Returns the width in bits of the widest key under the dense secret.
    fn widest_key(&self) -> usize {
        let keys = self.preset.keys_layout();
        let rotations = keys.rotation_keys.values().map(|key| key.k().as_usize());
        let back = keys.encapsulation.as_ref().and_then(|keys| keys.sparse_to_dense);
        let others = [Some(keys.tensor_key.k()), back.map(|key| key.k())];
        let others = others.into_iter().flatten().map(|k| k.as_usize());
        rotations.chain(others).max().unwrap_or_default()
    }

    fn keys(&self) -> Result<&Keys, Refusal> {
        self.keys.as_ref().ok_or_else(no_keys)
    }

    /// Returns an empty ciphertext.
    fn empty(&self, layout: &CKKSLayout) -> Ciphertext {
        self.module.ckks_ciphertext_alloc_from_glwe_infos(&layout.glwe_layout)
    }

    fn bootstrapped(&self, input: &Ciphertext) -> Result<Ciphertext, Refusal> {
        let keys = self.keys()?;
        let mut output = self.empty(&self.preset.bootstrap_layout());
        let bootstrap = |arena: &mut Arena<'_>| {
            let Keys { context, bootstrapping, .. } = keys;
            self.module.ckks_bootstrap(&mut output, input, context, bootstrapping, arena)
        };
        keys.scratch.with(bootstrap).map_err(refusal)?;
        Ok(output)
    }

    fn generated(&self) -> Result<Keys, Refusal> {
        let (preset, module) = (&self.preset, &self.module);
        let layout = preset.bootstrap_layout();
        let (plan, keys_layout) = (preset.plan(), preset.keys_layout());
        let mut raw = module.glwe_secret_alloc_from_infos(&layout.glwe_layout);
        let weight = preset.dense_secret_hamming_weight();
        module.glwe_secret_fill_ternary_hw(&mut raw, weight, &mut source());
        let mut secret = module.glwe_secret_prepared_alloc_from_infos(&layout.glwe_layout);
        module.glwe_secret_prepare(&mut secret, &raw);
        let (mut secrets, mut errors, mut masks) = (source(), source(), source());
        let setup = setup_bytes(module, preset, &layout);
        let bootstrapping = Scratch::new(setup).with(|arena| {
            let keys = plan.generate_keys(
                module,
                &raw,
                keys_layout,
                &mut secrets,
                &mut errors,
                &mut masks,
                arena,
            );
            keys.map(|keys| keys.prepare(module, arena)).map_err(internal)
        })?;
        let context = compile(module, preset)?;
        let input = preset.input_layout();
        let bytes = module.ckks_bootstrap_tmp_bytes(&layout, &input, &context, keys_layout);
        let scratch = Scratch::new(bytes.max(setup));
        Ok(Keys { raw, secret, context, bootstrapping, scratch })
    }

    /// Returns the lengths of all keys of a bootstrap in their form with seeds. poulpy writes every
    /// word of a layout, whatever its value, so keys of zeros have the sizes of the keys in use.
    fn sent_bytes(&self) -> u64 {
        let (module, keys) = (&self.module, self.preset.keys_layout());
        let rotations = keys.rotation_key_layouts().into_iter().map(|layout| {
            let count = keys.rotation_keys.values().filter(|key| **key == layout).count() as u64;
            count * length(&module.glwe_automorphism_key_compressed_alloc_from_infos(&layout))
        });
        let tensor = length(&module.glwe_tensor_key_compressed_alloc_from_infos(&keys.tensor_key));
        let switches = keys.encapsulation.iter().flat_map(|keys| {
            [Some(keys.dense_to_sparse), keys.sparse_to_dense].into_iter().flatten()
        });
        let switches = switches
            .map(|layout| length(&module.glwe_switching_key_compressed_alloc_from_infos(&layout)));
        rotations.chain(switches).sum::<u64>() + tensor
    }
}

impl Session for BootstrapSession {
    type Ciphertext = Ciphertext;
    type Plaintext = Plaintext;

    fn generate_keys(&mut self) -> Result<(), Refusal> {
        self.keys = None;
        require_memory(self.sent_bytes())?;
        self.keys = Some(guarded(|| self.generated())??);
        Ok(())
    }

    fn key_bytes(&self) -> KeyBytes {
        let secret = self.keys.as_ref().map_or(0, |keys| length(keys.raw.data()));
        KeyBytes { sk: secret, bootstrapping: self.sent_bytes(), ..KeyBytes::default() }
    }

    fn published_keys(&self) -> Vec<PublishedKeys> {
        let preset = &self.preset;
        let published = |purpose: &str, weight, bits: usize| PublishedKeys {
            purpose: purpose.into(),
            secret: sparse(weight),
            log_q: bits as f64,
        };
        let dense = preset.dense_secret_hamming_weight();
        let raised = published("raised modulus", dense, self.widest_key());
        let to_sparse = preset.keys_layout().encapsulation.as_ref().map(|keys| {
            let weight = preset.sparse_secret_hamming_weight();
            published("to the sparse secret", weight, keys.dense_to_sparse.k().as_usize())
        });
        std::iter::once(raised).chain(to_sparse).collect()
    }

    fn encode(&self, values: &Numbers, encoding: Encoding) -> Result<Plaintext, Refusal> {
        let (preset, slots) = (&self.preset, self.preset.n() / 2);
        let parts = complex(encoding, || values.to_reals())?;
        if parts.len() % 2 != 0 || parts.len() > 2 * slots {
            let message = format!("{} values are not pairs for {slots} slots", parts.len());
            return Err(Refusal::new(Code::BadRequest, message));
        }
        let part = |place| {
            let mut part: Vec<f64> = parts.iter().skip(place).step_by(2).copied().collect();
            part.resize(slots, 0.0);
            part
        };
        let (real, imaginary) = (part(0), part(1));
        let layout = preset.input_layout();
        let radix = preset.base2k().into();
        let mut plaintext = self.module.ckks_plaintext_alloc_from_slots(slots, radix, layout.k());
        plaintext.set_meta(layout.meta());
        let encode = |arena: &mut Arena<'_>| {
            self.module.ckks_encode_slots_host_into(&mut plaintext, &real, &imaginary, arena)
        };
        guarded(|| self.keys()?.scratch.with(encode).map_err(refusal))??;
        Ok(plaintext)
    }

    fn decode(&self, plaintext: &Plaintext, encoding: Encoding) -> Result<Numbers, Refusal> {
        let slots = self.preset.n() / 2;
        let (mut real, mut imaginary) = (vec![0.0_f64; slots], vec![0.0_f64; slots]);
        let decode = |arena: &mut Arena<'_>| {
            let module = &self.module;
            module.ckks_decode_slots_host_into(plaintext, &mut real, &mut imaginary, arena)
        };
        guarded(|| self.keys()?.scratch.with(decode).map_err(refusal))??;
        let pairs = real.iter().zip(&imaginary).flat_map(|(re, im)| [*re, *im]);
        complex(encoding, || pairs.collect::<Vec<f64>>().into())
    }

    fn encrypt(
        &self,
        plaintext: &Plaintext,
        key: KeyKind,
        level: Option<u32>,
    ) -> Result<Ciphertext, Refusal> {
        if key == KeyKind::Pk || level.is_some_and(|level| level > 0) {
            let message = "inputs of bootstraps are encrypted under the secret key at level 0 here";
            return Err(Refusal::unsupported(message));
        }
        let (module, keys) = (&self.module, self.keys()?);
        let mut ciphertext = self.empty(&self.preset.input_layout());
        let (mut errors, mut masks) = (source(), source());
        let secret = &keys.secret;
        let encrypt = |arena: &mut Arena<'_>| {
            let (errors, masks) = (&mut errors, &mut masks);
            module.ckks_encrypt_sk(&mut ciphertext, plaintext, secret, errors, masks, arena)
        };
        guarded(|| keys.scratch.with(encrypt).map_err(refusal))??;
        Ok(ciphertext)
    }

    fn decrypt(&self, ciphertext: &Ciphertext) -> Result<Plaintext, Refusal> {
        let (module, keys, scale) = (&self.module, self.keys()?, ciphertext.log_delta());
        let width = scale + ciphertext.log_budget().min(DECODED);
        let (slots, radix) = (self.preset.n() / 2, ciphertext.base2k());
        let mut plaintext = module.ckks_plaintext_alloc_from_slots(slots, radix, width.into());
        plaintext.set_meta(self.preset.input_layout().meta());
        let decrypt = |arena: &mut Arena<'_>| {
            module.ckks_decrypt(&mut plaintext, ciphertext, &keys.secret, arena)
        };
        guarded(|| keys.scratch.with(decrypt).map_err(refusal))??;
        Ok(plaintext)
    }

    fn vectors() -> Vec<(&'static str, Bind<Self>)> {
        vec![("bootstrap", bind)]
    }

    fn ciphertext_bytes(&self, ciphertext: &Ciphertext) -> CiphertextBytes {
        CiphertextBytes {
            packed: crate::driver::written(&self.module, ciphertext),
            seeded: None,
            theory: (2 * self.preset.n() * ciphertext.k().as_usize()).div_ceil(8) as u64,
        }
    }

    /// Counts the products at the full scale until the next bootstrap.
    fn level(&self, ciphertext: &Ciphertext) -> Option<u32> {
        let room = ciphertext.k().as_usize().saturating_sub(self.preset.input_k());
        Some((room / self.preset.log_delta()) as u32)
    }
}

fn bind<'a>(
    session: &'a BootstrapSession,
    inputs: &[&'a ItemOf<BootstrapSession>],
    _: &'a Args,
) -> Result<Call<'a, BootstrapSession>, Refusal> {
    let input = inputs[0].ciphertext()?;
    Ok(Box::new(move || guarded(|| session.bootstrapped(input))?.map(Item::Ciphertext)))
}

/// Runs `work` for the parts of complex slots, the only encoding here.
fn complex<R>(encoding: Encoding, work: impl FnOnce() -> R) -> Result<R, Refusal> {
    match encoding {
        Encoding::Complex => Ok(work()),
        Encoding::Slots | Encoding::Coefficients | Encoding::Integer(_) => {
            Err(Refusal::unsupported("presets for bootstrapping encode complex slots"))
        }
    }
}

fn sparse(weight: usize) -> String {
    format!("sparse_ternary:{weight}")
}

/// Memory of a session for each byte of its keys as they are sent: 6.2 at degree 2^15.
const MEMORY_PER_KEY_BYTE: u64 = 7;

/// Refuses keys that would exceed the memory that is available.
fn require_memory(sent: u64) -> Result<(), Refusal> {
    let needed = MEMORY_PER_KEY_BYTE * sent;
    match available_bytes() {
        Some(available) if available < needed => {
            let [needed, available] = [needed, available].map(|bytes| bytes as f64 / 1e9);
            Err(Refusal::unsupported(format!(
                "the preset needs {needed:.1} GB of memory, of which {available:.1} GB are \
                 available"
            )))
        }
        _ => Ok(()),
    }
}

/// Compiles the circuit of a preset: its transforms and series.
fn compile(
    module: &Module<Backend>,
    preset: &BootstrappingPreset,
) -> Result<BootstrappingContextPrepared<Backend, f64>, Refusal> {
    type Context = BootstrappingContextPrepared<Backend, f64>;
    let plan = preset.plan();
    let bytes = Context::compile_unprepared_tmp_bytes(module, plan).map_err(internal)?;
    let compile = |arena: &mut Arena<'_>| {
        Context::compile_unprepared(module, preset.base2k().into(), plan, arena)
    };
    let unprepared = Scratch::new(bytes).with(compile).map_err(internal)?;
    let bytes = unprepared.prepare_tmp_bytes(module);
    Scratch::new(bytes).with(|arena| unprepared.prepare(module, arena)).map_err(internal)
}

/// Returns the scratch memory of encryption, decryption and the generation of keys.
fn setup_bytes(
    module: &Module<Backend>,
    preset: &BootstrappingPreset,
    layout: &CKKSLayout,
) -> usize {
    let keys = preset.keys_layout();
    let operations = keys.rotation_key_layouts().into_iter().map(|rotation| {
        module.ckks_all_ops_with_atk_tmp_bytes(layout, layout, &keys.tensor_key, &rotation)
    });
    let encoding =
        CKKSEncodingHostOps::<Backend, f64>::ckks_encoding_host_tmp_bytes(module, preset.n() / 2);
    operations.max().unwrap_or_default().max(encoding).max(keys.prepare_tmp_bytes(module))
}
