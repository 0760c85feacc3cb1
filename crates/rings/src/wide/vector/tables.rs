//! The tables of vectors.

use crate::rlwe::{Context, NoiseModel};
use crate::{Error, SecurityLevel};
use fathom_ring::{Modulus, PlainRing, Scalar, ToPlain, is_prime};
use std::sync::OnceLock;

/// A description of parameters, unchecked, with every prime stated.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wide) struct VectorSpec {
    /// Ring degree `N`: the most elements of a vector.
    pub(in crate::wide) degree: usize,
    /// `log2` of the greatest absolute value of an input.
    pub(in crate::wide) input_bits: u32,
    /// The primes of the residues, distinct and 1 modulo `2N`.
    pub(in crate::wide) moduli: Vec<u64>,
    /// The primes of the ciphertexts.
    pub(in crate::wide) chain: Vec<u64>,
    /// The special prime of relinearisation; none if products stay unrelinearised.
    pub(in crate::wide) special: Vec<u64>,
    /// The security level to be met by the largest modulus.
    pub(in crate::wide) security: SecurityLevel,
    /// `log2` of the probability allowed that a ciphertext within its bound decrypts wrongly.
    pub(in crate::wide) failure_log2: f64,
}

/// The tables of vectors.
#[derive(Debug)]
pub struct VectorTables {
    pub(super) spec: VectorSpec,
    pub(super) residues: Vec<Residue>,
    /// The noise model for the greatest of the primes, whose bounds hold for all of them.
    pub(in crate::wide) model: NoiseModel,
    /// `log2` of the product of the primes.
    pub(super) product_log2: f64,
}

/// The tables of one prime.
#[derive(Debug)]
pub(super) struct Residue {
    pub(super) modulus: Modulus,
    /// The slots and the map to residues, which a server needs not; built on first use.
    plain: OnceLock<Result<PlainRing, Error>>,
    to_plain: OnceLock<ToPlain>,
    /// The prime and its inverse modulo every prime of the ring.
    pub(super) factor: Scalar,
    pub(super) inverse: Scalar,
    /// The inverse, modulo this prime, of the product of those before it.
    pub(super) mixed_inverse: u64,
    /// The products of the first 0, 1, ... primes before it, modulo this prime.
    pub(super) mixed_weights: Vec<u64>,
}

impl Residue {
    pub(super) fn new(context: &Context, moduli: &[u64], index: usize) -> Result<Residue, Error> {
        let (t, ring) = (moduli[index], &context.ring);
        let refuse = |reason: String| Error::Spec { field: "moduli", reason };
        if !is_prime(t) || t >= 1 << 45 {
            return Err(refuse(format!("{t} is not a prime below 2^45")));
        }
        let m = Modulus::new(t).map_err(|error| refuse(error.to_string()))?;
        let (mut mixed_weights, mut product) = (Vec::with_capacity(index), 1);
        for &before in &moduli[..index] {
            mixed_weights.push(product);
            product = m.mul(product, m.reduce(before));
        }
        let not_distinct = || Error::Spec { field: "moduli", reason: format!("{t} appears twice") };
        let mixed_inverse = m.inverse(product).ok_or_else(not_distinct)?;
        let inverse = |m: &Modulus| {
            m.inverse(m.reduce(t)).expect("the primes of ring and residues were checked to differ")
        };
        Ok(Residue {
            modulus: m,
            plain: OnceLock::new(),
            to_plain: OnceLock::new(),
            factor: Scalar::new(ring, |m| m.reduce(t)),
            inverse: Scalar::new(ring, inverse),
            mixed_inverse,
            mixed_weights,
        })
    }

    /// Returns the slots modulo this prime.
    ///
    /// # Errors
    /// [`Error::Ring`] if the variable `FATHOM_KERNEL` names a kernel that cannot serve the prime.
    pub(super) fn plain(&self, degree: usize) -> Result<&PlainRing, Error> {
        let build = || PlainRing::new(degree, self.modulus.value()).map_err(Error::from);
        self.plain.get_or_init(build).as_ref().map_err(Clone::clone)
    }

    /// Returns the map from the chain to residues modulo this prime.
    pub(super) fn to_plain(&self, context: &Context) -> &ToPlain {
        let ring = &context.ring;
        self.to_plain.get_or_init(|| ToPlain::new(ring, ring.chain_len(), &self.modulus))
    }
}
