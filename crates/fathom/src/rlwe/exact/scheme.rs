//! The schemes that compute exactly on integers modulo `t`.

use super::Tables;
use crate::rlwe;

/// BFV or BGV: the metadata of a message is its factor modulo `t`.
pub trait Scheme: rlwe::Scheme<Meta = u64, Tables = Tables> {}

impl<S: rlwe::Scheme<Meta = u64, Tables = Tables>> Scheme for S {}
