//! Parameter sets: names, message spaces, checked descriptions and presets.

#[cfg(test)]
mod identity;
mod name;
mod preset_table;
mod presets;
mod set;
mod space;

pub use name::Name;
pub(crate) use set::for_noise;
pub use set::{Decomposition, KeyFamily, Params, Spec};
pub use space::Space;
