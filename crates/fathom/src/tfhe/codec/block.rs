//! Blocks: an LWE ciphertext with its metadata, or a clear integer.

use super::{Content, Mark, Trust, foreign, open_values, seal_torus};
use crate::Error;
use crate::lwe::LweCiphertext;
use crate::tfhe::{Block, Claims, Owner, Params, Span};
use crate::wire::WireError;
use crate::wire::frame::{OVERHEAD, transparent};
use crate::wire::kind::Kind;
use crate::wire::reader::{Reader, at_most};

/// Length of range, noise and depth, of 4 bytes each.
const LABEL_BYTES: usize = 16;

/// Length of a clear integer.
const CLEAR_BYTES: usize = 4;

/// Returns the length of a block in a frame: metadata, mask and body, or the integer if it is
/// clear.
pub(super) fn block_len(params: &Params, block: &Block) -> usize {
    if block.is_clear() { CLEAR_BYTES } else { encrypted_len(params) }
}

fn encrypted_len(params: &Params) -> usize {
    LABEL_BYTES + 4 * params.big_dimension() + 8
}

/// Checks that a block can be sent with these parameters, and returns its key; `None` if it is
/// clear.
pub(super) fn check(block: &Block, params: &Params) -> Result<Option<Owner>, Error> {
    if block.space() != params.space() {
        return Err(foreign(params));
    }
    if block.is_clear() {
        return Ok(None);
    }
    let owner = block.owner().ok_or(Error::Simulated { operation: "encoding" })?;
    if !owner.is_of(params) {
        return Err(foreign(params));
    }
    check_claims(params, block.span(), block.noise_variance())?;
    Ok(Some(owner))
}

/// Returns the header fields for blocks that passed [`check`]; they have one key or are clear.
pub(super) fn mark(blocks: &[Block]) -> Mark {
    let fresh = blocks.iter().all(Block::is_fresh);
    match blocks.iter().find_map(Block::key_id) {
        None => Mark::CLEAR,
        Some(key_id) if fresh => Mark::fresh(key_id),
        Some(key_id) => Mark::of(key_id),
    }
}

/// Checks that the range has at most as many values as the message space, and that a bootstrap can
/// take the noise.
fn check_claims(params: &Params, range: Span, noise_variance: u32) -> Result<(), Error> {
    let period = 2 * i64::from(params.space().half());
    let last = range.width();
    if last < 0 || i64::from(range.low).abs() > period {
        return Err(WireError::Malformed { field: "range" }.into());
    }
    at_most("range", last as u64, period as u64 - 1)?;
    at_most("noise", noise_variance.into(), params.max_noise_variance().into())?;
    if noise_variance == 0 { Err(WireError::Malformed { field: "noise" }.into()) } else { Ok(()) }
}

/// Appends a block.
pub(super) fn write(block: &Block, out: &mut Vec<u8>) {
    if block.is_clear() {
        out.extend(block.clear_value().to_le_bytes());
        return;
    }
    let (low, high) = block.range();
    out.extend(low.to_le_bytes());
    out.extend(high.to_le_bytes());
    out.extend(block.noise_variance().to_le_bytes());
    out.extend(block.depth().to_le_bytes());
    out.extend(block.lwe().mask().iter().flat_map(|word| word.to_le_bytes()));
    out.extend(block.lwe().body().to_le_bytes());
}

/// Reads a clear integer, whose absolute value is at most the number of messages.
pub(super) fn read_clear(params: &Params, payload: &mut Reader<'_>) -> Result<Block, Error> {
    let value = payload.u32()? as i32;
    if value.unsigned_abs() > 2 * params.space().half().unsigned_abs() {
        return Err(WireError::Malformed { field: "clear value" }.into());
    }
    Ok(Block::trivial(params.space(), value))
}

