//! Ciphertext files of the reference implementation.
//!
//! The reference implementation trusts its files. This reader checks every count against the
//! remaining bytes and every index against its bound, requires parents to precede products, and
//! requires field elements to be canonical.

use super::{element, exactly};
use crate::compat::{
    DECOY_BITS, DECOY_WORDS, Decoy, Edge, Layer, LayeredCiphertext, Layers, PublicKey,
    REFERENCE_HEADER_BYTES, SUBGROUP_ORDER, Sign, UnmergedCiphertext,
};
use crate::{Error, Seed};
use fathom::wire::WireError;
use fathom_base::wire::frame::transparent;
use fathom_base::wire::reader::{Reader, at_most};
use std::sync::Arc;

const MAGIC: u32 = 0x6669_9666;
const VERSION: u32 = 1;
const BASE_BYTES: usize = 25;
const PRODUCT_BYTES: usize = 9;
const EDGE_BYTES: usize = 28 + 8 * DECOY_WORDS;

impl UnmergedCiphertext {
    /// Encodes a ciphertext file of the reference.
    pub fn to_reference_bytes(ciphertexts: &[UnmergedCiphertext]) -> Vec<u8> {
        let len = ciphertexts.iter().map(UnmergedCiphertext::reference_len).sum();
        let mut out = header(ciphertexts.len(), len);
        for UnmergedCiphertext { layers, edges, .. } in ciphertexts {
            write(layers, edges, |term| term, &mut out);
        }
        out
    }

    /// Returns the length of this ciphertext in the reference's format, without the
    /// [header](crate::compat::REFERENCE_HEADER_BYTES) of the file.
    pub fn reference_len(&self) -> usize {
        len(&self.layers, self.edges.len())
    }

    /// Returns the length of what decryption needs: the seed or the parents of each layer, and one
    /// weight for each layer with edges.
    pub fn information_len(&self) -> usize {
        let mut weighted = vec![false; self.layers.len()];
        for edge in &self.edges {
            weighted[edge.term as usize] = true;
        }
        let weights = weighted.into_iter().filter(|&weighted| weighted).count();
        // The first byte of a layer says of which kind it is.
        self.layers.iter().map(|layer| layer_len(layer) - 1).sum::<usize>() + 16 * weights
    }

    /// Reads a ciphertext file of the reference, made under `public`, layer for layer and edge for
    /// edge.
    ///
    /// # Errors
    /// The [`WireError`]s of damaged bytes; [`fathom::Error::Transparent`] for a ciphertext without
    /// edges; [`WireError::Contradiction`] for a seed whose tag is not that of the key.
    pub fn from_reference_bytes(
        public: &PublicKey,
        bytes: &[u8],
    ) -> Result<Vec<UnmergedCiphertext>, Error> {
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

impl LayeredCiphertext {
    /// Encodes a ciphertext file of the reference.
    pub fn to_reference_bytes(ciphertexts: &[LayeredCiphertext]) -> Vec<u8> {
        let len = ciphertexts.iter().map(LayeredCiphertext::reference_len).sum();
        let mut out = header(ciphertexts.len(), len);
        for ciphertext in ciphertexts {
            let Layers { list, of_term } = Layers::of(ciphertext.ciphertext().polynomial());
            write(&list, &ciphertext.edges, |term| of_term[term as usize], &mut out);
        }
        out
    }

    /// Returns the length of this ciphertext in the reference's format, without the
    /// [header](crate::compat::REFERENCE_HEADER_BYTES) of the file.
    pub fn reference_len(&self) -> usize {
        len(&Layers::of(self.ciphertext().polynomial()).list, self.edge_count())
    }

    /// Reads a ciphertext file of the reference, made under `public`. Layers without weight are
    /// removed and equal monomials are merged; all other edges are kept.
    ///
    /// # Errors
    /// Those of [`UnmergedCiphertext::from_reference_bytes`] and [`UnmergedCiphertext::merge`].
    pub fn from_reference_bytes(
        public: &PublicKey,
        bytes: &[u8],
    ) -> Result<Vec<LayeredCiphertext>, Error> {
        let read = UnmergedCiphertext::from_reference_bytes(public, bytes)?;
        read.into_iter().map(|ciphertext| ciphertext.merge(public)).collect()
    }
}

fn header(ciphertexts: usize, len: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(REFERENCE_HEADER_BYTES + len);
    out.extend(MAGIC.to_le_bytes());
    out.extend(VERSION.to_le_bytes());
    out.extend((ciphertexts as u64).to_le_bytes());
    out
}

fn layer_len(layer: &Layer) -> usize {
    match layer {
        Layer::Base(_) => BASE_BYTES,
        Layer::Product(..) => PRODUCT_BYTES,
    }
}

fn len(layers: &[Layer], edges: usize) -> usize {
    8 + layers.iter().map(layer_len).sum::<usize>() + EDGE_BYTES * edges
}

/// Writes layers and edges; `layer_of` maps the terms of edges to layers.
fn write(layers: &[Layer], edges: &[Edge], layer_of: impl Fn(u32) -> u32, out: &mut Vec<u8>) {
    out.extend((layers.len() as u32).to_le_bytes());
    out.extend((edges.len() as u32).to_le_bytes());
    for layer in layers {
        match layer {
            Layer::Base(seed) => {
                out.push(0);
                out.extend(seed.0.into_iter().flat_map(u64::to_le_bytes));
            }
            Layer::Product(a, b) => {
                out.push(1);
                out.extend([a, b].into_iter().flat_map(|parent| parent.to_le_bytes()));
            }
        }
    }
    for edge in edges {
        out.extend(layer_of(edge.term).to_le_bytes());
        out.extend(edge.index.to_le_bytes());
        out.extend([edge.sign.bit(), 0]);
        out.extend(edge.weight.value().to_le_bytes());
        out.extend((DECOY_BITS as u32).to_le_bytes());
        out.extend(edge.decoy.iter().copied().flat_map(u64::to_le_bytes));
    }
}

fn read(public: &PublicKey, reader: &mut Reader<'_>) -> Result<UnmergedCiphertext, Error> {
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
    Ok(UnmergedCiphertext { layers, edges, key: public.id() })
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
