//! The module key switch, for every kernel of this CPU.

use crate::common::words;
use fathom_kernels::torus::{
    Decomposition, KeySwitchShape, KeySwitchTable, SwitchKey, TorusKernel,
};
use fathom_kernels::{RealRow, available_torus, reference};

/// Shapes of all degrees: pieces that fill the lanes, or do not; groups of results that do, or not.
const SHAPES: [KeySwitchShape; 6] = [
    shape(256, 64, 16, 2, 3),
    shape(256, 112, 16, 3, 8),
    shape(320, 96, 32, 2, 8),
    shape(1024, 512, 64, 1, 10),
    shape(384, 256, 128, 4, 4),
    shape(768, 256, 256, 5, 4),
];

const fn shape(
    input_dimension: usize,
    output_dimension: usize,
    degree: usize,
    base_log: u32,
    levels: usize,
) -> KeySwitchShape {
    let digits = Decomposition { base_log, levels };
    KeySwitchShape { input_dimension, output_dimension, degree, digits }
}

/// The signed part of the torus between two words.
fn difference(a: u64, b: u64) -> f64 {
    a.wrapping_sub(b) as i64 as f64 / 64_f64.exp2()
}

fn switch(
    kernel: &dyn TorusKernel,
    table: &KeySwitchTable,
    key: &SwitchKey,
    inputs: &[u64],
) -> Vec<u64> {
    let shape = table.shape();
    let count = inputs.len() / (shape.input_dimension + 1);
    let mut outputs = vec![0; count * (shape.output_dimension + 1)];
    // Contents left in the buffers by earlier work must not matter.
    let mut scratch = RealRow::from(&vec![1e9; count * table.scratch_len()][..]);
    kernel.key_switch(table, key, inputs, &mut outputs, &mut scratch);
    outputs
}

/// Six standard deviations of what the rounding of the key adds.
fn tolerance(shape: &KeySwitchShape) -> f64 {
    let base = shape.digits.base();
    let digit = (base * base / 12.0 + 1.0 / 6.0).sqrt();
    let terms = (shape.input_dimension * shape.digits.levels) as f64;
    6.0 * KeySwitchTable::ROUNDING * digit * terms.sqrt()
}

#[test]
fn switches_agree_with_exact_integers() {
    for (seed, shape) in SHAPES.iter().enumerate() {
        let table = KeySwitchTable::new(*shape);
        let rows = words(seed as u64 + 1, table.rows_len());
        let mut input = words(seed as u64 + 50, shape.input_dimension + 1);
        input[..6].copy_from_slice(&[0, u64::MAX, 1 << 63, (1 << 63) - 1, 1 << 62, 3 << 62]);
        let expected = reference::key_switch(shape, &rows, &input);
        let key = table.pack(&rows);
        for kernel in available_torus() {
            let got = switch(kernel, &table, &key, &input);
            let errors = got.iter().zip(&expected).map(|(&got, &want)| difference(got, want));
            let worst = errors.map(f64::abs).fold(0.0, f64::max);
            assert!(worst < tolerance(shape), "{} {shape:?}: {worst}", kernel.name());
        }
    }
}

/// The purpose of a key switch: the phase of the ciphertext stays.
#[test]
fn switches_keep_the_phase() {
    for shape in SHAPES {
        let table = KeySwitchTable::new(shape);
        let degree = shape.degree;
        let bits = |seed, count| words(seed, count).into_iter().map(|word| word >> 63);
        let from: Vec<u64> = bits(7, shape.input_dimension).collect();
        let to: Vec<u64> = bits(8, shape.output_dimension).collect();
        let mut masks = words(9, table.rows_len()).into_iter();
        let mut rows = Vec::new();
        for piece in from.chunks_exact(degree) {
            for level in 0..shape.digits.levels {
                let scale = 64 - shape.digits.base_log * (level as u32 + 1);
                let mut body: Vec<u64> = piece.iter().map(|s| s << scale).collect();
                for secret in to.chunks_exact(degree) {
                    let mask: Vec<i64> = masks.by_ref().take(degree).map(|a| a as i64).collect();
                    let secret: Vec<i64> = secret.iter().map(|&s| s as i64).collect();
                    let product = reference::negacyclic_integers(&mask, &secret);
                    body.iter_mut().zip(product).for_each(|(b, p)| *b = b.wrapping_add(p as u64));
                    rows.extend(mask.iter().map(|&a| a as u64));
                }
                rows.extend(body);
            }
        }
        let phase = |ciphertext: &[u64], secret: &[u64]| {
            let (body, mask) = ciphertext.split_last().unwrap();
            mask.iter().zip(secret).fold(*body, |sum, (&a, &s)| sum.wrapping_sub(a.wrapping_mul(s)))
        };
        let key = table.pack(&rows);
        let input = words(10, shape.input_dimension + 1);
        // Each bit of the secret is multiplied by what the digits leave over.
        let left_over = shape.digits.base().powi(-(shape.digits.levels as i32));
        let rounding = left_over * (shape.input_dimension as f64 / 24.0).sqrt();
        let limit = 6.0 * rounding + tolerance(&shape) * (shape.output_dimension as f64).sqrt();
        for kernel in available_torus() {
            let output = switch(kernel, &table, &key, &input);
            let error = difference(phase(&output, &to), phase(&input, &from));
            assert!(error.abs() < limit, "{} {shape:?}: {error} of {limit}", kernel.name());
        }
    }
}

#[test]
fn kernels_with_fused_multiply_add_give_the_same_words() {
    for shape in SHAPES {
        let table = KeySwitchTable::new(shape);
        let key = table.pack(&words(11, table.rows_len()));
        let input = words(12, shape.input_dimension + 1);
        let fused = available_torus().into_iter().filter(|kernel| kernel.name() != "portable");
        let outputs: Vec<_> = fused.map(|kernel| switch(kernel, &table, &key, &input)).collect();
        assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]), "{shape:?}");
    }
}

#[test]
fn a_batch_gives_what_its_ciphertexts_give_alone() {
    for shape in SHAPES {
        let table = KeySwitchTable::new(shape);
        let key = table.pack(&words(13, table.rows_len()));
        let inputs = words(14, 3 * (shape.input_dimension + 1));
        for kernel in available_torus() {
            let alone = inputs
                .chunks_exact(shape.input_dimension + 1)
                .flat_map(|input| switch(kernel, &table, &key, input));
            let alone: Vec<_> = alone.collect();
            assert_eq!(switch(kernel, &table, &key, &inputs), alone, "{}", kernel.name());
        }
    }
}
