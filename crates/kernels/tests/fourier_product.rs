//! One step of a blind rotation under random keys, against exact integers.

use crate::common::words;
use fathom_kernels::torus::{Decomposition, FourierTable, ProductShape, Rotation, SharedRotation};
use fathom_kernels::{RealRow, available_torus, reference};

const fn digits(base_log: u32, levels: usize) -> Decomposition {
    Decomposition { base_log, levels }
}

/// Shapes of bootstraps, each with the bound on its error as a power of two of the torus.
///
/// A term of the sum is a digit of at most half the base times a word of the torus, there are
/// `rows N` of them, and each level of a transform loses a few times `2^-53`: the largest digits
/// rule.
const SHAPES: [(ProductShape, i32); 14] = [
    (shape(2048, 1, digits(15, 2), digits(20, 1), 3), -24),
    (shape(2048, 1, digits(22, 1), digits(22, 1), 1), -22),
    (shape(512, 3, digits(17, 1), digits(17, 1), 3), -27),
    (shape(1024, 2, digits(8, 5), digits(8, 3), 2), -35),
    (extended(4, shape(2048, 1, digits(15, 2), digits(20, 1), 1)), -24),
    (extended(4, shape(2048, 1, digits(15, 2), digits(20, 1), 3)), -24),
    (extended(8, shape(256, 2, digits(8, 5), digits(8, 3), 2)), -35),
    (extended(2, shape(512, 3, digits(17, 1), digits(17, 1), 1)), -27),
    // Pairs of bits and blocks of four bits of the sets of 2 bits, the default first.
    (shape(2048, 1, digits(23, 1), digits(20, 1), 3), -21),
    (shape(2048, 1, digits(23, 1), digits(20, 1), 4), -21),
    (shape(2048, 1, digits(23, 1), digits(23, 1), 4), -21),
    // Sets of 1 bit, of 3 bits one by one, and of 4 bits.
    (shape(1024, 2, digits(23, 1), digits(23, 1), 3), -21),
    (extended(4, shape(2048, 1, digits(23, 1), digits(20, 1), 1)), -23),
    (extended(16, shape(2048, 1, digits(15, 2), digits(13, 2), 3)), -28),
];

const fn extended(extension: usize, shape: ProductShape) -> ProductShape {
    ProductShape { extension, ..shape }
}

const fn shape(
    degree: usize,
    rank: usize,
    mask: Decomposition,
    body: Decomposition,
    selectors: usize,
) -> ProductShape {
    ProductShape { degree, extension: 1, rank, mask, body, selectors }
}

/// A polynomial of torus words in units of `q / B`.
fn real(words: &[u64], base: f64) -> RealRow {
    let scale = base * (-64_f64).exp2();
    let values: Vec<f64> = words.iter().map(|&word| word as i64 as f64 * scale).collect();
    RealRow::from(&values[..])
}

/// The key of one step as the kernels take it.
fn prepare(table: &FourierTable, shape: &ProductShape, words: &[u64]) -> RealRow {
    let degree = shape.degree;
    let mut key = RealRow::zeroed(shape.step_len());
    let mut spectrum = RealRow::zeroed(degree);
    for (index, words) in words.chunks_exact(degree).enumerate() {
        let (row, column) = (index / shape.columns(), index % shape.columns());
        let unit = shape.decomposition(column).base() * 2.0 / degree as f64;
        available_torus()[0].forward(table, &real(words, unit), &mut spectrum);
        for (line, values) in spectrum.chunks_exact(16).enumerate() {
            let at = shape.key_offset(line, row / shape.rows(), row % shape.rows(), column);
            key[at..at + 16].copy_from_slice(values);
        }
    }
    key
}

#[test]
fn steps_agree_with_exact_integers() {
    for (seed, (shape, log_bound)) in SHAPES.into_iter().enumerate() {
        let table = FourierTable::new(shape.degree);
        let key = words(seed as u64 + 1, shape.step_len());
        let exponents: Vec<u32> = words(seed as u64 + 20, shape.selectors)
            .iter()
            .map(|word| (word % (2 * shape.extension * shape.degree) as u64) as u32)
            .collect();
        // Accumulators are doubles, so that the low bits of a word are no part of them.
        let mut start = words(seed as u64 + 40, shape.accumulator_len());
        start[..4].copy_from_slice(&[0, 1 << 63, u64::MAX, (1 << 63) - 1]);
        for word in &mut start {
            *word &= u64::MAX << 20;
        }
        let expected = reference::rotate_step(&shape, &key, &exponents, &start);
        let key = prepare(&table, &shape, &key);
        for kernel in available_torus() {
            let mut accumulators = RealRow::zeroed(start.len());
            for column in 0..shape.columns() {
                let degree = shape.extension * shape.degree;
                let range = column * degree..(column + 1) * degree;
                let base = shape.decomposition(column).base();
                accumulators[range.clone()].copy_from_slice(&real(&start[range], base));
            }
            let mut scratch = RealRow::zeroed(shape.scratch_len());
            let rotation = Rotation { shape, key: &key, exponents: &exponents };
            let work = SharedRotation::new(rotation, &mut accumulators, &mut scratch, 1);
            kernel.rotate(&table, &work);
            let mut worst = 0_f64;
            for (i, (&got, &want)) in accumulators.iter().zip(&expected).enumerate() {
                let base = shape.decomposition(i / (shape.extension * shape.degree)).base();
                let distance = got / base - want as f64 * (-64_f64).exp2();
                worst = worst.max((distance - distance.round()).abs());
            }
            let name = kernel.name();
            assert!(worst < f64::from(log_bound).exp2(), "{name} {shape:?}: 2^{}", worst.log2());
            assert!(worst > 0.0, "{name}: a product of doubles is not exact");
        }
    }
}
