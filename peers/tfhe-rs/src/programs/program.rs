//! A program: its columns and its circuit.

use fathom_workloads::{Data, Error, Task};

use super::columns::{Encrypted, Field};

/// A program on tfhe-rs.
#[derive(Clone, Copy)]
pub(super) struct Program {
    /// The algorithm in one sentence.
    pub(super) method: &'static str,
    /// Refuses tasks that the circuit does not compute.
    pub(super) supports: fn(&Task) -> Result<(), Error>,
    /// The columns that the client encrypts.
    pub(super) inputs: fn(&Task) -> Result<Vec<Field>, Error>,
    /// The columns of the result.
    pub(super) outputs: fn(&Task) -> Result<Vec<Field>, Error>,
    /// The circuit: on the clear columns of the server and the encrypted ones of the client. Every
    /// thread that runs it has the server key.
    pub(super) circuit: fn(&Task, &Data, &Encrypted) -> Result<Encrypted, Error>,
}
