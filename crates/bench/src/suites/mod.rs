//! Programs of suites: measurements that are more than one operation of the driver protocol.
//!
//! A suite file lists operations, which the engine and its peers run behind the protocol. What a
//! published table measures besides (chains of operations, batches on pinned threads, transforms,
//! plain arithmetic) is a [`Program`] here: code over the public interface of the engine, timed in
//! this process, with its own oracle. Cases and programs share ids, records and reports.

mod bootstrap;
mod desk;
mod h33;
mod kernels;
mod meter;
pub mod nine65;
mod options;
mod party;
mod pinned;
mod program;
mod record;
mod refreshing;
#[cfg(test)]
mod tests;
mod transform_oracle;

pub use bootstrap::peers::programs as bootstraps_of;
pub use meter::Meter;
pub use options::{Config, Options};
pub use program::{Outcome, Program, run, run_one};

/// Returns the programs of a suite with these options; none for suites of operations only.
pub fn programs(suite: &str, options: &Options) -> Vec<Program> {
    match suite {
        "nine65" => nine65::programs(options),
        "h33" => h33::programs(options),
        "kernels" => kernels::programs(options),
        "bootstrap" => bootstrap::programs(options),
        _ => Vec::new(),
    }
}
