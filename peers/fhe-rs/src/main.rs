//! The driver of fhe.rs.

mod keys;
mod library;
mod operations;
mod params;
mod session;

use fathom_bench::drivers::server;
use std::io;

fn main() -> io::Result<()> {
    server::serve(&library::FheRs, io::stdin().lock(), io::stdout().lock())
}
