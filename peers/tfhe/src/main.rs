//! Prints how many times faster Fathom's TFHE is than tfhe-rs.

use clap::Parser;
use peer_tfhe::bench::{Bench, Selection};
use peer_tfhe::race::Failure;
use peer_tfhe::report::{self, Machine};
use peer_tfhe::rows;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Fathom's TFHE beside tfhe-rs: the same work in turns, in one process.
#[derive(Debug, Parser)]
struct Arguments {
    /// Only rows whose id contains one of these, as `keys` or `shortint/u_2_2_128`.
    filters: Vec<String>,
    /// Time of one row, about; what takes longer runs once.
    #[arg(long, default_value_t = 15.0, value_name = "SECONDS")]
    budget: f64,
    /// Writes every round of every row there.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("an output was wrong");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether every output was right.
fn run(arguments: Arguments) -> Result<bool, Failure> {
    let machine = Machine::observe();
    let mut bench = Bench::new(Selection {
        filters: arguments.filters,
        budget: Duration::try_from_secs_f64(arguments.budget)?,
    });
    rows::keys::run(&mut bench)?;
    rows::shortint::run(&mut bench)?;
    report::print(&bench, &machine);
    if let Some(path) = arguments.json {
        report::write(&bench, &machine, &path)?;
    }
    Ok(bench.verified())
}
