//! The driver of fhe.rs.

mod driver;
mod keys;
mod library;
mod modulus;
mod operations;
mod params;
mod refusal;
mod session;

use fathom_drivers::server;
use std::io;

fn main() -> io::Result<()> {
    server::serve(&library::FheRs, io::stdin().lock(), io::stdout().lock())
}
