//! LWE ciphertexts, which the schemes over the torus share.

mod ciphertext;
mod mask;

pub use ciphertext::LweCiphertext;
