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
mod scalars;
mod session;
mod value;

use fathom_bench::drivers::server;
use std::io;

fn main() -> io::Result<()> {
    server::serve(&library::TfheRs, io::stdin().lock(), io::stdout().lock())
}
