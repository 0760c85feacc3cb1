//! Suite `nine65`: the programs of document 004.
//!
//! Operations on one ciphertext are cases of `suites/nine65.toml`. The programs here are the chains
//! and scale tests, batches, and the arithmetic that the document measures without encryption. The
//! document's refresh does not lower the noise of a ciphertext: a chain that passes the noise limit
//! ends there, as `noise_exhausted`. The same chain with refreshes that do stands beside it.

mod batches;
mod chain;
mod document;
mod garner;
mod grover;
mod neural;
mod order;
mod patterns;
mod products;
mod reduction;
mod transforms;

pub use document::{DOCUMENT_START, document};

use fathom_cases::program::Program;

use crate::options::{Config, Options};

/// Returns the ids of what the main program of the document runs, without the library: the
/// operations, the depth chain and the scale tests of its configuration, each chain on the
/// published set, on one that is large enough, and with refreshes.
pub fn main_program(options: &Options) -> Vec<String> {
    let config = options.config.unwrap_or(Config::Secure128);
    let operations = document::operations().map(|op| format!("bfv/{}/{op}", config.published()));
    let chains = chain::programs(config, options).into_iter();
    operations.chain(chains.map(|program| program.question())).collect()
}

/// Returns true for the id of a chain with refreshes, which take minutes.
pub fn is_refreshed(id: &str) -> bool {
    id.ends_with(chain::REFRESHED)
}

/// Returns the programs of the suite.
pub fn programs(options: &Options) -> Vec<Program> {
    let configs = options.config.map_or_else(|| Config::ALL.to_vec(), |config| vec![config]);
    let mut programs = Vec::new();
    for config in configs {
        programs.extend(chain::programs(config, options));
        programs.extend(products::programs(config, options));
        programs.extend(batches::programs(config, options));
    }
    programs.extend(batches::pools());
    programs.extend(reduction::programs());
    programs.extend(garner::programs());
    programs.extend(transforms::programs());
    programs.extend(order::programs());
    programs.extend(grover::programs(options));
    programs.extend(neural::programs());
    let mut seen = std::collections::HashSet::new();
    programs.retain(|program| seen.insert(program.id()));
    programs
}
