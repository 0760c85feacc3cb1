//! The evaluators behind a server: one of integers and their truth values, one of gates on bits.

use super::content::{Content, is_for_integers};
use super::operand::Operand;
use super::operations;
use super::strings::on_strings;
use crate::errors::Refusal;
use fathom::CancelToken;
use fathom::tfhe::Evaluator;
use fathom::tfhe::boolean::Gates;
use fathom::tfhe::integer::Integers;

/// The operations that parameters allow.
pub enum Machine {
    /// Operations on integers and their truth values.
    Integers(Integers),
    /// Operations on bits, for parameter sets without integers.
    Gates(Gates),
}

impl Machine {
    /// Returns the operations over an evaluator.
    ///
    /// # Errors
    /// `ParamsError` if the parameters allow neither.
    pub fn new(evaluator: Evaluator) -> Result<Machine, Refusal> {
        if is_for_integers(evaluator.params()) {
            return Ok(Machine::Integers(Integers::new(evaluator)?));
        }
        Ok(Machine::Gates(Gates::new(evaluator)?))
    }

    /// Returns the same operations, which end once a token is cancelled.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn with_cancel(&self, token: &CancelToken) -> Result<Machine, Refusal> {
        Machine::new(self.evaluator().with_cancel(token))
    }

    /// Returns the evaluator.
    pub fn evaluator(&self) -> &Evaluator {
        match self {
            Machine::Integers(integers) => integers.evaluator(),
            Machine::Gates(gates) => gates.evaluator(),
        }
    }

    /// Computes an operation, of which most have one result.
    ///
    /// # Errors
    /// Those of the operation; `KindError` if there is none for these operands.
    pub fn apply(
        &self,
        operation: &str,
        operands: &[Operand<'_>],
    ) -> Result<Vec<Content>, Refusal> {
        match (self, operands) {
            (Machine::Integers(integers), [Operand::Encrypted(Content::Bytes(_)), ..]) => {
                on_strings(integers, operation, operands)
            }
            (Machine::Integers(integers), _) => {
                Ok(vec![operations::on_integers(integers, operation, operands)?])
            }
            (Machine::Gates(gates), _) => operations::on_bits(gates, operation, &[operands]),
        }
    }

    /// Computes an operation on each row of operands, all of them in the same layers of bootstraps.
    ///
    /// # Errors
    /// As [`Machine::apply`].
    pub fn each(
        &self,
        operation: &str,
        rows: &[Vec<Operand<'_>>],
    ) -> Result<Vec<Content>, Refusal> {
        match self {
            Machine::Integers(integers) => {
                let computed = |integers: &_, row: &Vec<_>| {
                    Ok(operations::on_integers(integers, operation, row))
                };
                integers.map(rows, computed)?.into_iter().collect()
            }
            Machine::Gates(gates) => operations::on_bits(gates, operation, rows),
        }
    }
}
