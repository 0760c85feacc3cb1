//! Ciphertexts as the reference implementation holds them: all layers and edges of a computation.

use super::edge::merge;
use super::normal_form::{NormalForm, mark_ancestors, weights};
use super::{
    Ciphertext, Decorator, EDGE_BUDGET, Edge, Layer, LayeredCiphertext, Layers, PublicKey,
    SIGNAL_EDGES,
};
use crate::{Error, Fp, KeyId};
use fathom::Error::KeyMismatch;

/// A ciphertext with every layer and every edge that the reference implementation stores.
///
/// A product has a layer for each pair of layers of its operands, also of those that only are
/// parents and have no edges, and keeps all layers of both operands. Nothing is merged, so a
/// ciphertext of `a` layers times one of `b` layers has `a + b + ab`, and 8 edges of 1 KiB for each
/// of the `ab`. Use it to compare with the reference: [`LayeredCiphertext`] holds the same value in
/// fewer layers, and [`Ciphertext`] in 1 % of the bytes.
///
/// A decryption takes the polynomial, which [`UnmergedCiphertext::ciphertext`] returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmergedCiphertext {
    /// Parents precede products.
    pub(crate) layers: Vec<Layer>,
    /// Edges whose terms are layers.
    pub(crate) edges: Vec<Edge>,
    pub(crate) key: KeyId,
}

impl From<LayeredCiphertext> for UnmergedCiphertext {
    /// Keeps the layers and edges. Those of a fresh encryption are what the reference encrypts to.
    fn from(layered: LayeredCiphertext) -> Self {
        let LayeredCiphertext { ciphertext, mut edges } = layered;
        let Layers { list, of_term } = Layers::of(&ciphertext.polynomial);
        for edge in &mut edges {
            edge.term = of_term[edge.term as usize];
        }
        UnmergedCiphertext { layers: list, edges, key: ciphertext.key }
    }
}

impl UnmergedCiphertext {
    /// The most edges of a result, whose decoys take 4 GiB.
    pub const MOST_EDGES: usize = 1 << 22;

    /// Returns the number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Returns the number of layers: seeds, and products of two layers.
    pub fn layer_count(&self) -> usize {
        self.layers.len()
    }

    /// Returns the polynomial that it stands for, which is all that decryption needs.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`] if `public` belongs to another secret key; a
    /// [`WireError`](fathom::wire::WireError) if the layers were read from a file and have more
    /// factors than bytes, or exponents above 2^32 - 1.
    pub fn ciphertext(&self, public: &PublicKey) -> Result<Ciphertext, Error> {
        Ok(Ciphertext::new(self.normal_form(public)?.polynomial, self.key))
    }

    /// Returns the same value with the fewest layers: equal monomials become one, and edges of
    /// layers whose weight is zero are removed.
    ///
    /// # Errors
    /// As [`UnmergedCiphertext::ciphertext`].
    pub fn merge(mut self, public: &PublicKey) -> Result<LayeredCiphertext, Error> {
        let NormalForm { polynomial, terms } = self.normal_form(public)?;
        self.edges.retain_mut(|edge| match terms[edge.term as usize] {
            Some(term) => {
                edge.term = term;
                true
            }
            None => false,
        });
        let ciphertext = Ciphertext::new(polynomial, self.key);
        Ok(LayeredCiphertext { ciphertext, edges: self.edges })
    }

    /// Computes `self + other`: the layers and edges of both.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`]; [`Error::TooLarge`] past
    /// [`MOST_EDGES`](UnmergedCiphertext::MOST_EDGES).
    pub fn add(&self, other: &Self) -> Result<Self, Error> {
        self.check_key(other.key)?;
        let layers = self.layers_with(other);
        check_size(layers.len(), self.edges.len() + other.edges.len())?;
        let shift = self.layers.len() as u32;
        let moved = other.edges.iter().map(|edge| Edge { term: edge.term + shift, ..edge.clone() });
        let edges = self.edges.iter().cloned().chain(moved).collect();
        Ok(Self { layers, edges, key: self.key }.within_budget())
    }

    /// Computes `self - other`.
    ///
    /// # Errors
    /// As [`UnmergedCiphertext::add`].
    pub fn sub(&self, other: &Self) -> Result<Self, Error> {
        self.add(&other.neg())
    }

    /// Computes `-self`.
    pub fn neg(&self) -> Self {
        self.mul_scalar(-Fp::ONE)
    }

    /// Computes `factor * self` for a public factor. Edges stay, also if the factor is zero.
    pub fn mul_scalar(&self, factor: Fp) -> Self {
        let scaled = |edge: &Edge| Edge { weight: edge.weight * factor, ..edge.clone() };
        Self { edges: self.edges.iter().map(scaled).collect(), ..self.clone_layers() }
    }

    fn clone_layers(&self) -> Self {
        Self { layers: self.layers.clone(), edges: Vec::new(), key: self.key }
    }

    fn check_key(&self, key: KeyId) -> Result<(), Error> {
        if self.key == key {
            return Ok(());
        }
        Err(KeyMismatch { left: self.key.short(), right: key.short() }.into())
    }

