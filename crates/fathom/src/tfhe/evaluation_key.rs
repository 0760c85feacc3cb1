//! The evaluation key in the form that bootstraps read: spectra.

use super::automorphism_keys::{AutomorphismKeys, AutomorphismShape};
use super::encrypted_table::table_shape;
use super::seeded_key::{SeededEvaluationKey, automorphism_seed, rotation_seed, switch_masks};
use super::{Error, Params};
use fathom_ring::{
    KeySwitchShape, KeySwitchTable, PreciseTransform, RealRow, SwitchKey, TorusRing,
};
use rayon::prelude::*;
use std::sync::Arc;

/// The public key under which bootstraps run, as spectra: a bootstrapping key, a key switching key
/// and, for the sets that integers are made of, automorphism keys. Large
/// ([`EvaluationKey::bytes`]); made from a [`SeededEvaluationKey`].
#[derive(Debug)]
pub struct EvaluationKey {
    pub(super) params: Arc<Params>,
    pub(super) ring: TorusRing,
    /// The keys of all steps of the blind rotation.
    pub(super) rotation: RealRow,
    pub(super) switch_table: KeySwitchTable,
    pub(super) switch: SwitchKey,
    /// None where the parameters provide for no encrypted tables.
    pub(super) automorphisms: AutomorphismKeys,
}

impl EvaluationKey {
    /// Expands a key: the masks are drawn from its seed and everything is transformed, on all
    /// threads of the current pool.
    ///
    /// # Errors
    /// [`Error::Ring`] if the kernel named in the environment does not exist.
    pub fn expand(seeded: &SeededEvaluationKey) -> Result<EvaluationKey, Error> {
        let params = Arc::clone(seeded.params());
        let ring = TorusRing::new(params.spec().degree)?;
        let rotation = expand_rotation(&params, &ring, seeded);
        let switch_table = KeySwitchTable::new(switch_shape(&params));
        let switch = expand_switch(&params, &switch_table, seeded);
        let shape = table_shape(&params).unwrap_or(AutomorphismShape::NONE);
        let seed = automorphism_seed(seeded.seed());
        let bodies = seeded.automorphisms();
        let automorphisms = AutomorphismKeys::expand(&params, &ring, &shape, &seed, bodies);
        Ok(EvaluationKey { params, ring, rotation, switch_table, switch, automorphisms })
    }

    /// The parameters.
    pub fn params(&self) -> &Arc<Params> {
        &self.params
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        8 * self.rotation.len() + self.switch.bytes() + self.automorphisms.bytes()
    }
}

fn switch_shape(params: &Params) -> KeySwitchShape {
    let spec = params.spec();
    KeySwitchShape {
        input_dimension: params.big_dimension(),
        output_dimension: spec.small_dimension,
        degree: spec.key_switch_degree,
        digits: spec.key_switch,
    }
}

fn expand_rotation(params: &Params, ring: &TorusRing, seeded: &SeededEvaluationKey) -> RealRow {
    let shape = params.product_shape();
    let degree = shape.degree;
    let rows_of_step = shape.selectors * shape.rows();
    // Sets that take single bits have more digits: there the transform is a small part of the
    // noise.
    let precise = (shape.selectors > 1).then(|| PreciseTransform::new(degree));
    let of_masks = shape.rank * shape.mask.levels;
    let shorter = shape.body.base_log < shape.mask.base_log;
    let precise_rows = if shorter { of_masks } else { shape.rows() };
    let mut key = RealRow::zeroed(params.steps() * shape.step_len());
    let bodies = seeded.rotation().par_chunks_exact(rows_of_step * degree);
    key.par_chunks_exact_mut(shape.step_len()).zip(bodies).enumerate().for_each_init(
        || (vec![0; shape.columns() * degree], Spectrum::new(degree)),
        |(row, spectrum), (step, (key, bodies))| {
            for (index, body) in bodies.chunks_exact(degree).enumerate() {
                let (selector, number) = (index / shape.rows(), index % shape.rows());
                let (masks, last) = row.split_at_mut(shape.rank * degree);
                rotation_seed(seeded.seed(), step * rows_of_step + index).fill_words(masks);
                last.copy_from_slice(body);
                for (column, words) in row.chunks_exact_mut(degree).enumerate() {
                    let unit = 64 - shape.decomposition(column).base_log as i32;
                    match &precise {
                        // Errors of the body are not multiplied by the secret key, and those of
                        // rows with shorter digits are as much smaller.
                        Some(precise) if column < shape.rank && number < precise_rows => {
                            precise.transform(words, scale(degree, unit), &mut spectrum.spectrum);
                        }
                        _ => spectrum.transform(ring, words, unit),
                    }
                    spectrum.lay(key, |line| shape.key_offset(line, selector, number, column));
                }
            }
        },
    );
    key
}

/// What a spectrum is multiplied by for units of `2^unit`: the inverse asks for a division by
/// `N / 2`.
fn scale(degree: usize, unit: i32) -> f64 {
    2.0 / degree as f64 * 0.5_f64.powi(unit)
}

/// Transforms polynomials of torus words.
struct Spectrum {
    polynomial: RealRow,
    spectrum: RealRow,
}

impl Spectrum {
    fn new(degree: usize) -> Spectrum {
        Spectrum { polynomial: RealRow::zeroed(degree), spectrum: RealRow::zeroed(degree) }
    }

    /// The spectrum of `words` in units of `2^unit`.
    fn transform(&mut self, ring: &TorusRing, words: &[u64], unit: i32) {
        let scale = scale(words.len(), unit);
        for (real, &word) in self.polynomial.iter_mut().zip(words) {
            *real = word as i64 as f64 * scale;
        }
        ring.kernel().forward(ring.table(), &self.polynomial, &mut self.spectrum);
    }

    /// Copies each line to where the key wants it.
    fn lay(&self, key: &mut [f64], place: impl Fn(usize) -> usize) {
        for (line, values) in self.spectrum.chunks_exact(16).enumerate() {
            let at = place(line);
            key[at..at + 16].copy_from_slice(values);
        }
    }
}

/// Rows in the order piece, level, then the masks and the body.
fn expand_switch(
    params: &Params,
    table: &KeySwitchTable,
    seeded: &SeededEvaluationKey,
) -> SwitchKey {
    let degree = params.spec().key_switch_degree;
    let rows = seeded.switch().chunks_exact(degree).enumerate().flat_map(|(row, body)| {
        let mut words = switch_masks(params, seeded.seed(), row);
        words.extend(body.iter().map(|&word| u64::from(word) << 32));
        words
    });
    table.pack(&rows.collect::<Vec<u64>>())
}
