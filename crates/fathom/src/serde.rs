//! Objects as values of serde.
//!
//! An object is its wire form, as bytes. Parameters are read by themselves; everything else belongs
//! to parameters or to a key, which the reader supplies with [`Within`]:
//!
//! ```
//! use fathom::Within;
//! use fathom::prelude::*;
//! use serde::de::DeserializeSeed;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let params = bfv::Params::preset(Preset::E1)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = bfv::SecretKey::generate(&params, &mut rng);
//! let text = serde_json::to_string(&secret.public_key(&mut rng))?;
//! let mut reader = serde_json::Deserializer::from_str(&text);
//! let public: bfv::PublicKey = Within::new(&params).deserialize(&mut reader)?;
//! assert_eq!(public.key_id(), secret.id());
//! # Ok(())
//! # }
//! ```
//!
//! A ciphertext of a sender who is not trusted is read with [`FreshWithin`]:
//!
//! ```
//! use fathom::FreshWithin;
//! use fathom::prelude::*;
//! use serde::de::DeserializeSeed;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let params = bfv::Params::preset(Preset::E1)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = bfv::SecretKey::generate(&params, &mut rng);
//! let text = serde_json::to_string(&secret.encrypt(&params.encode(&[7])?, &mut rng)?)?;
//! let mut reader = serde_json::Deserializer::from_str(&text);
//! let input: bfv::Ciphertext = FreshWithin::new(&params).deserialize(&mut reader)?;
//! assert!(input.is_fresh());
//! # Ok(())
//! # }
//! ```
//!
//! A value of TFHE does not hold its parameters, which the writer supplies with [`Framed`]:
//!
//! ```
//! use fathom::{Framed, Within};
//! use fathom::prelude::*;
//! use serde::de::DeserializeSeed;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
//! let mut rng = SecretRng::from_os()?;
//! let client = tfhe::ClientKey::generate(&params, &mut rng);
//! let x: FheUint8 = client.encrypt(7u8, &mut rng)?;
//! let text = serde_json::to_string(&Framed::new(&params, &x))?;
//! let mut reader = serde_json::Deserializer::from_str(&text);
//! let back: FheUint8 = Within::new(&params).deserialize(&mut reader)?;
//! assert_eq!(client.decrypt(&back)?, 7);
//! # Ok(())
//! # }
//! ```
//!
//! Secret keys travel only by the methods that say so, such as `to_secret_bytes`.

pub use fathom_base::serde_support::{Framed, FreshWithin, Within};
