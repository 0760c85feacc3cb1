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

use fathom_drivers::server;
use std::io;

fn main() -> io::Result<()> {
    server::serve(&library::Poulpy, io::stdin().lock(), io::stdout().lock())
}
