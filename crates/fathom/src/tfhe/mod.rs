//! TFHE: exact computing on small encrypted integers by programmable bootstrapping.

mod block;
mod error;
mod evaluator;
mod lut;
mod params;
mod space;

pub use block::Block;
pub use error::Error;
pub use evaluator::{Counts, Evaluator, Job};
pub use lut::{Function, Lut};
pub use params::{Decomposition, KeyFamily, Params, Spec};
pub use space::Space;
