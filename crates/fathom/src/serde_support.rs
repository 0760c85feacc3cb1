//! Objects as values of `serde`, behind the feature of that name.
//!
//! An object is its wire form, as bytes. Parameters are read by themselves; everything else belongs
//! to parameters, which the reader supplies with [`Within`].

use crate::Error;
use crate::rlwe::exact::{Plaintext, Scheme};
use crate::rlwe::{Ciphertext, EvaluationKeys, GaloisKeys, Params, PublicKey, RelinearizationKey};
use serde::de::{DeserializeSeed, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// Reads an object of these parameters: a seed for `serde`.
///
/// ```
/// use fathom::Within;
/// use fathom::prelude::*;
/// use serde::de::DeserializeSeed;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let params = bfv::Params::preset(Preset::E1)?;
/// let mut rng = SecretRng::from_os()?;
/// let secret = bfv::SecretKey::generate(&params, &mut rng);
/// let text = serde_json::to_string(&secret.public_key(&mut rng))?;
/// let mut reader = serde_json::Deserializer::from_str(&text);
/// let public: bfv::PublicKey = Within::new(&params).deserialize(&mut reader)?;
/// assert_eq!(public.key_id(), secret.id());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Within<'a, S: Scheme, T> {
    params: &'a Params<S>,
    object: PhantomData<T>,
}

impl<'a, S: Scheme, T> Within<'a, S, T> {
    /// Returns the seed for objects of these parameters.
    pub fn new(params: &'a Params<S>) -> Self {
        Within { params, object: PhantomData }
    }
}

/// The bytes of an object.
struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of an object")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
        Ok(bytes)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<Vec<u8>, A::Error> {
        let mut all = Vec::new();
        while let Some(byte) = bytes.next_element()? {
            all.push(byte);
        }
        Ok(all)
    }
}

impl<S: Scheme> Serialize for Params<S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_bytes(&self.to_bytes())
    }
}

impl<'de, S: Scheme> Deserialize<'de> for Params<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = deserializer.deserialize_bytes(Bytes)?;
        Params::<S>::from_bytes(&bytes).map_err(D::Error::custom)
    }
}

/// An object that is read together with its parameters.
pub trait Received<S: Scheme>: Sized {
    /// Reads the wire form.
    ///
    /// # Errors
    /// Those of `from_bytes` of the object.
    fn received(params: &Params<S>, bytes: &[u8]) -> Result<Self, Error>;
}

impl<'de, S: Scheme, T: Received<S>> DeserializeSeed<'de> for Within<'_, S, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<T, D::Error> {
        let bytes = reader.deserialize_bytes(Bytes)?;
        T::received(self.params, &bytes).map_err(D::Error::custom)
    }
}

macro_rules! objects {
    ($($object:ident),*) => {$(
        impl<S: Scheme> Serialize for $object<S> {
            fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                serializer.serialize_bytes(&self.to_bytes())
            }
        }

        impl<S: Scheme> Received<S> for $object<S> {
            fn received(params: &Params<S>, bytes: &[u8]) -> Result<Self, Error> {
                $object::from_bytes(params, bytes)
            }
        }
    )*};
}

objects!(Ciphertext, EvaluationKeys, GaloisKeys, Plaintext, PublicKey, RelinearizationKey);
