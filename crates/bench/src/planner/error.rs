//! Reasons why a task cannot be planned.

/// An error of the planner.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlannerError {
    /// The workload refused the task.
    #[error(transparent)]
    Workload(#[from] fathom_workloads::Error),
    /// The library refused an operation while unit costs were measured.
    #[error("unit costs: {0}")]
    Library(#[from] fathom::Error),
    /// The planner has no unit costs for an operation of the circuit.
    #[error("{scheme} cannot be predicted yet: an operation of the circuit has no unit costs")]
    NoUnitCosts {
        /// The scheme.
        scheme: &'static str,
    },
}
