//! Blocks: an LWE ciphertext with its metadata, or a clear integer.

use super::{Content, SCHEME, content, foreign, of_clear, of_fresh, of_key};
use crate::Error;
use crate::lwe::LweCiphertext;
use crate::tfhe::{Block, Claims, Owner, Params, Span};
use crate::wire::frame::{Frame, transparent};
use crate::wire::reader::{Reader, at_most};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireFresh, WireValue};

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

/// Checks that blocks of a value can be sent with these parameters, and returns their header; they
/// have one key or are clear.
pub(super) fn header(blocks: &[Block], params: &Params) -> Result<Header, Error> {
    blocks.iter().try_for_each(|block| check(block, params).map(drop))?;
    let fresh = blocks.iter().all(Block::is_fresh);
    Ok(match blocks.iter().find_map(Block::key_id) {
        None => of_clear(params),
        Some(key_id) if fresh => of_fresh(params, key_id),
        Some(key_id) => of_key(params, key_id),
    })
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

/// [`Block::is_clear`] tells whether a block that was read is a clear integer. The noise of one
/// that was computed may depend on that of any other, so that its standard deviation is added to
/// theirs in sums ([`Block::noise_variance`]).
impl Wire for Block {
    type Context = Params;
    const KIND: Kind = Kind::Ciphertext;
    const SCHEME: &'static str = SCHEME;

    fn read(params: &Params, frame: &mut Frame<'_>, trust: Trust) -> Result<Block, Error> {
        let content = content(frame, params)?;
        let clear = content == Content::Clear;
        if clear && trust == Trust::FreshOnly {
            return Err(WireError::NotFresh.into());
        }
        frame.expect(&params.id(), if clear { CLEAR_BYTES } else { encrypted_len(params) })?;
        if clear {
            read_clear(params, &mut frame.payload)
        } else {
            read_encrypted(params, content, trust, &mut frame.payload)
        }
    }
}

/// The block gets the range of all messages and the noise of an encryption.
impl WireFresh for Block {}

impl WireValue for Block {
    fn header(&self, params: &Params) -> Result<Header, Error> {
        header(std::slice::from_ref(self), params)
    }

    fn payload_len(&self, params: &Params) -> usize {
        block_len(params, self)
    }

    fn write(&self, _: &Params, out: &mut Vec<u8>) {
        write(self, out);
    }
}
