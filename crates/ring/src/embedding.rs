//! The canonical embedding in double precision: values at the complex roots of `X^N + 1`.

use crate::secret::TORUS_KERNEL;
use fathom_kernels::RealRow;
use fathom_kernels::torus::FourierTable;
use num_complex::Complex64;

/// Generator, together with -1, of the odd residues modulo `2N`: as for integer slots.
const GENERATOR: usize = crate::automorphism::GENERATOR;

/// Relative error, in the Euclidean norm, of one level of a transform in units of `2^-53`: the root
/// of unity has an error of 5 units, and a complex product and a sum add `4 sqrt(2)` (Higham,
/// *Accuracy and Stability of Numerical Algorithms*, theorem 24.2).
const ERROR_PER_LEVEL: f64 = 12.0;

/// The map between `N/2` complex slots and the real coefficients of a polynomial modulo `X^N + 1`.
///
/// Slot `j` is the value at `exp(i pi 3^j / N)`. The values at the other roots are the complex
/// conjugates, so that the polynomial has real coefficients. The automorphism `X -> X^3` rotates
/// the slots by one to the left, and `X -> X^-1` conjugates them. The derivation is in
/// docs/maths/ckks.md.
#[derive(Clone, Debug)]
pub struct Embedding {
    degree: usize,
    table: FourierTable,
    /// The place of the real part of each slot in a spectrum; the imaginary part is eight further.
    /// Slots of odd number are stored as their conjugates.
    places: Vec<u32>,
}

/// Distance of the real and the imaginary part in a line of a spectrum.
const LINE: usize = 8;

impl Embedding {
    /// Smallest degree.
    pub const SMALLEST: usize = 256;
    /// Largest degree.
    pub const LARGEST: usize = 65_536;

    /// Makes the tables for a degree, a power of two from [`Embedding::SMALLEST`] to
    /// [`Embedding::LARGEST`].
    ///
    /// # Panics
    /// For another degree.
    pub fn new(degree: usize) -> Embedding {
        let table = FourierTable::new(degree);
        let (slots, bits) = (degree / 2, (degree / 2).ilog2());
        let mut power = 1;
        let place = |slot: usize| {
            // A root of X^(N/2) - i has an exponent of 1 modulo 4; of a slot and its conjugate,
            // one has.
            let exponent = if slot.is_multiple_of(2) { power } else { 2 * degree - power };
            power = power * GENERATOR % (2 * degree);
            let position = (exponent / 4).reverse_bits() >> (usize::BITS - bits);
            let (group, node) = (position / 64, position % 64);
            ((8 * group + node % LINE) * 2 * LINE + node / LINE) as u32
        };
        Embedding { degree, table, places: (0..slots).map(place).collect() }
    }

    /// Returns the number of coefficients `N`.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Returns the number of slots, `N/2`.
    pub fn slot_count(&self) -> usize {
        self.degree / 2
    }

    /// Returns the bound on the relative error of a transform in either direction, in the Euclidean
    /// norm.
    pub fn relative_error(&self) -> f64 {
        let levels = f64::from(self.slot_count().ilog2()) + 1.0;
        levels * ERROR_PER_LEVEL * (f64::EPSILON / 2.0)
    }

    /// Returns the coefficients of the polynomial with these values, repeated to fill all slots.
    ///
    /// Shapes: a power of two of values, at most [`Embedding::slot_count`]; `N` coefficients.
    pub fn coefficients(&self, values: &[Complex64]) -> RealRow {
        debug_assert!(values.len().is_power_of_two() && values.len() <= self.slot_count());
        let mut spectrum = RealRow::zeroed(self.degree);
        for (slot, (value, &place)) in values.iter().cycle().zip(&self.places).enumerate() {
            let place = place as usize;
            spectrum[place] = value.re;
            spectrum[place + LINE] = if slot % 2 == 0 { value.im } else { -value.im };
        }
        let mut coefficients = RealRow::zeroed(self.degree);
        TORUS_KERNEL.inverse_add(&self.table, &mut spectrum, &mut coefficients);
        spectrum.wipe();
        let scale = 1.0 / self.slot_count() as f64;
        coefficients.iter_mut().for_each(|c| *c *= scale);
        coefficients
    }

    /// Returns the values of the slots of a polynomial.
    ///
    /// Shapes: `N` coefficients, `N/2` values.
    pub fn values(&self, coefficients: &[f64]) -> Vec<Complex64> {
        let mut spectrum = self.spectrum(coefficients);
        // Slots of odd number lie at conjugate roots in the transform.
        let value = |(slot, &place): (usize, &u32)| {
            let [re, im] = [spectrum[place as usize], spectrum[place as usize + LINE]];
            Complex64::new(re, if slot % 2 == 0 { im } else { -im })
        };
        let values = self.places.iter().enumerate().map(value).collect();
        spectrum.wipe();
        values
    }

