//! Packs LWE ciphertexts into the coefficients of one ring ciphertext under the small key.

use super::packing_shape::{PackingShape, doublings};
use super::seeded_packing_keys::{SeededPackingKeys, switch_masks};
use crate::KeyId;
use crate::lwe::LweCiphertext;
use crate::tfhe::keys::automorphism_keys::AutomorphismKeys;
use crate::tfhe::keys::key_streams::automorphism_seed;
use crate::tfhe::keys::merge::Merge;
use crate::tfhe::modulus_switch::{exponent, rounding_error};
use crate::tfhe::{ClientKey, Error, Owner, Params};
use fathom_ring::{CoefficientSum, GadgetRows, SecretRng, TorusRing, subring_masks};

/// The public key that packs blocks into compressed lists, in the Fourier domain. It is expanded
/// from a [`SeededPackingKeys`].
pub struct PackingKeys {
    params: Params,
    key_id: KeyId,
    shape: PackingShape,
    ring: TorusRing,
    automorphisms: AutomorphismKeys,
    small_ring: TorusRing,
    switch: GadgetRows,
}

impl std::fmt::Debug for PackingKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PackingKeys({}, {})", self.params.name(), self.key_id)
    }
}

impl ClientKey {
    /// Generates packing keys, for an evaluator in the same process.
    /// [`ClientKey::seeded_packing_keys`] generates those to be sent.
    ///
    /// # Errors
    /// As [`ClientKey::seeded_packing_keys`].
    pub fn packing_keys(&self, rng: &mut SecretRng) -> Result<PackingKeys, Error> {
        self.seeded_packing_keys(rng)?.expand()
    }
}

impl SeededPackingKeys {
    /// Expands the keys: draws the masks from the seed and transforms all rows.
    ///
    /// # Errors
    /// [`Error::Ring`] if the kernel named in the environment does not exist.
    pub fn expand(&self) -> Result<PackingKeys, Error> {
        let params = self.params().clone();
        let shape = PackingShape::new(&params)?;
        let ring = TorusRing::new(params.spec().degree)?;
        let small_ring = TorusRing::new(shape.degree)?;
        let automorphisms = AutomorphismKeys::expand(
            &params,
            &ring,
            &shape.automorphisms,
            &automorphism_seed(self.seed()),
            self.automorphisms(),
        );
        let bodies = self.switch().chunks_exact(shape.degree).enumerate();
        let rows: Vec<u64> = bodies
            .flat_map(|(row, body)| {
                let mut words = switch_masks(&shape, self.seed(), row);
                words.extend(body.iter().map(|&word| u64::from(word) << 32));
                words
            })
            .collect();
        let switch = small_ring.gadget_rows(&rows, shape.rank + 1, params.spec().key_switch);
        let key_id = self.key_id();
        Ok(PackingKeys { params, key_id, shape, ring, automorphisms, small_ring, switch })
    }
}

impl PackingKeys {
    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Returns the identifier of the secret key from which the packing keys were made.
    pub fn key_id(&self) -> KeyId {
        self.key_id
    }

    pub(in crate::tfhe) fn owner(&self) -> Owner {
        Owner::new(self.key_id, &self.params)
    }

    /// Returns the size in memory, in bytes.
    pub fn byte_len(&self) -> usize {
        self.automorphisms.bytes() + self.switch.bytes()
    }

    /// Packs at most as many ciphertexts as the list's degree into one ring ciphertext. Returns its
    /// masks, and one body per ciphertext, as exponents of the blind rotation.
    pub(in crate::tfhe) fn pack(&self, ciphertexts: &[LweCiphertext]) -> (Vec<u32>, Vec<u32>) {
        let merged = self.merge(ciphertexts, doublings(ciphertexts.len()));
        self.switch_modulus(&self.switch_ring(&merged), ciphertexts.len())
    }

    /// Merges the ciphertexts into a GLWE ciphertext, at the multiples of `N / 2^doublings`.
    fn merge(&self, ciphertexts: &[LweCiphertext], doublings: u32) -> Vec<u64> {
        let ciphertexts: Vec<_> = ciphertexts.iter().map(Some).collect();
        let (ring, keys) = (&self.ring, &self.automorphisms);
        let merge = Merge { ring, keys, ciphertexts: &ciphertexts, doublings };
        merge.run().expect("there are ciphertexts, and every shape has automorphism keys")
    }

