//! Layers: the monomials of a polynomial as a list of seeds and products of two earlier layers.

use crate::Seed;
use crate::polynomial::{Factor, Polynomial};
use std::collections::HashMap;

/// One layer: a mask, or the product of two earlier layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    Base(Seed),
    Product(u32, u32),
}

/// The layers of a polynomial.
#[derive(Debug)]
pub(crate) struct Layers {
    pub(crate) list: Vec<Layer>,
    /// The layer of each monomial.
    pub(crate) of_term: Vec<u32>,
}

impl Layers {
    /// Returns the layers of a polynomial: all seeds, then the products. Each monomial multiplies
    /// its factors from left to right, and monomials share common prefixes. Powers are computed by
    /// squaring.
    pub(crate) fn of(polynomial: &Polynomial) -> Layers {
        let list = polynomial.seeds.iter().map(|&seed| Layer::Base(seed)).collect();
        let mut builder = Builder { list, known: HashMap::new() };
        let of_term = polynomial.terms.iter().map(|(_, monomial)| builder.monomial(monomial));
        let of_term = of_term.collect();
        Layers { list: builder.list, of_term }
    }
}

struct Builder {
    list: Vec<Layer>,
    /// The layers of products, by their parents in ascending order.
    known: HashMap<(u32, u32), u32>,
}

impl Builder {
    fn monomial(&mut self, factors: &[Factor]) -> u32 {
        let mut powers = factors.iter().map(|f| (f.seed, f.exponent));
        let (seed, exponent) = powers.next().unwrap_or((0, 1));
        let mut product = self.power(seed, exponent);
        for (seed, exponent) in powers {
            let power = self.power(seed, exponent);
            product = self.product(product, power);
        }
        product
    }

    fn power(&mut self, base: u32, exponent: u32) -> u32 {
        let below_top = (0..exponent.ilog2()).rev();
        below_top.fold(base, |power, bit| {
            let square = self.product(power, power);
            if exponent >> bit & 1 == 1 { self.product(square, base) } else { square }
        })
    }

    fn product(&mut self, a: u32, b: u32) -> u32 {
        let parents = (a.min(b), a.max(b));
        let list = &mut self.list;
        *self.known.entry(parents).or_insert_with(|| {
            list.push(Layer::Product(parents.0, parents.1));
            list.len() as u32 - 1
        })
    }
}
