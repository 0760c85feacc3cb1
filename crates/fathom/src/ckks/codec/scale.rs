//! The scale of a ciphertext: 8 bytes, a double.

use super::super::{Ckks, Mode};
use crate::rlwe::{Level, MetaCodec, Params};
use crate::wire::WireError;
use crate::wire::reader::Reader;

impl<M: Mode> MetaCodec for Ckks<M> {
    const META_FIELD: &'static str = "scale";

    fn write_meta(scale: f64) -> Vec<u8> {
        scale.to_le_bytes().to_vec()
    }

    /// Reads a scale, which must be at least 1 and below the modulus of the level.
    fn read_meta(params: &Params<Self>, level: Level, bytes: &[u8]) -> Result<f64, WireError> {
        let mut reader = Reader::new(bytes);
        if reader.len() != 8 {
            return Err(WireError::Malformed { field: "metadata" });
        }
        let scale = reader.f64()?;
        let fits = scale >= 1.0 && scale.is_finite() && scale.log2() < params.log2_modulus(level);
        if fits { Ok(scale) } else { Err(WireError::Malformed { field: "scale" }) }
    }
}
