//! Key switching of LWE ciphertexts with a module-LWE key.
//!
//! A mask of `n` words under the large key is cut into pieces of `d` words. Piece `a` becomes the
//! polynomial `A = a_0 - sum_(j >= 1) a_j X^(d-j)`, so that `<a, s>` is the constant coefficient of
//! `A S` modulo `X^d + 1`. The digits of `A`, multiplied by module-LWE encryptions of
//! `S / B^(level+1)`, add up to an encryption of `A S`, whose constant coefficient is an LWE
//! ciphertext under the small key. Compared with a key of plain LWE encryptions, the key is shorter
//! by about the factor `d`, and sums of `d` products become transforms.
//!
//! Polynomials of 64 or 128 coefficients are too short for vectors along their length. The digit
//! polynomials, and later the result polynomials, are therefore transformed eight at a time, one in
//! each lane, so that every transform consists of whole lines and needs no transposition. In
//! between, the lanes of the digits are read one by one and multiplied by lines of the key, which
//! hold eight result polynomials.
//!
//! *Error.* The spectra of the key are integers of 31 bits and a sign. Their rounding acts as noise
//! of the key with the deviation `2^-32` of the torus in every coefficient of body and mask
//! ([`KeySwitchTable::ROUNDING`]). Floats of the same size have 24 bits, and their error would
//! exceed the noise of the sets for four bits of message and carry (docs/maths/fourier.md).

use super::digits::round;
use super::ends::{Plain, Sink};
use super::key_switch_table::{BLOCK, KeySwitchShape, KeySwitchTable, SwitchKey, TORUS_MODULUS};
use super::lanes::{Complex, Doubles, multiply_add, store};
use super::octet::{Line, Octet, lines, lines_mut};
use super::transform::{forward, inverse};
use std::hint::black_box;

/// The conversion of sums in units of `unit` to torus elements in units of `2^-64`.
#[derive(Clone, Copy)]
struct Words {
    unit: f64,
}

impl<D: Doubles> Sink<D> for Words {
    const IN_LANES: bool = true;

    #[cfg_attr(optimized, inline(always))]
    fn put(self, d: D, [re, im]: [&mut Octet; 2], part: usize, x: Complex<D>) {
        for (octet, x) in [(re, x.0), (im, x.1)] {
            let x = d.mul(x, d.splat(self.unit));
            d.store(octet, part, d.mul(d.sub(x, round(d, x)), d.splat(TORUS_MODULUS)));
        }
    }
}

/// See [`super::TorusKernel::key_switch`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn key_switch<D: Doubles>(
    d: D,
    table: &KeySwitchTable,
    key: &SwitchKey,
    inputs: &[u64],
    outputs: &mut [u64],
    scratch: &mut [f64],
) {
    let inputs = inputs.chunks_exact(table.shape.input_dimension + 1);
    let outputs = outputs.chunks_exact_mut(table.shape.output_dimension + 1);
    debug_assert_eq!(key.spectra.len(), table.key_len());
    debug_assert_eq!(inputs.len(), outputs.len());
    debug_assert_eq!(scratch.len(), inputs.len() * table.scratch_len());
    for (input, scratch) in inputs.clone().zip(scratch.chunks_exact_mut(table.scratch_len())) {
        transform_digits(d, table, input, scratch);
    }
    let block_len = table.digit_groups() * 8 * 16 * BLOCK;
    // The key is read once: each block of it serves all ciphertexts before the next is loaded.
    for (at, key) in key.spectra.chunks_exact(block_len).enumerate() {
        let (block, group) = (at / table.column_groups(), at % table.column_groups());
        for scratch in scratch.chunks_exact_mut(table.scratch_len()) {
            multiply_block(d, table, key, Tile { block, group }, scratch);
        }
    }
    let ciphertexts = inputs.zip(outputs).zip(scratch.chunks_exact_mut(table.scratch_len()));
    for ((input, output), scratch) in ciphertexts {
        extract(d, table, key.unit, output, scratch);
        if let (Some(body), Some(addend)) = (output.last_mut(), input.last()) {
            *body = body.wrapping_add(*addend);
        }
    }
}

