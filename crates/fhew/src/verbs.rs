//! Each gate as a method, for circuits that are written gate by gate.

use super::secret_key::check;
use super::{FhewBit, FhewEvaluationKeys, FhewGate};
use crate::Error;

impl FhewEvaluationKeys {
    /// Computes `a ∧ b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`FhewEvaluationKeys::gate`].
    pub fn and(&self, a: &FhewBit, b: &FhewBit) -> Result<FhewBit, Error> {
        self.gate(FhewGate::And, a, b)
    }

    /// Computes `¬(a ∧ b)`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`FhewEvaluationKeys::gate`].
    pub fn nand(&self, a: &FhewBit, b: &FhewBit) -> Result<FhewBit, Error> {
        self.gate(FhewGate::Nand, a, b)
    }

    /// Computes `a ∨ b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`FhewEvaluationKeys::gate`].
    pub fn or(&self, a: &FhewBit, b: &FhewBit) -> Result<FhewBit, Error> {
        self.gate(FhewGate::Or, a, b)
    }

    /// Computes `¬(a ∨ b)`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`FhewEvaluationKeys::gate`].
    pub fn nor(&self, a: &FhewBit, b: &FhewBit) -> Result<FhewBit, Error> {
        self.gate(FhewGate::Nor, a, b)
    }

    /// Computes `a ⊕ b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`FhewEvaluationKeys::gate`].
    pub fn xor(&self, a: &FhewBit, b: &FhewBit) -> Result<FhewBit, Error> {
        self.gate(FhewGate::Xor, a, b)
    }

    /// Computes `¬(a ⊕ b)`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`FhewEvaluationKeys::gate`].
    pub fn xnor(&self, a: &FhewBit, b: &FhewBit) -> Result<FhewBit, Error> {
        self.gate(FhewGate::Xnor, a, b)
    }

    /// Computes `¬a ∧ b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`FhewEvaluationKeys::gate`].
    pub fn and_ny(&self, a: &FhewBit, b: &FhewBit) -> Result<FhewBit, Error> {
        self.gate(FhewGate::AndNy, a, b)
    }

    /// Computes `a ∧ ¬b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`FhewEvaluationKeys::gate`].
    pub fn and_yn(&self, a: &FhewBit, b: &FhewBit) -> Result<FhewBit, Error> {
        self.gate(FhewGate::AndYn, a, b)
    }

    /// Computes `¬a ∨ b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`FhewEvaluationKeys::gate`].
    pub fn or_ny(&self, a: &FhewBit, b: &FhewBit) -> Result<FhewBit, Error> {
        self.gate(FhewGate::OrNy, a, b)
    }

    /// Computes `a ∨ ¬b`. Cost: one bootstrap.
    ///
    /// # Errors
    /// As [`FhewEvaluationKeys::gate`].
    pub fn or_yn(&self, a: &FhewBit, b: &FhewBit) -> Result<FhewBit, Error> {
        self.gate(FhewGate::OrYn, a, b)
    }

    /// Computes the complement. Cost: no bootstrap.
    ///
    /// # Errors
    /// As [`FhewEvaluationKeys::gate`].
    pub fn not(&self, a: &FhewBit) -> Result<FhewBit, Error> {
        check(self.params(), self.switch().owner(), a)?;
        Ok(!a)
    }
}
