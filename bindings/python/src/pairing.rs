//! Operations of two operands on the ciphertexts of vectors, which Ctrl-C ends.

use crate::errors::Refusal;
use crate::scheme::{Kind, Layout};
use crate::threads;
use crate::work::{by_count, interruptibly};
use fathom::rlwe::{Ciphertext, Evaluator};
use fathom::{CancelToken, Error};
use fathom_planner::RingOperation;
use pyo3::prelude::*;

/// The operation that joins two operands.
#[derive(Clone, Copy)]
pub enum Pairing {
    /// A sum.
    Sum,
    /// A difference.
    Difference,
    /// A product.
    Product,
}

impl Pairing {
    /// Returns the operation as it is counted.
    pub fn operation(self) -> RingOperation {
        match self {
            Pairing::Sum | Pairing::Difference => RingOperation::Add,
            Pairing::Product => RingOperation::Mul,
        }
    }
}

/// Calls `work` with an evaluator, so that Ctrl-C ends it if there are many parts.
///
/// # Errors
/// Those of [`by_count`].
pub fn run<S: Kind, T: Send>(
    py: Python<'_>,
    evaluator: &Evaluator<S>,
    parts: usize,
    work: impl FnOnce(&Evaluator<S>) -> Result<T, Refusal> + Send,
) -> PyResult<T> {
    by_count(py, parts, |token| work(&evaluator.with_cancel(token)))
}

/// Calls `work` with an evaluator that Ctrl-C cancels.
///
/// # Errors
/// Those of [`interruptibly`].
pub fn long<S: Kind, T: Send>(
    py: Python<'_>,
    evaluator: &Evaluator<S>,
    work: impl FnOnce(&Evaluator<S>) -> Result<T, Refusal> + Send,
) -> PyResult<T> {
    interruptibly(py, |token: &CancelToken| work(&evaluator.with_cancel(token)))
}

/// Adds, subtracts or multiplies the ciphertexts of two vectors: of one length, or of which one
/// holds the same value in every slot of its only ciphertext.
///
/// # Errors
/// `ShapeError` for vectors of other lengths; refusals of the operation.
pub fn pairwise<S: Kind>(
    py: Python<'_>,
    evaluator: &Evaluator<S>,
    pairing: Pairing,
    a: &[Ciphertext<S>],
    b: &[Ciphertext<S>],
) -> PyResult<Vec<Ciphertext<S>>> {
    let pairs: Vec<_> = match (a, b) {
        (_, [b]) => a.iter().map(|a| (a, b)).collect(),
        ([a], _) => b.iter().map(|b| (a, b)).collect(),
        _ if a.len() == b.len() => a.iter().zip(b).collect(),
        _ => {
            let (left, right) = (a.len(), b.len());
            return Err(Refusal::from(Error::ListLength { operation: "pair", left, right }).into());
        }
    };
    run(py, evaluator, pairs.len(), |evaluator| {
        threads::map(&pairs, |_, (a, b)| {
            Ok(match pairing {
                Pairing::Sum => evaluator.add(a, b)?,
                Pairing::Difference => evaluator.sub(a, b)?,
                Pairing::Product => evaluator.mul(a, b)?,
            })
        })
    })
}

/// Adds, subtracts or multiplies by clear values, as many as the ciphertexts hold.
///
/// # Errors
/// `ShapeError` for more or fewer values; refusals of the operation.
pub fn with_clear<S: Kind>(
    py: Python<'_>,
    evaluator: &Evaluator<S>,
    pairing: Pairing,
    a: &[Ciphertext<S>],
    (values, layout): (&[S::Value], Layout),
) -> PyResult<Vec<Ciphertext<S>>> {
    let slots = S::slot_count(evaluator.params());
    let chunks: Vec<&[S::Value]> = values.chunks(slots).collect();
    if chunks.len() != a.len() {
        let (left, right) = (a.len(), chunks.len());
        return Err(Refusal::from(Error::ListLength { operation: "pair", left, right }).into());
    }
    run(py, evaluator, a.len(), |evaluator| {
        threads::map(a, |number, a| {
            let message = S::encoded_public(evaluator.params(), chunks[number], layout)?;
            Ok(match pairing {
                Pairing::Sum => evaluator.add_plain(a, &message)?,
                Pairing::Difference => evaluator.sub_plain(a, &message)?,
                Pairing::Product => evaluator.mul_plain(a, &S::to_factor(&message, a.level())?)?,
            })
        })
    })
}
