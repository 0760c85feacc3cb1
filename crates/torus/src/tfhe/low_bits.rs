//! The low bits of a word of 256 bits.

use ethnum::{I256, U256};

/// Returns `2^bits - 1`.
pub(in crate::tfhe) fn mask(bits: usize) -> U256 {
    if bits == 0 { U256::ZERO } else { U256::MAX >> (256 - bits.min(256)) as u32 }
}

/// Returns the value of the low `bits` bits in two's complement.
pub(in crate::tfhe) fn sign_extended(value: U256, bits: usize) -> I256 {
    // The sign is extended by an arithmetic shift, without a branch on it.
    let unused = 256 - bits.min(256) as u32;
    (value << unused).as_i256() >> unused
}
