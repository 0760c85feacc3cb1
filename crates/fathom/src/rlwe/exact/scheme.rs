//! The schemes that compute exactly on integers modulo `t`.

use super::tables::Tables;
use crate::rlwe::{self, MetaCodec};

/// BFV or BGV: the metadata of a message is its factor modulo `t`.
pub trait Scheme: MetaCodec + rlwe::Encoding<Meta = u64, Tables = Tables> {}

impl<S: MetaCodec + rlwe::Encoding<Meta = u64, Tables = Tables>> Scheme for S {}
