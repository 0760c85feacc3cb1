//! Generates the public evaluation keys, in the short form that is stored and sent.

use super::encrypted_table::table_shape;
use super::{ClientKey, Params};
use fathom_ring::{
    SecretCoefficients, SecretRng, SecretSpectrum, Seed, TorusRing, multiply_short_secret_add,
    round_words, subtract_secret_multiple, uniform_noise,
};
use rayon::prelude::*;
use std::sync::Arc;

/// The evaluation key with its masks given by a seed: bodies only.
///
/// It encrypts the bits of each key under the other, and for encrypted tables the images of the
/// GLWE key by automorphisms under that key itself. Circular security is assumed, as in every TFHE
/// scheme.
#[derive(Clone, Debug, PartialEq)]
pub struct SeededEvaluationKey {
    params: Arc<Params>,
    seed: Seed,
    /// The bodies of the bootstrapping key: for each step, selector and row, `N` words that are
    /// rounded to [`Params::body_bits`].
    rotation: Vec<u64>,
    /// The bodies of the key switching key: for each piece and level, its degree in words modulo
    /// `2^32`.
    switch: Vec<u32>,
    /// The bodies of the automorphism keys ([`AutomorphismShape::bodies`]); none if the parameters
    /// provide for no encrypted tables.
    ///
    /// [`AutomorphismShape::bodies`]: super::automorphism_keys::AutomorphismShape::bodies
    automorphisms: Vec<u64>,
}

/// The streams that the seed is split into.
pub(super) const ROTATION_STREAM: u32 = 0;
pub(super) const SWITCH_STREAM: u32 = 1;
const AUTOMORPHISM_STREAM: u32 = 2;

impl SeededEvaluationKey {
    /// The key that belongs to `client`, computed on all threads of the current pool.
    ///
    /// # Errors
    /// [`super::Error::Ring`] if the kernel named in the environment does not exist.
    pub fn generate(
        client: &ClientKey,
        rng: &mut SecretRng,
    ) -> Result<SeededEvaluationKey, super::Error> {
        let params = Arc::clone(client.params());
        let ring = TorusRing::new(params.spec().degree)?;
        let seed = rng.next_seed();
        let rotation = rotation_bodies(client, &ring, &seed, rng);
        let switch = switch_bodies(client, &seed, rng);
        let automorphisms = match table_shape(&params) {
            Some(shape) => shape.bodies(client, &automorphism_seed(&seed), rng)?,
            None => Vec::new(),
        };
        Ok(SeededEvaluationKey { params, seed, rotation, switch, automorphisms })
    }

    pub(crate) fn from_parts(
        params: Arc<Params>,
        seed: Seed,
        rotation: Vec<u64>,
        switch: Vec<u32>,
        automorphisms: Vec<u64>,
    ) -> SeededEvaluationKey {
        SeededEvaluationKey { params, seed, rotation, switch, automorphisms }
    }

