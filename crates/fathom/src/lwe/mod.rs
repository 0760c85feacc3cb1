//! What the schemes over single torus elements share: LWE ciphertexts and their keys.

mod ciphertext;
mod mask;

pub use ciphertext::LweCiphertext;
