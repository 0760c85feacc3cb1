//! Encrypted integers are compared with clear arithmetic for all widths, and their bootstraps are
//! counted.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod arithmetic;
mod bits;
mod bytes;
mod checked;
mod copies;
mod counts;
mod division;
mod encrypted;
mod errors;
mod harness;
mod list_counts;
mod lists;
mod operators;
mod order;
mod product_order;
mod products;
mod radix_int;
mod sets;
