//! Single values: what the client sends, what the server computes with, what it returns.

use fathom_workloads::Error;
use tfhe::prelude::{FheDecrypt, FheTryEncrypt, ParameterSetConformant};
use tfhe::safe_serialization::safe_deserialize_conformant;
use tfhe::{ClientKey, CompressedFheBool, CompressedFheUint, FheBool, FheUint, ServerKey};

use super::frames::{LIMIT, read, write};
use super::width::Width;

/// An encrypted value. The client sends fresh encryptions with seeds in place of their masks.
pub(super) trait Value: Clone + Send + Sync + Sized + 'static {
    /// Encrypts a clear value that is in range.
    fn encrypt(value: u64, key: &ClientKey) -> Result<Vec<u8>, Error>;

    /// Reads a fresh encryption and checks that it belongs to the parameters of the key.
    fn expand(bytes: &[u8], key: &ServerKey) -> Result<Self, Error>;

    /// Writes a result.
    fn write(&self) -> Result<Vec<u8>, Error>;

    /// Reads and decrypts a result.
    fn decrypt(bytes: &[u8], key: &ClientKey) -> Result<u64, Error>;
}

impl<Id: Width> Value for FheUint<Id> {
    fn encrypt(value: u64, key: &ClientKey) -> Result<Vec<u8>, Error> {
        let sent = CompressedFheUint::<Id>::try_encrypt(value, key);
        write(&sent.map_err(|error| Error::Message(error.to_string()))?)
    }

    fn expand(bytes: &[u8], key: &ServerKey) -> Result<Self, Error> {
        let expected = <CompressedFheUint<Id> as ParameterSetConformant>::ParameterSet::from(key);
        let sent = safe_deserialize_conformant(bytes, LIMIT, &expected);
        Ok(sent.map_err(Error::Message).map(|sent: CompressedFheUint<Id>| sent.decompress())?)
    }

    fn write(&self) -> Result<Vec<u8>, Error> {
        write(self)
    }

    fn decrypt(bytes: &[u8], key: &ClientKey) -> Result<u64, Error> {
        Ok(FheDecrypt::decrypt(&read::<Self>(bytes)?, key))
    }
}

impl Value for FheBool {
    fn encrypt(value: u64, key: &ClientKey) -> Result<Vec<u8>, Error> {
        let sent = CompressedFheBool::try_encrypt(value != 0, key);
        write(&sent.map_err(|error| Error::Message(error.to_string()))?)
    }

    fn expand(bytes: &[u8], key: &ServerKey) -> Result<Self, Error> {
        let expected = <CompressedFheBool as ParameterSetConformant>::ParameterSet::from(key);
        let sent = safe_deserialize_conformant(bytes, LIMIT, &expected);
        sent.map_err(Error::Message).map(|sent: CompressedFheBool| sent.decompress())
    }

    fn write(&self) -> Result<Vec<u8>, Error> {
        write(self)
    }

    fn decrypt(bytes: &[u8], key: &ClientKey) -> Result<u64, Error> {
        let value: bool = FheDecrypt::decrypt(&read::<Self>(bytes)?, key);
        Ok(u64::from(value))
    }
}