/// Reads an encrypted block in a frame with this content.
pub(super) fn read_encrypted(
    params: &Params,
    content: Content,
    trust: Trust,
    payload: &mut Reader<'_>,
) -> Result<Block, Error> {
    let [low, high] = [payload.u32()? as i32, payload.u32()? as i32];
    let range = Span::new(low, high);
    let [noise_variance, depth] = [payload.u32()?, payload.u32()?];
    check_claims(params, range, noise_variance)?;
    let mask = payload.take(4 * params.big_dimension())?;
    let mask: Vec<_> = mask.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    if mask.iter().all(|&word| word == 0) {
        return Err(transparent());
    }
    let lwe = LweCiphertext::new(mask, payload.u64()?);
    let messages = Span::new(0, params.message_modulus() - 1);
    match (content, trust) {
        (Content::Clear, _) => Err(WireError::Malformed { field: "kind of digit" }.into()),
        (Content::Computed(_), Trust::FreshOnly) => Err(WireError::NotFresh.into()),
        (Content::Computed(owner), Trust::Claims) => {
            let claims = Claims { range, noise_variance, depth };
            Ok(Block::received(lwe, params, owner, claims))
        }
        (Content::Fresh(owner), _) => {
            // The claims must be those of a message with the noise of an encryption.
            for (field, honest) in [
                ("range", messages.contains(range)),
                ("noise", noise_variance == 1),
                ("depth", depth == 0),
            ] {
                if !honest {
                    return Err(WireError::Malformed { field }.into());
                }
            }
            let range = if trust == Trust::Claims { range } else { messages };
            Ok(Block::fresh(lwe, params, owner, range))
        }
    }
}

impl Block {
    /// Encodes the block as a frame. A clear block is marked as such and sent as its value.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if it belongs to another parameter set; [`WireError::Range`]
    /// if its range is wider than the message space or a bootstrap cannot take its noise;
    /// [`Error::Simulated`].
    pub fn to_bytes(&self, params: &Params) -> Result<Vec<u8>, Error> {
        check(self, params)?;
        let (mark, length) = (mark(std::slice::from_ref(self)), block_len(params, self));
        Ok(seal_torus(Kind::Ciphertext, params, mark, length, |out| write(self, out)))
    }

    /// Reads a block of these parameters; [`Block::is_clear`] tells whether it is a clear integer.
    ///
    /// Range, noise and depth are claims of the sender: use [`Block::from_bytes_fresh`] for
    /// untrusted senders. The noise of a block that was computed may depend on that of any other,
    /// so that its standard deviation is added to theirs in sums ([`Block::noise_variance`]).
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame; [`WireError::Range`] if the range is wider
    /// than the message space or a bootstrap cannot take the noise; [`Error::Transparent`] if
    /// the mask is zero.
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<Block, Error> {
        read_block(params, bytes, Trust::Claims)
    }

    /// Reads a fresh encryption of an untrusted sender. The block gets the range of all messages
    /// and the noise of an encryption, whatever the frame claims.
    ///
    /// A sender who falsely declares a block as fresh spoils the results that depend on it, as one
    /// who encrypts a wrong value does.
    ///
    /// # Errors
    /// [`WireError::NotFresh`] unless the frame is marked as a fresh encryption; the errors of
    /// [`Block::from_bytes`].
    pub fn from_bytes_fresh(params: &Params, bytes: &[u8]) -> Result<Block, Error> {
        read_block(params, bytes, Trust::FreshOnly)
    }

    /// Returns the length of [`Block::to_bytes`] in bytes.
    pub fn byte_len(&self, params: &Params) -> usize {
        OVERHEAD + block_len(params, self)
    }
}

fn read_block(params: &Params, bytes: &[u8], trust: Trust) -> Result<Block, Error> {
    let (frame, content) = open_values(bytes, Kind::Ciphertext, params)?;
    if content == Content::Clear && trust == Trust::FreshOnly {
        return Err(WireError::NotFresh.into());
    }
    let clear = content == Content::Clear;
    frame.expect(&params.id(), if clear { CLEAR_BYTES } else { encrypted_len(params) })?;
    let mut payload = frame.payload;
    let block = if clear {
        read_clear(params, &mut payload)?
    } else {
        read_encrypted(params, content, trust, &mut payload)?
    };
    payload.finish()?;
    Ok(block)
}
