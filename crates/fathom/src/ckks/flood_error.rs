//! Reasons why a decryption was not flooded.

/// Why a decryption was not flooded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FloodError {
    /// The plan holds data: its bounds may be claims of a sender.
    #[error(
        "the plan is not a simulation, so that its bounds may be claims of a sender; compute the \
         circuit with Evaluator::simulated and pass its result"
    )]
    NotSimulated,
    /// The ciphertext is not what was planned.
    #[error(
        "the ciphertext has the {field} {got}, the plan has {planned}; simulate the circuit that \
         computed it, or refuse its sender"
    )]
    NotAsPlanned {
        /// The property that differs.
        field: &'static str,
        /// Its value in the plan.
        planned: f64,
        /// Its value in the ciphertext.
        got: f64,
    },
}
