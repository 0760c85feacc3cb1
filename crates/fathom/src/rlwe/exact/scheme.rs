//! The schemes that compute exactly on integers modulo `t`.

use super::Tables;
use crate::rlwe::{self, MetaCodec};

/// BFV or BGV: the metadata of a message is its factor modulo `t`.
pub trait Scheme: MetaCodec + rlwe::Scheme<Meta = u64, Tables = Tables> {}

impl<S: MetaCodec + rlwe::Scheme<Meta = u64, Tables = Tables>> Scheme for S {}
