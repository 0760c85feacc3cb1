//! The dimensions of compressed lists and of the key that packs them.

use crate::tfhe::automorphism_keys::AutomorphismShape;
use crate::tfhe::{Error, Params};

/// How the blocks of a parameter set are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackingShape {
    /// Degree of the ring of the list's ciphertexts, and the most that one of them holds.
    pub(crate) degree: usize,
    /// Mask polynomials of a list's ciphertext. Its key is the small key, filled up with zeros.
    pub(crate) rank: usize,
    /// The automorphism keys, one for each doubling up to the degree.
    pub(crate) automorphisms: AutomorphismShape,
    /// Greatest variance of what is packed, in units of a bootstrap's output.
    pub(crate) max_norm: u32,
}

impl PackingShape {
    /// Returns the shape for a parameter set.
    ///
    /// # Errors
    /// [`Error::Spec`] if bootstraps of what was packed would fail more often than the set says.
    pub(crate) fn new(params: &Params) -> Result<PackingShape, Error> {
        let spec = params.spec();
        let degree = spec.degree.min(spec.small_dimension.next_power_of_two());
        if degree < 256 {
            return refuse("small_dimension", "lists need at least 129 coefficients");
        }
        let automorphisms = AutomorphismShape::new(params, degree.ilog2());
        let noise = params.noise();
        let rare = |&norm: &u32| {
            let (gadget, doublings) = (automorphisms.gadget(), automorphisms.doublings);
            let bits = params.space().bits();
            let failure = noise.log2_packed_failure(bits, norm.into(), gadget, doublings);
            failure <= spec.failure_log2
        };
        let Some(max_norm) = (1..=params.max_norm()).rev().find(rare) else {
            return refuse("failure_log2", "a block from a list would fail more often");
        };
        let rank = spec.small_dimension.div_ceil(degree);
        Ok(PackingShape { degree, rank, automorphisms, max_norm })
    }

    /// Words of the masks of one of the list's ciphertexts.
    pub(crate) fn mask_len(&self) -> usize {
        self.rank * self.degree
    }

    /// Rows of the ring switching key, of one body of [`PackingShape::degree`] each.
    pub(crate) fn switch_rows(&self, params: &Params) -> usize {
        params.big_dimension() / self.degree * params.spec().key_switch.levels
    }

    /// How many blocks of `bits` bits each share one ciphertext: as many as the message space holds
    /// and a bootstrap tells apart.
    pub(crate) fn slots(&self, params: &Params, bits: u32) -> usize {
        let most = (params.space().bits() - 1) / bits;
        let fits = |&slots: &u32| {
            let norm: u64 = (0..slots).map(|slot| 1 << (2 * bits * slot)).sum();
            norm <= self.max_norm.into()
        };
        (1..=most).rev().find(fits).unwrap_or(1) as usize
    }

    /// Returns the coefficient at which ciphertext `index` of `count` lies.
    pub(crate) fn place(&self, index: usize, count: usize) -> usize {
        index * (self.degree >> doublings(count))
    }
}

/// Doublings that place `count` ciphertexts.
pub(crate) fn doublings(count: usize) -> u32 {
    count.next_power_of_two().ilog2()
}

fn refuse(field: &'static str, reason: &str) -> Result<PackingShape, Error> {
    Err(Error::Spec { field, reason: reason.to_owned() })
}

impl Params {
    /// Bits of the words of a compressed list: those of an exponent of the blind rotation.
    pub fn compressed_bits(&self) -> u32 {
        (2 * self.test_degree()).ilog2()
    }

    /// How many blocks of `bits` bits each share one ciphertext of a compressed list.
    ///
    /// # Errors
    /// [`Error::Spec`] if the parameters do not provide for lists.
    pub fn compressed_slots(&self, bits: u32) -> Result<usize, Error> {
        Ok(PackingShape::new(self)?.slots(self, bits.max(1)))
    }
}
