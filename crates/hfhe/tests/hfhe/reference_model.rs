//! A model of the reference's own arithmetic, which neither prunes nor merges: layers and edges in
//! its file format, and products of all pairs of layers, including those without edges.

use super::compat_key;
use fathom::SecretRng;
use fathom_hfhe::compat::{Ciphertext, Decorator, LayeredCiphertext};
use fathom_hfhe::{Fp, Workers};

const ORDER: usize = 337;
const SIGNAL_EDGES: usize = 8;
const DECOY_BYTES: usize = 1024;

#[derive(Clone, Debug, PartialEq)]
enum Layer {
    Base([u8; 24]),
    Product(u32, u32),
}

#[derive(Clone, Debug)]
struct Edge {
    layer: u32,
    index: u16,
    minus: bool,
    weight: Fp,
}

/// One ciphertext as the reference stores it.
#[derive(Clone, Debug)]
struct Model {
    layers: Vec<Layer>,
    edges: Vec<Edge>,
}

impl Model {
    /// Reads a file with one ciphertext.
    fn read(file: &[u8]) -> Model {
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
        let (layer_count, edge_count) = (word(16), word(20));
        let mut at = 24;
        let layers = (0..layer_count)
            .map(|_| {
                let base = file[at] == 0;
                at += if base { 25 } else { 9 };
                if base {
                    Layer::Base(file[at - 24..at].try_into().unwrap())
                } else {
                    Layer::Product(word(at - 8), word(at - 4))
                }
            })
            .collect();
        let edges = file[at..].chunks(28 + DECOY_BYTES).map(|edge| Edge {
            layer: u32::from_le_bytes(edge[..4].try_into().unwrap()),
            index: u16::from_le_bytes([edge[4], edge[5]]),
            minus: edge[6] == 1,
            weight: Fp::new(u128::from_le_bytes(edge[8..24].try_into().unwrap())),
        });
        let edges: Vec<Edge> = edges.collect();
        assert_eq!(edges.len(), edge_count as usize);
        Model { layers, edges }
    }

    fn write(&self) -> Vec<u8> {
        let mut out = [0x6669_9666u32, 1, 1, 0].map(u32::to_le_bytes).as_flattened().to_vec();
        out.extend((self.layers.len() as u32).to_le_bytes());
        out.extend((self.edges.len() as u32).to_le_bytes());
        for layer in &self.layers {
            match layer {
                Layer::Base(seed) => out.extend([&[0], &seed[..]].concat()),
                Layer::Product(a, b) => {
                    out.push(1);
                    out.extend([a.to_le_bytes(), b.to_le_bytes()].as_flattened());
                }
            }
        }
        for edge in &self.edges {
            out.extend(edge.layer.to_le_bytes());
            out.extend(edge.index.to_le_bytes());
            out.extend([u8::from(edge.minus), 0]);
            out.extend(edge.weight.value().to_le_bytes());
            out.extend(8192u32.to_le_bytes());
            out.extend([0; DECOY_BYTES]);
        }
        out
    }

    /// Returns the layers of both; those of `other` come last.
    fn joined_layers(&self, other: &Model) -> Vec<Layer> {
        let shift = self.layers.len() as u32;
        let moved = other.layers.iter().map(|layer| match layer {
            Layer::Base(seed) => Layer::Base(*seed),
            Layer::Product(a, b) => Layer::Product(a + shift, b + shift),
        });
        self.layers.iter().cloned().chain(moved).collect()
    }

    fn add(&self, other: &Model) -> Model {
        let shift = self.layers.len() as u32;
        let moved =
            other.edges.iter().map(|edge| Edge { layer: edge.layer + shift, ..edge.clone() });
        let edges = self.edges.iter().cloned().chain(moved).collect();
        Model { layers: self.joined_layers(other), edges }
    }

    fn mul_scalar(&self, factor: Fp) -> Model {
        let mut scaled = self.clone();
        scaled.edges.iter_mut().for_each(|edge| edge.weight *= factor);
        scaled
    }

