//! Merges LWE ciphertexts into the coefficients of one GLWE ciphertext.

use crate::lwe::LweCiphertext;
use crate::tfhe::keys::automorphism_keys::{AutomorphismKeys, Scratch};
use fathom_ring::{TorusRing, add_words, constant_masks, multiply_monomial, subtract_words};

/// Merges ciphertexts pair by pair (Chen, Dai, Kim, Song, eprint 2020/015).
pub(crate) struct Merge<'a> {
    pub(crate) ring: &'a TorusRing,
    pub(crate) keys: &'a AutomorphismKeys,
    /// One ciphertext for each of `2^doublings` places; missing ones count as `None`.
    pub(crate) ciphertexts: &'a [Option<&'a LweCiphertext>],
    pub(crate) doublings: u32,
}

impl Merge<'_> {
    /// Returns the GLWE ciphertext with ciphertext `i` at coefficient `i N / 2^doublings`, and 0 if
    /// there is none; `None` without any ciphertext.
    ///
    /// The coefficients between these places are 0 if all `N` coefficients are places, and
    /// unspecified otherwise.
    pub(crate) fn run(&self) -> Option<Vec<u64>> {
        let mut scratch = self.keys.scratch(self.ring);
        self.merge(0, self.doublings, &mut scratch)
    }

    /// Merges every `2^(self.doublings - doublings)`-th ciphertext from `first` on, at the
    /// multiples of `N / 2^doublings`; returns `None` if there are none.
    fn merge(&self, first: usize, doublings: u32, scratch: &mut Scratch) -> Option<Vec<u64>> {
        if doublings == 0 {
            let ciphertext = self.ciphertexts.get(first).copied().flatten();
            return ciphertext.map(|lwe| self.embed(lwe));
        }
        let step = 1 << (self.doublings - doublings);
        let even = self.merge(first, doublings - 1, scratch);
        let mut odd = self.merge(first + step, doublings - 1, scratch);
        if let Some(odd) = &mut odd {
            let degree = self.ring.degree();
            // The odd ciphertext moves to the coefficients in the middle between those of the even
            // one.
            multiply_monomial(degree, degree >> doublings, odd);
        }
        let (mut sum, difference) = match (even, odd) {
            (None, None) => return None,
            (Some(even), None) => (even.clone(), even),
            (None, Some(odd)) => {
                let negative = odd.iter().map(|word| word.wrapping_neg()).collect();
                (odd, negative)
            }
            (Some(even), Some(odd)) => {
                let mut difference = even.clone();
                subtract_words(&mut difference, &odd);
                let mut sum = even;
                add_words(&mut sum, &odd);
                (sum, difference)
            }
        };
        // The sum is E + X^m O + sigma(E - X^m O). At the places that are wanted, sigma fixes E and
        // changes the sign of X^m O, so that both are doubled.
        self.keys.add_image(self.ring, doublings, &difference, &mut sum, scratch);
        Some(sum)
    }

    /// Returns the ciphertext as the constant coefficient of a GLWE ciphertext, divided by the
    /// factor that merging multiplies by. Division on the torus is ambiguous, but that
    /// multiplication removes the ambiguity.
    fn embed(&self, lwe: &LweCiphertext) -> Vec<u64> {
        let (degree, doublings) = (self.ring.degree(), self.doublings);
        let mut masks: Vec<u64> = lwe.mask_words().map(|word| word >> doublings).collect();
        masks.resize(self.keys.big_dimension(), 0);
        let mut words: Vec<u64> = constant_masks(degree, &masks).collect();
        words.push(lwe.body() >> doublings);
        words.resize(words.len() + degree - 1, 0);
        words
    }
}

#[cfg(test)]
pub(in crate::tfhe) mod tests {
    use super::*;
    use crate::tfhe::keys::automorphism_keys::AutomorphismShape;
    use crate::tfhe::{ClientKey, Params};
    use fathom_ring::{SecretRng, multiply_window};

    /// Returns the phases of a GLWE ciphertext: its body less the masks times the key.
    pub(in crate::tfhe) fn phases(ring: &TorusRing, words: &[u64], key: &[i64]) -> Vec<u64> {
        let (masks, body) = words.split_at(words.len() - ring.degree());
        let mut product = vec![0; ring.degree()];
        ring.multiply_secret_add(&mut product, masks, &ring.secret_spectra(key));
        body.iter().zip(product).map(|(body, product)| body.wrapping_sub(product)).collect()
    }

