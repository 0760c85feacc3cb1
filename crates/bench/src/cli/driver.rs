//! `fathom driver`: the engine behind the protocol.

use std::io::BufReader;

use super::{Exit, Failure, Outcome};
use crate::drivers::fathom_engine::Engine;
use crate::drivers::server;

pub(super) fn run() -> Outcome {
    let input = BufReader::new(std::io::stdin().lock());
    server::serve(&Engine, input, std::io::stdout().lock()).map_err(Failure::nothing)?;
    Ok(Exit::Ok)
}
