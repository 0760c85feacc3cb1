//! The schemes that compute exactly on integers modulo `t`.

use super::tables::Tables;
use crate::rlwe::{self, MetaCodec, TwoRows};

/// BFV or BGV: the metadata of a message is its factor modulo `t`.
pub trait Scheme: MetaCodec + TwoRows + rlwe::Encoding<Meta = u64, Tables = Tables> {}

impl<S: MetaCodec + TwoRows + rlwe::Encoding<Meta = u64, Tables = Tables>> Scheme for S {}
