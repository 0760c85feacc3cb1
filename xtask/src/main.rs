//! Checks of this repository that cargo cannot do.
fn main() {}
