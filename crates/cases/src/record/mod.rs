//! Records of runs, and comparisons between them.

mod accuracy;
mod any_version;
mod application;
mod case;
pub mod compare;
pub mod earlier;
mod figures;
mod history;
pub mod ratio;
mod refresh;
mod roofline;
mod security;
pub mod stored;

pub use accuracy::{ACCURATE, Accuracy};
pub use any_version::Shown;
pub use application::{Application, Messages, Phases, Predicted, deviation};
pub use case::exceeds_budget;
pub use case::{
    Case, Context, Derived, FailureProbability, JSON_SCHEMA, Lane, NoiseVariance, Observed, SCHEMA,
    Semantics, Status, Tool, Verify, read,
};
pub use figures::{Bytes, Outliers, TimeNs};
pub use history::{History, Medians, RunStart, latest_phases};
pub use refresh::{KeySecurity, Refresh};
pub use roofline::{Limit, Roofline};
pub use security::{IND_CPA_ONLY, LESS_STUDIED, Security, assess, caution, secret_distribution};
pub use security::{lwe_secret, round1, secret_name};
pub use stored::Stored;
