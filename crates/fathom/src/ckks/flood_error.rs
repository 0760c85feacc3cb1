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
    /// The parameters have bounds in the worst case, which a Gaussian does not keep.
    #[error(
        "the parameters bound errors in the worst case, which the Gaussian of a flooded decryption \
         exceeds with some probability; take parameters with a failure probability, such as 2^-128"
    )]
    WorstCase,
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