    fn normal_form(&self, public: &PublicKey) -> Result<NormalForm, Error> {
        self.check_key(public.id())?;
        // One factor per byte is more than any computation needs, and bounds the memory.
        NormalForm::of(public.powers(), &self.layers, &self.edges, self.reference_len())
    }

    /// Returns the layers of both operands; those of `other` come last.
    fn layers_with(&self, other: &Self) -> Vec<Layer> {
        let shift = self.layers.len() as u32;
        let moved = other.layers.iter().map(|layer| match *layer {
            Layer::Base(seed) => Layer::Base(seed),
            Layer::Product(a, b) => Layer::Product(a + shift, b + shift),
        });
        self.layers.iter().copied().chain(moved).collect()
    }

    /// Applies the two limits of the reference. Beyond its budget, edges with equal layer, index
    /// and sign are merged and sorted. Layers that have no edges and are no parents are removed.
    fn within_budget(mut self) -> Self {
        if self.edges.len() > EDGE_BUDGET {
            self.edges = merge(self.edges);
            self.edges.sort_by_key(|edge| (edge.term, edge.index, edge.sign.bit()));
        }
        let mut live = vec![false; self.layers.len()];
        for edge in &self.edges {
            live[edge.term as usize] = true;
        }
        mark_ancestors(&self.layers, &mut live);
        if live.iter().all(|&live| live) {
            return self;
        }
        let before = |index: &mut u32, &live: &bool| {
            let number = *index;
            *index += u32::from(live);
            Some(number)
        };
        let numbers: Vec<u32> = live.iter().scan(0, before).collect();
        let place = |layer: u32| numbers[layer as usize];
        for edge in &mut self.edges {
            edge.term = place(edge.term);
        }
        let kept = self.layers.iter().zip(live).filter(|(_, live)| *live);
        self.layers = kept
            .map(|(layer, _)| match *layer {
                Layer::Base(seed) => Layer::Base(seed),
                Layer::Product(a, b) => Layer::Product(place(a), place(b)),
            })
            .collect();
        self
    }
}

impl Decorator<'_> {
    /// Computes `left * right` as the reference does: a layer of 8 edges for each pair of layers.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`]; [`Error::TooLarge`] past
    /// [`UnmergedCiphertext::MOST_EDGES`].
    pub fn mul_unmerged(
        &mut self,
        left: &UnmergedCiphertext,
        right: &UnmergedCiphertext,
    ) -> Result<UnmergedCiphertext, Error> {
        left.check_key(right.key)?;
        let (a, b) = (left.layers.len(), right.layers.len());
        self.check_product(left, a + b, a.saturating_mul(b))?;
        let [x, y] = [left, right].map(|part| self.weights(part));
        let pairs = (0..a).flat_map(|i| (0..b).map(move |j| (i, j)));
        let products = pairs.map(|(i, j)| ([i, a + j], x[i] * y[j]));
        Ok(self.product(left.layers_with(right), left.key, products))
    }

    /// Computes `x^2` as the reference does: a layer of 8 edges for each pair of layers, without
    /// regard to order.
    ///
    /// # Errors
    /// As [`Decorator::mul_unmerged`].
    pub fn square_unmerged(&mut self, x: &UnmergedCiphertext) -> Result<UnmergedCiphertext, Error> {
        let count = x.layers.len();
        self.check_product(x, count, count.saturating_mul(count + 1) / 2)?;
        let weights = self.weights(x);
        let pairs = (0..count).flat_map(|i| (i..count).map(move |j| (i, j)));
        let products = pairs.map(|(i, j)| {
            let product = weights[i] * weights[j];
            ([i, j], if i == j { product } else { product + product })
        });
        Ok(self.product(x.layers.clone(), x.key, products))
    }

    fn weights(&self, part: &UnmergedCiphertext) -> Vec<Fp> {
        weights(self.public().powers(), part.layers.len(), &part.edges)
    }

    /// Checks the key of an operand, and a result with the layers of the operands and `pairs` more.
    fn check_product(
        &self,
        operand: &UnmergedCiphertext,
        layers: usize,
        pairs: usize,
    ) -> Result<(), Error> {
        operand.check_key(self.public().id())?;
        check_size(layers.saturating_add(pairs), pairs.saturating_mul(SIGNAL_EDGES))
    }

    /// Appends a layer for each product of two layers, the lower one first.
    fn product(
        &mut self,
        mut layers: Vec<Layer>,
        key: KeyId,
        products: impl Iterator<Item = ([usize; 2], Fp)>,
    ) -> UnmergedCiphertext {
        let first = layers.len();
        let mut targets = Vec::new();
        for ([a, b], weight) in products {
            layers.push(Layer::Product(a as u32, b as u32));
            targets.push(weight);
        }
        let edges = self.repack(first, &targets);
        UnmergedCiphertext { layers, edges, key }.within_budget()
    }
}

fn check_size(layers: usize, edges: usize) -> Result<(), Error> {
    Error::at_most("layers", layers as u64, u32::MAX.into())?;
    Error::at_most("edges", edges as u64, UnmergedCiphertext::MOST_EDGES as u64)?;
    Ok(())
}
