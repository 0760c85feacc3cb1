//! Ciphertext files of the reference implementation.
//!
//! The reference implementation trusts its files. This reader checks every count against the
//! remaining bytes and every index against its bound, requires parents to precede products, and
//! requires field elements to be canonical.

use super::{element, exactly};
use crate::Error;
use crate::compat::{
    Ciphertext, DECOY_BITS, DECOY_WORDS, Decoy, Edge, Layer, LayeredCiphertext, Layers, PublicKey,
    SUBGROUP_ORDER, Sign,
};
use crate::polynomial::{Factor, Polynomial, Terms};
use crate::{Fp, Seed};
use fathom::wire::WireError;
use fathom_base::wire::frame::transparent;
use fathom_base::wire::reader::{Reader, at_most};
use std::sync::Arc;

const MAGIC: u32 = 0x6669_9666;
const VERSION: u32 = 1;
const BASE_BYTES: usize = 25;
const PRODUCT_BYTES: usize = 9;
const EDGE_BYTES: usize = 28 + 8 * DECOY_WORDS;

impl LayeredCiphertext {
    /// Encodes a ciphertext file of the reference.
    pub fn to_reference_bytes(ciphertexts: &[LayeredCiphertext]) -> Vec<u8> {
        let len: usize = ciphertexts.iter().map(LayeredCiphertext::reference_len).sum();
        let mut out = Vec::with_capacity(16 + len);
        out.extend(MAGIC.to_le_bytes());
        out.extend(VERSION.to_le_bytes());
        out.extend((ciphertexts.len() as u64).to_le_bytes());
        for ciphertext in ciphertexts {
            write(ciphertext, &mut out);
        }
        out
    }

    /// Returns the length of this ciphertext in the reference's format, without the file header of
    /// 16 bytes.
    pub fn reference_len(&self) -> usize {
        let layers = Layers::of(self.ciphertext().polynomial()).list;
        let layer_len = |layer: &Layer| match layer {
            Layer::Base(_) => BASE_BYTES,
            Layer::Product(..) => PRODUCT_BYTES,
        };
        8 + layers.iter().map(layer_len).sum::<usize>() + EDGE_BYTES * self.edge_count()
    }

    /// Reads a ciphertext file of the reference, made under `public`. Layers without weight are
    /// removed and equal monomials are merged; all other edges are kept.
    ///
    /// # Errors
    /// The [`WireError`]s of damaged bytes; [`fathom::Error::Transparent`] for a ciphertext without
    /// edges; [`WireError::Contradiction`] for a seed whose tag is not that of the key.
    pub fn from_reference_bytes(
        public: &PublicKey,
        bytes: &[u8],
    ) -> Result<Vec<LayeredCiphertext>, Error> {
        let mut reader = Reader::new(bytes);
        if reader.u32()? != MAGIC {
            return Err(WireError::Magic.into());
        }
        exactly("version", reader.u32()?.into(), VERSION.into())?;
        let count = reader.u64()?;
        let shortest = 8 + BASE_BYTES + EDGE_BYTES;
        at_most("ciphertexts", count, (reader.len() / shortest) as u64)?;
        let ciphertexts =
            (0..count).map(|_| read(public, &mut reader)).collect::<Result<_, _>>()?;
        reader.finish()?;
        Ok(ciphertexts)
    }
}

fn write(ciphertext: &LayeredCiphertext, out: &mut Vec<u8>) {
    let Layers { list, of_term } = Layers::of(ciphertext.ciphertext().polynomial());
    out.extend((list.len() as u32).to_le_bytes());
    out.extend((ciphertext.edges.len() as u32).to_le_bytes());
    for layer in list {
        match layer {
            Layer::Base(seed) => {
                out.push(0);
                out.extend(seed.0.into_iter().flat_map(u64::to_le_bytes));
            }
            Layer::Product(a, b) => {
                out.push(1);
                out.extend([a, b].into_iter().flat_map(u32::to_le_bytes));
            }
        }
    }
    for edge in &ciphertext.edges {
        out.extend(of_term[edge.term as usize].to_le_bytes());
        out.extend(edge.index.to_le_bytes());
        out.extend([edge.sign.bit(), 0]);
        out.extend(edge.weight.value().to_le_bytes());
        out.extend((DECOY_BITS as u32).to_le_bytes());
        out.extend(edge.decoy.iter().copied().flat_map(u64::to_le_bytes));
    }
}

fn read(public: &PublicKey, reader: &mut Reader<'_>) -> Result<LayeredCiphertext, Error> {
    let declared = reader.len();
    let (layer_count, edge_count) = (reader.u32()?, reader.u32()?);
    at_most("layers", layer_count.into(), (reader.len() / PRODUCT_BYTES) as u64)?;
    let mut layers = Vec::with_capacity(layer_count as usize);
    for _ in 0..layer_count {
        layers.push(read_layer(public, reader, layers.len())?);
    }
    at_most("edges", edge_count.into(), (reader.len() / EDGE_BYTES) as u64)?;
    if edge_count == 0 {
        return Err(transparent().into());
    }
    let mut edges = Vec::with_capacity(edge_count as usize);
    for _ in 0..edge_count {
        edges.push(read_edge(reader, layer_count)?);
    }
    // One factor per byte is more than any computation needs, and bounds the memory.
    let room = declared - reader.len();
    let weights = weights(public, &layers, &edges);
    let (seeds, monomials) = monomials(&layers, &weights, room)?;
    let mut terms = Terms::default();
    for (weight, monomial) in weights.iter().zip(&monomials) {
        if *weight != Fp::ZERO {
            terms.push(*weight, monomial.iter().copied());
        }
    }
    let polynomial = Polynomial::from_terms(Fp::ZERO, seeds.clone(), &terms);
    let places = places(&polynomial, &seeds, &monomials);
    edges.retain_mut(|edge| match places[edge.term as usize] {
        Some(term) => {
            edge.term = term;
            true
        }
        None => false,
    });
    Ok(LayeredCiphertext { ciphertext: Ciphertext::new(polynomial, public.id()), edges })
}

