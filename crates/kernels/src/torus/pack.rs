//! Conversion of a key switching key to the form that the kernels read: spectra, rounded to
//! integers and reordered.
//!
//! It runs once for each key, in portable code (`key_spectra.rs`): the result is the same on every
//! CPU.

use super::ends::Plain;
use super::key_switch_table::{BLOCK, KeySwitchTable, SwitchKey, TORUS_MODULUS};
use super::lanes::Doubles;
use super::transform::forward;
use crate::{IntegerRow, RealRow};

impl KeySwitchTable {
    /// Prepares a key on these lanes: [`KeySwitchTable::pack`] takes portable ones.
    pub(crate) fn pack_on(&self, lanes: impl Doubles, rows: &[u64]) -> SwitchKey {
        assert_eq!(rows.len(), self.rows_len(), "words of a key switching key");
        let (degree, columns) = (self.shape.degree, self.columns());
        let mut key = RealRow::zeroed(self.key_len());
        let mut lines = vec![[0.0; 8]; degree];
        let mut spectrum = vec![0.0; 8 * degree];
        let scale = 2.0 / (degree as f64 * TORUS_MODULUS);
        for (row, polynomials) in rows.chunks_exact(columns * degree).enumerate() {
            for (group, polynomials) in polynomials.chunks(8 * degree).enumerate() {
                lines.fill([0.0; 8]);
                for (lane, polynomial) in polynomials.chunks_exact(degree).enumerate() {
                    for (line, &word) in lines.iter_mut().zip(polynomial) {
                        line[lane] = word as i64 as f64 * scale;
                    }
                }
                let (re, im) = lines.split_at(degree / 2);
                forward(lanes, &self.plan, Plain, [re, im], &mut spectrum);
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
}
