//! The command line: prints results on stdout, progress and warnings on stderr.

#[macro_use]
mod stdout;

mod applications;
mod bench;
mod bench_args;
mod choice;
mod claims;
mod compare;
mod completions;
mod contest;
mod dashes;
mod doctor;
mod dry_run;
mod earlier;
mod effects;
mod exchange;
mod explain;
mod history;
mod list;
mod outcome;
mod params;
mod peers;
mod plan;
mod programs;
mod progress;
mod record;
mod report;
mod reproduce;
mod run;
mod security;
mod serve;
mod shared;
mod values;

use clap::{CommandFactory, Parser, Subcommand};

pub use outcome::Exit;
use outcome::{Failure, Outcome};

/// Measures homomorphic encryption libraries on the same operations and verifies every result.
#[derive(Debug, Parser)]
#[command(name = "fathom", version, about, infer_subcommands = false)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure operations, verify the results and write a report
    #[command(after_help = bench_args::HABITS)]
    Bench(Box<bench_args::BenchArgs>),
    /// Compute a whole program on encrypted data and verify its result
    Run(Box<run::RunArgs>),
    /// Predict time, memory and bytes of a program on this machine and choose a scheme
    Plan(plan::PlanArgs),
    /// Make an HTML report from result files
    Report(report::ReportArgs),
    /// Compare two result files
    Compare(compare::CompareArgs),
    /// Write results in the format of another tool
    Export(exchange::ExportArgs),
    /// Convert the results of another tool to rows of all.csv
    Import(exchange::ImportArgs),
    /// Show the medians of each case over the runs of this machine
    History(history::HistoryArgs),
    /// Run the rows of a published document and print its tables
    Reproduce(reproduce::ReproduceArgs),
    /// Find doubtful figures in a published table
    CheckClaims(claims::ClaimsArgs),
    /// Report the properties of this machine that make measurements less reliable
    Doctor(doctor::DoctorArgs),
    /// List schemes, suites, operations, parameters or peers
    List(list::ListArgs),
    /// Show parameter sets, or find one for a given depth
    Params(params::ParamsArgs),
    /// Estimate the security of lattice parameters
    Security(security::SecurityArgs),
    /// List, install and check peer libraries
    Peers(peers::PeersArgs),
    /// Run the engine as a driver: JSON lines on stdin and stdout
    Driver,
    /// Run the engine in a role of a program: messages on stdin and stdout
    Role(serve::RoleArgs),
    /// Explain a code, an operation or a case
    Explain(explain::ExplainArgs),
    /// Print the completions of a shell: `fathom completions bash > ~/.bash_completion`
    Completions(completions::CompletionsArgs),
}

impl Cli {
    /// Runs the command given by the arguments of this process.
    pub fn main() -> Exit {
        let arguments = dashes::translated(std::env::args_os());
        stdout::conclude(match Self::parse_from(arguments).run() {
            Ok(exit) => exit,
            Err(Failure { exit, text }) => {
                eprintln!("fathom: {text}");
                exit
            }
        })
    }

    fn run(self) -> Outcome {
        match self.command {
            Command::Bench(args) => bench::run(&args),
            Command::Run(args) => run::run(&args),
            Command::Plan(args) => plan::run(&args),
            Command::Report(args) => report::run(&args),
            Command::Compare(args) => compare::run(&args),
            Command::Export(args) => exchange::export(&args),
            Command::Import(args) => exchange::import(&args),
            Command::History(args) => history::run(&args),
            Command::Reproduce(args) => reproduce::run(&args),
            Command::CheckClaims(args) => claims::run(&args),
            Command::Doctor(args) => doctor::run(&args),
            Command::List(args) => list::run(&args),
            Command::Params(args) => params::run(&args),
            Command::Security(args) => security::run(&args),
            Command::Peers(args) => peers::run(&args),
            Command::Driver => serve::driver(),
            Command::Role(args) => serve::in_role(&args),
            Command::Explain(args) => explain::run(&args),
            Command::Completions(args) => Ok(completions::run(&args, &mut Self::command())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
