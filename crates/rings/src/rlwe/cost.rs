//! The work of a product, for choosing among parameters.

use super::NoiseModel;
use fathom_ring::Gadget;

/// Returns the number of row transforms of a relinearised and switched product over `l` primes with
/// `d` digits and `K` special primes.
pub(crate) fn product_transforms(model: &NoiseModel) -> f64 {
    let l = model.chain_bits.len() as f64;
    let k = model.special_bits.len() as f64;
    let d = model.gadget.digits_of(&model.chain_bits) as f64;
    let cut = match model.gadget {
        Gadget::Hybrid { .. } => d * (l + k) - l,
        Gadget::Positional { .. } => d * l,
    };
    l + cut + 2.0 * (k + 1.0) + 2.0 * (l - 1.0)
}

/// Butterflies of the transforms, products with the key and products of the base conversions, all
/// counted alike.
pub(crate) fn product_cost(model: &NoiseModel) -> f64 {
    let n = model.degree as f64;
    let rows = (model.chain_bits.len() + model.special_bits.len()) as f64;
    let d = model.gadget.digits_of(&model.chain_bits) as f64;
    let converted = match model.gadget {
        Gadget::Hybrid { limbs } => limbs as f64 * (d * rows - model.chain_bits.len() as f64),
        Gadget::Positional { .. } => d * rows,
    };
    n * (product_transforms(model) * n.log2() / 2.0 + 2.0 * d * rows + converted)
}
