//! The driver of poulpy.

mod backend;
mod bootstrap;
mod driver;
mod keys;
mod library;
mod operations;
mod params;
mod refusal;
mod session;

use fathom_bench::drivers::server;
use std::io;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some((command, rest)) = arguments.split_first()
        && command == "bootstrap"
    {
        return bootstrap::run(rest).map_err(io::Error::other);
    }
    server::serve(&library::Poulpy, io::stdin().lock(), io::stdout().lock())
}
