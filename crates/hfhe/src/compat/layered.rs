//! Ciphertexts with edges and decoys, in the form of the reference implementation.

use super::edge::merge;
use super::{Ciphertext, EDGE_BUDGET, Edge, Layer, Layers, PublicKey};
use crate::polynomial::{Factor, Polynomial};
use crate::{Error, Fp};
use sha2::{Digest, Sha256};

/// A ciphertext with the edges of the reference implementation, whose values sum to the weight of
/// their monomial.
///
/// There are no unused layers, equal monomials or zero weights, so it is as small as its polynomial
/// allows. The reference can read it nonetheless, but its own results are larger: see
/// [`UnmergedCiphertext`](super::UnmergedCiphertext).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayeredCiphertext {
    pub(crate) ciphertext: Ciphertext,
    pub(crate) edges: Vec<Edge>,
}

impl LayeredCiphertext {
    /// Returns the polynomial alone, which is all that decryption needs.
    pub fn ciphertext(&self) -> &Ciphertext {
        &self.ciphertext
    }

    /// Returns the number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Returns the number of layers: seeds, and products of two layers.
    pub fn layer_count(&self) -> usize {
        Layers::of(&self.ciphertext.polynomial).list.len()
    }

    /// Computes `self + other`. The result has the edges of both, including decoys.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`].
    pub fn add(&self, other: &Self) -> Result<Self, Error> {
        let sum = self.ciphertext.add(&other.ciphertext)?;
        let mut edges = Vec::with_capacity(self.edges.len() + other.edges.len());
        for part in [self, other] {
            let places = places(&part.ciphertext.polynomial, &sum.polynomial);
            edges.extend(part.edges.iter().filter_map(|edge| {
                let term = places[edge.term as usize]?;
                Some(Edge { term, ..edge.clone() })
            }));
        }
        let result = LayeredCiphertext { ciphertext: sum, edges };
        let past_budget = result.edges.len() > EDGE_BUDGET;
        Ok(if past_budget { result.compact() } else { result })
    }

    /// Computes `self - other`.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`].
    pub fn sub(&self, other: &Self) -> Result<Self, Error> {
        self.add(&other.neg())
    }

    /// Computes `-self`.
    pub fn neg(&self) -> Self {
        self.mul_scalar(-Fp::ONE)
    }

    /// Computes `factor * self` for a public factor.
    pub fn mul_scalar(&self, factor: Fp) -> Self {
        let ciphertext = self.ciphertext.mul_scalar(factor);
        let mut edges = Vec::new();
        if factor != Fp::ZERO {
            let scaled = |edge: &Edge| Edge { weight: edge.weight * factor, ..edge.clone() };
            edges = self.edges.iter().map(scaled).collect();
        }
        LayeredCiphertext { ciphertext, edges }
    }

    /// Merges edges with equal monomial, index and sign into one.
    pub fn compact(self) -> Self {
        LayeredCiphertext { edges: merge(self.edges), ..self }
    }

    /// Returns a SHA-256 digest of the ciphertext and the public key, computed as in the PVAC
    /// reference implementation.
    ///
    /// The digest proves nothing about how the ciphertext was computed. Because the lengths of the
    /// lists of layers and edges are not hashed, use it only for compatibility with the reference.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`] if `public` belongs to another secret key.
    pub fn commit(&self, public: &PublicKey) -> Result<[u8; 32], Error> {
        self.ciphertext.same_key(public.id())?;
        let layers = Layers::of(&self.ciphertext.polynomial);
        let mut hash = Sha256::new_with_prefix("pvac.dom.commit");
        hash.update(public.digest());
        hash.update(public.tag.to_le_bytes());
        for layer in &layers.list {
            match *layer {
                Layer::Base(seed) => {
                    hash.update([0]);
                    hash.update(seed.0.map(u64::to_le_bytes).as_flattened());
                }
                Layer::Product(a, b) => {
                    hash.update([1]);
                    hash.update(
                        [a, b].map(|parent| u64::from(parent).to_le_bytes()).as_flattened(),
                    );
                }
            }
        }
        for edge in &self.edges {
            let layer = layers.of_term[edge.term as usize];
            hash.update(u64::from(layer).to_le_bytes());
            hash.update(u64::from(edge.index).to_le_bytes());
            hash.update([edge.sign.bit()]);
            hash.update(edge.weight.value().to_le_bytes());
            hash.update(edge.decoy.map(u64::to_le_bytes).as_flattened());
        }
        Ok(hash.finalize().into())
    }
}

/// Returns the indices in `whole` of the monomials of `part`; `None` for missing ones.
fn places(part: &Polynomial, whole: &Polynomial) -> Vec<Option<u32>> {
    let seeds: Vec<Option<u32>> = part
        .seeds
        .iter()
        .map(|seed| whole.seeds.binary_search(seed).ok().map(|i| i as u32))
        .collect();
    let place = |monomial: &[Factor]| {
        let factor = |f: &Factor| Some(Factor { seed: seeds[f.seed as usize]?, ..*f });
        let monomial: Vec<Factor> = monomial.iter().map(factor).collect::<Option<_>>()?;
        whole.terms.find(&monomial)
    };
    part.terms.iter().map(|(_, monomial)| place(monomial)).collect()
}
