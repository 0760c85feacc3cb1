//! The numbered examples check their own results; each has a test that calls its `main`.

#[path = "../examples/15_hfhe_basics.rs"]
mod hfhe_basics;
#[path = "../examples/16_hfhe_chosen_ciphertext.rs"]
mod hfhe_chosen_ciphertext;