    /// Returns the mean square of torus elements, as fractions of the torus.
    pub(in crate::tfhe) fn variance(errors: impl IntoIterator<Item = u64>) -> f64 {
        let squares =
            errors.into_iter().map(|error| (error as i64 as f64 / 2_f64.powi(64)).powi(2));
        let (count, sum) = squares.fold((0, 0.0), |(count, sum), square| (count + 1, sum + square));
        sum / f64::from(count)
    }

    /// Returns an encryption of 0 without noise.
    pub(in crate::tfhe) fn noiseless(client: &ClientKey, rng: &mut SecretRng) -> LweCiphertext {
        let mask = rng.next_seed().words(client.params().big_dimension());
        let body = client.big_bits().product(&mask);
        LweCiphertext::rounded(&mask, body)
    }

    /// Returns the errors that merging adds under one key: at every coefficient, and in the sums
    /// over windows of 128.
    fn errors_of_merging(params: &Params, seed: u64, merges: usize) -> (Vec<u64>, Vec<u64>) {
        let mut rng = SecretRng::insecure_from_seed(seed);
        let client = ClientKey::generate(params, &mut rng);
        let (degree, doublings) = (2048, 11);
        let shape = AutomorphismShape::new(params, doublings);
        let ring = TorusRing::new(degree).unwrap();
        let seed = rng.next_seed();
        let bodies = shape.bodies(&client, &seed, &mut rng).unwrap();
        let keys = AutomorphismKeys::expand(params, &ring, &shape, &seed, &bodies);
        let (mut errors, mut windows) = (Vec::new(), Vec::new());
        for _ in 0..merges {
            let zeros: Vec<_> = (0..16).map(|_| noiseless(&client, &mut rng)).collect();
            let mut ciphertexts = vec![None; degree];
            for (slot, zero) in ciphertexts.iter_mut().step_by(128).zip(&zeros) {
                *slot = Some(zero);
            }
            let merge = Merge { ring: &ring, keys: &keys, ciphertexts: &ciphertexts, doublings };
            let mut words = merge.run().unwrap();
            errors.extend(phases(&ring, &words, client.big().expose()));
            multiply_window(degree, 128, &mut words);
            let phases = phases(&ring, &words, client.big().expose());
            windows.extend(phases.into_iter().skip(127).step_by(128));
        }
        (errors, windows)
    }

    /// Merges sixteen noiseless ciphertexts of 0 at a distance of 128 and compares the added noise
    /// with the model: at their places, at odd multiples of powers of two between them, and in the
    /// sums over windows of 128 coefficients.
    ///
    /// For a single key, the noise at the places deviates from the model by a tenth, so ten keys
    /// are averaged.
    #[test]
    fn merging_to_the_degree_adds_the_noise_of_the_model_everywhere() {
        let params = Params::preset(Params::INTEGERS).unwrap();
        let (mut errors, mut windows) = (Vec::new(), Vec::new());
        for seed in 0..10 {
            let (places, sums) = errors_of_merging(&params, seed, 12);
            errors.extend(places);
            windows.extend(sums);
        }
        let (noise, doublings) = (params.noise(), 11);
        let shape = AutomorphismShape::new(&params, doublings);
        let gadget = shape.for_noise();
        let at = |v: u32| {
            let places = errors.iter().enumerate();
            places.filter(move |(place, _)| place.trailing_zeros() == v).map(|(_, &error)| error)
        };
        // The model's term for the transform is an upper bound.
        for v in 0..7 {
            let ratio = variance(at(v)) / noise.packing(gadget, v + 1);
            println!("odd multiples of 2^{v}: {ratio:.3} of the model");
            assert!((0.7..1.2).contains(&ratio), "2^{v}: {ratio}");
        }
        let values = errors.iter().step_by(128).copied();
        let ratio = variance(values) / noise.packing(gadget, doublings);
        println!("ciphertexts: {ratio:.3} of the model");
        assert!((0.5..1.1).contains(&ratio), "{ratio}");
        let ratio = variance(windows) / noise.packing_window(gadget, doublings, 7);
        println!("windows: {ratio:.3} of the model");
        assert!((0.5..1.1).contains(&ratio), "{ratio}");
    }
}
