//! The objects of TFHE.
//!
//! A frame identifies its secret key, and its parameter set by a hash of the description. The
//! reader supplies the parameters, which determine every length.

mod block;
mod byte_string;
mod client_key;
mod compressed_list;
mod fresh_lists;
mod params;
mod public_keys;
mod radix;

use crate::Error;
use crate::KeyId;
use crate::tfhe::{Owner, Params};
use crate::wire::frame::{CLEAR, FRESH, Fields, Frame};
use crate::wire::{Header, WireError};

/// Name of the scheme in frames.
const SCHEME: &str = "tfhe";

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

/// Returns the header of a key of these parameters, or of a ciphertext that was computed.
fn of_key(params: &Params, key_id: KeyId) -> Header {
    Header::of_key(params.id(), key_id)
}

/// Returns the header of fresh encryptions.
fn of_fresh(params: &Params, key_id: KeyId) -> Header {
    Header { flags: FRESH, ..of_key(params, key_id) }
}

/// Returns the header of clear values.
fn of_clear(params: &Params) -> Header {
    Header { flags: CLEAR, ..Header::of_params(params.id()) }
}

/// Returns the error for an object that these parameters cannot hold.
fn foreign(params: &Params) -> Error {
    let left = params.spec().name.as_str().to_owned();
    Error::ParamsMismatch { left, right: "the set of the object".to_owned() }
}

/// Checks the header of a frame of values of these parameters.
fn content(frame: &Frame<'_>, params: &Params) -> Result<Content, Error> {
    frame.belongs(&params.id())?;
    let flags = frame.fields.flags;
    if frame.fields != (Fields { flags, ..Fields::default() }) {
        return Err(WireError::Malformed { field: "header" }.into());
    }
    if flags == CLEAR {
        return Ok(frame.keyless().map(|_| Content::Clear)?);
    }
    let owner = Owner::new(frame.key()?, params);
    match flags {
        0 => Ok(Content::Computed(owner)),
        FRESH => Ok(Content::Fresh(owner)),
        _ => Err(WireError::Malformed { field: "header" }.into()),
    }
}
