//! The `fathom` command.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(fathom_bench::cli::Cli::main() as u8)
}
