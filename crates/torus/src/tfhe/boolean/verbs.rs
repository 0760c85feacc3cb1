//! Each gate as a method, for circuits that are written gate by gate.

use super::{Bit, Gate, Gates};
use crate::tfhe::Error;

impl Gates {
    /// Computes `a ∧ b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn and(&self, a: &Bit, b: &Bit) -> Result<Bit, Error> {
        self.gate(Gate::And(a, b))
    }

    /// Computes `¬(a ∧ b)`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn nand(&self, a: &Bit, b: &Bit) -> Result<Bit, Error> {
        self.gate(Gate::Nand(a, b))
    }

    /// Computes `a ∨ b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn or(&self, a: &Bit, b: &Bit) -> Result<Bit, Error> {
        self.gate(Gate::Or(a, b))
    }

    /// Computes `¬(a ∨ b)`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn nor(&self, a: &Bit, b: &Bit) -> Result<Bit, Error> {
        self.gate(Gate::Nor(a, b))
    }

    /// Computes `a ⊕ b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn xor(&self, a: &Bit, b: &Bit) -> Result<Bit, Error> {
        self.gate(Gate::Xor(a, b))
    }

    /// Computes `¬(a ⊕ b)`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn xnor(&self, a: &Bit, b: &Bit) -> Result<Bit, Error> {
        self.gate(Gate::Xnor(a, b))
    }

    /// Computes `¬a ∧ b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn and_ny(&self, a: &Bit, b: &Bit) -> Result<Bit, Error> {
        self.gate(Gate::AndNy(a, b))
    }

    /// Computes `a ∧ ¬b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn and_yn(&self, a: &Bit, b: &Bit) -> Result<Bit, Error> {
        self.gate(Gate::AndYn(a, b))
    }

    /// Computes `¬a ∨ b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn or_ny(&self, a: &Bit, b: &Bit) -> Result<Bit, Error> {
        self.gate(Gate::OrNy(a, b))
    }

    /// Computes `a ∨ ¬b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn or_yn(&self, a: &Bit, b: &Bit) -> Result<Bit, Error> {
        self.gate(Gate::OrYn(a, b))
    }

    /// Computes the complement. Cost: no bootstrap.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn not(&self, a: &Bit) -> Result<Bit, Error> {
        a.block_for(self.evaluator())?;
        Ok(!a)
    }

    /// Computes `if condition { a } else { b }`. Cost: two bootstraps in parallel.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn select(&self, condition: &Bit, a: &Bit, b: &Bit) -> Result<Bit, Error> {
        self.gate(Gate::Mux(condition, a, b))
    }
}
