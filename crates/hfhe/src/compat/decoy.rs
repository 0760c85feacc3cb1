//! Decoys, the bit vectors that accompany the weights of edges in the reference implementation.

use super::hash::CounterHash;
use super::key::PublicKey;
use super::{COLUMNS, DECOY_BITS, DECOY_COLUMNS, DECOY_FLIPS, DECOY_WORDS, Sign};
use crate::Seed;

/// A vector of 8192 bits that depends on nothing but public values and a salt. It hides and
/// protects nothing.
pub(crate) type Decoy = [u64; DECOY_WORDS];

/// The inputs of a decoy, besides the tag of the key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecoySource {
    pub(crate) seed: Seed,
    pub(crate) index: u16,
    pub(crate) sign: Sign,
    pub(crate) salt: u64,
}

impl PublicKey {
    /// Computes the sum of 128 columns of the matrix, with 128 bits flipped.
    pub(crate) fn decoy(&self, source: &DecoySource) -> Decoy {
        let [tag, low, high] = source.seed.0;
        let (index, sign) = (source.index.into(), source.sign.bit().into());
        let words = [self.tag, tag, low, high, index, sign, source.salt];
        let hash = |label| CounterHash::new(self.kernel, label, &words);
        let columns = hash("pvac.dom.x_seed").choose::<DECOY_COLUMNS, { COLUMNS as u64 }>();
        let flips = hash("pvac.dom.noise").choose::<DECOY_FLIPS, { DECOY_BITS as u64 }>();
        let mut decoy = [0; DECOY_WORDS];
        self.kernel.xor_rows(&mut decoy, self.matrix.columns(), &columns);
        for flip in flips {
            decoy[flip as usize / 64] ^= 1 << (flip % 64);
        }
        decoy
    }
}
