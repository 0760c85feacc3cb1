//! `fathom driver` and `fathom role`: serves the engine to the testbed, one operation at a time or
//! as client, server or verifier of a program.

use std::io::{BufReader, BufWriter, ErrorKind, Result as Served};

use clap::Args;
use fathom_drivers::engine::Engine;
use fathom_drivers::roles::{self, Role};
use fathom_drivers::server;

use super::outcome::{Exit, Failure, Outcome};

/// Arguments of `fathom role`.
#[derive(Debug, Args)]
pub(super) struct RoleArgs {
    /// The role: client, server or verifier
    #[arg(value_parser = role)]
    role: Role,
}

pub(super) fn driver() -> Outcome {
    let input = BufReader::new(std::io::stdin().lock());
    ended(server::serve(&Engine, input, std::io::stdout().lock()))
}

pub(super) fn in_role(args: &RoleArgs) -> Outcome {
    let input = BufReader::with_capacity(1 << 20, std::io::stdin().lock());
    let output = BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
    ended(roles::serve(&Engine, args.role, input, output))
}

fn ended(served: Served<()>) -> Outcome {
    match served {
        // The testbed that sent the requests has closed the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Ok),
        other => other.map(|()| Exit::Ok).map_err(Failure::nothing),
    }
}

fn role(name: &str) -> Result<Role, String> {
    Role::parse(name).ok_or_else(|| "client, server or verifier".into())
}
