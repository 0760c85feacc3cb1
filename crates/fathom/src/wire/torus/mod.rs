//! The objects of the schemes over the torus.
//!
//! A frame names its parameter set by a hash of the description; a reader brings the parameters,
//! and every length follows from them.

mod block;
mod client_key;
mod compact_list;
mod compressed_list;
mod evaluation_key;
mod packing_key;
mod public_key;
mod word;

use super::frame::{Fields, Kind, Label, seal};
use crate::tfhe::Params;

/// The scheme's name in frames.
const SCHEME: &str = "tfhe";

/// A frame of this content, which has exactly `payload_len` bytes.
fn seal_torus(
    kind: Kind,
    params: &Params,
    payload_len: usize,
    write: impl FnOnce(&mut Vec<u8>),
) -> Vec<u8> {
    let id = params.id();
    seal(Label { kind, scheme: SCHEME, params_id: &id }, Fields::default(), payload_len, write)
}
