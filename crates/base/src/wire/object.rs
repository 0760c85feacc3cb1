//! A kind of object describes its wire form, and the verbs follow from the description.
//!
//! A kind implements [`Wire`] with the reader of its payload, and one of two ways of writing:
//! [`WireObject`] if it holds everything that its frame states, [`WireValue`] if the writer
//! supplies the parameters. Frames, lengths, checksums and the checks that depend on no kind are
//! written here once.

use super::frame::{Fields, Frame, Label, OVERHEAD, open, seal};
use crate::kind::Kind;
use crate::{Error, KeyId};

/// An object that is read from bytes: one frame, as docs/wire-format.md specifies it.
///
/// Its implementors are all objects that travel, but for secret keys, which travel only by methods
/// that say so, such as `to_secret_bytes`. Those that hold what their frame states are
/// [`WireObject`]s; values of TFHE and FHEW, whose writer supplies the parameters, are
/// [`WireValue`]s.
pub trait Wire: Sized {
    /// The reader supplies this, and the object belongs to it: the parameters of its scheme; `()`
    /// for parameters, which also have a `from_bytes` without it.
    type Context;

    /// The kind of object that the header states.
    const KIND: Kind;

    /// Name of the scheme that the header states, of at most 4 bytes.
    const SCHEME: &'static str;

    /// Checks the header of a frame, and reads the payload. What it leaves of the payload is
    /// refused.
    #[doc(hidden)]
    fn read(context: &Self::Context, frame: &mut Frame<'_>, trust: Trust) -> Result<Self, Error>;

    /// Reads an object of `context`.
    ///
    /// Noise, ranges and magnitudes in the frame are claims of its sender (see [`crate::wire`]):
    /// read ciphertexts of untrusted senders with [`WireFresh::from_bytes_fresh`]. Keys cannot be
    /// verified; wrong ones make the results of their owner wrong.
    ///
    /// # Errors
    /// [`Error::Wire`] with the field for bytes that are no object of this kind and scheme, or not
    /// in the only form that its content has; [`Error::ParamsMismatch`] if it belongs to other
    /// parameters; [`Error::Transparent`] for a ciphertext that anyone can read;
    /// [`Error::Simulated`] if the object of a ring scheme, or the parameters, belong to a
    /// simulation.
    fn from_bytes(context: &Self::Context, bytes: &[u8]) -> Result<Self, Error> {
        decode(context, bytes, Trust::Claims)
    }
}

/// A ciphertext that can be read from an untrusted sender while it is a fresh encryption.
pub trait WireFresh: Wire {
    /// Reads a ciphertext that its header declares as fresh, and ignores what the sender claims of
    /// it: it gets the noise bound and the range of the noisiest honest encryption. That is one
    /// under the secret key if it is sent with a seed, which one under the public key cannot have.
    /// Of a CKKS message, the larger one of the magnitudes that the sender and the parameters state
    /// is believed.
    ///
    /// A sender who encrypts with more noise, or falsely declares a computed ciphertext as fresh,
    /// spoils the results that depend on this input, and no others.
    ///
    /// # Errors
    /// Those of [`Wire::from_bytes`]; [`WireError::NotFresh`](super::WireError::NotFresh) for the
    /// result of a computation and for clear values.
    fn from_bytes_fresh(context: &Self::Context, bytes: &[u8]) -> Result<Self, Error> {
        decode(context, bytes, Trust::FreshOnly)
    }
}

/// An object that holds everything that its frame states.
pub trait WireObject: Wire {
    /// Returns the statements of the header.
    #[doc(hidden)]
    fn header(&self) -> Header;

    /// Returns the number of bytes that [`WireObject::write`] appends.
    #[doc(hidden)]
    fn payload_len(&self) -> usize;

    /// Appends the payload.
    #[doc(hidden)]
    fn write(&self, out: &mut Vec<u8>);

