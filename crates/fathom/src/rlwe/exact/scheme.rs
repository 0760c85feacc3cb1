//! What distinguishes BFV from BGV.

use super::Params;

/// A scheme over the shared core: `Bfv` or `Bgv`.
pub trait Scheme: Copy + std::fmt::Debug + Send + Sync + sealed::Sealed + 'static {
    /// Short name, as in result files.
    const NAME: &'static str;
    /// Does the evaluator bring operands to one level by itself?
    const LEVELS: Levels;

    /// The factor of a fresh message under the modulus of `level`.
    fn fresh_factor(params: &Params<Self>, level: usize) -> u64;
}

/// Who takes care of levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// The evaluator: operands are brought to the lower of their levels.
    Automatic,
    /// The caller: operands at different levels are refused.
    Explicit,
}

pub(crate) mod sealed {
    /// Only this crate adds schemes.
    pub trait Sealed {}
}
