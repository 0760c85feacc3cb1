//! The external product and the blind rotation.

use super::halves;
use super::lanes::{
    Complex, Doubles, Line, Octet, lines, lines_mut, load, multiply, multiply_add, store,
};
use super::table::FourierTable;
use super::transform::{Sink, Source, forward, inverse};
use std::cell::Cell;

/// Signed digits: `levels` of them in base `2^base_log`, from the most significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Bits of a digit, 1 to 32.
    pub base_log: u32,
    /// Number of digits, at least 1.
    pub levels: usize,
}

impl Decomposition {
    /// The base.
    pub fn base(&self) -> f64 {
        f64::from(self.base_log).exp2()
    }
}

/// What a blind rotation multiplies by in one step.
///
/// A step takes a group of key bits at once. Of its `selectors` encrypted monomials at most one is
/// chosen: `ACC += sum_j (X^(a_j) - 1) (K_j * ACC)`, with one set of transforms for the group.
///
/// Source: Lee, Min, Seo, Song, eprint 2023/958, section 3, for block-binary keys; Zhou et al.,
/// ASIACRYPT 2017, for groups of uniform bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductShape {
    /// Degree `N` of the polynomials.
    pub degree: usize,
    /// Mask polynomials `k` of a ciphertext, 1 to 3.
    pub rank: usize,
    /// Digits of a mask polynomial. What they leave over is multiplied by the key.
    pub mask: Decomposition,
    /// Digits of the body. What they leave over is noise as it is, so that they can be fewer.
    pub body: Decomposition,
    /// Encrypted monomials of a step, at least 1.
    pub selectors: usize,
}

impl ProductShape {
    /// Polynomials of a ciphertext: `k + 1`.
    pub fn columns(&self) -> usize {
        self.rank + 1
    }

    /// Digit polynomials of a ciphertext: those of the masks, then those of the body.
    pub fn rows(&self) -> usize {
        self.rank * self.mask.levels + self.body.levels
    }

    /// How polynomial `column` of a ciphertext is decomposed; its unit is `q / B`.
    pub fn decomposition(&self, column: usize) -> Decomposition {
        if column < self.rank { self.mask } else { self.body }
    }

    /// Doubles of an accumulator: the `k` masks and the body, each in units of its `q / B`.
    pub fn accumulator_len(&self) -> usize {
        self.columns() * self.degree
    }

    /// Doubles of the key of one step.
    pub fn step_len(&self) -> usize {
        self.selectors * self.rows() * self.columns() * self.degree
    }

    /// Doubles of scratch for one ciphertext.
    pub fn scratch_len(&self) -> usize {
        self.rows() * self.degree
    }

    /// Where the 16 doubles of line `line` of the spectrum of one polynomial of a step's key start.
    pub fn key_offset(&self, line: usize, selector: usize, row: usize, column: usize) -> usize {
        let row = (line * self.selectors + selector) * self.rows() + row;
        (row * self.columns() + column) * 16
    }
}

/// The digits of one level of an accumulator polynomial.
#[derive(Clone, Copy)]
struct Digits<'a> {
    re: &'a [Octet],
    im: &'a [Octet],
    /// Levels above this one.
    above: usize,
    base: f64,
    fetch: &'a Fetch<'a>,
}

/// Adding and subtracting it rounds to the nearest integer, for magnitudes up to `2^51`.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// The nearest integers.
#[inline(always)]
pub(crate) fn round<D: Doubles>(d: D, x: D::Vector) -> D::Vector {
    let rounder = d.splat(ROUNDER);
    d.sub(d.add(x, rounder), rounder)
}

#[inline(always)]
fn digit<D: Doubles>(d: D, x: D::Vector, above: usize, base: D::Vector) -> D::Vector {
    let mut rest = x;
    for _ in 0..above {
        rest = d.mul(d.sub(rest, round(d, rest)), base);
    }
    round(d, rest)
}

