//! `driver-poulpy bootstrap PRESET`: runs a bootstrap under a preset of poulpy and measures its
//! time and precision. The protocol has no operation for it yet.

use crate::backend::{Arena, Backend, Ciphertext, Scratch};
use crate::keys::source;
use crate::session::meta;
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
use poulpy_core::layouts::{BackendGLWESecretPrepared, GLWESecretAlloc, LWEInfos};
use poulpy_hal::AlignedBuf;
use poulpy_hal::layouts::Module;
use std::time::Instant;

/// log2 of the probability that a bootstrap fails by a sum that wraps around.
const FAILURE_BITS: usize = 128;
/// Bits above the scale that are decoded.
const DECODED: usize = 8;

/// An error as text.
type Text = String;

/// A preset with its keys.
struct Bootstrap {
    preset: BootstrappingPreset,
    module: Module<Backend>,
    secret: BackendGLWESecretPrepared<Backend>,
    context: BootstrappingContextPrepared<Backend, f64>,
    keys: BootstrappingKeysPrepared<AlignedBuf, Backend>,
    scratch: Scratch,
}

/// Runs the subcommand: the name of a preset, then the number of bootstraps of each kind of input.
///
/// # Errors
/// A text that says which argument is refused, or what poulpy refuses.
pub(crate) fn run(arguments: &[String]) -> Result<(), Text> {
    let presets = all().map_err(text)?;
    let names: Vec<&str> = presets.iter().map(BootstrappingPreset::name).collect();
    let usage = || format!("usage: driver-poulpy bootstrap PRESET [RUNS]; presets: {names:?}");
    let name = arguments.first().ok_or_else(usage)?;
    let preset = presets.iter().find(|preset| preset.name() == name).ok_or_else(usage)?;
    let runs = arguments.get(1).map_or(Ok(1), |runs| runs.parse()).map_err(|_| usage())?;
    if preset.keys_layout().conversion_keys.is_some() {
        return Err(format!("{name} needs a second ring, which this program does not set up"));
    }
    // The keys of powers of two are half as many, and fit into the memory of small machines.
    let preset = preset.with_power_of_two_keys().map_err(text)?;
    let start = Instant::now();
    let bootstrap = Bootstrap::new(preset)?;
    println!("keys in {:.1} s", start.elapsed().as_secs_f64());
    bootstrap.describe();
    let slots = bootstrap.preset.n() / 2;
    let random: Vec<f64> = (0..slots).map(|_| rand::random_range(-1.0..1.0)).collect();
    for (label, values) in [("uniform values", random), ("all ones", vec![1.0; slots])] {
        for _ in 0..runs {
            bootstrap.measure(label, &values)?;
        }
    }
    Ok(())
}

impl Bootstrap {
    fn new(preset: BootstrappingPreset) -> Result<Self, Text> {
        let most = preset.max_backend_base2k::<Backend, Backend>(FAILURE_BITS);
        let preset = if most < preset.base2k() {
            preset.with_backend_base2k::<Backend, Backend>(FAILURE_BITS).map_err(text)?
        } else {
            preset
        };
        let module = Module::<Backend>::new(preset.n() as u64);
        let (layout, plan, keys_layout) =
            (preset.bootstrap_layout(), preset.plan(), preset.keys_layout());
        let mut raw = module.glwe_secret_alloc_from_infos(&layout.glwe_layout);
        let weight = preset.dense_secret_hamming_weight();
        module.glwe_secret_fill_ternary_hw(&mut raw, weight, &mut source());
        let mut secret = module.glwe_secret_prepared_alloc_from_infos(&layout.glwe_layout);
        module.glwe_secret_prepare(&mut secret, &raw);
        let (mut secrets, mut errors, mut masks) = (source(), source(), source());
        let setup = Scratch::new(setup_bytes(&module, &preset, &layout));
        let keys = setup.with(|arena| {
            let keys = plan
                .generate_keys(
                    &module,
                    &raw,
                    keys_layout,
                    &mut secrets,
                    &mut errors,
                    &mut masks,
                    arena,
                )
                .map_err(text)?;
            Ok::<_, Text>(keys.prepare(&module, arena))
        })?;
        drop(setup);
        let context = compile(&module, &preset)?;
        let bytes = module
            .ckks_bootstrap_tmp_bytes(&layout, &preset.input_layout(), &context, keys_layout)
            .max(setup_bytes(&module, &preset, &layout));
        Ok(Self { scratch: Scratch::new(bytes), preset, module, secret, context, keys })
    }

