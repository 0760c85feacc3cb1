//! Blocks: an LWE ciphertext with its range and noise.

use super::super::WireError;
use super::super::frame::{Kind, OVERHEAD, open};
use super::super::reader::{Reader, at_most};
use super::{SCHEME, seal_torus};
use crate::lwe::LweCiphertext;
use crate::tfhe::{Block, Params};

/// Range, noise and depth: 4 bytes each.
const LABEL_BYTES: usize = 16;

/// Bytes of a block in a frame: label, mask and body.
pub(super) fn block_len(params: &Params) -> usize {
    LABEL_BYTES + 4 * params.big_dimension() + 8
}

/// Whether a block is a ciphertext of these parameters.
pub(super) fn check(block: &Block, params: &Params) -> Result<(), WireError> {
    if block.lwe().mask().iter().all(|&word| word == 0) || block.norm() == 0 {
        return Err(WireError::Transparent);
    }
    let own = block.lwe().dimension() == params.big_dimension() && block.space() == params.space();
    if own {
        check_claims(params, block.range(), block.norm())
    } else {
        Err(WireError::ParamsMismatch)
    }
}

/// Whether a turn of the message space tells the values from `low` to `high` apart, and a bootstrap
/// takes the noise.
fn check_claims(params: &Params, (low, high): (i32, i32), norm: u32) -> Result<(), WireError> {
    let turn = 2 * i64::from(params.space().half());
    let last = i64::from(high) - i64::from(low);
    if last < 0 || i64::from(low).abs() > turn {
        return Err(WireError::Malformed { field: "range" });
    }
    at_most("range", last as u64, turn as u64 - 1)?;
    at_most("noise", norm.into(), params.max_norm().into())?;
    if norm == 0 { Err(WireError::Malformed { field: "noise" }) } else { Ok(()) }
}

pub(super) fn write(block: &Block, out: &mut Vec<u8>) {
    let (low, high) = block.range();
    out.extend(low.to_le_bytes());
    out.extend(high.to_le_bytes());
    out.extend(block.norm().to_le_bytes());
    out.extend(block.depth().to_le_bytes());
    out.extend(block.lwe().mask().iter().flat_map(|word| word.to_le_bytes()));
    out.extend(block.lwe().body().to_le_bytes());
}

pub(super) fn read(params: &Params, payload: &mut Reader<'_>) -> Result<Block, WireError> {
    let [low, high] = [payload.u32()? as i32, payload.u32()? as i32];
    let [norm, depth] = [payload.u32()?, payload.u32()?];
    check_claims(params, (low, high), norm)?;
    let mask = payload.take(4 * params.big_dimension())?;
    let mask: Vec<_> = mask.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    if mask.iter().all(|&word| word == 0) {
        return Err(WireError::Transparent);
    }
    let lwe = LweCiphertext::new(mask, payload.u64()?);
    Ok(Block::received(lwe, params.space(), (low, high), norm, depth))
}

impl Block {
    /// The block as a frame. A block without a mask (a clear integer) is not a ciphertext.
    ///
    /// # Errors
    /// [`WireError::Transparent`] if the block has no mask; [`WireError::ParamsMismatch`] if it is
    /// not of these parameters; [`WireError::Range`] if its range is wider than the message space
    /// or its noise more than a bootstrap takes.
    pub fn to_bytes(&self, params: &Params) -> Result<Vec<u8>, WireError> {
        check(self, params)?;
        Ok(seal_torus(Kind::Ciphertext, params, block_len(params), |out| write(self, out)))
    }

    /// Reads a block of these parameters. Range and noise are claims of the sender: a server that
    /// does not trust it bootstraps nothing whose range it has not set itself.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame; [`WireError::Range`] if the range is wider
    /// than the message space or the noise more than a bootstrap takes;
    /// [`WireError::Transparent`] if the mask is zero.
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<Block, WireError> {
        let frame = open(bytes, Kind::Ciphertext, SCHEME)?.plain()?;
        frame.expect(&params.id(), block_len(params))?;
        let mut payload = frame.payload;
        let block = read(params, &mut payload)?;
        payload.finish()?;
        Ok(block)
    }

    /// Bytes of a block of these parameters.
    pub fn byte_len(params: &Params) -> usize {
        OVERHEAD + block_len(params)
    }
}
