//! The list of workloads.

use crate::Workload;
use crate::arith_compare::ArithCompare;
use crate::biometric_match::BiometricMatch;
use crate::decision_tree::DecisionTree;
use crate::inference::Inference;
use crate::private_db::PrivateDb;
use crate::shortest_paths::ShortestPaths;
use crate::sort::Sort;
use crate::statistics::Statistics;
use crate::training::Training;
use crate::transfer::Transfer;

/// Returns all workloads.
pub fn all() -> &'static [&'static dyn Workload] {
    &[
        &ArithCompare,
        &BiometricMatch,
        &DecisionTree,
        &Inference,
        &PrivateDb,
        &Sort,
        &ShortestPaths,
        &Statistics,
        &Training,
        &Transfer,
    ]
}

/// Returns the workload of a name.
pub fn find(name: &str) -> Option<&'static dyn Workload> {
    all().iter().copied().find(|workload| workload.spec().name == name)
}