    /// Returns whether the object is simulated. Its payload is then zeros, which no reader takes
    /// for a ciphertext.
    #[doc(hidden)]
    fn has_no_content(&self) -> bool {
        false
    }

    /// Returns the wire form. What is uniform and came from a seed is sent as the seed.
    fn to_bytes(&self) -> Vec<u8> {
        encode::<Self>(&self.header(), self.payload_len(), |out| {
            if self.has_no_content() {
                out.resize(out.len() + self.payload_len(), 0);
            } else {
                self.write(out);
            }
        })
    }

    /// Returns the length of [`WireObject::to_bytes`] in bytes, without encoding the object.
    fn byte_len(&self) -> usize {
        OVERHEAD + self.header().meta.len() + self.payload_len()
    }
}

/// A value that does not hold its parameters, so that its writer supplies them.
pub trait WireValue: Wire {
    /// Checks that the value can be sent with these parameters, and returns what the header states.
    #[doc(hidden)]
    fn header(&self, context: &Self::Context) -> Result<Header, Error>;

    /// Returns the number of bytes that [`WireValue::write`] appends.
    #[doc(hidden)]
    fn payload_len(&self, context: &Self::Context) -> usize;

    /// Appends the payload.
    #[doc(hidden)]
    fn write(&self, context: &Self::Context, out: &mut Vec<u8>);

    /// Returns the wire form. Clear digits, such as those that a shift has filled in, remain clear;
    /// a value of clear digits alone is marked as such.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if it belongs to other parameters;
    /// [`WireError::Range`](super::WireError::Range) if a block has a wider range than the message
    /// space or more noise than a bootstrap can take, or a string is too long;
    /// [`Error::Simulated`].
    fn to_bytes(&self, context: &Self::Context) -> Result<Vec<u8>, Error> {
        let header = self.header(context)?;
        Ok(encode::<Self>(&header, self.payload_len(context), |out| {
            self.write(context, out);
        }))
    }

    /// Returns the length of [`WireValue::to_bytes`] in bytes, without encoding the value. Values
    /// have no metadata in their header.
    fn byte_len(&self, context: &Self::Context) -> usize {
        OVERHEAD + self.payload_len(context)
    }
}

/// The degree of trust in what a sender claims of a ciphertext.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Noise, range and magnitude are those that the sender claims.
    Claims,
    /// The ciphertext must be declared as fresh, and gets the bounds of an honest encryption.
    FreshOnly,
}

/// The header of a frame, as an object states it.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// Identifier of the object's parameters.
    pub params_id: [u8; 32],
    /// Identifier of its secret key; `None` for what belongs to no key.
    pub key_id: Option<KeyId>,
    /// Flags of a ciphertext.
    pub flags: u8,
    /// Metadata of a ciphertext, or of bootstrapping keys of sparse slots.
    pub meta: Vec<u8>,
}

impl Header {
    /// Returns the header of an object of no key.
    pub fn of_params(params_id: [u8; 32]) -> Header {
        Header { params_id, ..Header::default() }
    }

    /// Returns the header of an object of a secret key.
    pub fn of_key(params_id: [u8; 32], key_id: KeyId) -> Header {
        Header { params_id, key_id: Some(key_id), ..Header::default() }
    }
}

/// Reads a frame of this kind, to its last byte.
fn decode<T: Wire>(context: &T::Context, bytes: &[u8], trust: Trust) -> Result<T, Error> {
    let mut frame = open(bytes, T::KIND, T::SCHEME)?;
    let object = T::read(context, &mut frame, trust)?;
    frame.payload.finish()?;
    Ok(object)
}

fn encode<T: Wire>(
    header: &Header,
    payload_len: usize,
    write: impl FnOnce(&mut Vec<u8>),
) -> Vec<u8> {
    let Header { params_id, key_id, flags, meta } = header;
    let label = Label { kind: T::KIND, scheme: T::SCHEME, params_id, key_id: *key_id };
    seal(label, Fields { flags: *flags, meta }, payload_len, write)
}
