//! The keys of the automorphisms that merge ciphertexts pair by pair.

use super::key_streams::gadget_weight;
use crate::tfhe::params::for_noise;
use crate::tfhe::{ClientKey, Decomposition, Error, Params};
use fathom_ring::{
    GadgetRows, GadgetScratch, RealRow, SecretCoefficients, SecretRng, Seed, TorusRing, add_words,
    round_words, subtract_secret_multiple, torus_automorphism, uniform_noise,
};
use zeroize::Zeroizing;

/// The number of automorphism keys, and the decomposition of their products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AutomorphismShape {
    /// Number of keys: one for each doubling of the number of merged ciphertexts.
    pub(crate) doublings: u32,
    /// Decomposition of the masks.
    pub(crate) digits: Decomposition,
}

impl AutomorphismShape {
    /// No keys.
    pub(crate) const NONE: AutomorphismShape =
        AutomorphismShape { doublings: 0, digits: Decomposition { base_log: 1, levels: 1 } };

    /// Returns the shape with which merging `2^doublings` ciphertexts adds at most the noise of a
    /// bootstrap, if that is possible.
    pub(crate) fn new(params: &Params, doublings: u32) -> AutomorphismShape {
        let best = params.noise().packing_decomposition(doublings);
        let digits = Decomposition { base_log: best.base_log, levels: best.levels as usize };
        AutomorphismShape { doublings, digits }
    }

    /// Returns the decomposition for the noise model.
    pub(crate) fn for_noise(&self) -> fathom_security::Decomposition {
        for_noise(self.digits)
    }

    /// Encodes the decomposition as it precedes the bodies in a frame. Another version of the
    /// library, with another noise model, may choose another decomposition.
    pub(crate) fn to_bytes(self) -> [u8; 2] {
        [self.digits.base_log as u8, self.digits.levels as u8]
    }

    /// Returns the number of rows of all keys; each row has one body of the set's degree.
    pub(crate) fn rows(&self, params: &Params) -> usize {
        self.doublings as usize * params.spec().rank * self.digits.levels
    }

    /// Generates the bodies of the keys, rounded to [`Params::body_bits`]: for each automorphism,
    /// mask polynomial and level, `N` words. [`masks`] gives the masks for the same seed.
    ///
    /// # Errors
    /// [`Error::Ring`] if the kernel named in the environment does not exist.
    pub(crate) fn bodies(
        &self,
        client: &ClientKey,
        seed: &Seed,
        rng: &mut SecretRng,
    ) -> Result<Vec<u64>, Error> {
        let (params, degree) = (client.params(), client.params().spec().degree);
        let ring = TorusRing::new(degree)?;
        let spectra = ring.secret_spectra(client.big().expose());
        let key = secret_words(client.big());
        let mut bodies = vec![0; self.rows(params) * degree];
        let mut rows = bodies.chunks_exact_mut(degree).enumerate();
        for doubling in 1..=self.doublings {
            let mut mapped = Zeroizing::new(vec![0; key.len()]);
            torus_automorphism(degree, exponent(doubling), &key, &mut mapped);
            let mapped = secret_coefficients(&mapped);
            for part in mapped.expose().chunks_exact(degree) {
                for (level, (row, body)) in rows.by_ref().take(self.digits.levels).enumerate() {
                    let noise = uniform_noise(rng, degree, params.glwe_noise_bound());
                    ring.encrypt_zero(body, &masks(params, seed, row), &spectra, &noise);
                    let factor = gadget_weight(self.digits, level).wrapping_neg();
                    subtract_secret_multiple(body, factor, part);
                    round_words(body, params.body_bits());
                }
            }
        }
        Ok(bodies)
    }
}

/// Returns the masks of row `row` of the keys for this seed.
fn masks(params: &Params, seed: &Seed, row: usize) -> Vec<u64> {
    seed.child(row as u32).words(params.big_dimension())
}

/// Returns the exponent of the automorphism that merges into ciphertexts of `2^doubling` values.
fn exponent(doubling: u32) -> usize {
    (1 << doubling) + 1
}

/// Returns the coefficients of a key as torus words.
pub(crate) fn secret_words(key: &SecretCoefficients) -> Zeroizing<Vec<u64>> {
    Zeroizing::new(key.expose().iter().map(|&bit| bit as u64).collect())
}

