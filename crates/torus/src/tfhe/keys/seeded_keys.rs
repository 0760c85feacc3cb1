//! Generates the public evaluation key, in the seeded form that is stored and sent.

use super::key_streams::{automorphism_seed, gadget_weight, switch_masks};
use super::rotation_rows::encrypt_rows;
use crate::tfhe::keys::table_shape::table_shape;
use crate::tfhe::{ClientKey, Params};
use crate::threads::share;
use crate::{Error, KeyId};
use fathom_ring::{SecretRng, Seed, TorusRing, multiply_short_secret_add, uniform_noise};

/// The evaluation key in the form to store and send, with its masks given by a seed.
///
/// It encrypts the bits of each of the two keys under the other and, for encrypted tables, the
/// images of the GLWE key under automorphisms under that key itself. As in every TFHE scheme,
/// circular security is assumed.
#[derive(Clone, PartialEq)]
pub struct SeededEvaluationKeys {
    params: Params,
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

impl std::fmt::Debug for SeededEvaluationKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SeededEvaluationKeys({}, {})", self.params.name(), self.key_id)
    }
}

impl ClientKey {
    /// Generates evaluation keys in the form to store and send, on several
    /// [threads](crate::tfhe#threads).
    ///
    /// # Errors
    /// [`Error::Ring`] if the kernel named in the environment does not exist.
    pub fn seeded_evaluation_keys(
        &self,
        rng: &mut SecretRng,
    ) -> Result<SeededEvaluationKeys, Error> {
        let ring = TorusRing::new(self.params().spec().degree)?;
        let steps = std::iter::repeat_n((), self.params().steps());
        SeededEvaluationKeys::generate_and_use(self, rng, &ring, steps, |(), _, _| ())
    }
}

impl SeededEvaluationKeys {
    /// Generates the key, and calls `use_row` with the masks and the body of each row of the
    /// bootstrapping key as soon as it is encrypted; see [`encrypt_rows`].
    pub(in crate::tfhe) fn generate_and_use<T: Send>(
        client: &ClientKey,
        rng: &mut SecretRng,
        ring: &TorusRing,
        steps: impl ExactSizeIterator<Item = T> + Send,
        use_row: impl Fn(&mut T, usize, &mut [u64]) + Sync,
    ) -> Result<SeededEvaluationKeys, Error> {
        let params = client.params().clone();
        let seed = rng.next_seed();
        let rotation = encrypt_rows(client, ring, &seed, rng, steps, use_row);
        let switch = switch_bodies(client, &seed, rng);
        let automorphisms = match table_shape(&params) {
            Some(shape) => shape.bodies(client, &automorphism_seed(&seed), rng)?,
            None => Vec::new(),
        };
        let key_id = client.id();
        Ok(SeededEvaluationKeys { params, key_id, seed, rotation, switch, automorphisms })
    }

    pub(crate) fn from_parts(
        params: Params,
        key_id: KeyId,
        seed: Seed,
        rotation: Vec<u64>,
        switch: Vec<u32>,
        automorphisms: Vec<u64>,
    ) -> SeededEvaluationKeys {
        SeededEvaluationKeys { params, key_id, seed, rotation, switch, automorphisms }
    }

    /// Returns the identifier of the secret key from which the keys were made.
    pub fn key_id(&self) -> KeyId {
        self.key_id
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
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

fn switch_bodies(client: &ClientKey, seed: &Seed, rng: &mut SecretRng) -> Vec<u32> {
    let (params, spec) = (client.params(), client.params().spec());
    let degree = spec.key_switch_degree;
    let rows = params.switch_rows();
    let noise: Vec<_> = std::iter::repeat_with(|| rng.fork()).take(rows).collect();
    let mut bodies = vec![0_u32; rows * degree];
    let encrypt = |(row, (body, mut rng)): (usize, (&mut [u32], SecretRng))| {
        let (piece, level) = (row / spec.key_switch.levels, row % spec.key_switch.levels);
        let noise = uniform_noise(&mut rng, degree, params.small_noise_bound());
        let gadget = gadget_weight(spec.key_switch, level);
        let secret = &client.big().expose()[piece * degree..][..degree];
        for (word, (&noise, &bit)) in body.iter_mut().zip(noise.expose().iter().zip(secret)) {
            *word = (noise as u32).wrapping_add((gadget.wrapping_mul(bit as u64) >> 32) as u32);
        }
        let masks = switch_masks(params, seed, row);
        multiply_short_secret_add(body, &masks, client.small().expose());
    };
    share(bodies.chunks_mut(degree).zip(noise).enumerate(), || (), |(), row| encrypt(row));
    bodies
}