fn read_layer(public: &PublicKey, reader: &mut Reader<'_>, own: usize) -> Result<Layer, Error> {
    match reader.u8()? {
        0 => {
            let seed = Seed([reader.u64()?, reader.u64()?, reader.u64()?]);
            let expected = public.seed([seed.0[1], seed.0[2]]);
            if seed != expected {
                return Err(WireError::Contradiction { field: "tag of a seed" }.into());
            }
            Ok(Layer::Base(seed))
        }
        1 => {
            let parents = [reader.u32()?, reader.u32()?];
            if parents.iter().any(|&parent| parent as usize >= own) {
                return Err(WireError::Malformed { field: "parent of a layer" }.into());
            }
            Ok(Layer::Product(parents[0], parents[1]))
        }
        2.. => Err(WireError::Malformed { field: "rule of a layer" }.into()),
    }
}

/// Reads an edge, whose term is at first the index of its layer.
fn read_edge(reader: &mut Reader<'_>, layers: u32) -> Result<Edge, Error> {
    let term = reader.u32()?;
    at_most("layer of an edge", (u64::from(term)) + 1, layers.into())?;
    let index = reader.u16()?;
    at_most("index of an edge", index.into(), SUBGROUP_ORDER as u64 - 1)?;
    let [sign, reserved] = reader.array()?;
    let sign = Sign::from_bit(sign).ok_or(WireError::Malformed { field: "sign of an edge" })?;
    at_most("reserved byte", reserved.into(), 0)?;
    let weight = element(reader, "weight of an edge")?;
    exactly("bits of a decoy", reader.u32()?.into(), DECOY_BITS as u64)?;
    let mut decoy: Decoy = [0; DECOY_WORDS];
    for word in &mut decoy {
        *word = reader.u64()?;
    }
    Ok(Edge { term, index, sign, weight, decoy: Arc::new(decoy) })
}

/// Returns the sum of the edges of each layer.
fn weights(public: &PublicKey, layers: &[Layer], edges: &[Edge]) -> Vec<Fp> {
    let mut weights = vec![Fp::ZERO; layers.len()];
    for edge in edges {
        weights[edge.term as usize] += edge.value(public.powers());
    }
    weights
}

/// Returns all seeds and, for each layer that has weight or is an ancestor of such a layer, its
/// monomial in them. It works layer by layer, so that long chains of products do not overflow the
/// stack.
fn monomials(
    layers: &[Layer],
    weights: &[Fp],
    room: usize,
) -> Result<(Vec<Seed>, Vec<Vec<Factor>>), Error> {
    let mut needed: Vec<bool> = weights.iter().map(|weight| *weight != Fp::ZERO).collect();
    for (i, layer) in layers.iter().enumerate().rev() {
        if let (true, Layer::Product(a, b)) = (needed[i], layer) {
            needed[*a as usize] = true;
            needed[*b as usize] = true;
        }
    }
    let bases = layers.iter().zip(&needed).filter(|(_, needed)| **needed);
    let mut seeds: Vec<Seed> = bases
        .filter_map(|(layer, _)| match layer {
            Layer::Base(seed) => Some(*seed),
            Layer::Product(..) => None,
        })
        .collect();
    seeds.sort_unstable();
    seeds.dedup();
    let mut monomials: Vec<Vec<Factor>> = Vec::with_capacity(layers.len());
    let mut used = 0;
    for (layer, needed) in layers.iter().zip(needed) {
        let monomial = match layer {
            _ if !needed => Vec::new(),
            Layer::Base(seed) => {
                let seed = seeds.partition_point(|other| other < seed) as u32;
                vec![Factor { seed, exponent: 1 }]
            }
            Layer::Product(a, b) => product(&monomials[*a as usize], &monomials[*b as usize])?,
        };
        used += monomial.len();
        at_most("factors of all monomials", used as u64, room as u64)?;
        monomials.push(monomial);
    }
    Ok((seeds, monomials))
}

/// Returns the product of two monomials.
fn product(a: &[Factor], b: &[Factor]) -> Result<Vec<Factor>, Error> {
    let mut factors = [a, b].concat();
    factors.sort_unstable();
    let same = |x: &Factor, y: &Factor| x.seed == y.seed;
    let sum = |group: &[Factor]| {
        let exponent = group.iter().map(|f| u64::from(f.exponent)).sum();
        let exponent = at_most("exponent", exponent, u32::MAX.into())? as u32;
        Ok(Factor { seed: group[0].seed, exponent })
    };
    factors.chunk_by(same).map(sum).collect()
}

/// Returns, for each layer, the index of its monomial in the polynomial, whose seeds are among
/// `seeds`.
fn places(polynomial: &Polynomial, seeds: &[Seed], monomials: &[Vec<Factor>]) -> Vec<Option<u32>> {
    let numbers: Vec<Option<u32>> = seeds
        .iter()
        .map(|seed| polynomial.seeds.binary_search(seed).ok().map(|i| i as u32))
        .collect();
    let place = |monomial: &Vec<Factor>| {
        let factor = |f: &Factor| Some(Factor { seed: numbers[f.seed as usize]?, ..*f });
        let monomial: Vec<Factor> = monomial.iter().map(factor).collect::<Option<_>>()?;
        polynomial.terms.find(&monomial)
    };
    monomials.iter().map(place).collect()
}
