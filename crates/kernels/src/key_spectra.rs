//! The form of key switching keys that the kernels read.

use crate::arch::Portable;
use crate::torus::{KeySwitchTable, SwitchKey};

impl KeySwitchTable {
    /// Prepares a key: converts its spectra to integers, in the order in which they are read.
    ///
    /// It runs once for each key, in portable code, so that the result is the same on every CPU.
    ///
    /// Shapes: for each piece of the input and each level, `rows` holds an encryption of the piece
    /// of the secret times `2^(-base_log (level + 1))`: `output_dimension / degree` polynomials of
    /// the mask, then the body, each of `degree` torus words.
    ///
    /// # Panics
    /// If the length of `rows` is not [`KeySwitchTable::rows_len`].
    pub fn pack(&self, rows: &[u64]) -> SwitchKey {
        self.pack_on(Portable, rows)
    }
}
