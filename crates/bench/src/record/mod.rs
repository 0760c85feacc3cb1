//! Records of runs, and comparisons between them.

mod accuracy;
mod application;
mod assessment;
mod case;
pub mod compare;
mod figures;
mod history;
pub mod ratio;
mod roofline;
mod security;
pub mod stored;
pub(crate) mod torus_security;

pub use accuracy::{ACCURATE, Accuracy};
pub use application::{Application, Messages, Phases, Predicted, deviation};
pub use assessment::assess;
pub(crate) use case::exceeds_budget;
pub use case::{
    Case, Context, Derived, FailureProbability, JSON_SCHEMA, Lane, NoiseVariance, Observed, SCHEMA,
    Semantics, Status, Tool, Verify, read,
};
pub use figures::{Bytes, Outliers, TimeNs};
pub use history::{History, Medians, RunStart};
pub use roofline::{Limit, Roofline};
pub(crate) use security::round1;
pub use security::{IND_CPA_ONLY, LESS_STUDIED, Security, caution, secret_distribution};
pub use stored::Stored;
