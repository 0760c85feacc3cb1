//! The list of workloads.

use crate::Workload;
use crate::arith_compare::ArithCompare;

/// Returns all workloads.
pub fn all() -> &'static [&'static dyn Workload] {
    &[&ArithCompare]
}

/// Returns the workload of a name.
pub fn find(name: &str) -> Option<&'static dyn Workload> {
    all().iter().copied().find(|workload| workload.spec().name == name)
}