    fn weights(&self, generator: Fp) -> Vec<Fp> {
        let mut weights = vec![Fp::ZERO; self.layers.len()];
        for edge in &self.edges {
            let value = edge.weight * generator.pow(edge.index.into());
            weights[edge.layer as usize] += if edge.minus { -value } else { value };
        }
        weights
    }

    fn mul(&self, other: &Model, generator: Fp) -> Model {
        let (left, right) = (self.weights(generator), other.weights(generator));
        let mut layers = self.joined_layers(other);
        let mut edges = Vec::new();
        for (a, x) in left.iter().enumerate() {
            for (b, y) in right.iter().enumerate() {
                let (a, b) = (a as u32, (b + left.len()) as u32);
                let layer = layers.len() as u32;
                layers.push(Layer::Product(a.min(b), a.max(b)));
                repack(layer, *x * *y, generator, &mut edges);
            }
        }
        Model { layers, edges }
    }

    /// Reads the ciphertext from the file of this model.
    fn ciphertext(&self) -> Ciphertext {
        let read = LayeredCiphertext::from_reference_bytes(compat_key().public(), &self.write());
        read.unwrap()[0].ciphertext().clone()
    }
}

/// Appends eight edges that sum to `target`.
fn repack(layer: u32, target: Fp, generator: Fp, edges: &mut Vec<Edge>) {
    let mut rest = target;
    for place in 0..SIGNAL_EDGES {
        let (index, minus) = ((41 * place + layer as usize) % ORDER, place % 3 == 1);
        let sign = if minus { -Fp::ONE } else { Fp::ONE };
        let power = generator.pow(index as u128);
        let random = Fp::from((place as u64 + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let weight = if place + 1 < SIGNAL_EDGES { random } else { sign * rest * power.inverse() };
        rest -= sign * weight * power;
        edges.push(Edge { layer, index: index as u16, minus, weight });
    }
}

/// Returns a fresh ciphertext and its model.
fn fresh(value: u64, seed: u64) -> (Ciphertext, Model) {
    let key = compat_key();
    let mut rng = SecretRng::insecure_from_seed(seed);
    let ciphertext = key.encrypt_u64(value, &mut rng);
    let workers = Workers::one();
    let layered = Decorator::new(key.public(), &workers, rng).decorate(&ciphertext).unwrap();
    let model = Model::read(&LayeredCiphertext::to_reference_bytes(&[layered]));
    (ciphertext, model)
}

#[test]
fn growth_without_pruning_is_that_of_the_reference() {
    let generator = compat_key().public().generator();
    let ((_, two), (_, factor)) = (fresh(2, 1), fresh(2, 2));
    let mut chain = two;
    for (depth, layers, edges) in [(1, 8, 32), (2, 26, 128), (3, 80, 416)] {
        chain = chain.mul(&factor, generator);
        assert_eq!((chain.layers.len(), chain.edges.len()), (layers, edges), "depth {depth}");
    }
}

#[test]
fn pruned_and_merged_equals_unpruned() {
    let generator = compat_key().public().generator();
    let ((x, mx), (y, my)) = (fresh(1_000_003, 3), fresh(77, 4));
    let mut chain = (x.clone(), mx.clone());
    for factor in [(&y, &my), (&x, &mx), (&y, &my)] {
        chain = (chain.0.mul(factor.0).unwrap(), chain.1.mul(factor.1, generator));
        assert_eq!(chain.1.ciphertext(), chain.0);
    }
    let sum = (chain.0.add(&x).unwrap(), chain.1.add(&mx));
    assert_eq!(sum.1.ciphertext(), sum.0);
    let scale = Fp::from(-5i64);
    let difference = (sum.0.add(&y.mul_scalar(scale)).unwrap(), sum.1.add(&my.mul_scalar(scale)));
    assert_eq!(difference.1.ciphertext(), difference.0);
    let cancelled = (x.sub(&x).unwrap(), mx.add(&mx.mul_scalar(-Fp::ONE)));
    assert_eq!(cancelled.1.ciphertext(), cancelled.0);
    let value = compat_key().decrypt_any_circuit(&difference.1.ciphertext()).unwrap();
    let expected = 1_000_003u128.pow(2) * 77 * 77 + 1_000_003 - 5 * 77;
    assert_eq!(value, Fp::new(expected));
}
