//! Row operations on residues.

use std::hint::black_box;

use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_documents::options::Options;
use fathom_documents::transform_oracle::{places, transformed};
use fathom_kernels::{Digit, Kernel, KeyRow, NttTable, Row, available, reference};

use super::roofline::{BY_CONSTANT, OF_TERM, PRIME, Work, modulus, note, row};

/// Sources of a base conversion, and digits of a key product.
const TERMS: usize = 4;

/// Work of an operation on a kernel at a degree.
type Operation = fn(&mut Meter, &'static dyn Kernel, usize);

const OPERATIONS: [(&str, &str, Operation); 5] = [
    ("ntt_forward", "forward transform of one row", forward),
    ("ntt_inverse", "inverse transform of one row", inverse),
    ("base_convert", "conversion of four rows to another prime", convert),
    ("key_product", "transform of four digits and their products with a key", key_product),
    ("multiply", "product of two rows", multiply),
];

/// Returns every operation on every kernel of this processor.
pub(super) fn programs(options: &Options) -> Vec<Program> {
    let degrees: &[usize] = if options.quick { &[4096] } else { &[4096, 8192, 16_384] };
    let mut programs = Vec::new();
    for kernel in available().into_iter().filter(|kernel| kernel.supports(&modulus())) {
        for &degree in degrees {
            for (op, text, operation) in OPERATIONS {
                let params = format!("{}-n{degree}", kernel.name());
                programs.push(Program::infallible("kernel", params, op, text, move |meter| {
                    operation(meter, kernel, degree);
                }));
            }
        }
    }
    programs
}

fn table(kernel: &dyn Kernel, degree: usize) -> NttTable {
    NttTable::new(modulus(), degree, kernel).expect("2^18 divides q - 1")
}

/// Multiplications of a transform: each butterfly has a product by a constant.
fn transform_multiplications(degree: usize) -> f64 {
    BY_CONSTANT * 0.5 * degree as f64 * f64::from(degree.trailing_zeros())
}

/// Notes the multiplications and bytes of an operation.
fn note_work(meter: &mut Meter, kernel: &dyn Kernel, multiplications: f64, bytes: f64) {
    note(meter, kernel.name(), Work { multiplications: Some(multiplications), bytes });
}

fn forward(meter: &mut Meter, kernel: &'static dyn Kernel, degree: usize) {
    let (table, input) = (table(kernel, degree), row(meter.seed(), degree));
    let mut out = input.clone();
    meter.time_plain(1, || {
        out.copy_from_slice(black_box(&input));
        kernel.ntt_forward(&table, &mut out);
    });
    let expected = places(degree).map(|at| transformed(&table, &input, at));
    meter.check(places(degree).map(|at| out[at]), expected);
    let bytes = 16.0 * degree as f64;
    note_work(meter, kernel, transform_multiplications(degree), bytes);
}

fn inverse(meter: &mut Meter, kernel: &'static dyn Kernel, degree: usize) {
    let (table, input) = (table(kernel, degree), row(meter.seed(), degree));
    let (mut values, scale) = (input.clone(), table.plain_inverse_scale());
    kernel.ntt_forward(&table, &mut values);
    let mut out = input.clone();
    meter.time_plain(1, || {
        out.copy_from_slice(black_box(&values));
        kernel.ntt_inverse(&table, &mut out, &scale);
    });
    meter.check(out.iter().copied(), input.iter().copied());
    let bytes = 16.0 * degree as f64;
    note_work(meter, kernel, transform_multiplications(degree), bytes);
}

fn rows<const R: usize>(seed: u64, degree: usize) -> [Row; R] {
    std::array::from_fn(|i| row(seed + i as u64, degree))
}

fn convert(meter: &mut Meter, kernel: &'static dyn Kernel, degree: usize) {
    let sources = rows::<TERMS>(meter.seed(), degree);
    let sources = sources.each_ref().map(|row| &**row);
    let weights: [u64; TERMS] = std::array::from_fn(|i| PRIME / 3 - i as u64);
    let mut out = Row::zeroed(degree);
    meter.time_plain(1, || {
        kernel.base_convert(&modulus(), black_box(&mut out), &sources, &weights);
    });
    let found = reference::canonical(&modulus(), &out);
    meter.check(found, reference::base_convert(&modulus(), degree, &sources, &weights));
    let terms = (TERMS * degree) as f64;
    note_work(meter, kernel, OF_TERM * terms, 8.0 * (terms + degree as f64));
}

fn multiply(meter: &mut Meter, kernel: &'static dyn Kernel, degree: usize) {
    let [a, b] = rows(meter.seed(), degree);
    let mut out = Row::zeroed(degree);
    meter.time_plain(1, || kernel.mul(&modulus(), black_box(&mut out), &a, &b));
    meter.check(out.iter().copied(), reference::mul(&modulus(), &a, &b));
    // The reduction has as many multiplications as the product.
    note_work(meter, kernel, 2.0 * OF_TERM * degree as f64, 24.0 * degree as f64);
}

fn key_product(meter: &mut Meter, kernel: &'static dyn Kernel, degree: usize) {
    let table = table(kernel, degree);
    let (digits, halves) = (rows::<TERMS>(1, degree), rows::<{ 2 * TERMS }>(9, degree));
    let pairs: Vec<[&[u64]; 2]> = halves.as_chunks().0.iter().map(|[b, a]| [&**b, &**a]).collect();
    let key = KeyRow::packed(&modulus(), &pairs);
    let mut rooms = rows::<TERMS>(0, degree);
    let [mut out0, mut out1] = rows(0, degree);
    meter.time_plain(1, || {
        let rooms = rooms.iter_mut().zip(black_box(&digits));
        let mut all: Vec<Digit<'_>> = rooms
            .map(|(room, digit)| {
                room.copy_from_slice(digit);
                Digit::Coefficients(room)
            })
            .collect();
        kernel.key_product(&table, [&mut out0, &mut out1], &mut all, &key);
    });
    let m = modulus();
    let expected = |half: usize, at: usize| {
        let products = digits.iter().zip(&pairs);
        let products = products
            .map(|(d, pair)| reference::product(&m, transformed(&table, d, at), pair[half][at]));
        products.fold(0, |sum, product| m.add(sum, product))
    };
    let places = places(degree).step_by(4);
    let wanted: Vec<u64> = [0, 1]
        .into_iter()
        .flat_map(|half| places.clone().map(move |at| (half, at)))
        .map(|(half, at)| expected(half, at))
        .collect();
    let found = places.clone().map(|at| out0[at]).chain(places.map(|at| out1[at]));
    meter.check(found.collect::<Vec<_>>(), wanted);
    let products = 2.0 * OF_TERM * degree as f64;
    let multiplications = TERMS as f64 * (transform_multiplications(degree) + products);
    let bytes = key.bytes() as f64 + 8.0 * (TERMS + 2) as f64 * degree as f64;
    note_work(meter, kernel, multiplications, bytes);
}
