//! `fathom driver`: serves the engine over the driver protocol.

use std::io::{BufReader, ErrorKind};

use super::outcome::{Exit, Failure, Outcome};
use crate::drivers::engine::Engine;
use crate::drivers::server;

pub(super) fn run() -> Outcome {
    let input = BufReader::new(std::io::stdin().lock());
    match server::serve(&Engine, input, std::io::stdout().lock()) {
        // The harness that sent the requests has closed the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Ok),
        other => other.map(|()| Exit::Ok).map_err(Failure::nothing),
    }
}
