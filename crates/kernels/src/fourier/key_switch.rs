//! Key switching of LWE ciphertexts with a module-LWE key.
//!
//! The digit polynomials, and later the result polynomials, are transformed eight at a time, one in
//! each lane, so that every transform consists of whole lines. In between, the lanes of the digits
//! are read one by one and multiplied by lines of the key.

use super::Plain;
use super::digits::round;
use super::lanes::{Complex, Doubles, Line, Octet, lines, lines_mut, multiply_add, store};
use super::product::Decomposition;
use super::table::Plan;
use super::transform::{Sink, forward, inverse};
use crate::arch::Portable;
use crate::{IntegerRow, RealRow};

/// Parameters of a key switch.
///
/// The mask of the input is cut into pieces of `degree` words. A piece `a` corresponds to the
/// polynomial `A = a_0 - sum_(j >= 1) a_j X^(degree - j)`, so that `<a, s>` is the constant
/// coefficient of `A S` modulo `X^degree + 1`. The products of the digits of `A` with module-LWE
/// encryptions of the pieces of the secret sum to a module-LWE ciphertext, whose constant
/// coefficient is the output.
///
/// Source: Chillotti, Gama, Georgieva, Izabachene, Journal of Cryptology 33 (2020), section 4, with
/// the key structured over the small ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySwitchShape {
    /// Dimension of an input, that is its number of mask words; a multiple of the degree.
    pub input_dimension: usize,
    /// Dimension of an output; a multiple of the degree.
    pub output_dimension: usize,
    /// Degree of the ring of the key: a power of two in `16..=256`.
    pub degree: usize,
    /// Gadget decomposition of the mask; at most 52 bits in total.
    pub digits: Decomposition,
}

/// The constants of a module key switch and the layout of its key.
#[derive(Clone, Debug)]
pub struct KeySwitchTable {
    shape: KeySwitchShape,
    plan: Plan,
}

/// Number of points of the spectra that are summed together.
const BLOCK: usize = 4;

/// `2^64`.
const TURN: f64 = 18_446_744_073_709_551_616.0;

impl KeySwitchTable {
    /// Standard deviation of the rounding error of a coefficient of the packed key, as a fraction
    /// of the torus. In the noise of a row, the error counts once for each product of the
    /// coefficient with a one of the secret key: once for the body, and for at most half of all
    /// coefficients of the masks.
    ///
    /// A uniform polynomial has a standard deviation of `(1/12)^(1/2)` per coefficient. Its values
    /// are stored with 31 bits relative to the largest value of the key, which is about six
    /// standard deviations of a value.
    pub const ROUNDING: f64 = 1.0 / 4_290_000_000.0;

    /// Precomputes the constants for a shape.
    ///
    /// # Panics
    /// If the degree is not a power of two in `16..=256` that divides both dimensions, if a
    /// dimension is zero, or if the digits have 0 or more than 52 bits in total.
    pub fn new(shape: KeySwitchShape) -> KeySwitchTable {
        let KeySwitchShape { input_dimension, output_dimension, degree, digits } = shape;
        assert!(
            degree.is_power_of_two() && (16..=256).contains(&degree),
            "degree {degree} is not a power of two in 16..=256"
        );
        for dimension in [input_dimension, output_dimension] {
            assert!(
                dimension > 0 && dimension.is_multiple_of(degree),
                "dimension {dimension} is not a positive multiple of the degree {degree}"
            );
        }
        let bits = digits.base_log as usize * digits.levels;
        assert!((1..=52).contains(&bits), "digits of {bits} bits in all are not 1 to 52");
        KeySwitchTable { shape, plan: Plan::in_lanes(degree.ilog2() - 1) }
    }

    /// Returns the parameters of the key switch.
    pub fn shape(&self) -> KeySwitchShape {
        self.shape
    }

    /// Returns the number of integers in a packed key.
    fn key_len(&self) -> usize {
        self.points() * self.column_groups() * self.digit_groups() * 8 * 16
    }

    /// Returns the number of words in a key before packing.
    pub fn rows_len(&self) -> usize {
        let pieces = self.shape.input_dimension / self.shape.degree;
        pieces * self.shape.digits.levels * self.columns() * self.shape.degree
    }

    /// Returns the number of doubles of scratch memory for one ciphertext.
    pub fn scratch_len(&self) -> usize {
        let (spectra, products) = (self.points() * self.point_len(), self.products_len());
        spectra + products + 3 * 8 * self.shape.degree
    }

