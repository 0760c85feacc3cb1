//! The workload needs no postprocessing in the clear.

fn main() {}
