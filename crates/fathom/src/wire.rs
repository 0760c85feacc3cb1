//! Versioned, bounded and checked serialisation of keys, parameters, ciphertexts and plaintexts.
//!
//! ```
//! use fathom::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let params = bfv::Params::preset(Preset::E1)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = bfv::SecretKey::generate(&params, &mut rng);
//! let sent = secret.encrypt(&params.encode(&[7])?, &mut rng)?.to_bytes();
//!
//! // On the server, which does not trust the sender's noise bound:
//! let summary = wire::summary(&sent)?;
//! assert_eq!((summary.kind, summary.byte_len), (wire::Kind::Ciphertext, sent.len()));
//! let received = bfv::Ciphertext::from_bytes_fresh(&params, &sent)?;
//! assert_eq!(received.key_id(), secret.id());
//! # Ok(())
//! # }
//! ```
//!
//! Every object that travels is a [`Wire`], whose page lists them: it has `from_bytes`. A
//! [`WireObject`] has `to_bytes` and `byte_len`; so has a [`WireValue`], one of TFHE or FHEW, whose
//! parameters the writer supplies. [`WireFresh::from_bytes_fresh`] reads the inputs of untrusted
//! senders, [`summary`] a header alone. Secret keys have `to_secret_bytes` and `from_secret_bytes`;
//! expanded keys of TFHE are [files](crate::tfhe::EvaluationKeys::write_to) without a frame;
//! [`EvaluationKeys::select`] reduces evaluation keys to those that a computation needs.
//!
//! A function takes any object that travels, by these traits:
//!
//! ```
//! use fathom::prelude::*;
//!
//! /// Sends an object and reads it again.
//! fn sent<T: WireObject>(context: &T::Context, object: &T) -> Result<T, Error> {
//!     T::from_bytes(context, &object.to_bytes())
//! }
//!
//! # fn main() -> Result<(), Error> {
//! let params = bgv::Params::preset(Preset::E1)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = bgv::SecretKey::generate(&params, &mut rng);
//! let public = sent(&params, &secret.public_key(&mut rng))?;
//! let x = sent(&params, &public.encrypt(&params.encode(&[7])?, &mut rng)?)?;
//! assert_eq!(secret.decrypt(&x)?.slots()?[0], 7);
//! # Ok(())
//! # }
//! ```
//!
//! An object is one *frame*: a header of 72 bytes, a payload and a checksum of 16 bytes. Residues
//! are packed with as many bits as their prime has; a uniform polynomial that was expanded from a
//! seed is sent as the 32 bytes of the seed. docs/wire-format.md specifies the layout.
//!
//! The encoding is canonical: if bytes can be decoded, encoding the object gives the same bytes
//! again, whichever kernel the parameters use. A decoder never panics. Those of ciphertexts and
//! keys of ring schemes allocate a small multiple of the length of their input. Other inputs may
//! take more, up to a bound: parameters take some kilobytes, and build tables of at most 64 MiB, of
//! about 110 MB at their peak, when an object of theirs is first read or computed with; a TFHE
//! value or string takes up to 38 times its frame, since a clear digit of 5 bytes becomes a block.
//! A receiver of many frames bounds how many it decodes at a time.
//!
//! # What a checksum and a noise bound do not promise
//!
//! The checksum detects accidental damage. It is not a signature: whoever can change the bytes can
//! also change the checksum.
//!
//! The noise bound in a ciphertext is a *claim* of the sender. If it is too small, results that
//! depend on the ciphertext may decrypt to a wrong message without an error. A server therefore
//! reads the inputs of untrusted senders with [`WireFresh::from_bytes_fresh`], which ignores the
//! claim and sets the bound of a fresh encryption; for CKKS, that of the larger magnitude of those
//! that the sender and the parameters state.
//!
//! Whoever holds the secret key and decrypts ciphertexts of others must reveal neither the message,
//! nor whether decryption failed, nor the noise. Each of these answers is a decryption oracle, and
//! these schemes are not secure against one.
//!
//! [`EvaluationKeys::select`]: crate::rlwe::EvaluationKeys::select

pub use fathom_base::wire::{
    Kind, Summary, VERSION, Wire, WireError, WireFresh, WireObject, WireValue, summary,
};
