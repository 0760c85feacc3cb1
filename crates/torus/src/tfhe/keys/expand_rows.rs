//! Transforms the rows of the bootstrapping key and lays them out for the blind rotation.

use crate::tfhe::Params;
use fathom_ring::{PreciseTransform, ProductShape, RealRow, TorusRing};

/// Expands the rows of the bootstrapping key.
pub(in crate::tfhe) struct RowExpander<'a> {
    ring: &'a TorusRing,
    shape: ProductShape,
    steps: usize,
    /// `None` if transforms in double precision suffice.
    precise: Option<PreciseTransform>,
}

impl<'a> RowExpander<'a> {
    pub(in crate::tfhe) fn new(params: &Params, ring: &'a TorusRing) -> RowExpander<'a> {
        let shape = params.product_shape();
        // Sets that take single key bits have more digits, so that the transform is a small part of
        // their noise.
        let precise = (shape.selectors > 1).then(|| PreciseTransform::new(shape.degree));
        RowExpander { ring, shape, steps: params.steps(), precise }
    }

    /// Returns memory for a key.
    pub(in crate::tfhe) fn empty_key(&self) -> RealRow {
        RealRow::zeroed(self.steps * self.shape.step_len())
    }

    /// Returns the steps of `key`, to be filled.
    pub(in crate::tfhe) fn steps<'k>(
        &'k self,
        key: &'k mut RealRow,
    ) -> impl ExactSizeIterator<Item = Expansion<'k>> + Send {
        key.chunks_exact_mut(self.shape.step_len()).map(|key| {
            let spectrum = Spectrum::new(self.shape.degree);
            Expansion { expander: self, spectrum, key }
        })
    }

    /// Returns whether row `number` of a product needs a precise transform in `column`. Errors of
    /// the body are not multiplied by the secret key, and errors of rows with shorter digits are
    /// smaller by the ratio of the bases.
    fn is_precise(&self, number: usize, column: usize) -> bool {
        let of_masks = self.shape.rank * self.shape.mask.levels;
        let shorter = self.shape.body.base_log < self.shape.mask.base_log;
        column < self.shape.rank && (number < of_masks || !shorter)
    }
}

/// One step of the bootstrapping key.
pub(in crate::tfhe) struct Expansion<'a> {
    expander: &'a RowExpander<'a>,
    spectrum: Spectrum,
    key: &'a mut [f64],
}

impl Expansion<'_> {
    /// Transforms and stores row `index` of the step. `row` holds its masks and its body, and is
    /// overwritten.
    pub(in crate::tfhe) fn lay(&mut self, index: usize, row: &mut [u64]) {
        let shape = self.expander.shape;
        let (selector, number) = (index / shape.rows(), index % shape.rows());
        for (column, words) in row.chunks_exact_mut(shape.degree).enumerate() {
            let unit = 64 - shape.decomposition(column).base_log as i32;
            match &self.expander.precise {
                Some(precise) if self.expander.is_precise(number, column) => {
                    let scale = scale(shape.degree, unit);
                    precise.transform(words, scale, &mut self.spectrum.spectrum);
                }
                _ => self.spectrum.transform(self.expander.ring, words, unit),
            }
            let place = |line| shape.key_offset(line, selector, number, column);
            self.spectrum.lay(self.key, place);
        }
    }
}

/// Returns the factor that scales a spectrum to units of `2^unit`. The inverse transform requires a
/// division by `N / 2`.
fn scale(degree: usize, unit: i32) -> f64 {
    2.0 / degree as f64 * 0.5_f64.powi(unit)
}

/// Transforms polynomials of torus elements.
struct Spectrum {
    polynomial: RealRow,
    spectrum: RealRow,
}

impl Spectrum {
    fn new(degree: usize) -> Spectrum {
        Spectrum { polynomial: RealRow::zeroed(degree), spectrum: RealRow::zeroed(degree) }
    }

    /// Computes the spectrum of `words` in units of `2^unit`.
    fn transform(&mut self, ring: &TorusRing, words: &[u64], unit: i32) {
        let scale = scale(words.len(), unit);
        for (real, &word) in self.polynomial.iter_mut().zip(words) {
            *real = word as i64 as f64 * scale;
        }
        ring.kernel().forward(ring.table(), &self.polynomial, &mut self.spectrum);
    }

    /// Copies each line of 16 values to its place in the key.
    fn lay(&self, key: &mut [f64], place: impl Fn(usize) -> usize) {
        for (line, values) in self.spectrum.chunks_exact(16).enumerate() {
            let at = place(line);
            key[at..at + 16].copy_from_slice(values);
        }
    }
}
