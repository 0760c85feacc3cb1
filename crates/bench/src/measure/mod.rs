//! Measuring: rounds of samples on driver processes.

pub mod benches;
pub mod bootstrapping;
mod calls;
pub mod case_run;
mod keygen;
mod outcome;
pub mod run;
pub mod runner;
pub mod self_comparison;
mod tally;
mod untimed;
pub mod workbench;
