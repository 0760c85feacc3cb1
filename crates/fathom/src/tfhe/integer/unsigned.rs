//! The unsigned integer types.

use super::radix_value::{self, sealed};
use super::{AnyRadixValue, Clear, RadixValue, U256, ValueType, digits};
use crate::tfhe::{Block, Error};

/// An encrypted unsigned integer of `BITS` bits, an even number from 2 to 256.
///
/// Arithmetic wraps modulo `2^BITS`.
#[derive(Clone)]
pub struct FheUint<const BITS: usize> {
    blocks: Vec<Block>,
}

impl<const BITS: usize> std::fmt::Debug for FheUint<BITS> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        radix_value::debug(self, f)
    }
}

impl<const BITS: usize> sealed::Sealed for FheUint<BITS> {
    type Message = Clear;

    fn message_bits(message: Clear) -> Result<U256, Error> {
        message.bits_of(ValueType::of::<Self>())
    }

    fn wrap(blocks: Vec<Block>) -> Self {
        const { assert!(2 <= BITS && BITS <= 256 && BITS.is_multiple_of(2), "bits of integers") };
        debug_assert!(digits::check_canonical(&blocks, BITS).is_ok());
        FheUint { blocks }
    }
}

impl<const BITS: usize> sealed::SealedAny for FheUint<BITS> {
    fn static_type() -> Option<ValueType> {
        Some(ValueType::of::<Self>())
    }

    fn wrap_as(ty: ValueType, blocks: Vec<Block>) -> Self {
        debug_assert_eq!(ty, ValueType::of::<Self>());
        sealed::Sealed::wrap(blocks)
    }
}

impl<const BITS: usize> AnyRadixValue for FheUint<BITS> {
    fn value_type(&self) -> ValueType {
        ValueType::of::<Self>()
    }

    fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

impl<const BITS: usize> RadixValue for FheUint<BITS> {
    const BITS: usize = BITS;
    const SIGNED: bool = false;
}

/// An encrypted `u8`.
pub type FheUint8 = FheUint<8>;
/// An encrypted `u16`.
pub type FheUint16 = FheUint<16>;
/// An encrypted `u32`.
pub type FheUint32 = FheUint<32>;
/// An encrypted `u64`.
pub type FheUint64 = FheUint<64>;
/// An encrypted `u128`.
pub type FheUint128 = FheUint<128>;
/// An encrypted [`U256`](super::U256).
pub type FheUint256 = FheUint<256>;
