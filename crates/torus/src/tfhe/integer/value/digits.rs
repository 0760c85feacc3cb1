//! Clear values as base-4 digits.

pub(in crate::tfhe::integer) use crate::tfhe::low_bits::{mask, sign_extended};
use crate::tfhe::{Block, Error, Params, Space};
use ethnum::U256;

pub(in crate::tfhe::integer) use fathom_base::value_type::{DIGIT_BITS, DIGIT_MAX, count};

/// Greatest noise variance of the blocks of an integer between operations, in units of the variance
/// of a bootstrap's output.
pub const CANONICAL_NOISE_VARIANCE: u32 = 2;

/// The message space of the blocks of integers: two bits of message, two of carry and the padding
/// bit.
pub(in crate::tfhe::integer) const SPACE: Space = Space::of::<5>();

/// Returns the digits of the low `bits` bits, least significant first.
pub(in crate::tfhe::integer) fn of(value: U256, bits: usize) -> impl Iterator<Item = i32> {
    (0..count(bits)).map(move |index| digit(value, index))
}

/// Returns digit `index`, which is 0 past the width of the type.
pub(in crate::tfhe::integer) fn digit(value: U256, index: usize) -> i32 {
    let shift = DIGIT_BITS * index;
    if shift < 256 { ((value >> shift as u32) & U256::from(3u8)).as_i32() } else { 0 }
}

/// Returns the value of digits, least significant first, modulo `2^256`: at most 128 of them.
pub(in crate::tfhe::integer) fn join(digits: impl Iterator<Item = i32>) -> U256 {
    digits.enumerate().fold(U256::ZERO, |sum, (index, digit)| {
        let place = (DIGIT_BITS * index) as u32;
        let digit = U256::from(digit as u32).checked_shl(place).expect("128 digits fill 256 bits");
        sum.wrapping_add(digit)
    })
}

/// Returns trivial blocks of the low `bits` bits.
pub(in crate::tfhe::integer) fn trivial(value: U256, bits: usize) -> Vec<Block> {
    of(value, bits).map(|digit| Block::trivial(SPACE, digit)).collect()
}

/// Refuses parameters whose blocks cannot form integers.
pub(in crate::tfhe::integer) fn check_params(params: &Params) -> Result<(), Error> {
    if params.space() == SPACE && params.spec().message_bits as usize == DIGIT_BITS {
        return Ok(());
    }
    Err(mismatch(params.name()))
}

/// Returns the error for blocks or parameters that cannot form integers.
fn mismatch(right: &str) -> Error {
    let left = "integers, of blocks of 2 bits of message and 2 of carry".to_owned();
    Error::ParamsMismatch { left, right: right.to_owned() }
}

/// Refuses blocks that cannot form an integer of `bits` bits.
pub(in crate::tfhe::integer) fn check_canonical(
    blocks: &[Block],
    bits: usize,
) -> Result<(), Error> {
    if let Some(other) = blocks.iter().find(|block| block.space() != SPACE) {
        return Err(mismatch(&format!("a block of {} bits", other.space().bits())));
    }
    let top = if bits == 1 { 1 } else { DIGIT_MAX };
    let canonical = |block: &Block| {
        let (low, high) = block.range();
        low >= 0 && high <= top && block.noise_variance() <= CANONICAL_NOISE_VARIANCE
    };
    if blocks.len() != count(bits) || !blocks.iter().all(canonical) {
        return Err(Error::NotCanonical {
            blocks: count(bits),
            top,
            noise_variance: CANONICAL_NOISE_VARIANCE,
        });
    }
    let mut owners = blocks.iter().filter_map(Block::owner);
    let first = owners.next();
    first.map_or(Ok(()), |first| owners.try_for_each(|owner| first.same(owner)))
}
