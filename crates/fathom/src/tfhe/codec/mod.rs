//! The objects of TFHE.
//!
//! A frame identifies its secret key, and its parameter set by a hash of the description. The
//! reader supplies the parameters, which determine every length.

mod block;
mod byte_string;
mod client_key;
mod compact_list;
mod compressed_list;
mod evaluation_key;
mod packing_key;
mod params;
mod public_key;
mod radix;
mod seeded_list;

use crate::Error;
use crate::KeyId;
use crate::tfhe::{Owner, Params};
use crate::wire::WireError;
use crate::wire::frame::{CLEAR, FRESH, Fields, Frame, Label, open, seal};
use crate::wire::kind::Kind;

/// Name of the scheme in frames.
const SCHEME: &str = "tfhe";

/// The key and the flags in a header.
#[derive(Clone, Copy, Debug)]
struct Mark {
    key_id: Option<KeyId>,
    flags: u8,
}

impl Mark {
    /// The header fields of clear values.
    const CLEAR: Mark = Mark { key_id: None, flags: CLEAR };

    /// Returns the header fields of a key, or of a ciphertext that was computed.
    fn of(key_id: KeyId) -> Mark {
        Mark { key_id: Some(key_id), flags: 0 }
    }

    /// Returns the header fields of a fresh encryption.
    fn fresh(key_id: KeyId) -> Mark {
        Mark { key_id: Some(key_id), flags: FRESH }
    }
}

/// The content of a frame of values.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    /// Clear values.
    Clear,
    /// Fresh encryptions.
    Fresh(Owner),
    /// Ciphertexts that were computed.
    Computed(Owner),
}

/// The degree of trust in the claims of a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    /// Range, noise and depth are those that the sender claims.
    Claims,
    /// The frame must hold a fresh encryption, which gets the range of its type and the noise of an
    /// encryption.
    FreshOnly,
}

/// Returns a frame with this content, whose payload has exactly `payload_len` bytes.
fn seal_torus(
    kind: Kind,
    params: &Params,
    mark: Mark,
    payload_len: usize,
    write: impl FnOnce(&mut Vec<u8>),
) -> Vec<u8> {
    let id = params.id();
    let label = Label { kind, scheme: SCHEME, params_id: &id, key_id: mark.key_id };
    seal(label, Fields { flags: mark.flags, ..Fields::default() }, payload_len, write)
}

/// Returns the error for an object that these parameters cannot hold.
fn foreign(params: &Params) -> Error {
    let left = params.spec().name.as_str().to_owned();
    Error::ParamsMismatch { left, right: "the set of the object".to_owned() }
}

/// Opens a frame of values of these parameters.
fn open_values<'a>(
    bytes: &'a [u8],
    kind: Kind,
    params: &Params,
) -> Result<(Frame<'a>, Content), Error> {
    let frame = open(bytes, kind, SCHEME)?;
    frame.belongs(&params.id())?;
    let flags = frame.fields.flags;
    if frame.fields != (Fields { flags, ..Fields::default() }) {
        return Err(WireError::Malformed { field: "header" }.into());
    }
    if flags == CLEAR {
        return Ok((frame.keyless()?, Content::Clear));
    }
    let owner = Owner::new(frame.key()?, params);
    match flags {
        0 => Ok((frame, Content::Computed(owner))),
        FRESH => Ok((frame, Content::Fresh(owner))),
        _ => Err(WireError::Malformed { field: "header" }.into()),
    }
}
