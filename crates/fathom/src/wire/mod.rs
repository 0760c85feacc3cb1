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
//! Every object of the table has `to_bytes`, `from_bytes` and `byte_len`. An object is one *frame*:
//! a header of 72 bytes, a payload whose length the parameters determine, and a checksum of 16
//! bytes. Residues are packed with as many bits as their prime has; a uniform polynomial that was
//! expanded from a seed is sent as the 32 bytes of the seed. docs/wire-format.md specifies the
//! layout.
//!
//! | object | to bytes | from bytes |
//! |---|---|---|
//! | parameters | [`Params::to_bytes`] | [`Params::from_bytes`], which repeats every check |
//! | ciphertext | [`Ciphertext::to_bytes`] | [`Ciphertext::from_bytes`] |
//! | plaintext | [`Plaintext::to_bytes`] | [`Plaintext::from_bytes`] |
//! | public key | [`PublicKey::to_bytes`] | [`PublicKey::from_bytes`] |
//! | evaluation keys | [`EvaluationKeys::to_bytes`] | [`EvaluationKeys::from_bytes`] |
//! | relinearisation key, Galois keys | `to_bytes` of both | `from_bytes` |
//! | linear map | [`LinearMap::to_bytes`](crate::rlwe::LinearMap::to_bytes) | `from_bytes` |
//! | secret key | [`SecretKey::to_secret_bytes`] | [`SecretKey::from_secret_bytes`] |
//! | TFHE secret key | [`ClientKey::to_secret_bytes`] | [`ClientKey::from_secret_bytes`] |
//! | TFHE evaluation key | [`SeededEvaluationKeys::to_bytes`] | `from_bytes` |
//! | TFHE expanded keys | `to_bytes` of [`tfhe`](crate::tfhe), no frame | `from_bytes` |
//! | TFHE parameters | [`to_bytes`](crate::tfhe::Params::to_bytes) | `from_bytes` |
//! | TFHE block | [`Block::to_bytes`] | [`Block::from_bytes`], [`Block::from_bytes_fresh`] |
//! | TFHE integer, truth value | `to_bytes` in [`integer`](crate::tfhe::integer) | the same two |
//! | TFHE bit, small integer | `to_bytes` of `Bit` and `ShortInt` | the same two |
//! | TFHE packing key, compressed list | `to_bytes` in [`tfhe`](crate::tfhe) | `from_bytes` |
//! | BFV exchange form | [`MsbCiphertext::to_bytes`] | [`MsbCiphertext::from_bytes`] |
//!
//! [`Ciphertext::from_bytes_fresh`] reads the inputs of untrusted senders; [`summary`] reads a
//! header alone; [`EvaluationKeys::select`] reduces evaluation keys to those that a computation
//! needs.
//!
//! The encoding is canonical: if bytes can be decoded, encoding the object gives the same bytes
//! again, whichever kernel the parameters use. A decoder never panics. Those of ciphertexts and
//! keys of ring schemes allocate a small multiple of the length of their input. Other inputs may
//! take more, up to a bound: parameters build tables of at most 64 MiB, and take about 110 MB at
//! their peak; a TFHE value or string takes up to 38 times its frame, since a clear digit of 5
//! bytes becomes a block. A receiver of many frames bounds how many it decodes at a time.
//!
//! # What a checksum and a noise bound do not promise
//!
//! The checksum detects accidental damage. It is not a signature: whoever can change the bytes can
//! also change the checksum.
//!
//! The noise bound in a ciphertext is a *claim* of the sender. If it is too small, results that
//! depend on the ciphertext may decrypt to a wrong message without an error. A server therefore
//! reads the inputs of untrusted senders with [`Ciphertext::from_bytes_fresh`], which ignores the
//! claim and sets the bound of a fresh encryption; for CKKS, that of the larger magnitude of those
//! that the sender and the parameters state.
//!
//! Whoever holds the secret key and decrypts ciphertexts of others must reveal neither the message,
//! nor whether decryption failed, nor the noise. Each of these answers is a decryption oracle, and
//! these schemes are not secure against one.
//!
//! [`Params::to_bytes`]: crate::rlwe::modular::Params::to_bytes
//! [`Params::from_bytes`]: crate::rlwe::modular::Params::from_bytes
//! [`Ciphertext::to_bytes`]: crate::rlwe::modular::Ciphertext::to_bytes
//! [`Ciphertext::from_bytes`]: crate::rlwe::modular::Ciphertext::from_bytes
//! [`Ciphertext::from_bytes_fresh`]: crate::rlwe::modular::Ciphertext::from_bytes_fresh
//! [`Plaintext::to_bytes`]: crate::rlwe::modular::Plaintext::to_bytes
//! [`Plaintext::from_bytes`]: crate::rlwe::modular::Plaintext::from_bytes
//! [`PublicKey::to_bytes`]: crate::rlwe::modular::PublicKey::to_bytes
//! [`PublicKey::from_bytes`]: crate::rlwe::modular::PublicKey::from_bytes
//! [`EvaluationKeys::to_bytes`]: crate::rlwe::modular::EvaluationKeys::to_bytes
//! [`EvaluationKeys::from_bytes`]: crate::rlwe::modular::EvaluationKeys::from_bytes
//! [`EvaluationKeys::select`]: crate::rlwe::modular::EvaluationKeys::select
//! [`SecretKey::to_secret_bytes`]: crate::rlwe::modular::SecretKey::to_secret_bytes
//! [`SecretKey::from_secret_bytes`]: crate::rlwe::modular::SecretKey::from_secret_bytes
//! [`ClientKey::to_secret_bytes`]: crate::tfhe::ClientKey::to_secret_bytes
//! [`ClientKey::from_secret_bytes`]: crate::tfhe::ClientKey::from_secret_bytes
//! [`SeededEvaluationKeys::to_bytes`]: crate::tfhe::SeededEvaluationKeys::to_bytes
//! [`Block::to_bytes`]: crate::tfhe::Block::to_bytes
//! [`Block::from_bytes`]: crate::tfhe::Block::from_bytes
//! [`Block::from_bytes_fresh`]: crate::tfhe::Block::from_bytes_fresh
//! [`MsbCiphertext::to_bytes`]: crate::bfv::MsbCiphertext::to_bytes
//! [`MsbCiphertext::from_bytes`]: crate::bfv::MsbCiphertext::from_bytes

mod error;
pub(crate) mod frame;
pub(crate) mod kind;
pub(crate) mod pack;
pub(crate) mod reader;

pub use error::WireError;
pub use frame::{Summary, summary};
pub use kind::{Kind, VERSION};
