//! Generates the packing key, in the seeded form that is sent.

use super::packing_shape::PackingShape;
use crate::KeyId;
use crate::tfhe::keys::automorphism_keys::{secret_coefficients, secret_words};
use crate::tfhe::keys::key_streams::{automorphism_seed, gadget_weight};
use crate::tfhe::{ClientKey, Error, Params};
use fathom_ring::{
    SecretRng, Seed, TorusRing, subring_parts, subtract_secret_multiple, uniform_noise,
};
use zeroize::Zeroizing;

/// The key that packs blocks into compressed lists, with its masks given by a seed.
///
/// It has two parts. Automorphism keys under the GLWE key merge ciphertexts pair by pair (Chen,
/// Dai, Kim, Song, eprint 2020/015). A ring-switching key leads from the GLWE key to the small key,
/// taken as polynomials padded with zeros: a partial key (Bergerat et al., eprint 2023/979). Noise
/// and dimensions are those of the bootstrapping key and of the key-switching key, and so is the
/// security.
#[derive(Clone, PartialEq)]
pub struct SeededPackingKeys {
    params: Params,
    key_id: KeyId,
    shape: PackingShape,
    seed: Seed,
    /// Bodies of the automorphism keys: `N` words for each automorphism, mask polynomial and level,
    /// rounded to [`Params::body_bits`].
    automorphisms: Vec<u64>,
    /// Bodies of the key switch: as many words modulo `2^32` as the list's degree, for each piece
    /// of the GLWE key and level.
    switch: Vec<u32>,
}

const SWITCH_STREAM: u32 = 3;

impl std::fmt::Debug for SeededPackingKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SeededPackingKeys({}, {})", self.params.name(), self.key_id)
    }
}

impl ClientKey {
    /// Generates packing keys in the form to store and send.
    ///
    /// # Errors
    /// [`Error::Spec`] if packing would add too much noise for a bootstrap; [`Error::Ring`] if the
    /// kernel named in the environment does not exist.
    pub fn seeded_packing_keys(&self, rng: &mut SecretRng) -> Result<SeededPackingKeys, Error> {
        let params = self.params().clone();
        let shape = PackingShape::new(&params)?;
        let seed = rng.next_seed();
        let automorphisms = shape.automorphisms.bodies(self, &automorphism_seed(&seed), rng)?;
        let switch = switch_bodies(self, &shape, &seed, rng)?;
        let key_id = self.id();
        Ok(SeededPackingKeys { params, key_id, shape, seed, automorphisms, switch })
    }
}

impl SeededPackingKeys {
    pub(crate) fn from_parts(
        params: Params,
        key_id: KeyId,
        shape: PackingShape,
        seed: Seed,
        automorphisms: Vec<u64>,
        switch: Vec<u32>,
    ) -> SeededPackingKeys {
        SeededPackingKeys { params, key_id, shape, seed, automorphisms, switch }
    }

    /// Returns the identifier of the secret key from which the packing keys were made.
    pub fn key_id(&self) -> KeyId {
        self.key_id
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    pub(crate) fn shape(&self) -> &PackingShape {
        &self.shape
    }

    pub(crate) fn seed(&self) -> &Seed {
        &self.seed
    }

    pub(crate) fn automorphisms(&self) -> &[u64] {
        &self.automorphisms
    }

    pub(crate) fn switch(&self) -> &[u32] {
        &self.switch
    }
}

/// Returns the masks of row `row` of the ring-switching key, whose words are multiples of `2^32`.
pub(super) fn switch_masks(shape: &PackingShape, seed: &Seed, row: usize) -> Vec<u64> {
    let mut masks = seed.child(SWITCH_STREAM).child(row as u32).words(shape.mask_len());
    for word in &mut masks {
        *word &= !0xffff_ffff;
    }
    masks
}

fn switch_bodies(
    client: &ClientKey,
    shape: &PackingShape,
    seed: &Seed,
    rng: &mut SecretRng,
) -> Result<Vec<u32>, Error> {
    let (params, spec) = (client.params(), client.params().spec());
    let ring = TorusRing::new(shape.degree)?;
    let mut partial = Zeroizing::new(vec![0; shape.mask_len()]);
    partial[..spec.small_dimension].copy_from_slice(client.small().expose());
    let spectra = ring.secret_spectra(&partial);
    let key = secret_words(client.big());
    let mut parts = Zeroizing::new(vec![0; key.len()]);
    for (word, part) in parts.iter_mut().zip(subring_parts(spec.degree, shape.degree, &key)) {
        *word = part;
    }
    let mut body = Zeroizing::new(vec![0; shape.degree]);
    let (mut bodies, mut row) = (Vec::new(), 0);
    for part in secret_coefficients(&parts).expose().chunks_exact(shape.degree) {
        for level in 0..spec.key_switch.levels {
            let noise = uniform_noise(rng, shape.degree, params.small_noise_bound());
            let masks = switch_masks(shape, seed, row);
            ring.encrypt_zero(&mut body, &masks, &spectra, &noise.scaled(1 << 32));
            subtract_secret_multiple(
                &mut body,
                gadget_weight(spec.key_switch, level).wrapping_neg(),
                part,
            );
            bodies.extend(body.iter().map(|word| (word >> 32) as u32));
            row += 1;
        }
    }
    Ok(bodies)
}
