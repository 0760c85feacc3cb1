//! Outcomes of checks.

use fathom_drivers::limits::VIOLATION;
use fathom_drivers::process::Fault;

/// The outcome of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Name of the check.
    pub name: String,
    /// A remark, or the reason of the failure.
    pub outcome: Result<String, String>,
}

/// Reports and counts the outcomes.
pub(super) struct Log<'a> {
    pub(super) tell: &'a mut dyn FnMut(&Check),
    pub(super) failures: usize,
    /// Number of failures caused by a value outside the limits of the protocol.
    pub(super) violations: usize,
}

impl Log<'_> {
    pub(super) fn note(&mut self, name: impl Into<String>, outcome: Result<String, String>) {
        self.failures += usize::from(outcome.is_err());
        let broke = |reason: &String| reason.contains(VIOLATION);
        self.violations += usize::from(outcome.as_ref().is_err_and(broke));
        (self.tell)(&Check { name: name.into(), outcome });
    }
}

/// Converts a fault to the outcome of a check.
pub(super) fn failed<T>(result: Result<T, Fault>) -> Result<T, String> {
    result.map_err(|fault| fault.to_string())
}
