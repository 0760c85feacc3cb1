//! Functions of bits: bitwise operations, counts, and conversions between widths.

mod bitwise;
mod cast;
mod count;
