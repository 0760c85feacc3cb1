//! Draws and encrypts the rows of the bootstrapping key.

use super::key_streams::{gadget_weight, rotation_seed};
use crate::tfhe::{ClientKey, Params};
use crate::threads::share;
use fathom_ring::{
    SecretCoefficients, SecretRng, SecretSpectrum, Seed, TorusRing, round_words,
    subtract_secret_multiple, uniform_noise,
};

/// Generates the bodies of the bootstrapping key: for each step, selector and row, `N` words that
/// are rounded to [`Params::body_bits`].
///
/// `use_row` is called for each row with the step's item of `steps`, the number of the row within
/// the step, and the row itself (masks, then body), which it may overwrite.
pub(in crate::tfhe) fn encrypt_rows<T: Send>(
    client: &ClientKey,
    ring: &TorusRing,
    seed: &Seed,
    rng: &mut SecretRng,
    steps: impl ExactSizeIterator<Item = T> + Send,
    use_row: impl Fn(&mut T, usize, &mut [u64]) + Sync,
) -> Vec<u64> {
    let params = client.params();
    let (shape, degree) = (params.product_shape(), params.spec().degree);
    let encryptor = Encryptor::new(client, ring);
    let rows_of_step = shape.rows_of_step();
    let mut bodies = vec![0; params.rotation_rows() * degree];
    let noise: Vec<_> = std::iter::repeat_with(|| rng.fork()).take(params.steps()).collect();
    let parts = bodies.chunks_mut(rows_of_step * degree).zip(noise).zip(steps).enumerate();
    share(
        parts,
        || vec![0; shape.columns() * degree],
        |row, (step, ((bodies, mut rng), mut item))| {
            for (index, body) in bodies.chunks_exact_mut(degree).enumerate() {
                let (masks, last) = row.split_at_mut(shape.rank * degree);
                rotation_seed(seed, step * rows_of_step + index).fill_words(masks);
                encryptor.encrypt([step, index], masks, body, &mut rng);
                last.copy_from_slice(body);
                use_row(&mut item, index, row);
            }
        },
    );
    bodies
}

/// Encrypts the rows of the bootstrapping key.
struct Encryptor<'a> {
    client: &'a ClientKey,
    ring: &'a TorusRing,
    parts: Vec<SecretCoefficients>,
    spectra: Vec<SecretSpectrum>,
    selectors: Vec<u32>,
}

impl<'a> Encryptor<'a> {
    fn new(client: &'a ClientKey, ring: &'a TorusRing) -> Encryptor<'a> {
        let spectra = ring.secret_spectra(client.big().expose());
        let selectors = client.params().spec().family.selectors().collect();
        Encryptor { client, ring, parts: glwe_parts(client), spectra, selectors }
    }

    /// Encrypts row `index` of a step under these masks and writes its body.
    fn encrypt(
        &self,
        [step, index]: [usize; 2],
        masks: &[u64],
        body: &mut [u64],
        rng: &mut SecretRng,
    ) {
        let params = self.client.params();
        let (shape, length) = (params.product_shape(), params.spec().family.step());
        let (selector, number) = (index / shape.rows(), index % shape.rows());
        let bits = &self.client.small().expose()[step * length..][..length];
        let bit = selector_bit(bits, self.selectors[selector]);
        let noise = uniform_noise(rng, body.len(), params.glwe_noise_bound());
        self.ring.encrypt_zero(body, masks, &self.spectra, &noise);
        add_gadget(params, &self.parts, number, bit, body);
        round_words(body, params.body_bits());
    }
}

/// Returns the polynomials of the GLWE key, one for each mask.
fn glwe_parts(client: &ClientKey) -> Vec<SecretCoefficients> {
    let parts = client.big().expose().chunks(client.params().spec().degree);
    parts.map(|part| SecretCoefficients::new(part.to_vec())).collect()
}

/// Returns 1 if a selector of a step is chosen, else 0: the product, over the bits of the step, of
/// the bit or its complement. In a block of which at most one bit is set, it is the bit itself.
fn selector_bit(step: &[i64], selector: u32) -> i64 {
    let factor = |(i, &bit): (usize, &i64)| if selector >> i & 1 == 1 { bit } else { 1 - bit };
    step.iter().enumerate().map(factor).product()
}

/// Adds `bit` times the gadget of row `number` to a body. The gadget is `q / B^level` in its
/// column; for the column of a mask, this is `-S q / B^level` in the body.
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
        let factor = gadget_weight(spec.mask, number % spec.mask.levels).wrapping_mul(bit as u64);
        let secret = parts[number / spec.mask.levels].expose();
        subtract_secret_multiple(body, factor, secret);
    } else {
        let factor = gadget_weight(spec.body, number - mask_rows).wrapping_mul(bit as u64);
        body[0] = body[0].wrapping_add(factor);
    }
}
