//! The width of the integer in a ciphertext.

use super::{Ciphertext, Content, Params, Width};
use crate::rlwe::Level;

impl Ciphertext {
    /// Returns `log2` of the public bound on the absolute value of the integer.
    pub fn value_bits(&self) -> f64 {
        match self.meta.width {
            Width::Bits(bits) => bits,
            Width::Wrapping => f64::from(self.params.widest_bits()),
        }
    }

    /// Returns whether it stands for a residue modulo `2^N + 1`: see [`Ciphertext::wrapping`].
    pub fn is_wrapping(&self) -> bool {
        self.meta.width == Width::Wrapping
    }

    /// Returns the same integer as a residue modulo `2^N + 1`, from `-2^(N-1)` to `2^(N-1)`:
    /// results of which it is an operand wrap around, as those of `std::num::Wrapping` do modulo a
    /// power of two, and are residues themselves. Other results that could leave the range are
    /// refused with [`WideError::Overflow`](super::WideError::Overflow).
    #[must_use]
    pub fn wrapping(&self) -> Ciphertext {
        let meta = Content { width: Width::Wrapping, ..self.meta };
        Ciphertext { meta, ..self.clone() }
    }
}

impl Params {
    /// Returns the metadata of a fresh encryption of an integer of this width in bits.
    pub(super) fn fresh_content(&self, level: Level, bits: u32) -> Content {
        Content { factor: self.fresh_factor(level), width: Width::Bits(f64::from(bits)) }
    }
}
