//! CKKS: laws, precision, refusals.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod circuits;
mod circuits_planned;
mod domain;
mod errors;
mod filled;
mod laws;
mod nearness;
mod normalizations;
mod padding;
mod programs_planned;
mod promises;

mod planning;
mod precision;
mod presets;
mod random;
mod remedies;
mod rounds;
mod scales;
pub(crate) mod setup;
mod shapes;
mod statistics;
mod weighted;
mod wire;
mod zeros;
