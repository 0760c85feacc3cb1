//! Measuring: rounds of samples on driver processes, their statistics, and the machine.

pub mod benches;
pub mod bootstrapping;
mod calls;
pub mod case_run;
pub mod effort;
mod keygen;
pub mod machine;
mod outcome;
pub mod run;
pub mod self_comparison;
pub mod stats;
mod tally;
mod untimed;
pub mod workbench;
