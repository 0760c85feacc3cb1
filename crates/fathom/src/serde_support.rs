//! Objects as values of `serde`, behind the feature of that name.
//!
//! An object is its wire form, as bytes. Parameters are read by themselves; everything else belongs
//! to parameters or to a key, which the reader supplies with [`Within`]. A value of TFHE does
//! not hold its parameters, which the writer supplies with [`Framed`]. Secret keys travel only by
//! the methods that say so, such as `to_secret_bytes`.

use crate::bfv::MsbCiphertext;
use crate::ckks::{self, Ckks};
use crate::rlwe::modular::{Modular, Plaintext};
use crate::rlwe::{
    Ciphertext, EvaluationKeys, GaloisKeys, LinearMap, MetaCodec, Params, PublicKey,
    RelinearizationKey, Slotted,
};
use crate::tfhe::{
    self, CompactList, CompressedList, SeededEvaluationKeys, SeededList, SeededPackingKeys,
};
use crate::wide::{self, Element, Vector, VectorParams};
use crate::wire::{Wire, WireFresh, WireObject, WireValue};
use serde::de::{DeserializeSeed, Error as _, SeqAccess, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// Reads an object that belongs to `P`, the parameters of its scheme: a seed for `serde`.
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
///
/// ```
/// use fathom::FreshWithin;
/// use fathom::prelude::*;
/// use serde::de::DeserializeSeed;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let params = bfv::Params::preset(Preset::E1)?;
/// let mut rng = SecretRng::from_os()?;
/// let secret = bfv::SecretKey::generate(&params, &mut rng);
/// let text = serde_json::to_string(&secret.encrypt(&params.encode(&[7])?, &mut rng)?)?;
/// let mut reader = serde_json::Deserializer::from_str(&text);
/// let input: bfv::Ciphertext = FreshWithin::new(&params).deserialize(&mut reader)?;
/// assert!(input.is_fresh());
/// # Ok(())
/// # }
/// ```
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
///
/// ```
/// use fathom::{Framed, Within};
/// use fathom::prelude::*;
/// use serde::de::DeserializeSeed;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
/// let mut rng = SecretRng::from_os()?;
/// let client = tfhe::ClientKey::generate(&params, &mut rng);
/// let x: FheUint8 = client.encrypt(7u8, &mut rng)?;
/// let text = serde_json::to_string(&Framed::new(&params, &x))?;
/// let mut reader = serde_json::Deserializer::from_str(&text);
/// let back: FheUint8 = Within::new(&params).deserialize(&mut reader)?;
/// assert_eq!(client.decrypt(&back)?, 7);
/// # Ok(())
/// # }
/// ```
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
macro_rules! written {
    ($([$($generics:tt)*] $object:ty;)*) => {$(
        impl<$($generics)*> Serialize for $object {
            fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                serializer.serialize_bytes(&self.to_bytes())
            }
        }
    )*};
}

/// Parameters, which are read by themselves.
macro_rules! parameters {
    ($([$($generics:tt)*] $object:ty;)*) => {$(
        written! { [$($generics)*] $object; }

        impl<'de, $($generics)*> Deserialize<'de> for $object {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$object>::from_bytes(&bytes_of(deserializer)?).map_err(D::Error::custom)
            }
        }
    )*};
}

parameters! {
    [S: Modular] Params<S>;
    [M: ckks::Mode] Params<Ckks<M>>;
    [] wide::Params;
    [] VectorParams;
    [] tfhe::Params;
}

written! {
    [S: MetaCodec] Ciphertext<S>;
    [S: MetaCodec] EvaluationKeys<S>;
    [S: MetaCodec] GaloisKeys<S>;
    [S: MetaCodec] PublicKey<S>;
    [S: MetaCodec] RelinearizationKey<S>;
    [S: Slotted + MetaCodec] LinearMap<S>;
    [] ckks::BootstrappingKeys;
    [] ckks::explicit::BootstrappingKeys;
    [S: Modular] Plaintext<S>;
    [] MsbCiphertext;
    [T: Element] Vector<T>;
    [] tfhe::PublicKey;
    [] SeededEvaluationKeys;
    [] SeededPackingKeys;
    [] CompactList;
    [] CompressedList;
    [] SeededList;
}
