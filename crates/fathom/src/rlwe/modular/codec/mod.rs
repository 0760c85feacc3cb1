//! The wire forms of what only exact schemes have: their parameters, plaintexts and factors.

mod factor;
mod params;
mod plaintext;

pub(crate) use factor::{read_factor, write_factor};
