//! Generates the public evaluation key, in the seeded form that is stored and sent.

use super::encrypted_table::table_shape;
use super::rotation_rows::encrypt_rows;
use super::{ClientKey, Params};
use crate::KeyId;
use fathom_ring::{SecretRng, Seed, TorusRing, multiply_short_secret_add, uniform_noise};
use rayon::prelude::*;
use std::sync::Arc;

/// The evaluation key in the form to store and send, with its masks given by a seed.
///
/// It encrypts the bits of each of the two keys under the other and, for encrypted tables, the
/// images of the GLWE key under automorphisms under that key itself. As in every TFHE scheme,
/// circular security is assumed.
#[derive(Clone, PartialEq)]
pub struct SeededEvaluationKey {
    params: Arc<Params>,
    key_id: KeyId,
    seed: Seed,
    /// The bodies of the bootstrapping key: for each step, selector and row, `N` words that are
    /// rounded to [`Params::body_bits`].
    rotation: Vec<u64>,
    /// The bodies of the key-switching key: for each piece and level, as many words modulo `2^32`
    /// as its degree.
    switch: Vec<u32>,
    /// The bodies of the automorphism keys ([`AutomorphismShape::bodies`]); empty if the parameters
    /// do not provide for encrypted tables.
    ///
    /// [`AutomorphismShape::bodies`]: super::automorphism_keys::AutomorphismShape::bodies
    automorphisms: Vec<u64>,
}

/// The streams of the seed for the three keys.
const ROTATION_STREAM: u32 = 0;
const SWITCH_STREAM: u32 = 1;
const AUTOMORPHISM_STREAM: u32 = 2;

impl std::fmt::Debug for SeededEvaluationKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SeededEvaluationKey({}, {})", self.params.name(), self.key_id)
    }
}

impl SeededEvaluationKey {
    /// Generates the key that belongs to `client`, on all threads of the current rayon pool.
    ///
    /// # Errors
    /// [`super::Error::Ring`] if the kernel named in the environment does not exist.
    pub fn generate(
        client: &ClientKey,
        rng: &mut SecretRng,
    ) -> Result<SeededEvaluationKey, super::Error> {
        let ring = TorusRing::new(client.params().spec().degree)?;
        let steps = rayon::iter::repeat_n((), client.params().steps());
        Self::generate_and_use(client, rng, &ring, steps, |(), _, _| ())
    }

    /// Generates the key, and calls `use_row` with the masks and the body of each row of the
    /// bootstrapping key as soon as it is encrypted; see [`encrypt_rows`].
    pub(super) fn generate_and_use<T: Send>(
        client: &ClientKey,
        rng: &mut SecretRng,
        ring: &TorusRing,
        steps: impl IndexedParallelIterator<Item = T>,
        use_row: impl Fn(&mut T, usize, &mut [u64]) + Sync,
    ) -> Result<SeededEvaluationKey, super::Error> {
        let params = Arc::clone(client.params());
        let seed = rng.next_seed();
        let rotation = encrypt_rows(client, ring, &seed, rng, steps, use_row);
        let switch = switch_bodies(client, &seed, rng);
        let automorphisms = match table_shape(&params) {
            Some(shape) => shape.bodies(client, &automorphism_seed(&seed), rng)?,
            None => Vec::new(),
        };
        let key_id = client.id();
        Ok(SeededEvaluationKey { params, key_id, seed, rotation, switch, automorphisms })
    }

    pub(crate) fn from_parts(
        params: Arc<Params>,
        key_id: KeyId,
        seed: Seed,
        rotation: Vec<u64>,
        switch: Vec<u32>,
        automorphisms: Vec<u64>,
    ) -> SeededEvaluationKey {
        SeededEvaluationKey { params, key_id, seed, rotation, switch, automorphisms }
    }

    /// Returns the identifier of the secret key that it belongs to.
    pub fn key_id(&self) -> KeyId {
        self.key_id
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Arc<Params> {
        &self.params
    }

    pub(crate) fn seed(&self) -> &Seed {
        &self.seed
    }

    pub(crate) fn rotation(&self) -> &[u64] {
        &self.rotation
    }

    pub(crate) fn switch(&self) -> &[u32] {
        &self.switch
    }

    pub(crate) fn automorphisms(&self) -> &[u64] {
        &self.automorphisms
    }
}

/// Returns the seed of the masks of row `index` of the bootstrapping key.
pub(super) fn rotation_seed(seed: &Seed, index: usize) -> Seed {
    seed.child(ROTATION_STREAM).child(index as u32)
}

/// Returns the seed of the masks of row `index` of the key-switching key.
pub(super) fn switch_seed(seed: &Seed, index: usize) -> Seed {
    seed.child(SWITCH_STREAM).child(index as u32)
}

/// Returns the seed of the masks of the automorphism keys.
pub(super) fn automorphism_seed(seed: &Seed) -> Seed {
    seed.child(AUTOMORPHISM_STREAM)
}

/// Returns the gadget weight `q / B^(level + 1)`.
pub(super) fn gadget(digits: super::Decomposition, level: usize) -> u64 {
    1 << (64 - digits.base_log as usize * (level + 1))
}

fn switch_bodies(client: &ClientKey, seed: &Seed, rng: &mut SecretRng) -> Vec<u32> {
    let (params, spec) = (client.params(), client.params().spec());
    let degree = spec.key_switch_degree;
    let rows = params.switch_rows();
    let noise: Vec<_> = std::iter::repeat_with(|| rng.fork()).take(rows).collect();
    let mut bodies = vec![0_u32; rows * degree];
    bodies.par_chunks_mut(degree).zip(noise).enumerate().for_each(|(row, (body, mut rng))| {
        let (piece, level) = (row / spec.key_switch.levels, row % spec.key_switch.levels);
        let noise = uniform_noise(&mut rng, degree, params.small_noise_bound());
        let gadget = gadget(spec.key_switch, level);
        let secret = &client.big().expose()[piece * degree..][..degree];
        for (word, (&noise, &bit)) in body.iter_mut().zip(noise.expose().iter().zip(secret)) {
            *word = (noise as u32).wrapping_add((gadget.wrapping_mul(bit as u64) >> 32) as u32);
        }
        let masks = switch_masks(params, seed, row);
        multiply_short_secret_add(body, &masks, client.small().expose());
    });
    bodies
}

/// Returns the masks of a row of the key-switching key, modulo `2^32`.
pub(super) fn switch_masks(params: &Params, seed: &Seed, row: usize) -> Vec<u32> {
    let words = switch_seed(seed, row).words(params.spec().small_dimension);
    words.into_iter().map(|word| (word >> 32) as u32).collect()
}
