//! A parameter set of poulpy with its keys.

use crate::backend::{Arena, Backend, Ciphertext, Plaintext, Scratch};
use crate::keys::{Keys, source};
use crate::params::{HEADROOM, Shape};
use crate::refusal::{no_keys, refusal};
use fathom_drivers::protocol::{KeyKind, Refusal};
use poulpy_ckks::api::{
    CKKSAddOps, CKKSAllOpsTmpBytes, CKKSDotProductOps, CKKSEncodingHostOps, CKKSEncryptOps,
    CKKSInnerSumOps,
};
use poulpy_ckks::layouts::{CKKSCiphertextAlloc, CKKSPlaintextAlloc};
use poulpy_ckks::{CKKSInfos, GLWEPlaintextMeta, Scale, SetCKKSInfos, SlotsKind};
use poulpy_core::api::GLWEPublicKeyPreparedFactory;
use poulpy_core::{GLWEEncryptPk, GLWENormalize, GLWEPublicKeyGenerate};
use poulpy_hal::layouts::Module;

/// The most pairs of a dot product.
const MOST_PAIRS: usize = 32;

/// A parameter set with its keys.
pub(crate) struct PoulpySession {
    pub(crate) shape: Shape,
    pub(crate) module: Module<Backend>,
    pub(crate) scratch: Scratch,
    pub(crate) keys: Option<Keys>,
}

impl PoulpySession {
    /// Makes a session without keys.
    pub(crate) fn new(shape: Shape) -> Self {
        let module = Module::<Backend>::new(shape.n as u64);
        let scratch = Scratch::new(scratch_bytes(&module, &shape));
        Self { shape, module, scratch, keys: None }
    }

    /// Returns the keys.
    pub(crate) fn keys(&self) -> Result<&Keys, Refusal> {
        self.keys.as_ref().ok_or_else(no_keys)
    }

    /// Returns an empty ciphertext of `width` bits.
    pub(crate) fn empty(&self, width: usize) -> Ciphertext {
        let layout = self.shape.ciphertext(width);
        self.module.ckks_ciphertext_alloc_from_glwe_infos(&layout)
    }

    /// Encodes real numbers, one for each slot.
    pub(crate) fn encoded(&self, values: &[f64]) -> Result<Plaintext, Refusal> {
        let Shape { n, radix, scale, .. } = self.shape;
        let mut reals = values.to_vec();
        reals.resize(n / 2, 0.0);
        let width = (scale + HEADROOM).into();
        let mut plaintext = self.module.ckks_plaintext_alloc_from_slots(n / 2, radix.into(), width);
        plaintext.set_meta(meta(scale));
        let zeros = vec![0.0; n / 2];
        let encode = |arena: &mut Arena<'_>| {
            self.module.ckks_encode_slots_host_into(&mut plaintext, &reals, &zeros, arena)
        };
        self.scratch.with(encode).map_err(refusal)?;
        Ok(plaintext)
    }

    /// Encrypts at the width of a level.
    pub(crate) fn encrypt_with(
        &self,
        plaintext: &Plaintext,
        key: KeyKind,
        level: usize,
    ) -> Result<Ciphertext, Refusal> {
        let keys = self.keys()?;
        let (module, mut result) = (&self.module, self.empty(self.shape.width(level)));
        let (mut errors, mut masks) = (source(), source());
        self.scratch.with(|arena| match key {
            KeyKind::Sk => module
                .ckks_encrypt_sk(
                    &mut result,
                    plaintext,
                    &keys.secret,
                    &mut errors,
                    &mut masks,
                    arena,
                )
                .map_err(refusal),
            // The layer of CKKS encrypts under secret keys; the one below encrypts zero.
            KeyKind::Pk => {
                module.glwe_encrypt_zero_pk(
                    &mut result,
                    &keys.public,
                    &mut masks,
                    &mut errors,
                    arena,
                );
                result.set_meta(plaintext.meta());
                module.ckks_add_pt_vec_assign(&mut result, plaintext, arena).map_err(refusal)?;
                module.glwe_normalize_assign(&mut result, arena);
                Ok(())
            }
        })?;
        Ok(result)
    }
}

/// Returns the metadata of real values at a scale of `scale` bits.
pub(crate) fn meta(scale: usize) -> GLWEPlaintextMeta {
    GLWEPlaintextMeta { scale: Scale::Log(scale), slots: SlotsKind::Real, log_sparsity: 0 }
}

/// Returns the scratch memory that the largest of all calls needs.
fn scratch_bytes(module: &Module<Backend>, shape: &Shape) -> usize {
    let layout = shape.ciphertext(shape.top_width());
    let mut top = module.ckks_ciphertext_alloc_from_glwe_infos(&layout);
    top.set_meta(meta(shape.scale));
    let (tensor, rotation) = (shape.tensor_key(), shape.rotation_key());
    let (pairs, public) = (MOST_PAIRS, shape.ciphertext(shape.public_key_width()));
    [
        module.ckks_all_ops_with_atk_tmp_bytes(&top, &top, &tensor, &rotation),
        module.ckks_dot_product_ct_tmp_bytes(pairs, &top, &top, &top, &tensor),
        module.ckks_inner_sum_tmp_bytes(&top, &top, &rotation),
        CKKSEncodingHostOps::<Backend, f64>::ckks_encoding_host_tmp_bytes(module, shape.n / 2),
        module.glwe_encrypt_pk_tmp_bytes(&layout, &public),
        module.glwe_public_key_generate_tmp_bytes(&public),
        module.glwe_public_key_prepare_tmp_bytes(&public),
    ]
    .into_iter()
    .max()
    .unwrap_or_default()
}
