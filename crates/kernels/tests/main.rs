//! Every kernel of this CPU against the reference, as one program.
//!
//! Each program would link the library and compile the generic code that it uses once more.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod bits;
mod common;
mod fourier;
mod fourier_key_switch;
mod fourier_product;
mod key_product;
mod rows;
mod sampling;
mod transforms;
