//! Messages of the driver protocol `fathom.driver/2`; the normative text is
//! `docs/driver-protocol.md`.

mod encoding;
mod message;
mod params;
mod refusal;
mod torus;
mod values;

pub use encoding::Encoding;
pub use message::{
    Args, CiphertextBytes, Decrypt, Decrypted, Encoded, Encrypt, Encrypted, Handle, Hello,
    KeyBytes, KeyKind, Keygen, Keys, LibraryInfo, Noise, NoiseStep, OfCiphertext, Plaintext,
    PublishedKeys, Request, Run, SchemeInfo, Timed, Verb,
};
pub use params::{Character, ParamsInfo, ParamsRequest, Prepare, Prepared, Purpose, SECRET_KEY};
pub use refusal::{Code, Refusal};
pub use torus::{Bootstraps, TorusInfo, TorusKey, Variance};
pub use values::Numbers;

/// Name and version of the protocol, as `hello` reports it.
pub const PROTOCOL: &str = "fathom.driver/2";
