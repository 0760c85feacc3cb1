//! Products of the digits of torus polynomials with rows of a key.

use crate::TorusRing;
use fathom_kernels::RealRow;
use fathom_kernels::torus::Decomposition;

/// Spectra of the rows of a key: for each polynomial and each of its digits, a row of as many
/// polynomials as a ciphertext has.
#[derive(Debug)]
pub struct GadgetRows {
    columns: usize,
    digits: Decomposition,
    spectra: RealRow,
}

/// Buffers of [`TorusRing::subtract_product`], for one degree.
#[derive(Debug)]
pub struct GadgetScratch {
    digits: RealRow,
    spectrum: RealRow,
    sums: RealRow,
}

impl GadgetRows {
    /// Returns the rows with these spectra, as [`GadgetRows::spectra`] returns them.
    ///
    /// Shapes: for each polynomial and each of its digits, `columns` spectra.
    pub fn from_spectra(spectra: RealRow, columns: usize, digits: Decomposition) -> GadgetRows {
        GadgetRows { columns, digits, spectra }
    }

    /// Returns the spectra.
    pub fn spectra(&self) -> &RealRow {
        &self.spectra
    }

    /// Returns the size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        8 * self.spectra.len()
    }
}

impl TorusRing {
    /// Computes the spectra of rows of `columns` polynomials each, one row for every piece and
    /// digit.
    ///
    /// Shapes: the length of `words` is a multiple of `columns` times the degree.
    pub fn gadget_rows(&self, words: &[u64], columns: usize, digits: Decomposition) -> GadgetRows {
        let degree = self.degree();
        let mut polynomial = RealRow::zeroed(degree);
        let mut spectra = RealRow::zeroed(words.len());
        let scale = 2.0 / degree as f64 / TORUS_MODULUS;
        let polynomials = words.chunks_exact(degree).zip(spectra.chunks_exact_mut(degree));
        for (words, spectrum) in polynomials {
            for (real, &word) in polynomial.iter_mut().zip(words) {
                *real = word as i64 as f64 * scale;
            }
            self.kernel().forward(self.table(), &polynomial, spectrum);
        }
        GadgetRows { columns, digits, spectra }
    }

    /// Makes buffers for products with `rows`.
    pub fn gadget_scratch(&self, rows: &GadgetRows) -> GadgetScratch {
        let degree = self.degree();
        GadgetScratch {
            digits: RealRow::zeroed(rows.digits.levels * degree),
            spectrum: RealRow::zeroed(degree),
            sums: RealRow::zeroed(rows.columns * degree),
        }
    }

    /// Subtracts the sum of `digit_l(piece) * row` over all pieces and digits from `ciphertext`.
    ///
    /// The digits are signed, the most significant first; the remainder after the last digit is
    /// rounded off.
    ///
    /// Shapes: `pieces` has as many polynomials as there are rows for each digit, `ciphertext` is
    /// one row, `scratch` is a result of [`TorusRing::gadget_scratch`] for the same shape.
    pub fn subtract_product(
        &self,
        rows: &GadgetRows,
        pieces: &[u64],
        ciphertext: &mut [u64],
        scratch: &mut GadgetScratch,
    ) {
        let (degree, kernel) = (self.degree(), self.kernel());
        let GadgetScratch { digits, spectrum, sums } = scratch;
        sums.fill(0.0);
        let mut keys = rows.spectra.chunks_exact(rows.columns * degree);
        for piece in pieces.chunks_exact(degree) {
            cut(rows.digits, piece, digits);
            for (digit, key) in digits.chunks_exact(degree).zip(&mut keys) {
                kernel.forward(self.table(), digit, spectrum);
                let columns = sums.chunks_exact_mut(degree).zip(key.chunks_exact(degree));
                columns.for_each(|(sum, key)| kernel.multiply_add(sum, spectrum, key));
            }
        }
        let columns = sums.chunks_exact_mut(degree).zip(ciphertext.chunks_exact_mut(degree));
        for (sum, column) in columns {
            let product = &mut digits[..degree];
            product.fill(0.0);
            kernel.inverse_add(self.table(), sum, product);
            for (word, &x) in column.iter_mut().zip(product.iter()) {
                let quotient = ((x - (x + ROUNDER - ROUNDER)) * TORUS_MODULUS) as i64;
                *word = word.wrapping_sub(quotient as u64);
            }
        }
    }
}

