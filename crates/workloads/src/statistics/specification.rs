//! The specification of the workload.

use std::sync::LazyLock;

use crate::Spec;

/// The inputs, outputs, variants and sizes of `statistics`.
pub(super) static SPEC: LazyLock<Spec> =
    LazyLock::new(|| Spec::parse(include_str!("../../specs/statistics.toml")));
