//! `fathom driver`: the engine behind the protocol.

use std::io::{BufReader, ErrorKind};

use super::{Exit, Failure, Outcome};
use crate::drivers::fathom_engine::Engine;
use crate::drivers::server;

pub(super) fn run() -> Outcome {
    let input = BufReader::new(std::io::stdin().lock());
    match server::serve(&Engine, input, std::io::stdout().lock()) {
        // Whoever asked is gone.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Ok),
        other => other.map(|()| Exit::Ok).map_err(Failure::nothing),
    }
}
