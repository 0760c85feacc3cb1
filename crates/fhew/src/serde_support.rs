//! Objects as values of `serde`, behind the feature of that name.
//!
//! Parameters are read by themselves. A bit does not hold its parameters: `fathom::Framed` supplies
//! them to the writer and `fathom::Within` to the reader.

use crate::{FhewEvaluationKeys, FhewParams};
use fathom::wire::WireObject;
use fathom_base::serde_support::bytes_of;
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

impl Serialize for FhewEvaluationKeys {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_bytes(&self.to_bytes())
    }
}
