//! The dimensions of compressed lists and of the key that packs them.

use crate::tfhe::keys::automorphism_keys::AutomorphismShape;
use crate::tfhe::{Error, Params};

/// The dimensions with which the blocks of a parameter set are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackingShape {
    /// Degree of the ring of a list's ciphertexts, and the greatest number of messages in one of
    /// them.
    pub(crate) degree: usize,
    /// Number of mask polynomials of a list's ciphertext. Its key is the small key, padded with
    /// zeros.
    pub(crate) rank: usize,
    /// The automorphism keys, one for each doubling up to the degree.
    pub(crate) automorphisms: AutomorphismShape,
    /// Greatest noise variance of a message to be packed, in units of the variance of a bootstrap's
    /// output.
    pub(crate) max_noise_variance: u32,
}

impl PackingShape {
    /// Returns the dimensions for a parameter set.
    ///
    /// # Errors
    /// [`Error::Spec`] if bootstraps of packed messages would exceed the failure probability of the
    /// set.
    pub(crate) fn new(params: &Params) -> Result<PackingShape, Error> {
        let spec = params.spec();
        let degree = spec.degree.min(spec.small_dimension.next_power_of_two());
        if degree < 256 {
            return refuse("small_dimension", "lists need at least 129 coefficients");
        }
        let automorphisms = AutomorphismShape::new(params, degree.ilog2());
        let noise = params.noise();
        let rare = |&noise_variance: &u32| {
            let (gadget, doublings) = (automorphisms.for_noise(), automorphisms.doublings);
            let bits = params.space().bits();
            let failure = noise.log2_packed_failure(bits, noise_variance.into(), gadget, doublings);
            failure <= spec.failure_log2
        };
        let Some(max_noise_variance) = (1..=params.max_noise_variance()).rev().find(rare) else {
            return refuse("failure_log2", "a block from a list would fail more often");
        };
        let rank = spec.small_dimension.div_ceil(degree);
        Ok(PackingShape { degree, rank, automorphisms, max_noise_variance })
    }

    /// Returns the number of words in the masks of one of the list's ciphertexts.
    pub(crate) fn mask_len(&self) -> usize {
        self.rank * self.degree
    }

    /// Returns the number of rows of the ring-switching key; each has one body of
    /// [`PackingShape::degree`] words.
    pub(crate) fn switch_rows(&self, params: &Params) -> usize {
        params.big_dimension() / self.degree * params.spec().key_switch.levels
    }

    /// Returns the number of blocks of `bits` bits that share one ciphertext, which the message
    /// space and the noise limit determine.
    pub(crate) fn slots(&self, params: &Params, bits: u32) -> usize {
        let most = (params.space().bits() - 1) / bits;
        let fits = |&slots: &u32| {
            let noise_variance: u64 = (0..slots).map(|slot| 1 << (2 * bits * slot)).sum();
            noise_variance <= self.max_noise_variance.into()
        };
        // A block alone takes no room of others.
        (2..=most).rev().find(fits).unwrap_or(1) as usize
    }

    /// Returns the coefficient that holds ciphertext `index` of `count`.
    pub(crate) fn place(&self, index: usize, count: usize) -> usize {
        index * (self.degree >> doublings(count))
    }
}

/// Returns the number of doublings that merge `count` ciphertexts.
pub(crate) fn doublings(count: usize) -> u32 {
    count.next_power_of_two().ilog2()
}

fn refuse(field: &'static str, reason: &str) -> Result<PackingShape, Error> {
    Err(Error::Spec { field, reason: reason.to_owned() })
}

impl Params {
    /// Returns the number of bits of the words in a compressed list, which are exponents of the
    /// blind rotation.
    pub fn compressed_bits(&self) -> u32 {
        (2 * self.test_degree()).ilog2()
    }

    /// Returns the number of blocks of `bits` bits that share one ciphertext of a compressed list.
    ///
    /// # Errors
    /// [`Error::Spec`] if the parameters do not provide for lists.
    pub fn compressed_slots(&self, bits: u32) -> Result<usize, Error> {
        Ok(PackingShape::new(self)?.slots(self, bits.max(1)))
    }
}
