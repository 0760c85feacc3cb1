//! What the stages of the submission share: files, parameters, batches.

pub mod batches;
pub mod files;
pub mod numbers;

use fathom::exact::{Circuit, Relinearization, VectorParams};

/// The result of a stage.
pub type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The circuit: one product of two words, both encrypted under the secret key. Words are read as
/// signed ones, which changes nothing modulo `2^64` and halves the range.
pub fn circuit(elements: usize) -> Circuit {
    Circuit {
        elements,
        relinearization: Relinearization::Without,
        ..Circuit::products_of::<i64>(1)
    }
}

/// The parameters of an instance: those that take the least work for its number of elements.
///
/// # Errors
/// Those of [`VectorParams::plan`].
pub fn parameters(elements: usize) -> Result<VectorParams, fathom::Error> {
    VectorParams::plan(&circuit(elements))
}

/// The number of elements of an instance.
///
/// # Errors
/// For a name that the harness does not have.
pub fn elements_of(instance: &str) -> Result<usize, String> {
    match instance {
        "single" => Ok(1),
        "small" => Ok(1000),
        "medium" => Ok(100_000),
        "large" => Ok(10_000_000),
        other => Err(format!("unknown instance {other}")),
    }
}
