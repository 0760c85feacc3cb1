//! The numbered examples check their own results; each has a test that calls its `main`.
//!
//! `cargo xtask user` runs the one that starts a second process, and those of bootstrapping take
//! long: they are compiled by the lints and run by hand.

#[path = "../examples/18_any_scheme.rs"]
mod any_scheme;
#[path = "../examples/1_bfv_basics.rs"]
mod bfv_basics;
#[path = "../examples/7_ckks_basics.rs"]
mod ckks_basics;
#[path = "../examples/13_custom_tables.rs"]
mod custom_tables;
#[path = "../examples/3_dot_products.rs"]
mod dot_products;
#[path = "../examples/10_gates.rs"]
mod gates;
#[path = "../examples/2_levels_and_noise.rs"]
mod levels_and_noise;
#[path = "../examples/5_matrix_vector.rs"]
mod matrix_vector;
#[path = "../examples/6_noise_exhausted.rs"]
mod noise_exhausted;
#[path = "../examples/4_polynomial.rs"]
mod polynomial;
#[path = "../examples/17_private_lookup.rs"]
mod private_lookup;
#[path = "../examples/14_public_keys.rs"]
mod public_keys;
#[path = "../examples/9_tfhe_integers.rs"]
mod tfhe_integers;
#[path = "../examples/11_tfhe_lists.rs"]
mod tfhe_lists;
#[path = "../examples/8_wide_integers.rs"]
mod wide_integers;
