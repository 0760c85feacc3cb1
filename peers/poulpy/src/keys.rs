//! Keys of poulpy.

use crate::backend::{Backend, Scratch};
use crate::params::Shape;
use poulpy_core::api::{
    GLWEAutomorphismKeyPreparedFactory, GLWEPublicKeyPreparedFactory, GLWESecretPreparedFactory,
    GLWESecretSampling, GLWETensorKeyPreparedFactory,
};
use poulpy_core::layouts::{
    BackendGLWESecret, BackendGLWESecretPrepared, GLWEAutomorphismKeyAlloc,
    GLWEAutomorphismKeyCompressedAlloc, GLWEAutomorphismKeyPrepared, GLWEPublicKeyAlloc,
    GLWEPublicKeyCompressedAlloc, GLWEPublicKeyPrepared, GLWESecretAlloc, GLWETensorKeyAlloc,
    GLWETensorKeyCompressedAlloc, GLWETensorKeyPrepared,
};
use poulpy_core::{GLWEAutomorphismKeyEncryptSk, GLWEPublicKeyGenerate, GLWETensorKeyEncryptSk};
use poulpy_hal::AlignedBuf;
use poulpy_hal::layouts::{Module, WriterTo};
use poulpy_hal::source::Source;
use std::collections::HashMap;
use std::io;

/// Probability that a coefficient of the secret is not zero, if it is uniform ternary.
const NOT_ZERO: f64 = 2.0 / 3.0;

/// All keys of a session, in the form that operations use.
pub(crate) struct Keys {
    raw: BackendGLWESecret<Backend>,
    pub(crate) secret: BackendGLWESecretPrepared<Backend>,
    pub(crate) public: GLWEPublicKeyPrepared<AlignedBuf, Backend>,
    pub(crate) tensor: GLWETensorKeyPrepared<AlignedBuf, Backend>,
    /// Rotation keys by Galois element.
    pub(crate) rotations: HashMap<i64, GLWEAutomorphismKeyPrepared<AlignedBuf, Backend>>,
}

/// Serialised sizes of keys, in their form with seeds.
pub(crate) struct Sizes {
    pub(crate) secret: u64,
    pub(crate) public: u64,
    pub(crate) tensor: u64,
    pub(crate) rotation: u64,
}

/// Returns a generator seeded from the system.
pub(crate) fn source() -> Source {
    Source::new(rand::random())
}

impl Keys {
    /// Generates a secret, public and relinearisation key.
    pub(crate) fn generate(module: &Module<Backend>, shape: &Shape, scratch: &Scratch) -> Self {
        let layout = shape.ciphertext(shape.top_width());
        let mut raw = module.glwe_secret_alloc_from_infos(&layout);
        match shape.weight {
            None => module.glwe_secret_fill_ternary_prob(&mut raw, NOT_ZERO, &mut source()),
            Some(weight) => module.glwe_secret_fill_ternary_hw(&mut raw, weight, &mut source()),
        }
        let mut secret = module.glwe_secret_prepared_alloc_from_infos(&layout);
        module.glwe_secret_prepare(&mut secret, &raw);
        let (mut errors, mut masks) = (source(), source());
        let layout = shape.ciphertext(shape.public_key_width());
        scratch.with(|arena| {
            let mut key = module.glwe_public_key_alloc_from_infos(&layout);
            module.glwe_public_key_generate(&mut key, &secret, &mut errors, &mut masks, arena);
            let mut public = module.glwe_public_key_prepared_alloc_from_infos(&layout);
            module.glwe_public_key_prepare(&mut public, &key, arena);
            let layout = shape.tensor_key();
            let mut key = module.glwe_tensor_key_alloc_from_infos(&layout);
            module.glwe_tensor_key_encrypt_sk(&mut key, &raw, &mut errors, &mut masks, arena);
            let mut tensor = module.glwe_tensor_key_prepared_alloc_from_infos(&layout);
            module.glwe_tensor_key_prepare(&mut tensor, &key, arena);
            Self { raw, secret, public, tensor, rotations: HashMap::new() }
        })
    }

    /// Generates the keys of the Galois elements, which replace the present ones.
    pub(crate) fn generate_rotations(
        &mut self,
        module: &Module<Backend>,
        shape: &Shape,
        scratch: &Scratch,
        elements: &[i64],
    ) {
        let layout = shape.rotation_key();
        let (mut errors, mut masks) = (source(), source());
        let raw = &self.raw;
        let keys = elements.iter().map(|element| {
            scratch.with(|arena| {
                let mut key = module.glwe_automorphism_key_alloc_from_infos(&layout);
                module.glwe_automorphism_key_encrypt_sk(
                    &mut key,
                    *element,
                    raw,
                    &mut errors,
                    &mut masks,
                    arena,
                );
                let mut prepared = module.glwe_automorphism_key_prepared_alloc_from_infos(&layout);
                module.glwe_automorphism_key_prepare(&mut prepared, &key, arena);
                (*element, prepared)
            })
        });
        self.rotations = keys.collect();
    }

    /// Returns the serialised sizes. poulpy writes every word of a layout, whatever its value, so
    /// keys of zeros have the sizes of the keys in use.
    pub(crate) fn sizes(&self, module: &Module<Backend>, shape: &Shape) -> Sizes {
        let layout = shape.ciphertext(shape.public_key_width());
        let key = shape.rotation_key();
        Sizes {
            secret: length(self.raw.data()),
            public: length(&module.glwe_public_key_compressed_alloc_from_infos(&layout)),
            tensor: length(
                &module.glwe_tensor_key_compressed_alloc_from_infos(&shape.tensor_key()),
            ),
            rotation: length(&module.glwe_automorphism_key_compressed_alloc_from_infos(&key)),
        }
    }
}

/// Returns the length of a serialisation; 0 if the library refuses it.
pub(crate) fn length(value: &impl WriterTo) -> u64 {
    let mut written = Count(0);
    value.write_to(&mut written).map_or(0, |()| written.0)
}

/// Counts the bytes that are written to it.
pub(crate) struct Count(pub(crate) u64);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
