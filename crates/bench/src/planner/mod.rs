//! The planner: predicts what a task costs on this machine, without running it.
//!
//! Unit costs of the machine are measured once and kept in a file
//! ([`cache`]). Each implementation of a task is run on simulated ciphertexts, which counts its
//! operations; a [`Prediction`](fathom_planner::Prediction) is the product of both. [`plan`]
//! compares the predictions with the limits of the user and picks an implementation. The crate
//! `fathom-planner` measures and predicts; the formulas are in docs/planner.md.

pub mod cache;
mod desk;
pub mod limits;
pub mod plan;

pub use desk::{Measuring, Planner, Speed};
pub use limits::{Limit, Limits, Share, nearest};
pub use plan::{Candidate, Plan, PlannerError, Verdict};
