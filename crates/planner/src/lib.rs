//! Predicts what a computation on encrypted data costs on this machine, without running it.
//!
//! Unit costs of the machine are measured once ([`measure_ring`], [`measure_tfhe`]) and kept as
//! text ([`UnitCosts`]). A circuit that runs on simulated ciphertexts has its operations counted
//! ([`RingWork`], [`BootstrapWork`]); a [`Prediction`] is the product of both, and [`slowdown`]
//! tells how much longer the machine takes at this moment. The formulas are in docs/planner.md.

#![forbid(unsafe_code)]

mod layer_curve;
mod measure_bootstraps;
pub mod measure_ring;
pub mod measure_tfhe;
mod prediction;
mod ring_costs;
mod rounds;
#[cfg(any(test, feature = "samples"))]
pub mod samples;
pub mod slowdown;
pub mod stats;
mod tfhe_costs;
mod timed;
mod unit_costs;
mod vectors;
mod work;

pub use layer_curve::LayerCurve;
pub use measure_bootstraps::MEMORY_PER_KEY_BYTE;
pub use prediction::{Prediction, predict_ring, predict_tfhe};
pub use ring_costs::{BootstrappingCosts, RingCosts};
pub use tfhe_costs::TfheCosts;
pub use unit_costs::{Fingerprint, UnitCosts};
pub use work::{BootstrapWork, RingCounts, RingOperation, RingParams, RingSpans, RingWork};