    /// The parameters.
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

/// The polynomial coefficients of the GLWE key, one part a mask.
fn glwe_parts(client: &ClientKey) -> Vec<SecretCoefficients> {
    let parts = client.big().expose().chunks(client.params().spec().degree);
    parts.map(|part| SecretCoefficients::new(part.to_vec())).collect()
}

/// Whether a selector of a step is chosen: the product, over the bits of the step, of the bit or
/// its complement. In a block, where at most one bit is set, that is the bit itself.
fn selector_bit(step: &[i64], selector: u32) -> i64 {
    let factor = |(i, &bit): (usize, &i64)| if selector >> i & 1 == 1 { bit } else { 1 - bit };
    step.iter().enumerate().map(factor).product()
}

fn rotation_bodies(
    client: &ClientKey,
    ring: &TorusRing,
    seed: &Seed,
    rng: &mut SecretRng,
) -> Vec<u64> {
    let params = client.params();
    let (shape, spec) = (params.product_shape(), params.spec());
    let parts = glwe_parts(client);
    let spectra = ring.secret_spectra(client.big().expose());
    let rows_of_step = shape.selectors * shape.rows();
    let mut bodies = vec![0; params.rotation_rows() * spec.degree];
    let noise: Vec<_> = std::iter::repeat_with(|| rng.fork()).take(params.steps()).collect();
    let selectors: Vec<_> = spec.family.selectors().collect();
    let steps = bodies.par_chunks_mut(rows_of_step * spec.degree).zip(noise).enumerate();
    steps.for_each(|(step, (bodies, mut rng))| {
        let bits = &client.small().expose()[step * spec.family.step()..][..spec.family.step()];
        let mut row = Row { params, ring, spectra: &spectra, rng: &mut rng };
        for (index, body) in bodies.chunks_exact_mut(spec.degree).enumerate() {
            let (selector, number) = (index / shape.rows(), index % shape.rows());
            let bit = selector_bit(bits, selectors[selector]);
            row.encrypt_zero(&rotation_seed(seed, step * rows_of_step + index), body);
            add_gadget(params, &parts, number, bit, body);
            round_words(body, params.body_bits());
        }
    });
    bodies
}

/// The seed of the masks of row `index` of the bootstrapping key.
pub(super) fn rotation_seed(seed: &Seed, index: usize) -> Seed {
    seed.child(ROTATION_STREAM).child(index as u32)
}

/// The seed of the masks of row `index` of the key switching key.
pub(super) fn switch_seed(seed: &Seed, index: usize) -> Seed {
    seed.child(SWITCH_STREAM).child(index as u32)
}

/// The seed of the masks of the automorphism keys.
pub(super) fn automorphism_seed(seed: &Seed) -> Seed {
    seed.child(AUTOMORPHISM_STREAM)
}

/// Encrypts rows of the bootstrapping key.
struct Row<'a> {
    params: &'a Params,
    ring: &'a TorusRing,
    spectra: &'a [SecretSpectrum],
    rng: &'a mut SecretRng,
}

impl Row<'_> {
    /// The body of a GLWE encryption of zero.
    fn encrypt_zero(&mut self, seed: &Seed, body: &mut [u64]) {
        let masks = seed.words(self.spectra.len() * body.len());
        let noise = uniform_noise(self.rng, body.len(), self.params.glwe_noise_bound());
        self.ring.encrypt_zero(body, &masks, self.spectra, &noise);
    }
}

/// `q / B^(level + 1)`.
pub(super) fn gadget(digits: super::Decomposition, level: usize) -> u64 {
    1 << (64 - digits.base_log as usize * (level + 1))
}

/// Adds `bit` times the gadget of row `number`: `q / B^level` in its column, which for a mask is
/// `-S q / B^level` in the body.
fn add_gadget(
    params: &Params,
    parts: &[SecretCoefficients],
    number: usize,
    bit: i64,
    body: &mut [u64],
) {
    let spec = params.spec();
    let mask_rows = spec.rank * spec.mask.levels;
    if number < mask_rows {
        let factor = gadget(spec.mask, number % spec.mask.levels).wrapping_mul(bit as u64);
        let secret = parts[number / spec.mask.levels].expose();
        subtract_secret_multiple(body, factor, secret);
    } else {
        let factor = gadget(spec.body, number - mask_rows).wrapping_mul(bit as u64);
        body[0] = body[0].wrapping_add(factor);
    }
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
        let shift = 64 - spec.key_switch.base_log as usize * (level + 1);
        let secret = &client.big().expose()[piece * degree..][..degree];
        let mut words: Vec<u64> = noise
            .expose()
            .iter()
            .zip(secret)
            .map(|(&noise, &bit)| ((noise as u64) << 32).wrapping_add((bit as u64) << shift))
            .collect();
        let masks = switch_masks(params, seed, row);
        multiply_short_secret_add(&mut words, &masks, client.small().expose());
        for (body, word) in body.iter_mut().zip(words) {
            *body = (word >> 32) as u32;
        }
    });
    bodies
}

/// The masks of a row of the key switching key: words that are multiples of `2^32`.
pub(super) fn switch_masks(params: &Params, seed: &Seed, row: usize) -> Vec<u64> {
    let mut masks = switch_seed(seed, row).words(params.spec().small_dimension);
    for word in &mut masks {
        *word &= !0xffff_ffff;
    }
    masks
}