    /// Prepares a key: converts its spectra to integers, in the order in which they are read.
    ///
    /// Shapes: for each piece of the input and each level, `rows` holds an encryption of the piece
    /// of the secret times `2^(-base_log (level + 1))`: `output_dimension / degree` polynomials of
    /// the mask, then the body, each of `degree` torus words.
    ///
    /// # Panics
    /// If the length of `rows` is not [`KeySwitchTable::rows_len`].
    pub fn pack(&self, rows: &[u64]) -> SwitchKey {
        assert_eq!(rows.len(), self.rows_len(), "words of a key switching key");
        let (degree, columns) = (self.shape.degree, self.columns());
        let mut key = RealRow::zeroed(self.key_len());
        let mut lines = vec![[0.0; 8]; degree];
        let mut spectrum = vec![0.0; 8 * degree];
        let scale = 2.0 / (degree as f64 * TURN);
        for (row, polynomials) in rows.chunks_exact(columns * degree).enumerate() {
            for (group, polynomials) in polynomials.chunks(8 * degree).enumerate() {
                lines.fill([0.0; 8]);
                for (lane, polynomial) in polynomials.chunks_exact(degree).enumerate() {
                    for (line, &word) in lines.iter_mut().zip(polynomial) {
                        line[lane] = word as i64 as f64 * scale;
                    }
                }
                let (re, im) = lines.split_at(degree / 2);
                forward(Portable, &self.plan, Plain, [re, im], &mut spectrum);
                self.put_spectra(&mut key, row, group, &spectrum);
            }
        }
        SwitchKey::round(&key)
    }

    fn put_spectra(&self, key: &mut [f64], row: usize, group: usize, spectrum: &[f64]) {
        let levels = self.shape.digits.levels;
        let (piece, level) = (row / levels, row % levels);
        let row = (piece / 8 * levels + level) * 8 + piece % 8;
        for (point, line) in spectrum.chunks_exact(16).enumerate() {
            let block = point / BLOCK * self.column_groups() + group;
            let row = block * self.digit_groups() * 8 + row;
            let at = (row * BLOCK + point % BLOCK) * 16;
            key[at..at + 16].copy_from_slice(line);
        }
    }

    /// Returns the number of complex values in a spectrum.
    fn points(&self) -> usize {
        self.shape.degree / 2
    }

    /// Returns the number of polynomials in a row of the key.
    fn columns(&self) -> usize {
        self.shape.output_dimension / self.shape.degree + 1
    }

    fn column_groups(&self) -> usize {
        self.columns().div_ceil(8)
    }

    /// Returns the number of groups of eight digit polynomials, those of eight pieces at one level.
    fn digit_groups(&self) -> usize {
        (self.shape.input_dimension / self.shape.degree).div_ceil(8) * self.shape.digits.levels
    }

    /// Returns the distance in doubles between points of the digits; not a multiple of 4 KB, which
    /// would cause conflicts in a few cache sets.
    fn point_len(&self) -> usize {
        self.digit_groups() * 16 + 16
    }

    fn products_len(&self) -> usize {
        self.column_groups() * self.shape.degree * 8
    }
}

/// A packed key of a key switch, made by [`KeySwitchTable::pack`].
#[derive(Clone, Debug)]
pub struct SwitchKey {
    /// Spectra in units of `unit`.
    spectra: IntegerRow,
    unit: f64,
}

impl SwitchKey {
    /// Rounds the spectra to 31 bits relative to the largest value. The values are similar in size,
    /// so that a common unit keeps seven bits more than single precision in the same memory.
    fn round(spectra: &[f64]) -> SwitchKey {
        let greatest = spectra.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        let unit = if greatest > 0.0 { greatest / f64::from(i32::MAX) } else { 1.0 };
        let mut integers = IntegerRow::zeroed(spectra.len());
        for (integer, x) in integers.iter_mut().zip(spectra) {
            *integer = (x / unit).round_ties_even() as i32;
        }
        SwitchKey { spectra: integers, unit }
    }

    /// Returns the size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<i32>() * self.spectra.len()
    }
}

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
            d.store(octet, part, d.mul(d.sub(x, round(d, x)), d.splat(TURN)));
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
    for (at, key) in key.spectra.chunks_exact(block_len).enumerate() {
        let (block, group) = (at / table.column_groups(), at % table.column_groups());
        for scratch in scratch.chunks_exact_mut(table.scratch_len()) {
            multiply_block(d, table, key, [block, group], scratch);
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
        load_pieces(pieces, digits.base() / TURN, values);
        for level in 0..digits.levels {
            for (line, value) in lines.iter_mut().zip(values.iter_mut()) {
                for part in 0..D::PARTS {
                    let x = d.load(value, part);
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
        values[0][lane] = piece[0] as i64 as f64 * scale;
        for (value, &word) in values[1..].iter_mut().zip(piece[1..].iter().rev()) {
            value[lane] = word.wrapping_neg() as i64 as f64 * scale;
        }
    }
}

/// Sums the products of all digits with their rows of the key, at one block of points, for one
/// group of eight polynomials.
#[cfg_attr(optimized, inline(always))]
fn multiply_block<D: Doubles>(
    d: D,
    table: &KeySwitchTable,
    key: &[i32],
    [block, group]: [usize; 2],
    scratch: &mut [f64],
) {
    let (spectra, rest) = scratch.split_at_mut(table.points() * table.point_len());
    let mut points = spectra[block * BLOCK * table.point_len()..].chunks_exact(table.point_len());
    let digits: [&[Line]; BLOCK] =
        std::array::from_fn(|_| lines(points.next().unwrap_or_default()));
    let rows = key.as_chunks::<8>().0.as_chunks::<2>().0.as_chunks::<BLOCK>().0.as_chunks::<8>().0;
    let spectrum = rest.chunks_exact_mut(table.shape.degree * 8).nth(group);
    let products = &mut lines_mut(spectrum.unwrap_or_default())[block * BLOCK..];
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
