//! What the schemes over single torus elements share: LWE ciphertexts and their keys.

mod ciphertext;

pub use ciphertext::LweCiphertext;