    fn describe(&self) {
        let preset = &self.preset;
        let widest = preset.keys_layout().rotation_keys.values().map(|key| key.k().as_usize());
        println!(
            "{}: N = {}, limbs of {} bits, scale {}, input {} bits, output {} bits; widest key {} \
             bits of at most {} under a secret of weight {}, {} bits under one of weight {}",
            preset.name(),
            preset.n(),
            preset.base2k(),
            preset.log_delta(),
            preset.input_k(),
            preset.output_k(),
            widest.max().unwrap_or_default(),
            preset.max_dense_modulus(),
            preset.dense_secret_hamming_weight(),
            preset.max_sparse_modulus(),
            preset.sparse_secret_hamming_weight(),
        );
    }

    /// Encrypts, bootstraps and decrypts, and prints the time and the error of the worst slot.
    fn measure(&self, label: &str, values: &[f64]) -> Result<(), Text> {
        let input = self.encrypted(values)?;
        let layout = self.preset.bootstrap_layout().glwe_layout;
        let mut output = self.module.ckks_ciphertext_alloc_from_glwe_infos(&layout);
        let start = Instant::now();
        let bootstrap = |arena: &mut Arena<'_>| {
            self.module.ckks_bootstrap(&mut output, &input, &self.context, &self.keys, arena)
        };
        self.scratch.with(bootstrap).map_err(text)?;
        let seconds = start.elapsed().as_secs_f64();
        let found = self.decrypted(&output)?;
        let errors = found.iter().zip(values).map(|(found, value)| (found - value).abs());
        let worst = errors.fold(0.0, f64::max);
        println!(
            "{label}: {seconds:.2} s, from {} to {} bits, worst slot {:.1} bits",
            input.k(),
            output.k(),
            -worst.log2()
        );
        Ok(())
    }

    fn encrypted(&self, values: &[f64]) -> Result<Ciphertext, Text> {
        let (preset, layout) = (&self.preset, self.preset.input_layout());
        let (slots, radix) = (preset.n() / 2, preset.base2k().into());
        let mut plaintext = self.module.ckks_plaintext_alloc_from_slots(slots, radix, layout.k());
        // Values are complex for the bootstrap, which does not know that they are real.
        plaintext.set_meta(layout.meta());
        let mut ciphertext = self.module.ckks_ciphertext_alloc_from_glwe_infos(&layout.glwe_layout);
        let zeros = vec![0.0; slots];
        let (mut errors, mut masks) = (source(), source());
        let encrypt = |arena: &mut Arena<'_>| {
            let module = &self.module;
            module.ckks_encode_slots_host_into(&mut plaintext, values, &zeros, arena)?;
            module.ckks_encrypt_sk(
                &mut ciphertext,
                &plaintext,
                &self.secret,
                &mut errors,
                &mut masks,
                arena,
            )
        };
        self.scratch.with(encrypt).map_err(text)?;
        Ok(ciphertext)
    }

    fn decrypted(&self, ciphertext: &Ciphertext) -> Result<Vec<f64>, Text> {
        let (slots, scale) = (self.preset.n() / 2, ciphertext.log_delta());
        let width = scale + ciphertext.log_budget().min(DECODED);
        let radix = ciphertext.base2k();
        let mut plaintext = self.module.ckks_plaintext_alloc_from_slots(slots, radix, width.into());
        plaintext.set_meta(meta(scale));
        let (mut real, mut imaginary) = (vec![0.0; slots], vec![0.0; slots]);
        let decrypt = |arena: &mut Arena<'_>| {
            let module = &self.module;
            module.ckks_decrypt(&mut plaintext, ciphertext, &self.secret, arena)?;
            module.ckks_decode_slots_host_into(&plaintext, &mut real, &mut imaginary, arena)
        };
        self.scratch.with(decrypt).map_err(text)?;
        Ok(real)
    }
}

/// Compiles the circuit of a preset: its transforms and series.
fn compile(
    module: &Module<Backend>,
    preset: &BootstrappingPreset,
) -> Result<BootstrappingContextPrepared<Backend, f64>, Text> {
    type Context = BootstrappingContextPrepared<Backend, f64>;
    let plan = preset.plan();
    let bytes = Context::compile_unprepared_tmp_bytes(module, plan).map_err(text)?;
    let compile = |arena: &mut Arena<'_>| {
        Context::compile_unprepared(module, preset.base2k().into(), plan, arena)
    };
    let unprepared = Scratch::new(bytes).with(compile).map_err(text)?;
    let bytes = unprepared.prepare_tmp_bytes(module);
    Scratch::new(bytes).with(|arena| unprepared.prepare(module, arena)).map_err(text)
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

fn text(error: impl std::fmt::Display) -> Text {
    format!("{error:#}")
}
