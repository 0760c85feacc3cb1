//! The planner: predicts what a task costs on this machine, without running it.
//!
//! Unit costs of the machine are measured once and kept in a file
//! ([`cache`]). Each implementation of a task is run on simulated ciphertexts, which counts its
//! operations; [`prediction`] is the product of both. [`plan`] compares the predictions with the
//! limits of the user and picks an implementation. The formulas are in docs/planner.md.

pub mod cache;
mod desk;
pub mod layer_curve;
pub mod limits;
mod measure_ring;
mod measure_tfhe;
pub mod plan;
pub mod prediction;
pub mod ring_costs;
mod rounds;
mod slowdown;
pub mod tfhe_costs;
mod timed;
mod vectors;

pub use cache::{Fingerprint, UnitCosts};
pub use desk::{Measuring, Planner, Speed};
pub use layer_curve::LayerCurve;
pub use limits::{Limit, Limits, Share, nearest};
pub use plan::{Candidate, Plan, PlannerError, Verdict};
pub use prediction::{Prediction, predict_ring, predict_tfhe};
pub use ring_costs::RingCosts;
pub use tfhe_costs::TfheCosts;
