#![doc = include_str!("../../../../../docs/maths/tfhe-gates.md")]

mod bit;
mod encrypt;
mod gate;
mod gates;
mod many;
#[cfg(test)]
mod tests;

pub use bit::Bit;
pub use gate::Gate;
pub use gates::Gates;