/// Computes the spectra of the digits, point after point.
#[cfg_attr(optimized, inline(always))]
fn transform_digits<D: Doubles>(d: D, table: &KeySwitchTable, input: &[u64], scratch: &mut [f64]) {
    let KeySwitchShape { input_dimension, degree, digits, .. } = table.shape;
    let (spectra, rest) = scratch.split_at_mut(table.points() * table.point_len());
    let (_, rest) = rest.split_at_mut(table.products_len());
    let (values, rest) = rest.split_at_mut(8 * degree);
    let (lines, spectrum) = rest.split_at_mut(8 * degree);
    let (values, lines) = (values.as_chunks_mut().0, lines.as_chunks_mut().0);
    let base = d.splat(digits.base());
    for (group, pieces) in input[..input_dimension].chunks(8 * degree).enumerate() {
        load_pieces(pieces, digits.base() / TORUS_MODULUS, values);
        for level in 0..digits.levels {
            for (line, value) in lines.iter_mut().zip(values.iter_mut()) {
                for part in 0..D::PARTS {
                    let x = d.load(value, part);
                    // In units of the base a digit is the nearest integer, and the rest times the
                    // base is the number whose nearest integer is the next digit.
                    let digit = round(d, x);
                    d.store(line, part, digit);
                    d.store(value, part, d.mul(d.sub(x, digit), base));
                }
            }
            let (re, im) = lines.split_at(degree / 2);
            forward(d, &table.plan, Plain, [re, im], spectrum);
            let at = (group * digits.levels + level) * 16;
            let points = spectra.chunks_exact_mut(table.point_len());
            for (point, line) in points.zip(spectrum.chunks_exact(16)) {
                point[at..at + 16].copy_from_slice(line);
            }
        }
    }
}

/// Loads the polynomials of up to eight pieces, one in each lane, times `scale`.
#[cfg_attr(optimized, inline(always))]
fn load_pieces(pieces: &[u64], scale: f64, values: &mut [Octet]) {
    let degree = values.len();
    if pieces.len() < 8 * degree {
        values.fill([0.0; 8]);
    }
    for (lane, piece) in pieces.chunks_exact(degree).enumerate() {
        // The piece is reversed and negated except for its first word, so that the constant
        // coefficient of its product with the key is the inner product.
        values[0][lane] = piece[0] as i64 as f64 * scale;
        for (value, &word) in values[1..].iter_mut().zip(piece[1..].iter().rev()) {
            value[lane] = word.wrapping_neg() as i64 as f64 * scale;
        }
    }
}

/// A block of points of a group of eight polynomials.
#[derive(Clone, Copy)]
struct Tile {
    block: usize,
    group: usize,
}

/// Sums the products of all digits with their rows of the key, at one block of points, for one
/// group of eight polynomials.
#[cfg_attr(optimized, inline(always))]
fn multiply_block<D: Doubles>(
    d: D,
    table: &KeySwitchTable,
    key: &[i32],
    Tile { block, group }: Tile,
    scratch: &mut [f64],
) {
    let (spectra, rest) = scratch.split_at_mut(table.points() * table.point_len());
    let mut points = spectra[block * BLOCK * table.point_len()..].chunks_exact(table.point_len());
    let digits: [&[Line]; BLOCK] = std::array::from_fn(|_| {
        lines(points.next().expect("a block holds `BLOCK` of the table's points"))
    });
    // With one check of an index for all points, the compiler would load the digits of all of them
    // before it multiplies, and run out of 16 registers. So it must not know that they are as long.
    let digits = black_box(digits);
    let rows = key.as_chunks::<8>().0.as_chunks::<2>().0.as_chunks::<BLOCK>().0.as_chunks::<8>().0;
    let spectrum = rest.chunks_exact_mut(table.shape.degree * 8).nth(group);
    let spectrum = spectrum.expect("the products have a spectrum for every group of columns");
    let products = &mut lines_mut(spectrum)[block * BLOCK..];
    for part in 0..D::PARTS {
        let mut sums = [(d.splat(0.0), d.splat(0.0)); BLOCK];
        for (at, rows) in rows.iter().enumerate() {
            // The loop alternates between the points, so that consecutive operations are
            // independent.
            for lane in 0..8 {
                for point in 0..BLOCK {
                    let [re, im] = &digits[point][at];
                    let x = (d.splat(re[lane]), d.splat(im[lane]));
                    let [re, im] = &rows[lane][point];
                    let k = (d.load_integers(re, part), d.load_integers(im, part));
                    sums[point] = multiply_add(d, sums[point], x, k);
                }
            }
        }
        for (product, sum) in products.iter_mut().zip(sums) {
            store(d, product, part, sum);
        }
    }
}

/// Extracts the constant coefficients of the sums, negated.
#[cfg_attr(optimized, inline(always))]
fn extract<D: Doubles>(
    d: D,
    table: &KeySwitchTable,
    unit: f64,
    output: &mut [u64],
    scratch: &mut [f64],
) {
    let degree = table.shape.degree;
    let (_, rest) = scratch.split_at_mut(table.points() * table.point_len());
    let (products, rest) = rest.split_at_mut(table.products_len());
    let words: &mut [Octet] = rest[..8 * degree].as_chunks_mut().0;
    let groups = products.chunks_exact_mut(8 * degree).zip(output.chunks_mut(8 * degree));
    for (spectrum, output) in groups {
        let (re, im) = words.split_at_mut(degree / 2);
        inverse(d, &table.plan, spectrum, Words { unit }, [re, im]);
        for (lane, mask) in output.chunks_mut(degree).enumerate() {
            mask[0] = (words[0][lane] as i64 as u64).wrapping_neg();
            for (word, value) in mask[1..].iter_mut().zip(words[1..].iter().rev()) {
                *word = value[lane] as i64 as u64;
            }
        }
    }
}
