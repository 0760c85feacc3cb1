//! Samples edges and decoys, for ciphertexts in the form of the reference implementation.

use super::decoy::DecoySource;
use super::edge::{inverse_power, merge};
use super::layered::LayeredCiphertext;
use super::{
    Ciphertext, DEPTH_SLOPE_BITS, Edge, NOISE_ENTROPY_BITS, PAIR_FRACTION, PublicKey, SIGNAL_EDGES,
    SUBGROUP_ORDER, Sign,
};
use crate::draw::Draws;
use crate::polynomial::Factor;
use crate::{Error, Fp, Seed, Workers};
use fathom_ring::SecretRng;
use std::sync::Arc;

/// Adds the edges and decoys of the reference implementation to ciphertexts.
///
/// Every edge has one decoy, and making these is almost the whole cost of arithmetic in the
/// reference. Nothing that is sampled here is secret or adds security.
pub struct Decorator<'a> {
    public: &'a PublicKey,
    workers: &'a Workers,
    rng: SecretRng,
    depth_hint: u32,
}

/// An edge whose decoy has not been made yet.
struct Sketch {
    term: u32,
    weight: Fp,
    source: DecoySource,
}

/// Numbers of groups of noise edges in a fresh layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NoisePlan {
    pairs: usize,
    triples: usize,
}

impl NoisePlan {
    /// Returns the numbers for products of this depth: 3 pairs and 2 triples at depth 0. Section
    /// "encryption" of docs/maths/hfhe.md has the formula.
    fn for_depth(depth: u32) -> NoisePlan {
        let entropy = NOISE_ENTROPY_BITS + DEPTH_SLOPE_BITS * f64::from(depth);
        let index_bits = (SUBGROUP_ORDER as f64).log2();
        let groups = |share: f64, edges: f64| (share * entropy / (edges * index_bits)) as usize;
        let (pairs, triples) = (groups(PAIR_FRACTION, 2.0), groups(1.0 - PAIR_FRACTION, 3.0));
        NoisePlan { pairs, triples }
    }
}

impl<'a> Decorator<'a> {
    /// Returns a decorator for ciphertexts of this key, whose `workers` make the decoys.
    pub fn new(public: &'a PublicKey, workers: &'a Workers, rng: SecretRng) -> Self {
        Decorator { public, workers, rng, depth_hint: 0 }
    }

    /// The greatest depth for which noise edges are planned.
    pub const MOST_DEPTH: u32 = 64;

    /// Sets the number of noise edges of fresh layers to that which the reference plans for
    /// products of this depth.
    ///
    /// # Errors
    /// [`Error::TooLarge`] beyond [`Decorator::MOST_DEPTH`].
    pub fn with_depth_hint(self, depth_hint: u32) -> Result<Self, Error> {
        Error::at_most("a depth of", depth_hint.into(), Self::MOST_DEPTH.into())?;
        Ok(Decorator { depth_hint, ..self })
    }

    /// Returns the ciphertext in the form of the reference: 20 edges for a monomial of one mask, as
    /// in a fresh layer, and 8 for every other monomial, as in the layer of a product.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`]; [`Error::ConstantTerm`].
    pub fn decorate(&mut self, ciphertext: &Ciphertext) -> Result<LayeredCiphertext, Error> {
        ciphertext.same_key(self.public.id())?;
        let polynomial = &ciphertext.polynomial;
        if polynomial.constant != Fp::ZERO {
            return Err(Error::ConstantTerm);
        }
        let mut draws = Draws::new(&mut self.rng);
        let mut sketches = Vec::new();
        for (term, (weight, monomial)) in (0..).zip(polynomial.terms.iter()) {
            let own = match monomial {
                [Factor { seed, exponent: 1 }] => Some(polynomial.seeds[*seed as usize]),
                _ => None,
            };
            let random = || self.public.seed([draws.word(), draws.word()]);
            let (public, seed) = (self.public, own.unwrap_or_else(random));
            let draws = &mut draws;
            let mut sketcher = Sketcher { public, draws, term, seed, sketches: Vec::new() };
            match own {
                Some(_) => sketcher.fresh(weight, NoisePlan::for_depth(self.depth_hint)),
                None => sketcher.signal(weight),
            }
            sketches.append(&mut sketcher.sketches);
        }
        let edges = self.workers.map(&sketches, |sketch| sketch.draw(self.public));
        Ok(LayeredCiphertext { ciphertext: ciphertext.clone(), edges: merge(edges) })
    }