    /// Switches to the small key and the ring of the list.
    fn switch_ring(&self, merged: &[u64]) -> Vec<u64> {
        let (degree, small) = (self.ring.degree(), self.shape.degree);
        let (masks, body) = merged.split_at(self.params.big_dimension());
        let mut out = vec![0; self.shape.mask_len()];
        out.extend(body.iter().step_by(degree / small));
        // A clear message has no mask.
        if masks.iter().any(|&word| word != 0) {
            let pieces = subring_masks(degree, small, masks);
            let mut scratch = self.small_ring.gadget_scratch(&self.switch);
            self.small_ring.subtract_product(&self.switch, &pieces, &mut out, &mut scratch);
        }
        out
    }

    /// Rounds to exponents of the blind rotation and adds the mean of the masks' rounding errors to
    /// each body. The ciphertexts share the masks, which are therefore rounded word by word and not
    /// by the steps of a rotation.
    fn switch_modulus(&self, words: &[u64], count: usize) -> (Vec<u32>, Vec<u32>) {
        let (params, shape) = (&self.params, &self.shape);
        let (masks, body) = words.split_at(shape.mask_len());
        let errors: Vec<u64> = masks.iter().map(|&word| rounding_error(params, word)).collect();
        let bodies = (0..count).map(|index| {
            let mut sum = CoefficientSum::new(&errors, body);
            sum.add(shape.place(index, count), 1);
            let (errors, word) = sum.finish();
            // An error is at most half a rounding step, so that sums of thousands stay below
            // `2^63`.
            let errors = errors.into_iter().take(params.spec().small_dimension);
            let sum: i64 = errors.map(|error| error as i64 >> 8).sum();
            let mean = sum / params.spec().family.mean_divisor() as i64 * 256;
            exponent(params, word.wrapping_add(mean as u64))
        });
        let bodies = bodies.collect();
        (masks.iter().map(|&word| exponent(params, word)).collect(), bodies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tfhe::keys::merge::tests::{noiseless, phases, variance};

    /// Merges noiseless ciphertexts and switches them to the small key. The noise after each step
    /// must be that of the model.
    #[test]
    fn packing_adds_the_noise_of_the_model() {
        for name in ["u_2_2_128", "u_1_1_128", "u_bool_128"] {
            let mut rng = SecretRng::insecure_from_seed(5);
            let params = Params::preset(name).unwrap();
            let client = ClientKey::generate(&params, &mut rng);
            let seeded = client.seeded_packing_keys(&mut rng).unwrap();
            let key = seeded.expand().unwrap();
            let count = key.shape.degree;
            let mut ciphertext = |message: usize| {
                let mut ciphertext = noiseless(&client, &mut rng);
                ciphertext.add_message((message as u64) << 50);
                ciphertext
            };
            let ciphertexts: Vec<_> = (0..count).map(&mut ciphertext).collect();
            let doublings = doublings(count);
            let merged = key.merge(&ciphertexts, doublings);
            let message = |index: usize| (index as u64) << 50;
            let errors = |phases: Vec<u64>| -> Vec<u64> {
                phases.iter().enumerate().map(|(i, x)| x.wrapping_sub(message(i))).collect()
            };
            let gap = key.ring.degree() / count;
            let read = phases(&key.ring, &merged, client.big().expose());
            let read = errors(read.into_iter().step_by(gap).collect());
            let (gadget, noise) = (key.shape.automorphisms.for_noise(), params.noise());
            let model = noise.packing(gadget, doublings);
            // The model's term for the transform is an upper bound.
            let ratio = variance(read) / model;
            println!("{name}: merging has {ratio:.3} of the model");
            assert!((0.2..1.2).contains(&ratio), "{name}: {ratio}");

            let switched = key.switch_ring(&merged);
            let mut partial = client.small().expose().to_vec();
            partial.resize(key.shape.mask_len(), 0);
            let read = errors(phases(&key.small_ring, &switched, &partial));
            let ratio = variance(read) / (model + noise.variances().key_switch);
            println!("{name}: merging and switching have {ratio:.3} of the model");
            assert!((0.6..1.35).contains(&ratio), "{name}: {ratio}");
        }
    }
}