impl<D: Doubles> Source<D> for Digits<'_> {
    #[inline(always)]
    fn line(self, d: D, index: usize) -> Complex<D> {
        self.fetch.advance(d, 1);
        let base = d.splat(self.base);
        let (re, im) = (d.load(&self.re[index]), d.load(&self.im[index]));
        (digit(d, re, self.above, base), digit(d, im, self.above, base))
    }

    #[inline(always)]
    fn pause(self, d: D) {
        self.fetch.advance(d, 8);
    }
}

/// An accumulator polynomial to be added to, modulo `q`.
struct Accumulate<'a> {
    re: &'a mut [Octet],
    im: &'a mut [Octet],
    base: f64,
    inverse_base: f64,
    fetch: &'a Fetch<'a>,
}

impl<D: Doubles> Sink<D> for Accumulate<'_> {
    #[inline(always)]
    fn put(&mut self, d: D, index: usize, x: Complex<D>) {
        self.fetch.advance(d, 1);
        let (base, inverse_base) = (d.splat(self.base), d.splat(self.inverse_base));
        for (line, x) in [(&mut self.re[index], x.0), (&mut self.im[index], x.1)] {
            let sum = d.add(d.load(line), x);
            let rounder = d.splat(ROUNDER);
            let turns = d.sub(d.add_mul(rounder, sum, inverse_base), rounder);
            d.store(line, d.sub_mul(sum, turns, base));
        }
    }

    #[inline(always)]
    fn pause(&mut self, d: D) {
        self.fetch.advance(d, 8);
    }
}

/// Asks for the key of the next step while this one is computed, at an even pace: a burst of
/// requests would wait for a free line buffer, and the arithmetic with it.
struct Fetch<'a> {
    lines: &'a [Octet],
    /// In fractions of a line, as is the pace.
    position: Cell<usize>,
    pace: usize,
}

impl<'a> Fetch<'a> {
    const FRACTION: u32 = 16;

    /// A transform counts for two units a line, a line of the product for one a selector.
    fn new(shape: &ProductShape, lines: &'a [Octet], ciphertexts: usize) -> Self {
        let units = 2 * (shape.rows() + shape.columns()) + shape.selectors;
        let units = units * shape.degree / 16 * ciphertexts;
        let pace = (lines.len() << Self::FRACTION).div_ceil(units.max(1));
        Fetch { lines, position: Cell::new(0), pace }
    }

    #[inline(always)]
    fn advance<D: Doubles>(&self, d: D, units: usize) {
        let from = self.position.get();
        let to = from + units * self.pace;
        self.position.set(to);
        let (from, to) = (from >> Self::FRACTION, to >> Self::FRACTION);
        for line in &self.lines[from.min(self.lines.len())..to.min(self.lines.len())] {
            d.prefetch(line);
        }
    }
}

/// A batch of blind rotations under one key.
#[derive(Clone, Copy, Debug)]
pub struct Rotation<'a> {
    /// What a step multiplies by.
    pub shape: ProductShape,
    /// The keys of all steps, one after the other, each laid out by [`ProductShape::key_offset`].
    pub key: &'a [f64],
    /// For each ciphertext, step and selector, an exponent below `2 N`.
    pub exponents: &'a [u32],
}

/// The part of a rotation that one step needs.
#[derive(Clone, Copy)]
struct Step<'a> {
    table: &'a FourierTable,
    rotation: Rotation<'a>,
    index: usize,
    steps: usize,
    key: &'a [Line],
    fetch: &'a Fetch<'a>,
}

impl Step<'_> {
    #[inline(always)]
    fn exponents(&self, ciphertext: usize) -> &[u32] {
        let selectors = self.rotation.shape.selectors;
        let at = (ciphertext * self.steps + self.index) * selectors;
        &self.rotation.exponents[at..at + selectors]
    }
}