    /// Returns a bound on the absolute values of the slots of a polynomial of public coefficients.
    pub fn largest(&self, coefficients: &[f64]) -> f64 {
        let spectrum = self.spectrum(coefficients);
        let squares = spectrum.chunks_exact(2 * LINE).flat_map(|line| {
            let (re, im) = line.split_at(LINE);
            re.iter().zip(im).map(|(re, im)| re * re + im * im)
        });
        bound(squares.fold(0.0, f64::max), self.error(coefficients))
    }

    /// Returns bounds on the absolute values of the slots of a polynomial of public coefficients.
    ///
    /// Shapes: `N` coefficients, `N/2` values.
    pub fn sizes(&self, coefficients: &[f64]) -> Vec<f64> {
        let spectrum = self.spectrum(coefficients);
        let square = |&place: &u32| {
            let [re, im] = [spectrum[place as usize], spectrum[place as usize + LINE]];
            re * re + im * im
        };
        let error = self.error(coefficients);
        self.places.iter().map(|place| bound(square(place), error)).collect()
    }

    /// Bounds the error of any computed value by the Euclidean norm of all of them.
    fn error(&self, coefficients: &[f64]) -> f64 {
        let norm = coefficients.iter().map(|c| c * c).sum::<f64>().sqrt();
        self.relative_error() * norm * (self.degree as f64).sqrt()
    }

    fn spectrum(&self, coefficients: &[f64]) -> RealRow {
        debug_assert_eq!(coefficients.len(), self.degree);
        let mut spectrum = RealRow::zeroed(self.degree);
        TORUS_KERNEL.forward(&self.table, coefficients, &mut spectrum);
        spectrum
    }
}

/// Bounds a value whose square was computed, up to an error.
fn bound(square: f64, error: f64) -> f64 {
    square.sqrt() * (1.0 + 1e-9) + error
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// The value at the root of a slot, term by term.
    fn naive(degree: usize, coefficients: &[f64], slot: usize) -> Complex64 {
        let mut exponent = 1;
        for _ in 0..slot {
            exponent = exponent * GENERATOR % (2 * degree);
        }
        let term = |(k, &c): (usize, &f64)| {
            c * Complex64::cis(PI * (exponent * k % (2 * degree)) as f64 / degree as f64)
        };
        coefficients.iter().enumerate().map(term).sum()
    }

    /// Numbers in `-1..1`, by a linear congruence.
    fn numbers(count: usize, mut state: u64) -> Vec<f64> {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        (0..count).map(|_| next()).collect()
    }

    fn complex(count: usize) -> Vec<Complex64> {
        let parts = numbers(2 * count, 3);
        parts.chunks_exact(2).map(|p| Complex64::new(p[0], p[1])).collect()
    }

    #[test]
    fn slots_are_the_values_at_powers_of_three() {
        for degree in [256, 512, 1024] {
            let embedding = Embedding::new(degree);
            let polynomial = numbers(degree, 5);
            let values = embedding.values(&polynomial);
            for (slot, value) in values.iter().enumerate() {
                let expected = naive(degree, &polynomial, slot);
                assert!((value - expected).norm() < 1e-11, "{degree}, slot {slot}");
            }
        }
    }

    #[test]
    fn coefficients_and_values_are_inverse_within_the_stated_error() {
        for degree in [256, 4096, 65_536] {
            let embedding = Embedding::new(degree);
            let slots = complex(degree / 2);
            let back = embedding.values(&embedding.coefficients(&slots));
            let error: f64 = slots.iter().zip(&back).map(|(a, b)| (a - b).norm_sqr()).sum();
            let size: f64 = slots.iter().map(Complex64::norm_sqr).sum();
            let relative = (error / size).sqrt();
            assert!(relative < 2.0 * embedding.relative_error(), "{degree}: {relative}");
        }
    }

    #[test]
    fn few_values_repeat_and_lie_in_a_subring() {
        let embedding = Embedding::new(512);
        let few = complex(8);
        let polynomial = embedding.coefficients(&few);
        let all = embedding.values(&polynomial);
        assert!(all.iter().zip(few.iter().cycle()).all(|(a, b)| (a - b).norm() < 1e-13));
        // Eight slots take sixteen coefficients: those of powers of X^32.
        let others = polynomial.iter().enumerate().filter(|(k, _)| k % 32 != 0);
        assert!(others.map(|(_, c)| c.abs()).fold(0.0, f64::max) < 1e-15);
    }

    #[test]
    fn the_largest_value_is_bounded_closely() {
        let embedding = Embedding::new(1024);
        let polynomial = numbers(1024, 9);
        let values = embedding.values(&polynomial);
        let largest = values.iter().map(|v| v.norm()).fold(0.0, f64::max);
        let bound = embedding.largest(&polynomial);
        assert!(bound >= largest && bound < largest * 1.000_001, "{bound} for {largest}");
    }
}
