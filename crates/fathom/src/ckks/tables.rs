//! The tables of the encoding.

use super::Spec;
use fathom_ring::Embedding;
use std::sync::OnceLock;

/// The tables of the encoding.
#[derive(Debug)]
pub struct Tables {
    pub(super) spec: Spec,
    /// The scale of a fresh ciphertext at each level.
    pub(super) scales: Vec<f64>,
    /// The embeddings of the subrings of `X^(N/d)`, by `log2 d`; built on first use.
    pub(super) embeddings: Vec<OnceLock<Embedding>>,
}
