//! The module key switch.
//!
//! Eight digit polynomials, then eight result polynomials, lie across the lanes of a vector, so
//! that every transform is a plan of whole lines. Between them the lanes of the digits are read one
//! by one and multiplied by lines of the key.

use super::Plain;
use super::digits::round;
use super::lanes::{Complex, Doubles, Line, Octet, lines, lines_mut, multiply_add, store};
use super::product::Decomposition;
use super::table::Plan;
use super::transform::{Sink, forward, inverse};
use crate::arch::Portable;
use crate::{IntegerRow, RealRow};

/// From which key to which, and how.
///
/// The mask of the input is cut in pieces of `degree` words. With piece `a` goes the polynomial
/// `A = a_0 - sum_(j >= 1) a_j X^(degree - j)`, so that `<a, s>` is the constant coefficient of
/// `A S` modulo `X^degree + 1`. The digits of `A` times module-LWE encryptions of the pieces of the
/// secret sum to a module-LWE ciphertext, and the constant coefficient of that is the output.
///
/// Source: Chillotti, Gama, Georgieva, Izabachene, Journal of Cryptology 33 (2020), section 4, with
/// the key structured over the small ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySwitchShape {
    /// Mask words of an input; a multiple of the degree.
    pub input_dimension: usize,
    /// Mask words of an output; a multiple of the degree.
    pub output_dimension: usize,
    /// Degree of the ring of the key: a power of two in `16..=256`.
    pub degree: usize,
    /// How the mask is decomposed; at most 52 bits in all.
    pub digits: Decomposition,
}

/// The constants of a module key switch and the layout of its key.
#[derive(Clone, Debug)]
pub struct KeySwitchTable {
    shape: KeySwitchShape,
    plan: Plan,
}

/// Points of the spectra that are summed at once.
const BLOCK: usize = 4;

/// `2^64`.
const TURN: f64 = 18_446_744_073_709_551_616.0;

impl KeySwitchTable {
    /// Standard deviation of the rounding of a coefficient of the packed key, as a part of the
    /// torus. It adds to the noise of a row as often as the coefficient is multiplied by a one of
    /// the key that the row is encrypted under: once for the body, and for half or fewer of all
    /// coefficients of the masks.
    ///
    /// The values of a uniform polynomial, of deviation `(1/12)^(1/2)` for each coefficient, are
    /// kept to 31 bits of the greatest of the key, which is about six deviations of a value.
    pub const ROUNDING: f64 = 1.0 / 4_290_000_000.0;

    /// The constants for one shape.
    ///
    /// # Panics
    /// If the degree is not a power of two in `16..=256` that divides both dimensions, a dimension
    /// is zero, or the digits are none or have more than 52 bits in all.
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

    /// What this table is for.
    pub fn shape(&self) -> KeySwitchShape {
        self.shape
    }

    /// Integers of a packed key.
    fn key_len(&self) -> usize {
        self.points() * self.column_groups() * self.digit_groups() * 8 * 16
    }

    /// Words of a key before packing.
    pub fn rows_len(&self) -> usize {
        let pieces = self.shape.input_dimension / self.shape.degree;
        pieces * self.shape.digits.levels * self.columns() * self.shape.degree
    }

    /// Doubles of scratch for one ciphertext.
    pub fn scratch_len(&self) -> usize {
        let (spectra, products) = (self.points() * self.point_len(), self.products_len());
        spectra + products + 3 * 8 * self.shape.degree
    }

    /// Prepares a key: its spectra as integers, in the order in which they are read.
    ///
    /// `rows` holds for each piece of the input and each level an encryption of the piece of the
    /// secret times `2^(-base_log (level + 1))`: `output_dimension / degree` polynomials of the
    /// mask, then the body, each of `degree` torus words.
    ///
    /// # Panics
    /// If `rows` is not of length [`KeySwitchTable::rows_len`].
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

    /// Complex values of a spectrum.
    fn points(&self) -> usize {
        self.shape.degree / 2
    }

    /// Polynomials of a row of the key.
    fn columns(&self) -> usize {
        self.shape.output_dimension / self.shape.degree + 1
    }

    fn column_groups(&self) -> usize {
        self.columns().div_ceil(8)
    }

    /// Groups of eight digit polynomials: of eight pieces at one level.
    fn digit_groups(&self) -> usize {
        (self.shape.input_dimension / self.shape.degree).div_ceil(8) * self.shape.digits.levels
    }

    /// Doubles between one point of the digits and the next; not a multiple of 4 KB, which would
    /// crowd a few sets of the cache.
    fn point_len(&self) -> usize {
        self.digit_groups() * 16 + 16
    }

    fn products_len(&self) -> usize {
        self.column_groups() * self.shape.degree * 8
    }
}

/// A packed key of a module key switch, made by [`KeySwitchTable::pack`].
#[derive(Clone, Debug)]
pub struct SwitchKey {
    /// Spectra in units of `unit`.
    spectra: IntegerRow,
    unit: f64,
}

impl SwitchKey {
    /// Rounds to 31 bits of the greatest value. They are alike in size, so that a common unit keeps
    /// seven bits more of them than single precision in as many bytes.
    fn round(spectra: &[f64]) -> SwitchKey {
        let greatest = spectra.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        let unit = if greatest > 0.0 { greatest / f64::from(i32::MAX) } else { 1.0 };
        let mut integers = IntegerRow::zeroed(spectra.len());
        for (integer, x) in integers.iter_mut().zip(spectra) {
            *integer = (x / unit).round_ties_even() as i32;
        }
        SwitchKey { spectra: integers, unit }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of::<i32>() * self.spectra.len()
    }
}

/// Results on the torus, in units of `2^-64`, of sums in units of `unit`.
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

/// The spectra of the digits, point after point.
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

/// The polynomials of up to eight pieces, one in each lane, times `scale`.
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

/// The sums of all digits times their rows of the key, at one block of points, for one group of
/// eight polynomials.
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
            // The points take turns, so that no sum waits for itself.
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

/// The constant coefficients of the sums, negated.
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
