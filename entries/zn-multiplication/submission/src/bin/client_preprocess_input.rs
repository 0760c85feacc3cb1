//! The workload needs no preprocessing in the clear.

fn main() {}
