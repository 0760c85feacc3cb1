//! The normal form of a list of layers with edges: the polynomial that they stand for.

use super::{Edge, Layer, Powers};
use crate::polynomial::{Factor, Polynomial, Terms};
use crate::{Error, Fp, Seed};
use fathom_base::wire::reader::at_most;

/// The polynomial of a list of layers.
pub(crate) struct NormalForm {
    pub(crate) polynomial: Polynomial,
    /// The index in the polynomial of the monomial of each layer; `None` without weight.
    pub(crate) terms: Vec<Option<u32>>,
}

impl NormalForm {
    /// Returns the normal form of layers in which parents precede products. Layers without weight
    /// are removed and equal monomials are merged.
    ///
    /// # Errors
    /// [`WireError`](fathom::wire::WireError) if the monomials have more than `room` factors, which
    /// bounds the memory.
    pub(crate) fn of(
        powers: &Powers,
        layers: &[Layer],
        edges: &[Edge],
        room: usize,
    ) -> Result<NormalForm, Error> {
        let weights = weights(powers, layers.len(), edges);
        let (seeds, monomials) = monomials(layers, &weights, room)?;
        let mut terms = Terms::default();
        for (weight, monomial) in weights.iter().zip(&monomials) {
            if *weight != Fp::ZERO {
                terms.push(*weight, monomial.iter().copied());
            }
        }
        let polynomial = Polynomial::from_terms(Fp::ZERO, seeds.clone(), &terms);
        let terms = places(&polynomial, &seeds, &monomials);
        Ok(NormalForm { polynomial, terms })
    }
}

/// Returns the sum of the edges of each layer.
pub(crate) fn weights(powers: &Powers, layers: usize, edges: &[Edge]) -> Vec<Fp> {
    let mut weights = vec![Fp::ZERO; layers];
    for edge in edges {
        weights[edge.term as usize] += edge.value(powers);
    }
    weights
}

/// Marks every layer from which a marked product descends. Parents precede products.
pub(crate) fn mark_ancestors(layers: &[Layer], marked: &mut [bool]) {
    for (i, layer) in layers.iter().enumerate().rev() {
        if let (true, Layer::Product(a, b)) = (marked[i], layer) {
            marked[*a as usize] = true;
            marked[*b as usize] = true;
        }
    }
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
    mark_ancestors(layers, &mut needed);
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
