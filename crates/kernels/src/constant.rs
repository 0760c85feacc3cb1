//! Precomputed multiplicands.

/// The form in which a kernel reads a precomputed multiplicand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// The residue and `floor(w 2^64 / q)`.
    Shoup64,
    /// The residue and `floor(w 2^52 / q)`.
    Shoup52,
    /// The centred residue and its quotient by `q`, both as the bits of an `f64`.
    Ratio,
}

/// A residue that multiplies many words, with its quotients by the modulus in every form, so that
/// every kernel can use it. Made by `Modulus::constant`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    value: u64,
    /// `floor(value 2^64 / q)`; its top 52 bits are `floor(value 2^52 / q)`.
    quotient: u64,
    /// The representative in `(-q/2, q/2]`; exact for moduli below `2^53`.
    centered: f64,
    /// `centered / q`.
    ratio: f64,
}

impl Constant {
    pub(crate) fn new(q: u64, value: u64) -> Self {
        debug_assert!(value < q, "a constant is canonical");
        let centered = (value as i64 - if value > q / 2 { q as i64 } else { 0 }) as f64;
        Self {
            value,
            quotient: (((value as u128) << 64) / q as u128) as u64,
            centered,
            ratio: centered / q as f64,
        }
    }

    /// Returns the residue, canonical.
    pub fn value(&self) -> u64 {
        self.value
    }

    /// Returns the two words that kernels of this form read.
    pub(crate) fn pair(&self, form: Form) -> [u64; 2] {
        match form {
            Form::Shoup64 => [self.value, self.quotient],
            Form::Shoup52 => [self.value, self.quotient >> 12],
            Form::Ratio => [self.centered.to_bits(), self.ratio.to_bits()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_holds_the_quotient_of_the_residue() {
        let q = (1u64 << 45) + 59;
        for value in [0, 1, q / 2, q / 2 + 1, q - 1] {
            let constant = Constant::new(q, value);
            let shifted = |bits| (((value as u128) << bits) / q as u128) as u64;
            assert_eq!(constant.pair(Form::Shoup64), [value, shifted(64)]);
            assert_eq!(constant.pair(Form::Shoup52), [value, shifted(52)]);
            let [centered, ratio] = constant.pair(Form::Ratio).map(f64::from_bits);
            assert_eq!((centered as i64).rem_euclid(q as i64), value as i64);
            assert!(ratio.abs() <= 0.5 && (ratio * q as f64 - centered).abs() < 1.0);
        }
    }
}
