//! The driver of tfhe-rs.

mod blocks;
mod failure;
mod gates;
mod integers;
mod lanes;
mod library;
mod memory;
mod modes;
mod presets;
mod programs;
mod scalars;
mod session;
mod value;

use fathom_drivers::roles::{self, Role};
use fathom_drivers::server;
use std::io::{self, BufReader, BufWriter};

/// Serves the driver protocol, or with the arguments `role NAME` one role of the whole programs.
fn main() -> io::Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => server::serve(&library::TfheRs, io::stdin().lock(), io::stdout().lock()),
        ["role", name] => {
            let unknown = || io::Error::other("the roles are client, server and verifier");
            let role = Role::parse(name).ok_or_else(unknown)?;
            let input = BufReader::with_capacity(1 << 20, io::stdin().lock());
            let output = BufWriter::with_capacity(1 << 20, io::stdout().lock());
            roles::serve(&library::TfheRs, role, input, output)
        }
        _ => Err(io::Error::other("expected no arguments, or `role` and the name of a role")),
    }
}
