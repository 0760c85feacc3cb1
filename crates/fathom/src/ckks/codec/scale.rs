//! The scale of a ciphertext: 8 bytes, a double. The larger magnitude of a fresh one.

use super::super::encode::encoding_error;
use super::super::encoding::LARGEST_SCALE;
use super::super::facts::{Padding, SlotFacts};
use super::super::{Ckks, Mode};
use super::facts;
use crate::rlwe::{Bounds, Level, Mechanics, MetaCodec, Params};
use crate::wire::WireError;
use crate::wire::reader::Reader;

impl<M: Mode> MetaCodec for Ckks<M> {
    const META_FIELD: &'static str = "scale";

    fn write_meta(scale: f64) -> Vec<u8> {
        scale.to_le_bytes().to_vec()
    }

    /// Reads a scale, which is from 1 to the largest one. That of tiny messages may exceed the
    /// modulus.
    fn read_meta(_: &Params<Self>, _: Level, bytes: &[u8]) -> Result<f64, WireError> {
        let mut reader = Reader::new(bytes);
        if reader.len() != 8 {
            return Err(WireError::Malformed { field: "metadata" });
        }
        let scale = reader.f64()?;
        if (1.0..=LARGEST_SCALE).contains(&scale) {
            Ok(scale)
        } else {
            Err(WireError::Malformed { field: "scale" })
        }
    }
    const FACTS_BYTES: usize = facts::BYTES;

    fn write_facts(facts: SlotFacts) -> Vec<u8> {
        facts::write(facts)
    }

    fn read_facts(bytes: &[u8]) -> Result<SlotFacts, WireError> {
        facts::read(bytes)
    }

    /// Encryption knows no promises and no approximations, and fills slots with zeros alone.
    fn are_fresh_facts(facts: SlotFacts) -> bool {
        facts.promise.is_none()
            && facts.deviation <= 0.0
            && facts.padding.is_none_or(|p| p == Padding::ZEROS)
    }

    /// Takes the larger of the magnitude of the parameters and the one that the sender claims.
    fn received(params: &Params<Self>, claimed: Bounds) -> Result<[Bounds; 2], WireError> {
        let Bounds { coefficient, euclidean, root } = claimed;
        let norms = [coefficient, euclidean, root];
        if !norms.iter().all(|x| x.is_finite() && x.is_sign_positive()) || !norms.is_sorted() {
            return Err(WireError::Malformed { field: "noise bound" });
        }
        let size = root.max(Self::message_bound(params).root);
        Ok([Bounds::of_root_values(size), encoding_error(params, size)])
    }
}
