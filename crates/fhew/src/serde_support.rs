//! Objects as values of `serde`, behind the feature of that name.
//!
//! Parameters are read by themselves. A bit does not hold its parameters: `fathom::Framed` supplies
//! them to the writer and `fathom::Within` to the reader.

use crate::{Error, FhewBit, FhewParams};
use fathom::building::bytes_of;
use fathom::{Received, Sent};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for FhewParams {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_bytes(&self.to_bytes())
    }
}

impl<'de> Deserialize<'de> for FhewParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        FhewParams::from_bytes(&bytes_of(deserializer)?).map_err(D::Error::custom)
    }
}

impl Received<FhewParams> for FhewBit {
    type Error = Error;

    fn received(params: &FhewParams, bytes: &[u8]) -> Result<Self, Error> {
        FhewBit::from_bytes(params, bytes)
    }
}

impl Sent<FhewParams> for FhewBit {
    type Error = Error;

    fn sent(&self, params: &FhewParams) -> Result<Vec<u8>, Error> {
        self.to_bytes(params)
    }
}
