//! Values of number-theoretic transforms by their definition.

use fathom_kernels::{Modulus, NttTable, order, reference};

/// Returns some positions of a transformed row, spread over all of it.
pub fn places(degree: usize) -> impl Iterator<Item = usize> + Clone {
    (0..degree).step_by(degree / 64)
}

/// Returns the value of a polynomial at a point, by Horner's method.
pub fn value(modulus: &Modulus, row: &[u64], point: u64) -> u64 {
    let coefficients = row.iter().rev().map(|a| a % modulus.value());
    coefficients.fold(0, |sum, a| modulus.add(reference::product(modulus, sum, point), a))
}

/// Returns what the transform of a row has at a position: the value at an odd power of the root.
pub fn transformed(table: &NttTable, row: &[u64], at: usize) -> u64 {
    let modulus = table.modulus();
    let exponent = order::exponent(row.len(), at);
    value(&modulus, row, modulus.pow(table.root(), exponent as u64))
}