/// Torus words as coefficients of a key.
pub(crate) fn secret_coefficients(words: &[u64]) -> SecretCoefficients {
    SecretCoefficients::new(words.iter().map(|&word| word as i64).collect())
}

/// The keys in the Fourier domain.
#[derive(Debug)]
pub(crate) struct AutomorphismKeys {
    big_dimension: usize,
    /// One key for each doubling.
    keys: Vec<GadgetRows>,
}

/// The buffers of [`AutomorphismKeys::add_image`].
#[derive(Debug)]
pub(crate) struct Scratch {
    image: Vec<u64>,
    product: GadgetScratch,
}

impl AutomorphismKeys {
    /// Expands bodies that [`AutomorphismShape::bodies`] made for this seed.
    pub(crate) fn expand(
        params: &Params,
        ring: &TorusRing,
        shape: &AutomorphismShape,
        seed: &Seed,
        bodies: &[u64],
    ) -> AutomorphismKeys {
        let rows = bodies.chunks_exact(ring.degree()).enumerate();
        let rows: Vec<u64> = rows
            .flat_map(|(row, body)| {
                let mut words = masks(params, seed, row);
                words.extend_from_slice(body);
                words
            })
            .collect();
        let columns = params.spec().rank + 1;
        let length = columns * params.spec().rank * shape.digits.levels * ring.degree();
        let keys = rows.chunks_exact(length);
        let keys = keys.map(|rows| ring.gadget_rows(rows, columns, shape.digits)).collect();
        AutomorphismKeys { big_dimension: params.big_dimension(), keys }
    }

    /// Returns keys of zeros, to be filled from a file: the spectra of each key.
    pub(super) fn empty_spectra(params: &Params, shape: &AutomorphismShape) -> Vec<RealRow> {
        let rank = params.spec().rank;
        let length = (rank + 1) * rank * shape.digits.levels * params.spec().degree;
        (0..shape.doublings).map(|_| RealRow::zeroed(length)).collect()
    }

    /// Returns the keys with these spectra, which have the lengths of
    /// [`AutomorphismKeys::empty_spectra`].
    pub(super) fn from_spectra(
        params: &Params,
        shape: &AutomorphismShape,
        spectra: Vec<RealRow>,
    ) -> AutomorphismKeys {
        let columns = params.spec().rank + 1;
        let rows = |spectra| GadgetRows::from_spectra(spectra, columns, shape.digits);
        let keys = spectra.into_iter().map(rows).collect();
        AutomorphismKeys { big_dimension: params.big_dimension(), keys }
    }

    /// Returns the spectra of each key.
    pub(super) fn spectra(&self) -> impl Iterator<Item = &RealRow> {
        self.keys.iter().map(GadgetRows::spectra)
    }

    /// Returns the size in memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.keys.iter().map(GadgetRows::bytes).sum()
    }

    /// Returns the dimension of an LWE mask, which is the number of words in the masks of a GLWE
    /// ciphertext.
    pub(crate) fn big_dimension(&self) -> usize {
        self.big_dimension
    }

    /// Returns buffers for [`AutomorphismKeys::add_image`].
    pub(crate) fn scratch(&self, ring: &TorusRing) -> Scratch {
        let key = self.keys.first().expect("parameters with tables or lists have these keys");
        let product = ring.gadget_scratch(key);
        Scratch { image: vec![0; self.big_dimension + ring.degree()], product }
    }

    /// Adds the image of `input` under the automorphism of a doubling to `sum`.
    ///
    /// Shapes: GLWE ciphertexts, with the body last.
    pub(crate) fn add_image(
        &self,
        ring: &TorusRing,
        doubling: u32,
        input: &[u64],
        sum: &mut [u64],
        Scratch { image, product }: &mut Scratch,
    ) {
        torus_automorphism(ring.degree(), exponent(doubling), input, image);
        let (masks, body) = image.split_at(self.big_dimension);
        add_words(&mut sum[self.big_dimension..], body);
        // A clear message has no mask.
        if masks.iter().any(|&word| word != 0) {
            ring.subtract_product(&self.keys[doubling as usize - 1], masks, sum, product);
        }
    }
}