/// `1.5 * 2^52`: adding it rounds a number of absolute value below `2^51` to an integer.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// `2^64`.
const TORUS_MODULUS: f64 = 18_446_744_073_709_551_616.0;

/// Computes the digits of every word: a polynomial for each level, the most significant first.
///
/// The word is a signed fraction. Quotients are rounded to the nearest integer, ties to even, and
/// the last one is the highest digit: opposite words have opposite digits, whose mean is zero.
fn cut(digits: Decomposition, words: &[u64], out: &mut [f64]) {
    let bits = digits.base_log * digits.levels as u32;
    let (base, half) = (digits.base_log, 1_i64 << (digits.base_log - 1));
    for (place, &word) in words.iter().enumerate() {
        let mut rest = word.wrapping_add(1 << (63 - bits)).cast_signed() >> (64 - bits);
        for level in (1..digits.levels).rev() {
            let is_odd = rest >> base & 1;
            let quotient = (rest + half - 1 + is_odd) >> base;
            out[level * words.len() + place] = (rest - (quotient << base)) as f64;
            rest = quotient;
        }
        out[place] = rest as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn digits_sum_to_the_rounded_word() {
        for (base_log, levels) in [(2, 8), (16, 2), (23, 1), (13, 4), (1, 3)] {
            let digits = Decomposition { base_log, levels };
            let mut words = vec![0; 256];
            Seed([3; 32]).fill_words(&mut words);
            words[..3].copy_from_slice(&[0, u64::MAX, 1 << 63]);
            let mut out = vec![0.0; 256 * levels];
            cut(digits, &words, &mut out);
            for (place, &word) in words.iter().enumerate() {
                let mut sum = 0_u64;
                for level in 0..levels {
                    let digit = out[level * 256 + place];
                    assert!(digit.abs() <= digits.base() / 2.0);
                    let unit = 64 - base_log * (level as u32 + 1);
                    sum = sum.wrapping_add((digit as i64 as u64) << unit);
                }
                let error = word.wrapping_sub(sum) as i64;
                assert!(error.unsigned_abs() <= 1 << (63 - base_log * levels as u32));
            }
        }
    }

    #[test]
    fn the_mean_of_every_digit_is_zero() {
        for (base_log, levels) in [(2, 4), (5, 2), (8, 1), (1, 6)] {
            let digits = Decomposition { base_log, levels };
            let bits = base_log * levels as u32;
            // All words of as many bits but one, which is its own opposite.
            let words = (0..1_u64 << bits).filter(|word| *word != 1 << (bits - 1));
            let words: Vec<u64> = words.map(|word| word << (64 - bits)).collect();
            let mut out = vec![0.0; words.len() * levels];
            cut(digits, &words, &mut out);
            for (level, digit) in out.chunks_exact(words.len()).enumerate() {
                let sum: f64 = digit.iter().sum();
                assert!(sum.abs() < 0.5, "2^{base_log}, level {level}: {sum}");
            }
        }
    }

    /// Rows that hold the gadget itself reproduce the decomposed polynomial.
    #[test]
    fn products_with_the_gadget_are_the_polynomials() {
        let ring = TorusRing::new(256).unwrap();
        let digits = Decomposition { base_log: 10, levels: 2 };
        let (mut pieces, mut rows) = (vec![0; 512], Vec::new());
        Seed([4; 32]).fill_words(&mut pieces);
        for column in 0..2 {
            for level in 1..=2 {
                let mut row = vec![0; 512];
                row[256 * column] = 1 << (64 - 10 * level);
                rows.extend(row);
            }
        }
        let rows = ring.gadget_rows(&rows, 2, digits);
        let mut left = pieces.clone();
        ring.subtract_product(&rows, &pieces, &mut left, &mut ring.gadget_scratch(&rows));
        for word in left {
            assert!((word as i64).unsigned_abs() <= (1 << 43) + (1 << 30));
        }
    }
}
