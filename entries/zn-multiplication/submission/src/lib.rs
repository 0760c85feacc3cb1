//! Code that the stages of the submission share: files, parameters, and both forms of ciphertexts.

mod batches;
pub mod files;
mod numbers;
pub mod single;
pub mod vectors;

use fathom::wide::{Circuit, Form, Params, Relinearization, VectorParams};
use files::Files;
use std::fs;

/// The result of a stage.
pub type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The circuit: one product of two words, both encrypted under the secret key, without
/// relinearisation. Words are read as signed ones, which changes nothing modulo `2^64` and halves
/// the range.
fn circuit(elements: usize) -> Circuit {
    Circuit {
        elements,
        relinearization: Relinearization::Without,
        ..Circuit::products_of::<i64>(1)
    }
}

/// Chooses single integers or vectors, and their parameters, for the number of pairs of an
/// instance.
///
/// # Errors
/// For a name that the harness does not have; those of [`Circuit::choose`].
pub fn choose(instance: &str) -> Result<Form, Box<dyn std::error::Error>> {
    let elements = match instance {
        "single" => 1,
        "small" => 1000,
        "medium" => 100_000,
        "large" => 10_000_000,
        other => return Err(format!("unknown instance {other}").into()),
    };
    Ok(circuit(elements).choose()?.into_form())
}

/// Reads the parameters of a run.
///
/// # Errors
/// Those of the file system and of the parameters.
pub fn read_form(files: &Files) -> Result<Form, Box<dyn std::error::Error>> {
    let bytes = fs::read(files.parameters())?;
    if fathom::wire::summary(&bytes)?.scheme.starts_with(b"int") {
        return Ok(Form::Integers(Params::from_bytes(&bytes)?));
    }
    Ok(Form::Vectors(VectorParams::from_bytes(&bytes)?))
}
