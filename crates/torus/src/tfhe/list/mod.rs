//! Compressed lists: many blocks in few bytes, packed by the server under public keys.
//!
//! Several blocks become the digits of one message, the ciphertexts become the coefficients of one
//! ring ciphertext under the small key, and its words are rounded to exponents of the blind
//! rotation. Since a bootstrap starts with this rounding, it loses nothing that a bootstrap would
//! keep. Derivation: docs/maths/tfhe.md and docs/maths/tfhe-parameters.md.
//!
//! ```
//! # use fathom_torus as fathom;
//! use fathom::SecretRng;
//! use fathom::tfhe::integer::{FheUint16, Integers};
//! use fathom::tfhe::{ClientKey, Evaluator, Params};
//!
//! let mut rng = SecretRng::from_os()?;
//! let client = ClientKey::generate(&Params::preset(Params::INTEGERS)?, &mut rng);
//! let evaluator = Evaluator::new(client.evaluation_keys(&mut rng)?, 1)?;
//! let evaluator = evaluator.with_packing_keys(client.packing_keys(&mut rng)?)?;
//! let integers = Integers::new(evaluator)?;
//!
//! let a: FheUint16 = client.encrypt(300_u16, &mut rng)?;
//! let list = integers.compress_list(&[a])?; // no secret key is needed
//! let restored: Vec<FheUint16> = integers.decompress_list(&list)?;
//! assert_eq!(client.decrypt(&restored[0])?, 300);
//! # Ok::<(), fathom::Error>(())
//! ```

mod compress;
mod compressed_list;
mod decompress;

pub use compressed_list::CompressedList;
pub(crate) use compressed_list::{Origin, Run};
pub use fathom_base::error::ListError;