/// All steps of a batch of blind rotations; see [`super::TorusKernel::rotate`].
#[inline(always)]
pub(crate) fn rotate<D: Doubles>(
    d: D,
    table: &FourierTable,
    rotation: &Rotation<'_>,
    accumulators: &mut [f64],
    scratch: &mut [f64],
) {
    let length = rotation.shape.step_len();
    let steps = rotation.key.len() / length;
    let ciphertexts = accumulators.len() / rotation.shape.accumulator_len();
    for index in 0..steps {
        let key = lines(&rotation.key[index * length..][..length]);
        let next = rotation.key.get((index + 1) * length..).unwrap_or_default();
        let next = next.get(..length).unwrap_or_default().as_chunks().0;
        let fetch = &Fetch::new(&rotation.shape, next, ciphertexts);
        let step = Step { table, rotation: *rotation, index, steps, key, fetch };
        one_step(d, step, accumulators, scratch);
    }
}

#[inline(always)]
fn one_step<D: Doubles>(d: D, step: Step<'_>, accumulators: &mut [f64], scratch: &mut [f64]) {
    let shape = step.rotation.shape;
    let ciphertexts = accumulators.chunks_exact(shape.accumulator_len());
    for (accumulator, spectra) in ciphertexts.zip(scratch.chunks_exact_mut(shape.scratch_len())) {
        decompose(d, step, accumulator, spectra);
    }
    // The counts of common parameters are written out, so that the loops over them unroll.
    match (shape.rank, shape.rows(), shape.selectors) {
        (1, 2, 1) if D::UNROLL => multiply_spectra::<D, 2>(d, step, [2, 1], scratch),
        (1, 2, 3) if D::UNROLL => multiply_spectra::<D, 2>(d, step, [2, 3], scratch),
        (1, 3, 1) if D::UNROLL => multiply_spectra::<D, 2>(d, step, [3, 1], scratch),
        (1, 3, 3) if D::UNROLL => multiply_spectra::<D, 2>(d, step, [3, 3], scratch),
        (3, 4, 1) if D::UNROLL => multiply_spectra::<D, 4>(d, step, [4, 1], scratch),
        (3, 4, 3) if D::UNROLL => multiply_spectra::<D, 4>(d, step, [4, 3], scratch),
        (1, rows, selectors) => multiply_spectra::<D, 2>(d, step, [rows, selectors], scratch),
        (2, rows, selectors) => multiply_spectra::<D, 3>(d, step, [rows, selectors], scratch),
        (_, rows, selectors) => multiply_spectra::<D, 4>(d, step, [rows, selectors], scratch),
    }
    let ciphertexts = accumulators.chunks_exact_mut(shape.accumulator_len());
    for (accumulator, spectra) in ciphertexts.zip(scratch.chunks_exact_mut(shape.scratch_len())) {
        recompose(d, step, accumulator, spectra);
    }
}

/// The spectra of all digits of an accumulator.
#[inline(always)]
fn decompose<D: Doubles>(d: D, step: Step<'_>, accumulator: &[f64], spectra: &mut [f64]) {
    let shape = step.rotation.shape;
    let mut spectra = spectra.chunks_exact_mut(shape.degree);
    for (column, polynomial) in accumulator.chunks_exact(shape.degree).enumerate() {
        let (re, im) = polynomial.split_at(shape.degree / 2);
        let (re, im) = (re.as_chunks().0, im.as_chunks().0);
        let digits = shape.decomposition(column);
        for above in 0..digits.levels {
            let Some(spectrum) = spectra.next() else { return };
            let digits = Digits { re, im, above, base: digits.base(), fetch: step.fetch };
            forward(d, &step.table.plan, digits, spectrum);
        }
    }
}

/// Adds the product, which lies in the first spectra, to an accumulator.
#[inline(always)]
fn recompose<D: Doubles>(d: D, step: Step<'_>, accumulator: &mut [f64], spectra: &mut [f64]) {
    let shape = step.rotation.shape;
    let polynomials = accumulator.chunks_exact_mut(shape.degree).enumerate();
    for ((column, polynomial), spectrum) in polynomials.zip(spectra.chunks_exact_mut(shape.degree))
    {
        let (re, im) = halves(polynomial);
        let base = shape.decomposition(column).base();
        let (inverse_base, fetch) = (base.recip(), step.fetch);
        let mut sink = Accumulate { re, im, base, inverse_base, fetch };
        inverse(d, &step.table.plan, spectrum, &mut sink);
    }
}

