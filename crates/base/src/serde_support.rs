//! Objects as values of `serde`, behind the feature of that name.
//!
//! An object is its wire form, as bytes. Parameters are read by themselves; everything else belongs
//! to parameters or to a key, which the reader supplies with [`Within`]. A value of TFHE does
//! not hold its parameters, which the writer supplies with [`Framed`]. Secret keys travel only by
//! the methods that say so, such as `to_secret_bytes`.

use crate::wire::{Wire, WireFresh, WireValue};
use serde::de::{DeserializeSeed, Error as _, SeqAccess, Visitor};
use serde::ser::Error as _;
use serde::{Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// Reads an object that belongs to `P`, the parameters of its scheme: a seed for `serde`.
#[derive(Debug)]
pub struct Within<'a, P, T> {
    owner: &'a P,
    object: PhantomData<T>,
}

impl<'a, P, T> Within<'a, P, T> {
    /// Returns the seed for objects of these parameters.
    pub fn new(owner: &'a P) -> Self {
        Within { owner, object: PhantomData }
    }
}

/// Reads a fresh ciphertext of an untrusted sender, as `from_bytes_fresh` does: what the sender
/// claims of noise and range is ignored. A seed for `serde`, like [`Within`], which believes the
/// claims.
#[derive(Debug)]
pub struct FreshWithin<'a, P, T> {
    owner: &'a P,
    object: PhantomData<T>,
}

impl<'a, P, T> FreshWithin<'a, P, T> {
    /// Returns the seed for fresh ciphertexts of these parameters.
    pub fn new(owner: &'a P) -> Self {
        FreshWithin { owner, object: PhantomData }
    }
}

/// Writes a value together with the parameters that its frame needs.
#[derive(Clone, Copy, Debug)]
pub struct Framed<'a, P, T> {
    params: &'a P,
    value: &'a T,
}

impl<'a, P, T> Framed<'a, P, T> {
    /// Returns the value as one of `serde`.
    pub fn new(params: &'a P, value: &'a T) -> Self {
        Framed { params, value }
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

/// Reads the bytes of an object.
///
/// # Errors
/// That of the deserializer, for anything but bytes or numbers below 256.
pub fn bytes_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    deserializer.deserialize_bytes(Bytes)
}

impl<'de, T: Wire> DeserializeSeed<'de> for Within<'_, T::Context, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<T, D::Error> {
        T::from_bytes(self.owner, &bytes_of(reader)?).map_err(D::Error::custom)
    }
}

impl<'de, T: WireFresh> DeserializeSeed<'de> for FreshWithin<'_, T::Context, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<T, D::Error> {
        T::from_bytes_fresh(self.owner, &bytes_of(reader)?).map_err(D::Error::custom)
    }
}

impl<T: WireValue> Serialize for Framed<'_, T::Context, T> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let bytes = self.value.to_bytes(self.params).map_err(Z::Error::custom)?;
        serializer.serialize_bytes(&bytes)
    }
}

/// Objects whose wire form needs nothing else. `serde` is foreign, and so takes no implementation
/// for all of them at once.
#[macro_export]
macro_rules! written {
    ($([$($generics:tt)*] $object:ty;)*) => {$(
        impl<$($generics)*> serde::Serialize for $object {
            fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                serializer.serialize_bytes(&self.to_bytes())
            }
        }
    )*};
}

/// Parameters, which are read by themselves.
#[macro_export]
macro_rules! parameters {
    ($([$($generics:tt)*] $object:ty;)*) => {$(
        $crate::written! { [$($generics)*] $object; }

        impl<'de, $($generics)*> serde::Deserialize<'de> for $object {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let bytes = $crate::serde_support::bytes_of(deserializer)?;
                <$object>::from_bytes(&bytes).map_err(serde::de::Error::custom)
            }
        }
    )*};
}
