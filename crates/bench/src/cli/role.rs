//! `fathom role`: serves the engine as client, server or verifier of a program.

use std::io::{BufReader, BufWriter, ErrorKind};

use clap::Args;

use super::outcome::{Exit, Failure, Outcome};
use crate::drivers::engine::Engine;
use crate::drivers::roles::{Role, serve};

/// Arguments of `fathom role`.
#[derive(Debug, Args)]
pub(super) struct RoleArgs {
    /// The role: client, server or verifier
    #[arg(value_parser = role)]
    role: Role,
}

pub(super) fn run(args: &RoleArgs) -> Outcome {
    let input = BufReader::with_capacity(1 << 20, std::io::stdin().lock());
    let output = BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
    match serve(&Engine, args.role, input, output) {
        // The testbed that sent the requests has closed the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Ok),
        other => other.map(|()| Exit::Ok).map_err(Failure::nothing),
    }
}

fn role(name: &str) -> Result<Role, String> {
    Role::parse(name).ok_or_else(|| "client, server or verifier".into())
}