/// The most monomials that a step selects from.
pub const MAX_SELECTORS: usize = 8;

/// The monomials of a step at the places of one group of 64, but for a factor of each line.
struct Monomials<'a, D: Doubles> {
    exponents: &'a [u32],
    table: &'a FourierTable,
    lanes: [Complex<D>; MAX_SELECTORS],
}

impl<'a, D: Doubles> Monomials<'a, D> {
    #[inline(always)]
    fn new(d: D, table: &'a FourierTable, exponents: &'a [u32], group: usize) -> Self {
        let zero = d.splat(0.0);
        let mut lanes = [(zero, zero); MAX_SELECTORS];
        let turn = table.unity.len() - 1;
        for (lane, &exponent) in lanes.iter_mut().zip(exponents) {
            let exponent = exponent as usize;
            let (re, im) = table.unity[(exponent * table.group_exponents[group] as usize) & turn];
            let powers = &table.lane_unity[exponent % 64];
            let powers = (d.load(&powers.re), d.load(&powers.im));
            *lane = multiply(d, powers, (d.splat(re), d.splat(im)));
        }
        Monomials { exponents, table, lanes }
    }

    /// `X^a - 1` on line `line` of the group.
    #[inline(always)]
    fn less_one(&self, d: D, selector: usize, line: usize) -> Complex<D> {
        let row = &self.table.row_unity[self.exponents[selector] as usize % 8];
        let (re, im) = (d.splat(row.re[line]), d.splat(row.im[line]));
        let lane = self.lanes[selector];
        let real = d.sub_mul(d.splat(-1.0), im, lane.1);
        (d.add_mul(real, re, lane.0), d.add_mul(d.mul(im, lane.0), re, lane.1))
    }
}

/// `sum_j (X^(a_j) - 1) (K_j * F)` for all ciphertexts, in place of their first `C` spectra. A
/// group of 64 places after the other, so that its key is read from the nearest cache by all but
/// the first.
#[inline(always)]
fn multiply_spectra<D: Doubles, const C: usize>(
    d: D,
    step: Step<'_>,
    [rows, selectors]: [usize; 2],
    scratch: &mut [f64],
) {
    let shape = step.rotation.shape;
    let lines = shape.degree / 16;
    let key: &[[Line; C]] = step.key.as_chunks().0;
    for (group, key) in key.chunks_exact(8 * rows * selectors).enumerate() {
        for (ciphertext, spectra) in scratch.chunks_exact_mut(shape.scratch_len()).enumerate() {
            let monomials = Monomials::new(d, step.table, step.exponents(ciphertext), group);
            let spectra = &mut lines_mut(spectra)[group * 8..];
            for (line, key) in key.chunks_exact(rows * selectors).enumerate() {
                let mut out = [(d.splat(0.0), d.splat(0.0)); C];
                for (selector, key) in key.chunks_exact(rows).enumerate() {
                    let mut product = [(d.splat(0.0), d.splat(0.0)); C];
                    for (row, key) in key.iter().enumerate() {
                        let x = load(d, &spectra[row * lines + line]);
                        for column in 0..C {
                            let key = load(d, &key[column]);
                            product[column] = multiply_add(d, product[column], x, key);
                        }
                    }
                    let monomial = monomials.less_one(d, selector, line);
                    for column in 0..C {
                        out[column] = multiply_add(d, out[column], monomial, product[column]);
                    }
                }
                step.fetch.advance(d, selectors);
                for column in 0..C {
                    store(d, &mut spectra[column * lines + line], out[column]);
                }
            }
        }
    }
}