    /// Returns eight edges for each of these weights, as in the layers of a product, whose numbers
    /// start at `first`.
    pub(super) fn repack(&mut self, first: usize, weights: &[Fp]) -> Vec<Edge> {
        let public = self.public;
        let mut draws = Draws::new(&mut self.rng);
        let mut sketches = Vec::with_capacity(SIGNAL_EDGES * weights.len());
        for (term, &weight) in (first as u32..).zip(weights) {
            let seed = public.seed([draws.word(), draws.word()]);
            let mut layer =
                Sketcher { public, draws: &mut draws, term, seed, sketches: Vec::new() };
            layer.signal(weight);
            sketches.append(&mut layer.sketches);
        }
        self.workers.map(&sketches, |sketch| sketch.draw(public))
    }

    /// Returns the public key whose ciphertexts this decorator writes.
    pub(super) fn public(&self) -> &'a PublicKey {
        self.public
    }

    /// Encrypts in the form of the reference, including decoys.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`].
    pub fn encrypt(
        &mut self,
        key: &super::SecretKey,
        value: Fp,
    ) -> Result<LayeredCiphertext, Error> {
        let ciphertext = key.encrypt(value, &mut self.rng);
        self.decorate(&ciphertext)
    }

    /// Computes `left * right` with fresh edges and decoys for every monomial.
    ///
    /// # Errors
    /// As [`Ciphertext::mul`].
    pub fn mul(
        &mut self,
        left: &LayeredCiphertext,
        right: &LayeredCiphertext,
    ) -> Result<LayeredCiphertext, Error> {
        self.decorate(&left.ciphertext.mul(&right.ciphertext)?)
    }
}

/// Samples the edges of one monomial.
struct Sketcher<'a, 'b> {
    public: &'a PublicKey,
    draws: &'a mut Draws<'b>,
    term: u32,
    seed: Seed,
    sketches: Vec<Sketch>,
}

impl Sketcher<'_, '_> {
    /// Samples the edges of a fresh layer: pairs and triples that sum to random noise, and signal
    /// edges that sum to the rest of `weight`, in random order.
    fn fresh(&mut self, weight: Fp, plan: NoisePlan) {
        let mut rest = weight;
        for size in [2, 3]
            .into_iter()
            .zip([plan.pairs, plan.triples])
            .flat_map(|(size, count)| std::iter::repeat_n(size, count))
        {
            let noise = self.draws.nonzero();
            rest -= noise;
            self.group(size, noise);
        }
        self.signal(rest);
        for i in (1..self.sketches.len()).rev() {
            let j = self.draws.below(i as u64 + 1) as usize;
            self.sketches.swap(i, j);
        }
    }

    /// Samples the edges of a product layer, which sum to `weight`.
    fn signal(&mut self, weight: Fp) {
        self.group(SIGNAL_EDGES, weight);
    }

    /// Samples `size` edges with distinct indices that sum to `target`. All but the last are
    /// random. The two edges of a pair have opposite signs.
    fn group(&mut self, size: usize, target: Fp) {
        let powers = self.public.powers();
        let mut rest = target;
        let mut indices = Vec::with_capacity(size);
        let mut sign = Sign::Plus;
        for place in 0..size {
            let index = self.other_index(&indices);
            indices.push(index);
            sign = match (size, place) {
                (2, 1) => sign.opposite(),
                _ if self.draws.word() & 1 == 0 => Sign::Plus,
                _ => Sign::Minus,
            };
            let weight = if place + 1 < size {
                self.draws.nonzero()
            } else {
                sign.apply(rest) * inverse_power(powers, index.into())
            };
            rest -= sign.apply(weight * powers[usize::from(index)]);
            let source = DecoySource { seed: self.seed, index, sign, salt: self.draws.word() };
            self.sketches.push(Sketch { term: self.term, weight, source });
        }
    }

    fn other_index(&mut self, taken: &[u16]) -> u16 {
        loop {
            let index = self.draws.below(SUBGROUP_ORDER as u64) as u16;
            if !taken.contains(&index) {
                return index;
            }
        }
    }
}

impl Sketch {
    fn draw(&self, public: &PublicKey) -> Edge {
        let DecoySource { index, sign, .. } = self.source;
        let decoy = Arc::new(public.decoy(&self.source));
        Edge { term: self.term, index, sign, weight: self.weight, decoy }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_of_fresh_layers_is_that_of_the_reference() {
        assert_eq!(NoisePlan::for_depth(0), NoisePlan { pairs: 3, triples: 2 });
        assert_eq!(NoisePlan::for_depth(2), NoisePlan { pairs: 4, triples: 2 });
    }
}
