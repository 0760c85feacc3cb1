//! The `fathom` command.

#![forbid(unsafe_code)]
fn main() {}
