//! The signed integer types.

use super::radix_value::{self, sealed};
use super::{AnyRadixValue, Clear, RadixValue, U256, ValueType, digits};
use crate::tfhe::{Block, Error};

/// An encrypted two's-complement integer of `BITS` bits, an even number from 2 to 256.
///
/// Arithmetic wraps modulo `2^BITS`.
#[derive(Clone)]
pub struct FheInt<const BITS: usize> {
    blocks: Vec<Block>,
}

impl<const BITS: usize> std::fmt::Debug for FheInt<BITS> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        radix_value::debug(self, f)
    }
}

impl<const BITS: usize> sealed::Sealed for FheInt<BITS> {
    type Message = Clear;

    fn message_bits(message: Clear) -> Result<U256, Error> {
        message.bits_of(ValueType::of::<Self>())
    }

    fn wrap(blocks: Vec<Block>) -> Self {
        const { assert!(2 <= BITS && BITS <= 256 && BITS.is_multiple_of(2), "bits of integers") };
        debug_assert!(digits::check_canonical(&blocks, BITS).is_ok());
        FheInt { blocks }
    }
}

impl<const BITS: usize> sealed::SealedAny for FheInt<BITS> {
    fn static_type() -> Option<ValueType> {
        Some(ValueType::of::<Self>())
    }

    fn wrap_as(ty: ValueType, blocks: Vec<Block>) -> Self {
        debug_assert_eq!(ty, ValueType::of::<Self>());
        sealed::Sealed::wrap(blocks)
    }
}

impl<const BITS: usize> AnyRadixValue for FheInt<BITS> {
    fn value_type(&self) -> ValueType {
        ValueType::of::<Self>()
    }

    fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

impl<const BITS: usize> RadixValue for FheInt<BITS> {
    const BITS: usize = BITS;
    const SIGNED: bool = true;
}

/// An encrypted `i8`.
pub type FheInt8 = FheInt<8>;
/// An encrypted `i16`.
pub type FheInt16 = FheInt<16>;
/// An encrypted `i32`.
pub type FheInt32 = FheInt<32>;
/// An encrypted `i64`.
pub type FheInt64 = FheInt<64>;
/// An encrypted `i128`.
pub type FheInt128 = FheInt<128>;
/// An encrypted [`I256`](super::I256).
pub type FheInt256 = FheInt<256>;
