//! Single values: what the client sends, what the server computes with, what it returns.

use fathom_workloads::Error;
use tfhe::prelude::{FheDecrypt, FheTryEncrypt, ParameterSetConformant};
use tfhe::safe_serialization::safe_deserialize_conformant;
use tfhe::{
    ClientKey, CompressedFheBool, CompressedFheUint2, CompressedFheUint4, CompressedFheUint6,
    CompressedFheUint8, CompressedFheUint10, CompressedFheUint12, CompressedFheUint14,
    CompressedFheUint16, CompressedFheUint24, CompressedFheUint32, CompressedFheUint64, FheBool,
    FheUint2, FheUint4, FheUint6, FheUint8, FheUint10, FheUint12, FheUint14, FheUint16, FheUint24,
    FheUint32, FheUint64, ServerKey,
};

use super::frames::{LIMIT, read, write};

/// An encrypted value. The client sends fresh encryptions with seeds in place of their masks.
pub(super) trait Value: Send + Sync + Sized + 'static {
    /// Encrypts a clear value that is in range.
    fn encrypt(value: u64, key: &ClientKey) -> Result<Vec<u8>, Error>;

    /// Reads a fresh encryption and checks that it belongs to the parameters of the key.
    fn expand(bytes: &[u8], key: &ServerKey) -> Result<Self, Error>;

    /// Writes a result.
    fn write(&self) -> Result<Vec<u8>, Error>;

    /// Reads and decrypts a result.
    fn decrypt(bytes: &[u8], key: &ClientKey) -> Result<u64, Error>;
}

/// Implements [`Value`] for a type, with the type that is sent and that of clear values.
macro_rules! value {
    ($value:ident, $sent:ident, $clear:ty, $encode:expr) => {
        impl Value for $value {
            fn encrypt(value: u64, key: &ClientKey) -> Result<Vec<u8>, Error> {
                let encode: fn(u64) -> $clear = $encode;
                let sent = $sent::try_encrypt(encode(value), key);
                write(&sent.map_err(|error| Error::Message(error.to_string()))?)
            }

            fn expand(bytes: &[u8], key: &ServerKey) -> Result<Self, Error> {
                let expected = <$sent as ParameterSetConformant>::ParameterSet::from(key);
                let sent = safe_deserialize_conformant::<$sent>(bytes, LIMIT, &expected);
                Ok(sent.map_err(Error::Message)?.decompress())
            }

            fn write(&self) -> Result<Vec<u8>, Error> {
                write(self)
            }

            fn decrypt(bytes: &[u8], key: &ClientKey) -> Result<u64, Error> {
                let value: $clear = FheDecrypt::decrypt(&read::<Self>(bytes)?, key);
                Ok(value.into())
            }
        }
    };
}

/// Implements [`Value`] for unsigned integers.
macro_rules! integers {
    ($($value:ident $sent:ident),*) => {
        $(value!($value, $sent, u64, |value| value);)*
    };
}

value!(FheBool, CompressedFheBool, bool, |value| value != 0);
integers!(
    FheUint2 CompressedFheUint2, FheUint4 CompressedFheUint4, FheUint6 CompressedFheUint6,
    FheUint8 CompressedFheUint8, FheUint10 CompressedFheUint10, FheUint12 CompressedFheUint12,
    FheUint14 CompressedFheUint14, FheUint16 CompressedFheUint16, FheUint24 CompressedFheUint24,
    FheUint32 CompressedFheUint32, FheUint64 CompressedFheUint64
);
